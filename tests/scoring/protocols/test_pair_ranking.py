"""Ranking by pair tests: the numbers of ``pairs.score``, places by averages, gaps left unranked."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from scoring.protocols import pairs
from scoring.protocols.pair_ranking import rank_pairs
from scoring.protocols.pair_table import Answered
from scoring.protocols.pair_tests import Answers, CaptionPair, PairsUpload
from scoring.types import FloatArray, ScoringError

SIZES = {"agent_iden": 40, "chrono": 25, "control_v2t": 30, "ivat": 20}
TESTS = {
    test: tuple(CaptionPair(test, f"v{n}", "", f"{test} yes {n}", "no") for n in range(size))
    for test, size in SIZES.items()
}
STARTS = dict(zip(SIZES, np.cumsum([0, *SIZES.values()])[:-1].tolist(), strict=True))
POSITIONS = {test: np.arange(STARTS[test], STARTS[test] + size) for test, size in SIZES.items()}
TOTAL = sum(SIZES.values())


def upload(seed: int, skill: float, *, without: str = "") -> PairsUpload:
    """Scores, choices (some unreadable) and matrices of an invented system."""
    random = np.random.default_rng(seed)
    answers = []
    for test, size in SIZES.items():
        if test == without:
            continue
        keys = tuple((f"v{n}", "") for n in range(size))
        if test == "ivat":
            values = random.random((size, 2, 2)) + skill * np.eye(2)
            answers.append(Answers(test, "matrices", keys, values))
            continue
        values = np.column_stack([random.random(size) + skill, random.random(size)])
        answers.append(Answers(test, "scores", keys, values))
        words = tuple(
            (str(a), str(b)) for a, b in random.choice(["A", "B", "neither"], size=(size, 2))
        )
        answers.append(Answers(test, "choices", keys, words=words))
    return PairsUpload("csv", tuple(answers))


def answered(name: str, result: pairs.PairsResult) -> Answered:
    """What a system answered, laid out over all pairs as the site stores it."""
    values: dict[str, FloatArray] = {}
    blank: dict[str, list[int]] = {}
    for one in result.tests:
        for metric, correct in one.correct.items():
            values.setdefault(metric, np.full(TOTAL, np.nan))[POSITIONS[one.test]] = correct
            blank.setdefault(metric, []).extend(POSITIONS[one.test][one.answered == 0].tolist())
    return Answered(name, values, blank)


def results() -> Mapping[str, pairs.PairsResult]:
    return {
        name: pairs.score(upload(seed, skill), TESTS)
        for name, seed, skill in (("weak", 1, 0.0), ("strong", 2, 0.6), ("fair", 3, 0.25))
    }


def test_a_system_has_the_numbers_and_intervals_that_it_has_alone() -> None:
    alone = results()
    table = rank_pairs([answered(name, one) for name, one in alone.items()], POSITIONS)
    for row in table.rows:
        result = alone[row.system]
        for one in result.tests:
            for metric, accuracy in one.accuracy.items():
                assert row.tests[one.test][metric] == accuracy
                assert row.unanswered[one.test][metric] == one.unanswered
        for metric, average in result.averages.items():
            assert row.averages[metric] == average


def test_places_follow_the_average_over_tests_and_leave_out_the_control() -> None:
    table = rank_pairs([answered(name, one) for name, one in results().items()], POSITIONS)
    assert [(row.rank, row.system) for row in table.rows] == [
        (1, "strong"),
        (2, "fair"),
        (3, "weak"),
    ]
    best = table.rows[0]
    assert best.averages["classic"].tests == ("agent_iden", "chrono")
    assert best.low is not None
    assert best.high is not None
    assert best.low <= best.averages["classic"].of_all <= best.high  # type: ignore[operator]
    for row in table.rows:
        assert row.rank_low is not None
        assert row.rank_high is not None
        assert row.rank is not None
        assert row.rank_low <= row.rank <= row.rank_high
    assert sum(row.p_first or 0 for row in table.rows) >= 1.0


def test_a_missing_test_leaves_a_system_unranked_and_says_so() -> None:
    partial = pairs.score(upload(4, 0.9, without="chrono"), TESTS)
    rows = rank_pairs(
        [answered("partial", partial), *(answered(n, r) for n, r in results().items())], POSITIONS
    ).rows
    assert [row.rank for row in rows] == [1, 2, 3, None]
    last = rows[-1].to_json()
    assert (last["system"], last["missing"], last["mean"]["classic"]) == (
        "partial",
        ["chrono"],
        None,
    )
    assert last["judges"]["agent_iden"]["classic"] > 0.5
    assert last["rank_low"] is None


def test_a_system_that_only_chooses_is_unranked_by_scores_and_ranked_by_choices() -> None:
    one = answered("chooser", pairs.score(upload(5, 0.5), TESTS))
    only = Answered("chooser", {"mcq": one.values["mcq"]}, one.unanswered)
    (row,) = rank_pairs([only], POSITIONS).rows
    assert (row.rank, row.missing) == (None, ("agent_iden", "chrono"))
    (row,) = rank_pairs([only], POSITIONS, primary="mcq").rows
    assert (row.rank, row.missing) == (1, ())


def test_unanswered_pairs_count_as_wrong_where_systems_are_ranked() -> None:
    values = np.full(TOTAL, np.nan)
    values[POSITIONS["chrono"]] = [1.0] * 5 + [0.0] * 20
    shy = Answered("shy", {"mcq": values}, {"mcq": POSITIONS["chrono"][5:].tolist()})
    bold = Answered("bold", {"mcq": np.where(np.isnan(values), np.nan, [1.0, 0.0] * 57 + [0.0])})
    tests = {"chrono": POSITIONS["chrono"]}
    rows = rank_pairs([shy, bold], tests, primary="mcq").rows
    assert [row.system for row in rows] == ["bold", "shy"]
    assert rows[1].tests["chrono"]["mcq"].value == 1.0
    assert rows[1].tests["chrono"]["mcq"].of_all == 0.2


def test_the_order_of_systems_and_what_they_stand_beside_move_no_number() -> None:
    systems = [answered(name, one) for name, one in results().items()]
    forward, backward = rank_pairs(systems, POSITIONS), rank_pairs(systems[::-1], POSITIONS)
    assert forward == backward
    (alone,) = rank_pairs(systems[:1], POSITIONS).rows
    beside = next(row for row in forward.rows if row.system == alone.system)
    assert (alone.tests, alone.averages, alone.low) == (beside.tests, beside.averages, beside.low)


def test_equal_systems_share_a_place() -> None:
    one = answered("a", pairs.score(upload(1, 0.3), TESTS))
    twin = Answered("b", one.values, one.unanswered)
    assert [row.rank for row in rank_pairs([one, twin], POSITIONS).rows] == [1, 1]


def test_group_is_ranked_by_its_only_test() -> None:
    table = rank_pairs(
        [answered(name, one) for name, one in results().items()], POSITIONS, primary="group"
    )
    assert [row.rank for row in table.rows] == [1, 2, 3]
    assert table.rows[0].averages["group"].tests == ("ivat",)


def test_pairs_that_no_longer_count_change_the_numbers_of_all() -> None:
    systems = [answered(name, one) for name, one in results().items()]
    fewer = POSITIONS | {"chrono": POSITIONS["chrono"][:10]}
    assert rank_pairs(systems, fewer).pairs["chrono"] == 10
    assert rank_pairs(systems, fewer) != rank_pairs(systems, POSITIONS)


def test_rows_are_strict_json_and_have_the_keys_of_other_tables() -> None:
    row = rank_pairs([answered("x", results()["fair"])], POSITIONS).rows[0].to_json()
    assert {"system", "rank", "borda", "mean", "judges", "missing", "rank_low", "p_first"} <= set(
        row
    )
    assert row["borda"] is None
    assert row["tests"]["ivat"]["group"]["wilson"] is not None
    assert row["tests"]["ivat"]["t2v_independent"]["wilson"] is None


def test_faults_are_named() -> None:
    one = answered("x", results()["fair"])
    with pytest.raises(ScoringError, match="ranked once"):
        rank_pairs([one, one], POSITIONS)
    with pytest.raises(ScoringError, match="no metric named 'acc'"):
        rank_pairs([one], POSITIONS, primary="acc")
    assert rank_pairs([], POSITIONS).rows == ()
