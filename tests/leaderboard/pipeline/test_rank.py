"""One row per system, from runs that are done, stored once for each state of the runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from leaderboard.models import (
    Clip,
    Provenance,
    Ranking,
    ReportedResult,
    Run,
    Submission,
    System,
    Track,
)
from leaderboard.pipeline import rank, score

Submit = Callable[..., Submission]
pytestmark = pytest.mark.django_db
WORSE = {"c1": "zzz.", "c2": "qqq."}


@pytest.fixture
def scored(submit: Submit, judges: Any) -> Submit:
    """An upload with all its runs done."""

    def made(*args: Any, **more: Any) -> Submission:
        submission = submit(*args, **more)
        for run in submission.runs.all():
            score.score_run(run.pk)
        return submission

    return made


def _places(ranking: Ranking | None) -> dict[str, Any]:
    assert ranking is not None
    return {row["name"]: row["rank"] for row in ranking.rows}


def test_the_better_system_is_first(scored: Submit, track: Track) -> None:
    """With its name and submission, in strict JSON."""
    scored("Worse", WORSE)
    best = scored("Best")
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    assert _places(ranking) == {"Best": 1, "Worse": 2}
    first = ranking.rows[0]
    assert (first["system"], first["submission"]) == ("best", str(best.pk))
    assert first["borda"] == 2
    assert first["mean"]["hm_cf"] == pytest.approx(1.0)
    assert set(first["judges"]) == {"left", "right"}
    assert first["rank_low"] == first["rank_high"] == 1
    json.dumps([ranking.rows, ranking.agreement, ranking.inputs], allow_nan=False)
    assert "seed:0" in ranking.signature


def test_the_same_runs_make_the_same_ranking_once(scored: Submit, track: Track) -> None:
    """Rankings are immutable: a new one only when something changed."""
    scored("A")
    first = rank.rank_track(track.pk)
    assert first is not None
    assert rank.rank_track(track.pk) == first
    track.bootstrap_seed = 1
    track.save()
    second = rank.rank_track(track.pk)
    assert second is not None
    assert second != first
    assert second.fingerprint != first.fingerprint


def test_nothing_scored_is_no_ranking(submit: Submit, track: Track) -> None:
    """Not an empty one either."""
    submit("A")
    assert rank.rank_track(track.pk) is None
    assert rank.stale_tracks() == []


def test_of_a_system_the_newest_finished_submission_counts(
    scored: Submit, submit: Submit, track: Track
) -> None:
    """While a newer one is being scored the older stays on the board."""
    scored("A", WORSE)
    newer = submit("A")
    scored("B", {"c1": "zzz."})
    assert _places(rank.rank_track(track.pk)) == {"B": 1, "A": 2}
    score.score_run(newer.runs.get(judge="left").pk)
    assert _places(rank.rank_track(track.pk)) == {"B": 1, "A": 2}
    score.score_run(newer.runs.get(judge="right").pk)
    assert _places(rank.rank_track(track.pk)) == {"A": 1, "B": 2}


def test_a_system_with_a_failed_judge_is_last_and_unranked(scored: Submit, track: Track) -> None:
    """It is named what it lacks, and never given a 0 or the first place."""
    scored("B", WORSE)
    broken = scored("A")
    broken.runs.filter(judge="left").update(state=Run.State.FAILED)
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    assert _places(ranking) == {"B": 1, "A": None}
    assert ranking.rows[-1]["missing"] == ["left"]
    assert ranking.rows[-1]["borda"] is None


def test_a_submission_of_which_everything_failed_does_not_count(
    scored: Submit, track: Track
) -> None:
    """The one before it stays."""
    older = scored("A")
    newer = scored("A")
    newer.runs.update(state=Run.State.FAILED)
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    assert [row["submission"] for row in ranking.rows] == [str(older.pk)]


def test_private_submissions_are_on_no_board(scored: Submit, track: Track) -> None:
    """And one that becomes private leaves it with the next ranking."""
    scored("Secret", visibility="private")
    shown = scored("Open")
    assert _places(rank.rank_track(track.pk)) == {"Open": 1}
    Submission.objects.filter(pk=shown.pk).update(visibility="private")
    assert rank.stale_tracks() == [track.pk]
    assert _places(rank.rank_track(track.pk)) == {}
    assert rank.stale_tracks() == []


def test_a_clip_excluded_later_counts_for_nobody(scored: Submit, track: Track) -> None:
    """The same clips for everybody, without scoring again."""
    scored("A", {"c1": "zzz."})
    scored("B", {"c2": "qqq."})
    first = rank.rank_track(track.pk)
    assert first is not None
    assert first.rows[0]["mean"]["hm_cf"] < 0.99
    Clip.objects.filter(key="c1").update(excluded=True)
    second = rank.rank_track(track.pk)
    assert second is not None
    assert second.rows[0]["name"] == "A"
    assert second.rows[0]["mean"]["hm_cf"] == pytest.approx(1.0)


def test_a_clip_taken_back_in_leaves_older_runs_incomplete(scored: Submit, track: Track) -> None:
    """Means over different clips never share a table."""
    scored("A")
    Clip.objects.filter(key="c5").update(excluded=False)
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    assert _places(ranking) == {"A": None}
    assert ranking.rows[0]["missing"] == ["left", "right"]


def test_a_judge_that_nobody_was_scored_with_yet_is_missing(scored: Submit, track: Track) -> None:
    """A panel that grows makes rows incomplete, not wrong."""
    scored("A")
    track.judges = ["left", "right", "third"]
    track.save()
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    assert ranking.rows[0]["missing"] == ["third"]


def test_runs_that_end_while_a_ranking_is_computed_are_in_it(
    scored: Submit, track: Track, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest ranking is never older than the runs: two workers may rank at once."""
    scored("A", WORSE)
    compute = rank.ranked

    def meanwhile(*args: Any, **more: Any) -> Any:
        monkeypatch.setattr(rank, "ranked", compute)
        scored("B")
        return compute(*args, **more)

    monkeypatch.setattr(rank, "ranked", meanwhile)
    assert _places(rank.rank_track(track.pk)) == {"B": 1, "A": 2}
    assert Ranking.objects.count() == 1


