"""A ranking computed anew for what a reader has chosen."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache
from django.http import QueryDict
from django.test import Client

from leaderboard.models import Clip, Provenance, Ranking, ReportedResult, Run, System, Track
from leaderboard.pipeline.rank import rank_reported
from leaderboard.tables import Choice, board, choosing, chosen_ranking
from leaderboard.tables import chosen as chosen_module

BOARD = "/b/small/1.0/main/"


@pytest.fixture
def ranking(ranked: Any, track: Track) -> Ranking:
    """The small site's table, over clips of two categories and four durations."""
    for position, clip in enumerate(Clip.objects.order_by("position")):
        clip.category = "Street" if position < 2 else "Sea"
        clip.duration = 60.0 * (position + 1)
        clip.save()
    made = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert made is not None
    return made


def vectors(metric: str = "hm_cf") -> dict[str, dict[str, Any]]:
    """System to judge to the values on the four scored clips."""
    found: dict[str, dict[str, Any]] = {}
    for run in Run.objects.select_related("submission__system"):
        values = run.vectors.get(metric=metric).values[:4]
        found.setdefault(run.submission.system.slug, {})[run.judge] = values
    return found


def parse(query: str) -> Choice:
    """As the view does."""
    return Choice.parse(QueryDict(query), ["left", "right"], ["Sea", "Street"])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", Choice()),
        ("judge=left&judge=right", Choice()),
        ("judge=left", Choice(judges=("left",))),
        ("judge=nobody", Choice()),
        ("category=Sea", Choice(categories=("Sea",))),
        ("category=Street&category=Sea", Choice()),
        ("shortest=60&longest=1e2", Choice(shortest=60.0, longest=100.0)),
        ("shortest=nan&longest=inf", Choice()),
        ("shortest=-5&longest=soon", Choice()),
        ("interval=simultaneous", Choice(interval="simultaneous")),
        ("interval=other", Choice()),
    ],
)
def test_an_address_is_a_choice(query: str, expected: Choice) -> None:
    """What makes no sense leaves nothing out."""
    assert parse(query) == expected


def test_nothing_chosen_is_the_ranking_itself(ranking: Ranking) -> None:
    """Nothing is computed."""
    assert chosen_ranking(ranking, Choice()) is ranking


def test_everything_chosen_gives_the_same_rows(ranking: Ranking) -> None:
    """A range that holds all clips: same ranks, points, means and intervals, to the last digit."""
    made = chosen_ranking(ranking, Choice(longest=1e6))
    assert made.pk is None
    assert made.rows == ranking.rows
    assert made.signature == f"{ranking.signature}|clips:to=1e+06s"


def test_fewer_clips_mean_other_means(ranking: Ranking) -> None:
    """Those of the chosen clips alone; the excluded clip stays excluded."""
    made = chosen_ranking(ranking, Choice(categories=("Sea",)))
    values = vectors()
    for row in made.rows:
        for judge, scores in row["judges"].items():
            assert scores["hm_cf"] == pytest.approx(values[row["system"]][judge][2:].mean())
    assert made.inputs["clips_chosen"] == 2
    assert made.inputs["clips_all"] == 4


def test_durations_bound_on_both_sides(ranking: Ranking) -> None:
    """Both ends included; a clip of unknown duration is left out."""
    Clip.objects.filter(key="c4").update(duration=None)
    assert chosen_ranking(ranking, Choice(shortest=60, longest=120)).inputs["clips_chosen"] == 2
    assert chosen_ranking(ranking, Choice(shortest=60)).inputs["clips_chosen"] == 3


def test_one_judge_alone(ranking: Ranking, client: Client) -> None:
    """The other's column is gone; Borda counts one judge."""
    made = chosen_ranking(ranking, Choice(judges=("left",)))
    assert [row["borda"] for row in made.rows] == [2.0, 1.0, 0.0]
    assert [column.key for column in board(made).judges] == ["left"]
    page = client.get(BOARD, {"judge": "left"}).content.decode()
    assert "sort=-left" in page
    assert "sort=-right" not in page
    assert re.search(r'value="right"\s+>', page)


def test_a_missing_judge_can_be_chosen_away(
    ranking: Ranking, submit: Any, work_off: Any, track: Track
) -> None:
    """A system that lacks one judge has a place among those judged by the other."""
    submission = submit("Gap")
    Run.objects.filter(submission=submission, judge="right").update(state=Run.State.FAILED)
    work_off()
    newest = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert newest is not None
    assert next(row for row in newest.rows if row["system"] == "gap")["rank"] is None
    made = chosen_ranking(newest, Choice(judges=("left",)))
    assert next(row for row in made.rows if row["system"] == "gap")["rank"] is not None


def test_no_clip_left_is_said_and_not_an_error(ranking: Ranking, client: Client) -> None:
    """Nobody has a rank then."""
    response = client.get(BOARD, {"shortest": "5000"})
    assert response.status_code == 200
    assert b"0 ranked" in response.content
    assert b"0 of 4 clips" in response.content
    assert client.get(f"{BOARD}reliability/", {"shortest": "5000"}).status_code == 200
    assert client.get(f"{BOARD}claims/", {"shortest": "5000"}).status_code == 200


