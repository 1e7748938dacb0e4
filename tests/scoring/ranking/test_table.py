"""Ranked tables: the published one, missing judges, degenerate data, strict JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring.ranking import RankTable, rank_means, rank_scores
from scoring.types import ScoringError

NAN = float("nan")
METRICS = ("coarse", "fine_precision", "fine_recall", "fine_f1", "hm_cf")


def ranked(
    scores: Any, names: str = "ABCDEFGH", judges: int | None = None, **options: Any
) -> RankTable:
    """A table of one metric from nested lists of shape (V, J, C)."""
    values = np.array(scores, dtype=float)
    panel = [f"j{j}" for j in range(values.shape[1] if judges is None else judges)]
    return rank_scores(list(names[: len(values)]), panel, {"hm_cf": values}, **options)


def strict(table: RankTable) -> Any:
    """Through a strict JSON writer and reader."""

    def refuse(constant: str) -> float:
        raise AssertionError(constant)

    return json.loads(json.dumps(table.to_json(), allow_nan=False), parse_constant=refuse)


@pytest.fixture(scope="module")
def published(published_clip_cc: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(published_clip_cc.read_text())
    return loaded


@pytest.fixture(scope="module")
def published_table(published: dict[str, Any]) -> RankTable:
    systems = sorted(published["systems"])
    judges = list(published["judges"])
    means = {
        metric: np.array(
            [
                [published["systems"][s]["judges"][j][metric]["mean"] for j in judges]
                for s in systems
            ]
        )
        for metric in METRICS
    }
    return rank_means(systems, judges, means)


def test_every_row_of_the_published_ranking(
    published: dict[str, Any], published_table: RankTable
) -> None:
    expected = published["published_ranking"]
    assert len(expected) == len(published_table.rows) == 17
    for row, line in zip(published_table.rows, expected, strict=True):
        assert (row.rank, row.system, row.borda) == (line["rank"], line["slug"], line["borda"])
        assert row.mean["hm_cf"] == pytest.approx(line["mean_hm_cf"], rel=1e-14)


def test_the_published_ranking_whatever_the_order_of_rows(
    published: dict[str, Any], published_table: RankTable
) -> None:
    systems = sorted(published["systems"], reverse=True)
    judges = list(published["judges"])[::-1]
    means = np.array(
        [[published["systems"][s]["judges"][j]["hm_cf"]["mean"] for j in judges] for s in systems]
    )
    again = rank_means(systems, judges, {"hm_cf": means})
    assert [(r.system, r.rank, r.borda) for r in again.rows] == [
        (r.system, r.rank, r.borda) for r in published_table.rows
    ]


def test_the_published_agreement_of_judges(
    published: dict[str, Any], published_table: RankTable
) -> None:
    found = published_table.agreement
    for measure, three in (("spearman", (0.958, 0.995, 0.978)), ("kendall", (0.868, 0.971, 0.921))):
        values = [found[measure][key] for key in ("min", "max", "mean")]
        assert [round(value, 3) for value in values] == list(three)
        stated = published["published_agreement"][measure]
        for key in ("min", "mean"):
            assert found[measure][key] == pytest.approx(stated[key], abs=0.0051)
    assert "pearson" not in found


def test_reported_means_have_no_intervals(published_table: RankTable) -> None:
    assert published_table.clips is None
    assert published_table.replicates == 0
    assert all(
        row.rank_low is row.rank_high is row.p_first is row.low is None
        for row in published_table.rows
    )


def test_rk_01_not_a_number_is_never_sorted_to_the_top() -> None:
    values = np.array([[0.3], [NAN], [0.9], [0.5]])
    table = rank_means(list("ABCD"), ["j"], {"hm_cf": values})
    assert [row.system for row in table.rows] == ["C", "D", "A", "B"]
    assert [row.rank for row in table.rows] == [1, 2, 3, None]
    falling = rank_means(list("ABCD"), ["j"], {"hm_cf": values}, higher_is_better=False)
    assert [row.system for row in falling.rows] == ["A", "D", "C", "B"]
    assert falling.rows[-1].borda is None


def test_rk_01_infinity_counts_as_missing() -> None:
    table = rank_means(list("AB"), ["j"], {"hm_cf": np.array([[np.inf], [0.1]])})
    assert [(row.system, row.rank) for row in table.rows] == [("B", 1), ("A", None)]


def test_rk_01_lower_is_better() -> None:
    rates = np.array([[0.1], [0.4]])
    table = rank_means(list("AB"), ["j"], {"rate": rates}, primary="rate", higher_is_better=False)
    assert [row.system for row in table.rows] == ["A", "B"]
    assert table.rows[0].mean["rate"] == 0.1


def test_lower_is_better_turns_intervals_round() -> None:
    rng = np.random.default_rng(0)
    rates = np.array([[rng.uniform(0.0, 0.2, 30)], [rng.uniform(0.3, 0.6, 30)]])
    table = rank_scores(
        ["A", "B"], ["j"], {"rate": rates}, primary="rate", higher_is_better=False, replicates=200
    )
    first = table.rows[0]
    assert (first.system, first.rank, first.rank_low, first.rank_high) == ("A", 1, 1, 1)
    assert 0.0 < first.low < first.mean["rate"] < first.high < 0.2


def test_rk_02_through_the_table() -> None:
    means = np.array([[0.1 + 0.7, 0.8, 0.5], [0.8, 0.7, 0.9], [0.1, NAN, 0.95]])
    table = rank_means(list("ABC"), ["m1", "m2", "m3"], {"hm_cf": means}, missing="last")
    assert [(row.system, row.rank, row.borda) for row in table.rows] == [
        ("A", 1, 3.5),
        ("B", 1, 3.5),
        ("C", 3, 2.0),
    ]
    assert table.rows[2].missing == ("m2",)
    assert table.rows[2].mean["hm_cf"] is None
    assert "missing:last" in table.signature
    assert "missing" not in rank_means(list("A"), ["m"], {"hm_cf": np.ones((1, 1))}).signature


def test_a_system_without_a_judge_is_listed_last_with_what_it_has() -> None:
    rng = np.random.default_rng(1)
    scores = rng.uniform(0, 1, (3, 2, 20))
    scores[0] += 5.0
    scores[0, 1] = NAN
    table = ranked(scores, replicates=50)
    last = table.rows[-1]
    assert (last.system, last.rank, last.borda, last.missing) == ("A", None, None, ("j1",))
    assert list(last.judges) == ["j0"]
    assert last.judges["j0"]["hm_cf"] == pytest.approx(scores[0, 0].mean())
    assert last.rank_low is last.p_first is last.mean["hm_cf"] is None
    # The others are ranked as if it were not there.
    alone = ranked(scores[1:], "BC", replicates=50)
    assert [(r.system, r.rank, r.borda, r.p_first) for r in table.rows[:2]] == [
        (r.system, r.rank, r.borda, r.p_first) for r in alone.rows
    ]


def test_one_clip_that_is_not_a_number_makes_the_judge_missing() -> None:
    scores = np.full((2, 2, 4), 0.5)
    scores[1, 0, 2] = NAN
    table = ranked(scores)
    assert table.clips == 4
    assert table.rows[-1].missing == ("j0",)


def test_a_clip_that_nobody_has_is_excluded_for_all() -> None:
    scores = np.random.default_rng(2).uniform(0, 1, (3, 2, 5))
    scores[:, :, 3] = NAN
    table = ranked(scores)
    kept = ranked(np.delete(scores, 3, axis=2))
    assert table.clips == 4
    assert table.rows == kept.rows


def test_rk_04_the_shown_score_is_that_of_the_data() -> None:
    scores = np.random.default_rng(3).uniform(0, 1, (4, 3, 25))
    tables = [
        ranked(scores, replicates=replicates, seed=seed)
        for replicates, seed in ((100, 1), (1000, 1), (100, 2))
    ]
    for table in tables:
        for row in table.rows:
            v = "ABCD".index(row.system)
            assert row.mean["hm_cf"] == pytest.approx(scores[v].mean(axis=1).mean(), rel=1e-14)
            assert row.low <= row.mean["hm_cf"] <= row.high
            assert row.rank_low <= row.rank <= row.rank_high
    assert ranked(scores, replicates=100, seed=1) == tables[0]
    assert tables[0].rows != tables[2].rows
    assert tables[0].seed == 1
    assert "seed:1" in tables[0].signature


def test_rk_04_all_equal() -> None:
    table = ranked([[[0.5] * 5]])
    row = table.rows[0]
    assert (row.low, row.high) == (0.5, 0.5)
    assert (row.rank, row.rank_low, row.rank_high, row.p_first) == (1, 1, 1, 1.0)


def test_rk_04_one_clip_has_no_intervals() -> None:
    table = ranked([[[0.5]], [[0.7]]])
    assert [(row.system, row.rank) for row in table.rows] == [("B", 1), ("A", 2)]
    assert all(row.rank_low is row.low is row.p_first is None for row in table.rows)


def test_rk_04_a_new_submission_leaves_the_others_scores_and_intervals() -> None:
    scores = np.random.default_rng(4).uniform(0, 1, (4, 3, 25))
    before = {row.system: row for row in ranked(scores[:3]).rows}
    after = {row.system: row for row in ranked(scores).rows}
    for name, row in before.items():
        assert (row.mean, row.low, row.high) == (
            after[name].mean,
            after[name].low,
            after[name].high,
        )


def test_lj_08_the_table_averages_per_clip_values() -> None:
    """F1 is averaged over clips; it is not the F1 of averages, and the bootstrap does the same."""
    precision, recall = np.array([1.0, 0.0]), np.array([0.2, 0.8])
    both = zip(precision, recall, strict=True)
    f1 = np.array([2 * p * r / (p + r) if p and r else 0.0 for p, r in both])
    arrays = {
        name: values.reshape(1, 1, 2)
        for name, values in (("p", precision), ("r", recall), ("fine_f1", f1))
    }
    table = rank_scores(["A"], ["j"], arrays, primary="fine_f1", replicates=2000)
    row = table.rows[0]
    assert row.mean["fine_f1"] == pytest.approx(1 / 6)
    assert row.mean["p"] == row.mean["r"] == 0.5
    # Two clips: every resample's mean is one of 0, 1/6 and 1/3.
    assert row.low == 0.0
    assert row.high == pytest.approx(1 / 3)


def test_lj_08_pooled_counts_are_not_averaged() -> None:
    table = ranked([[[1.0, 0.0]]], replicates=0)
    assert table.rows[0].mean["hm_cf"] == 0.5


def test_ap_02_a_table_with_gaps_is_strict_json() -> None:
    scores = np.random.default_rng(5).uniform(0, 1, (3, 2, 6))
    scores[1, 1, 2] = NAN
    extra = scores.copy()
    extra[0, 0, 0] = NAN
    table = rank_scores(["A", "B", "C"], ["x", "y"], {"hm_cf": scores, "extra": extra})
    rows = {row["system"]: row for row in strict(table)["rows"]}
    assert rows["B"]["rank"] is rows["B"]["rank_low"] is rows["B"]["mean"]["hm_cf"] is None
    assert rows["A"]["mean"]["extra"] is None
    assert rows["A"]["judges"]["x"]["extra"] is None
    assert rows["A"]["judges"]["y"]["extra"] == pytest.approx(extra[0, 1].mean())
    assert rows["A"]["rank"] in (1, 2)
    one = strict(ranked([[[0.5]]]))
    assert one["rows"][0]["low"] is None


def test_a_constant_judge_agrees_with_nobody_in_particular() -> None:
    rng = np.random.default_rng(6)
    scores = rng.uniform(0, 1, (4, 3, 10))
    scores[:, 1] = 0.3
    found = strict(ranked(scores))["agreement"]
    for measure in ("spearman", "kendall", "pearson"):
        matrix = found[measure]["matrix"]
        assert matrix[0][1] is matrix[1][1] is None
        assert isinstance(matrix[0][2], float)
        assert found[measure]["min"] == found[measure]["max"] == matrix[0][2]


def test_exact_ties_share_a_place_and_are_listed_by_name() -> None:
    same = [[0.5, 0.6, 0.7]]
    table = ranked([same, [[0.1, 0.1, 0.2]], same, [[0.9, 0.9, 0.9]]], "ZBAD")
    assert [(row.system, row.rank) for row in table.rows] == [
        ("D", 1),
        ("A", 2),
        ("Z", 2),
        ("B", 4),
    ]
    assert sum(row.borda for row in table.rows) == 6.0


def test_no_systems_no_judges() -> None:
    empty = rank_scores([], ["j"], {"hm_cf": np.zeros((0, 1, 3))})
    assert empty.rows == ()
    assert rank_means([], ["j"], {}).rows == ()
    alone = rank_scores(["A"], [], {"hm_cf": np.zeros((1, 0, 3))})
    assert [(row.system, row.rank) for row in alone.rows] == [("A", None)]
    for table in (empty, alone):
        strict(table)


def test_one_system() -> None:
    table = ranked([[[0.2, 0.4]]])
    row = table.rows[0]
    assert (row.rank, row.borda, row.rank_low, row.rank_high) == (1, 0.0, 1, 1)
    assert strict(table)["agreement"]["spearman"]["mean"] is None


def test_the_signature_names_what_makes_the_table() -> None:
    scores = np.full((1, 1, 3), 0.5)
    first = rank_scores(["A"], ["j"], {"hm_cf": scores}, signatures=["run a"])
    second = rank_scores(["A"], ["j"], {"hm_cf": scores}, signatures=["run b"])
    assert first.signature != second.signature
    assert "replicates:1000" in first.signature
    assert "primary:hm_cf" in first.signature


@pytest.mark.parametrize(
    ("systems", "judges", "metrics", "message"),
    [
        (["A", "A"], ["j"], {"hm_cf": np.zeros((2, 1, 3))}, "A comes twice"),
        (["A"], ["j", "j"], {"hm_cf": np.zeros((1, 2, 3))}, "j comes twice"),
        (["A"], ["j"], {"bleu": np.zeros((1, 1, 3))}, "no metric named 'hm_cf'"),
        (["A"], ["j"], {"hm_cf": np.zeros((2, 1, 3))}, "shape"),
        (["A"], ["j"], {"hm_cf": np.zeros((1, 1))}, "shape"),
        (
            ["A"],
            ["j"],
            {"hm_cf": np.zeros((1, 1, 3)), "x": np.zeros((1, 1, 4))},
            "the same clips",
        ),
    ],
)
def test_what_does_not_fit_is_refused(
    systems: list[str], judges: list[str], metrics: dict[str, np.ndarray], message: str
) -> None:
    with pytest.raises(ScoringError, match=message):
        rank_scores(systems, judges, metrics)


def test_the_inputs_are_left_alone() -> None:
    scores = np.array([[[0.1, np.inf]], [[0.2, 0.3]]])
    before = scores.copy()
    ranked(scores)
    np.testing.assert_array_equal(scores, before)