def test_a_board_that_changes_faster_than_it_is_ranked_is_ranked(
    scored: Submit, track: Track, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every time a ranking is computed another run ends: what was computed is stored."""
    scored("A")
    compute = rank.ranked
    names = iter("BCDEFGHIJKLM")

    def meanwhile(*args: Any) -> Any:
        scored(next(names))
        return compute(*args)

    monkeypatch.setattr(rank, "ranked", meanwhile)
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    assert len(ranking.rows) == rank.TRIES
    assert rank.stale_tracks() == [track.pk]


def test_of_two_workers_none_stores_an_older_state(
    scored: Submit, track: Track, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was overtaken computes anew."""
    scored("A")
    compute = rank.ranked

    def overtaken(*args: Any) -> Any:
        monkeypatch.setattr(rank, "ranked", compute)
        table = compute(*args)
        scored("B")
        assert len(getattr(rank.rank_track(track.pk), "rows", [])) == 2
        return table

    monkeypatch.setattr(rank, "ranked", overtaken)
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    assert len(ranking.rows) == 2
    assert ranking.track.rankings.count() == 1


def test_a_stale_track_is_one_whose_ranking_is_behind_its_runs(
    scored: Submit, submit: Submit, track: Track
) -> None:
    """That is how a lost message is found out."""
    scored("A")
    assert rank.stale_tracks() == [track.pk]
    rank.rank_track(track.pk)
    assert rank.stale_tracks() == []
    submit("B")
    assert rank.stale_tracks() == []


def test_ranking_reads_as_much_for_ten_systems_as_for_two(
    scored: Submit, track: Track, django_assert_max_num_queries: Any
) -> None:
    """Queries do not grow with rows."""
    for number in range(10):
        scored(f"System {number}")
    with django_assert_max_num_queries(27):
        rank.rank_track(track.pk)


def test_reported_results_make_a_ranking_of_their_own(track: Track) -> None:
    """By the same rules, never mixed with what was scored here."""
    rows = {"A": {"left": 0.5, "right": 0.6}, "B": {"left": 0.7, "right": 0.8}, "C": {"left": 0.9}}
    for name, by_judge in rows.items():
        system = System.objects.create(name=name, slug=name.lower())
        ReportedResult.objects.bulk_create(
            ReportedResult(
                track=track, system=system, judge=judge, metric="hm_cf", mean=mean, source="a paper"
            )
            for judge, mean in by_judge.items()
        )
    ranking = rank.rank_reported(track.pk)
    assert ranking is not None
    assert _places(ranking) == {"B": 1, "A": 2, "C": None}
    assert ranking.rows[0]["mean"]["hm_cf"] == pytest.approx(0.75)
    assert ranking.rows[0]["rank_low"] is None
    assert rank.rank_reported(track.pk) == ranking
    assert Ranking.objects.latest_of(track, Provenance.VERIFIED) is None


def test_other_reported_numbers_have_another_signature(track: Track) -> None:
    """The numbers themselves stand for what a paper does not say of how they were made."""
    system = System.objects.create(slug="one", name="One")
    for judge in track.judges:
        ReportedResult.objects.create(
            track=track, system=system, judge=judge, metric="hm_cf", mean=0.5, source="a paper"
        )
    first = rank.rank_reported(track.pk)
    ReportedResult.objects.filter(judge=track.judges[0]).update(mean=0.6)
    second = rank.rank_reported(track.pk)
    assert first is not None
    assert second is not None
    assert first.signature != second.signature
