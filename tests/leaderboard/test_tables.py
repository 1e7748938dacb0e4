"""The read side on its own: sorting, columns, examples, matches, drawings."""

from __future__ import annotations

import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from model_bakery import baker

from leaderboard.charts import MARGIN, WIDTH, RankInterval, step
from leaderboard.models import CaptionPair, Ranking, Release, Track
from leaderboard.tables import Column, Sort, board, examples
from leaderboard.tables.agreement import agreement
from leaderboard.tables.labels import in_order, judge_title, metric_title
from leaderboard.tables.matches import matches
from leaderboard.templatetags.board import megabytes, percent, points, score, score_cells, seconds
from scoring.formats import read_upload
from scoring.formats.pairs import read_pairs


@pytest.mark.parametrize("missing", [None, math.nan])
@pytest.mark.parametrize("descending", [True, False])
def test_rk_01_missing_and_nan_stay_last(missing: float | None, descending: bool) -> None:
    """0.3, 0.9, 0.5 in either direction, and then what has no value."""
    rows = (0.3, missing, 0.9, 0.5)
    arranged = Sort("score", descending).arrange(rows, lambda value: value)
    assert arranged[:3] == ((0.9, 0.5, 0.3) if descending else (0.3, 0.5, 0.9))
    assert arranged[3] is missing


@given(st.lists(st.none() | st.floats(allow_infinity=True, allow_nan=True)), st.booleans())
def test_sorting_loses_nothing(values: list[float | None], descending: bool) -> None:
    """The known in order, then the others as they stood."""
    rows = list(enumerate(values))
    arranged = Sort("x", descending).arrange(rows, lambda row: row[1])
    assert sorted(i for i, _ in arranged) == list(range(len(values)))
    known = [v for _, v in arranged if v is not None and not math.isnan(v)]
    assert known == sorted(known, reverse=descending)
    assert all(v is None or math.isnan(v) for _, v in arranged[len(known) :])


@pytest.mark.parametrize("descending", [True, False])
def test_equals_stay_as_they_stood(descending: bool) -> None:
    """In both directions: the board's order shows through."""
    rows = [("a", 1), ("b", 1), ("c", 1)]
    arranged = Sort("x", descending).arrange(rows, lambda row: row[1])
    assert [name for name, _ in arranged] == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("borda", Sort("borda")),
        ("-borda", Sort("borda", descending=True)),
        ("--borda", Sort("rank")),
        ("", Sort("rank")),
        ("; drop table", Sort("rank")),
    ],
)
def test_a_wish_for_an_order(text: str, expected: Sort) -> None:
    """What is no column gives the default."""
    parsed = Sort.parse(text, ("rank", "borda"), "rank")
    assert parsed == expected
    assert Sort.parse(str(parsed), ("rank", "borda"), "rank") == parsed


def row(name: str, rank: int | None, value: float | None, **more: Any) -> dict[str, Any]:
    """A row as a worker stores it."""
    made = {
        "system": name,
        "name": name.title(),
        "rank": rank,
        "borda": None if rank is None else 3.0 - rank,
        "mean": {"hm_cf": value},
        "judges": {"left": {"hm_cf": value}, "right": {"hm_cf": 0.5}},
        "rank_low": rank,
        "rank_high": rank,
        "p_first": None,
        "missing": [] if rank else ["left"],
    }
    return made | more


def test_a_board_without_any_score() -> None:
    """A column in which nothing stands has no ends, and nothing is drawn."""
    track = Track(slug="t", judges=["right", "left"], primary_metric="hm_cf")
    made = board(Ranking(track=track, rows=[row("a", None, None)]), cards=False)
    assert [column.key for column in made.judges] == ["right", "left"]
    assert made.judges[1].low is None
    assert made.rows[0].values == (None, 0.5, None)
    assert (made.places, made.has_intervals) == (0, False)


def test_the_judges_stand_in_the_tracks_order() -> None:
    """One that the track no longer names comes last."""
    track = Track(slug="t", judges=["right"], primary_metric="hm_cf")
    made = board(Ranking(track=track, rows=[row("a", 1, 0.4), row("b", 2, 0.3)]), cards=False)
    assert [column.key for column in made.judges] == ["right", "left"]
    assert (made.mean.low, made.mean.high) == (0.3, 0.4)


def test_agreement_of_one_judge_is_none() -> None:
    """There is nobody to agree with."""
    assert agreement(Ranking(agreement={"judges": ["left"]})) is None
    assert agreement(Ranking(agreement=None)) is None


def test_undefined_agreement_is_shown_as_such() -> None:
    """A constant judge has no correlation."""
    empty = {"min": None, "mean": None, "max": None, "matrix": [[None, None], [None, None]]}
    made = agreement(Ranking(agreement={"judges": ["a", "b"], "spearman": empty}))
    assert made is not None
    assert made.pairs[0].values == (None,)
    assert score(made.measures[0].mean).startswith('<span aria-hidden="true">–')


