"""A sweep reads a board's inputs once, and again whenever something has happened to it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from leaderboard.models import Clip, Run, Submission, System, Track
from leaderboard.pipeline import rank, score


@pytest.fixture
def read(
    submit: Callable[..., Submission], judges: Any, track: Track, monkeypatch: pytest.MonkeyPatch
) -> list[int]:
    """How often the inputs were read since a sweep has found them as they were ranked."""
    for name in ("A", "B"):
        for run in submit(name, {"c1": f"{name}."}, note="").runs.all():
            score.score_run(run.pk)
    rank.rank_track(track.pk)
    assert rank.stale_tracks() == []
    calls: list[int] = []
    plain = rank.entries_of
    monkeypatch.setattr(rank, "entries_of", lambda of: calls.append(of.pk) or plain(of))
    return calls


def test_nothing_is_read_twice(read: list[int], track: Track) -> None:
    """Until an hour has passed: for what no sum shows."""
    for _ in range(3):
        assert rank.stale_tracks() == []
    assert read == []
    cache.clear()
    assert rank.stale_tracks() == []
    assert read == [track.pk]


def _scored_again() -> None:
    Run.objects.filter(judge="left").update(revision=1)


def _failed() -> None:
    Run.objects.filter(judge="left").update(state=Run.State.FAILED)


def _hidden() -> None:
    Submission.objects.filter(system__name="A").update(standing="hidden")


def _excluded() -> None:
    Clip.objects.filter(key="c1").update(excluded=True)


def _renamed() -> None:
    system = System.objects.get(name="A")
    system.name = "Another"
    system.save()


def _judged_by_another() -> None:
    Track.objects.update(judges=["right"])


def _named_by_time() -> None:
    moment = timezone.now() + timedelta(hours=1)
    Submission.objects.filter(system__name="A").update(visibility="anonymous", named_from=moment)


CHANGES = (
    _scored_again, _failed, _hidden, _excluded, _renamed, _judged_by_another, _named_by_time,
)  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda f: f.__name__)
def test_what_happens_is_seen(read: list[int], track: Track, change: Callable[[], None]) -> None:
    """By every sweep until it has been ranked."""
    change()
    assert rank.stale_tracks() == rank.stale_tracks() == [track.pk]
    rank.rank_track(track.pk)
    assert rank.stale_tracks() == []
    del read[:]
    assert rank.stale_tracks() == []
    assert read == []


def test_a_name_that_shows_with_time_is_seen(
    read: list[int], track: Track, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No row changes when the hour comes."""
    _named_by_time()
    rank.rank_track(track.pk)
    assert rank.stale_tracks() == []
    later = timezone.now() + timedelta(hours=2)
    monkeypatch.setattr(timezone, "now", lambda: later)
    assert rank.stale_tracks() == [track.pk]


def test_queries_do_not_grow(
    read: list[int], submit: Any, django_assert_max_num_queries: Any
) -> None:
    """Nor do the rows that are read."""
    with django_assert_max_num_queries(9) as first:
        assert rank.stale_tracks() == []
    few = len(first)
    for n in range(4):
        submit(f"More {n}", visibility="private")
    assert rank.stale_tracks() == []
    with django_assert_max_num_queries(few):
        assert rank.stale_tracks() == []