def test_one_clip_left_has_no_interval(ranking: Ranking, client: Client) -> None:
    """A rank and nothing to resample."""
    response = client.get(BOARD, {"longest": "60"})
    assert b"1 of 4 clips" in response.content
    assert b"rank-interval" not in response.content
    for part in ("reliability/", "claims/"):
        assert client.get(BOARD + part, {"longest": "60"}).status_code == 200


def test_the_page_says_what_it_is_computed_from(
    ranking: Ranking, client: Client, text: Callable[[Any], str]
) -> None:
    """And how to get back; the form shows the choice, and keeps metric and order."""
    response = client.get(
        BOARD, {"category": "Sea", "judge": "left", "metric": "coarse", "sort": "-mean"}
    )
    said = text(response)
    assert "Computed again for your choice: 1 of 2 judges and 2 of 4 clips (Sea)" in said
    page = response.content.decode()
    assert re.search(r'value="Sea"\s+checked', page)
    assert not re.search(r'value="Street"\s+checked', page)
    assert '<input type="hidden" name="metric" value="coarse">' in page
    assert "?metric=coarse&amp;sort=-mean" in page


def test_confidence_sets_are_of_ranks_by_mean(
    ranking: Ranking, client: Client, text: Callable[[Any], str]
) -> None:
    """Drawn in place of the percentile intervals, and named apart."""
    made = chosen_ranking(ranking, Choice(interval="simultaneous"))
    values = vectors()
    means = {name: sum(v.mean() for v in judges.values()) for name, judges in values.items()}
    for row in made.rows:
        above = sum(mean > means[row["system"]] for mean in means.values())
        assert row["mean_rank"] == above + 1
        assert row["set_low"] <= row["mean_rank"] <= row["set_high"]
    response = client.get(BOARD, {"interval": "simultaneous"})
    first = made.rows[0]
    words = f"95% simultaneous confidence set {first['set_low']} to {first['set_high']}"
    assert f"rank by mean 1, {words}" in response.content.decode()
    assert "not of places by Borda" in text(response)


def test_a_choice_is_computed_once(ranking: Ranking, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kept by content: the same choice costs nothing, a newer ranking is computed anew."""
    calls = []
    compute = choosing.chosen
    monkeypatch.setattr(choosing, "chosen", lambda *a: calls.append(a) or compute(*a))
    chosen_ranking(ranking, Choice(categories=("Sea",)))
    chosen_ranking(ranking, Choice(categories=("Sea",)))
    assert len(calls) == 1
    ranking.fingerprint = "another"
    chosen_ranking(ranking, Choice(categories=("Sea",)))
    assert len(calls) == 2
    cache.clear()


def test_reported_means_can_leave_out_judges_only(
    ranking: Ranking, track: Track, client: Client, text: Callable[[Any], str]
) -> None:
    """Borda anew over the others; clips cannot be chosen."""
    for place, system in enumerate(System.objects.order_by("name")):
        for judge, sign in (("left", 1), ("right", -1)):
            ReportedResult.objects.create(
                track=track,
                system=system,
                judge=judge,
                metric="hm_cf",
                mean=0.5 + sign * place / 10,
                source="A paper",
            )
    made = rank_reported(track.pk)
    assert made is not None
    left = chosen_ranking(made, Choice(judges=("left",)))
    assert [row["name"] for row in left.rows] == ["Worst", "Middle", "Best"]
    right = chosen_ranking(made, Choice(judges=("right",)))
    assert [row["name"] for row in right.rows] == ["Best", "Middle", "Worst"]
    page = client.get(BOARD, {"provenance": "reported"}).content.decode()
    assert 'name="category"' not in page
    assert "claims/" not in page
    report = text(client.get(f"{BOARD}reliability/", {"provenance": "reported"}))
    assert "without the score of each clip nothing can be resampled" in report
    assert "Pearson" not in report
    assert "Spearman" in report


def test_queries_do_not_grow_under_a_choice(
    ranking: Ranking, client: Client, submit: Any, work_off: Any, django_assert_max_num_queries: Any
) -> None:
    """Whatever the number of systems."""
    query = {"category": "Sea", "interval": "simultaneous"}
    with django_assert_max_num_queries(23) as first:
        client.get(BOARD, query)
    for n in range(5):
        submit(f"More {n}")
    work_off()
    with django_assert_max_num_queries(len(first.captured_queries)):
        client.get(BOARD, query)


def test_a_table_too_long_for_sets_says_so(
    client: Client, ranking: Ranking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was asked for is not silently replaced."""
    words = "Confidence sets are not computed"
    assert words not in client.get(BOARD, {"interval": "simultaneous"}).content.decode()
    cache.clear()
    monkeypatch.setattr(chosen_module, "MOST_SETS", 2)
    page = client.get(BOARD, {"interval": "simultaneous"}).content.decode()
    assert words in page
    assert "95% interval" in page


def test_of_a_board_that_is_too_large_few_systems_are_read(
    client: Client, ranking: Ranking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those that are compared; the table as it was computed is shown as ever."""
    monkeypatch.setattr(chosen_module, "MOST_VALUES", 10)
    assert client.get(BOARD).status_code == 200
    systems = [row["system"] for row in ranking.rows][:2]
    refused = client.get(f"{BOARD}compare/", {"system": systems})
    assert refused.status_code == 400
    assert b"Choose some of the systems, too" in refused.content
    monkeypatch.setattr(chosen_module, "MOST_VALUES", 2 * 2 * 4)
    assert client.get(f"{BOARD}compare/", {"system": systems}).status_code == 200