def test_examples_can_be_uploaded(release: Release) -> None:
    """What the page shows is read without a problem, for the release's own clips."""
    shown = examples(release)
    assert [example.filename.rpartition(".")[2] for example in shown] == ["json", "jsonl", "csv"]
    for example in shown:
        upload = read_upload(example.text.encode(), example.filename)
        assert not upload.problems
        assert list(upload.descriptions) == ["c1", "c2"]


def test_matches_go_both_ways() -> None:
    """The reference's least covered sentence comes first."""
    made = matches(
        {
            "candidate": ["A.", "B."],
            "reference": ["X.", "Y.", "Z."],
            "candidate_best": [[2, 0.5], [0, 0.9]],
            "reference_best": [[1, 0.9], [0, 0.1], [0, 0.5]],
        }
    )
    assert made is not None
    assert [(m.sentence, m.nearest, m.cosine) for m in made.precision] == [
        ("A.", "Z.", 0.5),
        ("B.", "X.", 0.9),
    ]
    assert [m.sentence for m in made.recall] == ["Y.", "Z.", "X."]


def test_nothing_seen_is_no_match() -> None:
    """An empty description, or no evidence at all."""
    assert matches(None) is None
    assert matches({"candidate": [], "reference": ["X."]}) is None


def test_titles() -> None:
    """Of the catalogue; what has none keeps its name."""
    assert judge_title("all-minilm-l6-v2") == "all-MiniLM-L6-v2"
    assert judge_title("left") == "left"
    assert metric_title("hm_cf") == "HM-CF"
    assert in_order(["zz", "coarse", "hm_cf", "coarse"]) == ("hm_cf", "coarse", "zz")


def test_numbers_as_they_are_written() -> None:
    """Rounded once, on the page."""
    assert score(0.67145) == "0.6714"
    assert points(80.0) == "80"
    assert points(7.5) == "7.5"
    assert percent(0.004) == "< 1%"
    assert percent(0.996) == "> 99%"
    assert percent(0.5) == "50%"
    assert percent(1.0) == "100%"
    assert seconds(95.5) == "1:36"
    assert seconds(3600) == "60:00"
    assert megabytes(20_000_000) == "20 MB"
    assert megabytes(11_200) == "11.2 kB"
    assert megabytes(12) == "12 bytes"
    for nothing in (score, points, percent, seconds):
        assert "none" in nothing(None)


def test_an_interval_is_drawn_where_it_lies() -> None:
    """First place left, last right, the bar around both ends of the interval."""
    svg = RankInterval(3, 1, 5, 5).svg()
    assert 'aria-label="rank 3, 95% interval 1 to 5"' in svg
    (x,) = re.findall(r'class="dot" cx="([\d.]+)"', svg)
    assert float(x) == WIDTH / 2
    left, width = (
        float(v) for v in re.findall(r'<rect[^>]*x="([\d.]+)"[^>]*width="([\d.]+)"', svg)[0]
    )
    assert left <= MARGIN
    assert left + width >= WIDTH - MARGIN
    assert "style=" not in svg


def test_a_rank_alone() -> None:
    """No interval, no bar; a lone system stands in the middle."""
    svg = RankInterval(1, None, None, 1).svg()
    assert "<rect" not in svg
    assert "rank 1, no interval" in svg
    assert RankInterval(1, 1, 1, 1).x(1) == WIDTH / 2


@pytest.mark.parametrize(
    ("value", "low", "high", "expected"),
    [
        (0.2, 0.2, 0.6, 0),
        (0.6, 0.2, 0.6, 20),
        (0.4, 0.2, 0.6, 10),
        (0.5, 0.5, 0.5, 10),
        (None, 0.1, 0.2, None),
        (0.1, None, None, None),
        (0.9, 0.2, 0.6, 20),
    ],
)
def test_steps(value: float | None, low: float | None, high: float | None, expected: int) -> None:
    """0 at the column's lowest, 20 at its highest."""
    assert step(value, low, high) == expected


def test_examples_of_answers_can_be_read(release: Release) -> None:
    """Shown only where there are pair tests; what is shown is understood."""
    clip = release.clips.get(key="c1")
    for position, key in enumerate(("a", "b")):
        baker.make(
            CaptionPair,
            release=release,
            clip=clip,
            test_name="agent_iden",
            key=key,
            event=f"e{position}",
            position=position,
        )
    example = examples(release)[-1]
    assert example.filename == "answers.jsonl"
    upload = read_pairs(example.text.encode(), example.filename)
    assert not upload.problems


def test_a_rate_of_errors_is_best_when_low() -> None:
    """It is marked, and sorted at first, from the other end."""
    column = Column.of("x", "X", "cont_f1", [0.3, None, 0.1])
    assert (column.best, column.kind) == (0.1, "rate")
    assert "best" in score_cells([column], [0.1])
    assert "best" not in score_cells([column], [0.3])
    assert Column.of("x", "X", "hm_cf", [0.3, 0.1]).best == 0.3
