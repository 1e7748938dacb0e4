"""What is stored beside a ranking says the same as the ranking, and goes with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from leaderboard.models import (
    Clip,
    Description,
    Digest,
    RankedRow,
    Ranking,
    ReportedResult,
    Submission,
    System,
    Track,
)
from leaderboard.pipeline import digest, rank, score, visible
from leaderboard.tables.heads import fresh

WORSE = {"c1": "zzz.", "c2": "qqq."}
READS_ROWS = '"leaderboard_ranking"."rows"'


@pytest.fixture
def ranking(submit: Callable[..., Submission], judges: Any, track: Track) -> Ranking:
    """Three systems of which one lacks a judge."""
    for name, texts in (("Best", {}), ("Worse", WORSE), ("Broken", {})):
        for run in submit(name, texts).runs.all():
            score.score_run(run.pk)
    Submission.objects.get(system__name="Broken").runs.filter(judge="left").update(state="failed")
    made = rank.rank_track(track.pk)
    assert made is not None
    return made


def _packed(ranking: Ranking) -> digest.Packed:
    return digest.Packed.of(ranking.digest.arrays)


def test_rows_are_stored_one_by_one(ranking: Ranking) -> None:
    """In the ranking's order, with what they are looked up by."""
    stored = RankedRow.objects.filter(ranking=ranking)
    assert [row.data for row in stored] == ranking.rows
    assert [(row.system, row.submission) for row in stored] == [
        (row["system"], row["submission"]) for row in ranking.rows
    ]
    assert ranking.digest.head == {
        "systems": 3,
        "places": 2,
        "has_intervals": True,
        "metrics": sorted(ranking.rows[0]["mean"]),
        "judges": ["left", "right"],
    }


def test_the_arrays_name_every_row(ranking: Ranking) -> None:
    """And those that the numbers of clips are of."""
    packed = _packed(ranking)
    assert packed.texts("systems") == [row["system"] for row in ranking.rows]
    assert packed.texts("names") == ["Best", "Worse", "Broken"]
    assert packed["ranks"].tolist() == [1, 2, 0]
    numbers = packed.clip_numbers
    assert numbers is not None
    named = [packed.texts("systems")[at] for at in packed["of"]]
    whole = [named[at] for at in numbers.whole]
    assert sorted(whole) == ["best", "worse"]
    means = dict(zip(named, numbers.means, strict=True))
    for row in ranking.rows[:2]:
        assert means[row["system"]] == pytest.approx(row["mean"]["hm_cf"])
    assert np.isnan(means["broken"])


def test_older_rankings_keep_their_digest_but_not_their_rows(
    ranking: Ranking, track: Track
) -> None:
    """Rows are of the newest one alone; what changed is stored with the later one."""
    Submission.objects.filter(system__name="Worse").update(visibility="private")
    newer = rank.rank_track(track.pk)
    assert newer is not None
    assert set(RankedRow.objects.values_list("ranking", flat=True)) == {newer.pk}
    assert Digest.objects.count() == 2
    assert newer.digest.previous == ranking.pk
    step = newer.digest.step
    assert [entry["system"] for entry in step["before"]["inputs"]["entries"]] == ["worse"]
    assert step["after"]["inputs"]["entries"] == []
    assert "clips" not in step["after"]["inputs"]


def test_a_ranking_of_an_older_release_is_given_its_digest(ranking: Ranking, track: Track) -> None:
    """The sweep finds it; nothing is ranked anew, and the digest says the same."""
    before = ranking.digest
    Digest.objects.all().delete()
    RankedRow.objects.all().delete()
    assert rank.stale_tracks() == [track.pk]
    assert rank.rank_track(track.pk) == ranking
    assert rank.stale_tracks() == []
    after = Digest.objects.get(ranking=ranking)
    assert (after.head, after.step) == (before.head, before.step)
    for name in digest.Packed.of(after.arrays).archive:
        one, other = (digest.Packed.of(of.arrays)[name] for of in (before, after))
        np.testing.assert_array_equal(one, other)
    assert RankedRow.objects.count() == 3


def test_reported_numbers_have_rows_and_no_clips(track: Track) -> None:
    """There are no scores of clips in a paper."""
    system = System.objects.create(name="A", slug="a")
    ReportedResult.objects.create(
        track=track, system=system, judge="left", metric="hm_cf", mean=0.5, source="a paper"
    )
    made = rank.rank_reported(track.pk)
    assert made is not None
    assert _packed(made).clip_numbers is None
    assert RankedRow.objects.get().data == made.rows[0]


def test_lengths_are_counted_once(
    ranking: Ranking, submit: Callable[..., Submission], track: Track
) -> None:
    """A stored text never changes; that it is not read again shows when it does."""
    Description.objects.update(text="")
    for run in submit("Later").runs.all():
        score.score_run(run.pk)
    made = rank.rank_track(track.pk)
    assert made is not None
    packed = _packed(made)
    assert (packed["lengths"] > 0).all()
    Clip.objects.filter(key="c1").update(excluded=True)
    Submission.objects.filter(system__name="Later").update(visibility="private")
    again = rank.rank_track(track.pk)
    assert again is not None
    assert not _packed(again)["lengths"].any()


@pytest.mark.parametrize(
    "change",
    [{"visibility": "private"}, {"visibility": "anonymous"}, {"standing": "hidden"}],
    ids=lambda change: next(iter(change.values())),
)
def test_what_is_stored_is_no_longer_shown_after_a_change(
    ranking: Ranking, change: dict[str, str]
) -> None:
    """Of what was there when it was ranked: what comes in later changes nothing of it."""
    assert set(fresh([ranking])) == {ranking.pk}
    late = Submission.objects.latest("created_at")
    late.pk = None
    late.save()
    Submission.objects.filter(pk=late.pk).update(**change)
    assert set(fresh([ranking])) == {ranking.pk}
    Submission.objects.filter(system__name="Best").update(**change)
    assert not fresh([ranking])


def test_stamps_of_several_need_two_queries(ranking: Ranking) -> None:
    """However many are asked for; each as it is alone."""
    release, as_of = ranking.track.release, ranking.digest.as_of
    release.benchmark  # noqa: B018 - read once before
    wanted = {
        "now": (release, None),
        "then": (release, as_of),
        "before": (release, release.published_at),
    }
    with CaptureQueriesContext(connection) as found:
        stamps = visible.stamps(wanted)
    assert len(found) == 2
    assert stamps["now"] == stamps["then"] != stamps["before"]
    assert stamps["then"] == visible.stamp(release, as_of) == ranking.digest.stamp


@pytest.mark.parametrize(
    "page", ["/", "/b/small/", "/b/small/1.0/main/badge/worse.svg", "/systems/best/",
             "/b/small/1.0/clips/", "/b/small/1.0/main/explore/"],
)  # fmt: skip
def test_short_pages_do_not_read_the_ranking(client: Client, ranking: Ranking, page: str) -> None:
    """Single rows in its place; the whole of it once something has been hidden."""
    with CaptureQueriesContext(connection) as found:
        first = client.get(page)
    assert first.status_code == 200
    assert not [one for one in found if READS_ROWS in one["sql"]]
    Submission.objects.filter(system__name="Broken").update(standing="hidden")
    with CaptureQueriesContext(connection) as found:
        assert client.get(page).status_code == 200
    assert [one for one in found if READS_ROWS in one["sql"]]
