"""Choices that are too much for a page: a worker computes them, and the page waits for it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from leaderboard import celery_app, tasks
from leaderboard.models import ChosenTable, Clip, Provenance, Ranking, Submission, Track
from leaderboard.pipeline import chosen_tables
from leaderboard.pipeline.rank import rank_track
from leaderboard.tables import Choice, chosen_ranking, explored, larger
from leaderboard.tables import chosen as chosen_module
from leaderboard.tables.larger import compute
from leaderboard.tables.tasks import compute_table

BOARD = "/b/small/1.0/main/"
SEA = {"category": "Sea"}
CHOICE = Choice(categories=("Sea",))
WAITS = {"X-Waits": "1", "HX-Request": "true"}


@pytest.fixture
def ranking(ranked: Any, track: Track, monkeypatch: pytest.MonkeyPatch) -> Ranking:
    """The small site's table, of which any part is too much for a page."""
    Clip.objects.filter(position__lt=2).update(category="Sea")
    Clip.objects.filter(position__gte=2).update(category="Street")
    made = rank_track(track.pk)
    assert made is not None
    monkeypatch.setattr(chosen_module, "MOST_VALUES", 10)
    return made


def _work() -> None:
    """What the worker does with all that waits."""
    for pk in ChosenTable.objects.waiting().values_list("pk", flat=True):
        compute_table(pk)


def test_the_page_waits_for_a_worker(
    client: Client,
    ranking: Ranking,
    sent: list[Any],
    text: Callable[[Any], str],
    django_capture_on_commit_callbacks: Any,
) -> None:
    """It asks once for all, looks again by itself, and shows the table when it is there."""
    del sent[:]
    with django_capture_on_commit_callbacks(execute=True):
        first = client.get(BOARD, SEA)
        assert client.get(BOARD, SEA).status_code == 202
    assert first.status_code == 202
    assert "This table is being computed" in text(first)
    assert b'<noscript>\n    <meta http-equiv="refresh" content="5">' in first.content
    assert "no-store" in first["Cache-Control"]
    asked = ChosenTable.objects.get()
    assert sent == [("table", asked.pk)]
    assert client.get(BOARD, SEA, headers=WAITS).status_code == 204
    _work()
    found = client.get(BOARD, SEA, headers=WAITS)
    assert (found.status_code, found["HX-Refresh"], found.content) == (200, "true", b"")
    shown = client.get(BOARD, SEA)
    assert shown.status_code == 200
    assert "and 2 of 4 clips (Sea)" in text(shown)
    assert "the newest one is being computed" not in text(shown)


def test_a_part_of_a_page_says_so_in_a_line(client: Client, ranking: Ranking) -> None:
    """Not with a page in it."""
    part = client.get(f"{BOARD}systems/best/", SEA, headers={"HX-Request": "true"})
    assert part.status_code == 202
    assert b"<html" not in part.content


def test_workers_and_pages_compute_the_same(
    ranking: Ranking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows, agreement, signature and inputs, and what lies behind the means."""
    for choice in (CHOICE, Choice(judges=("left",)), Choice(systems=("best", "worst"))):
        for ask in (chosen_ranking, explored):
            with pytest.raises(larger.BeingComputed):
                ask(ranking, choice)
        _work()
        stored = chosen_ranking(ranking, choice), explored(ranking, choice)
        with monkeypatch.context() as patch:
            patch.setattr(chosen_module, "MOST_VALUES", 10**9)
            made, behind = chosen_ranking(ranking, choice), explored(ranking, choice)
        for name in ("rows", "agreement", "signature", "inputs", "computed_at", "fingerprint"):
            assert getattr(stored[0], name) == getattr(made, name), name
        assert stored[1] == behind


def test_a_file_is_asked_for_again(client: Client, ranking: Ranking) -> None:
    """By a program, which is told when."""
    address = f"{BOARD}export.csv"
    early = client.get(address, SEA)
    assert (early.status_code, early["Retry-After"]) == (503, "5")
    assert client.get(f"{BOARD}scores.csv", SEA).status_code == 503
    _work()
    assert client.get(address, SEA).content.count(b"\n") == 4
    assert client.get(f"{BOARD}scores.csv", SEA).status_code == 200


def test_exploring_a_part_waits_for_the_same(client: Client, ranking: Ranking) -> None:
    """One table serves both pages."""
    assert client.get(f"{BOARD}explore/", SEA).status_code == 202
    _work()
    assert client.get(f"{BOARD}explore/", SEA).status_code == 200
    assert client.get(BOARD, SEA).status_code == 200
    assert ChosenTable.objects.count() == 1


def test_a_long_table_is_not_ranked_again_for_sets_it_cannot_have(
    ranking: Ranking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is shown as it was stored."""
    from leaderboard.tables import choosing  # noqa: PLC0415

    monkeypatch.setattr(choosing, "MOST_SETS", 2)
    assert chosen_ranking(ranking, Choice(interval="simultaneous")) is ranking


def test_few_are_computed_at_a_time(
    client: Client, ranking: Ranking, monkeypatch: pytest.MonkeyPatch, text: Callable[[Any], str]
) -> None:
    """Whoever comes later waits for a place, and is given one."""
    monkeypatch.setattr(larger, "MOST_WAITING", 1)
    client.get(BOARD, SEA)
    other = client.get(BOARD, {"category": "Street"})
    assert other.status_code == 202
    assert "Other choices are being computed" in text(other)
    assert ChosenTable.objects.count() == 1
    _work()
    client.get(BOARD, {"category": "Street"})
    assert ChosenTable.objects.count() == 2


def test_the_table_before_is_shown_meanwhile(
    client: Client, ranking: Ranking, submit: Any, work_off: Any, text: Callable[[Any], str]
) -> None:
    """Of a board that is ranked again and again a reader sees something; what it is, is said."""
    client.get(BOARD, SEA)
    _work()
    submit("Newcomer")
    work_off()
    page = client.get(BOARD, SEA)
    assert page.status_code == 200
    assert "the same choice by the newest one is being computed" in text(page)
    assert "Newcomer" not in text(page)
    _work()
    page = client.get(BOARD, SEA)
    assert "Newcomer" in text(page)
    assert "by the newest one is being computed" not in text(page)


def test_nothing_hidden_is_shown(
    client: Client, ranking: Ranking, track: Track, text: Callable[[Any], str]
) -> None:
    """Neither by the newest ranking nor by one before it; what is asked for then is computed after
    the board has been ranked again.
    """
    client.get(BOARD, SEA)
    _work()
    assert "Middle" in text(client.get(BOARD, SEA))
    Submission.objects.filter(system__name="Middle").update(standing="hidden")
    assert client.get(BOARD, SEA).status_code == 202
    ChosenTable.objects.update(table=None, attempts=0, begun_at=None)
    _work()
    assert not ChosenTable.objects.exists()
    rank_track(track.pk)
    assert client.get(BOARD, SEA).status_code == 202
    _work()
    page = client.get(BOARD, SEA)
    assert page.status_code == 200
    assert "Middle" not in text(page)


def test_a_worker_takes_the_newest_ranking(
    client: Client, ranking: Ranking, submit: Any, work_off: Any, track: Track
) -> None:
    """Of a board that was ranked again while the message waited."""
    client.get(BOARD, SEA)
    submit("Newcomer")
    work_off()
    _work()
    newest = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    asked = ChosenTable.objects.get()
    assert asked.ranking == newest != ranking
    assert asked.table is not None
    ChosenTable.objects.create(
        ranking=ranking, key=asked.key, choice=asked.choice, asked_at=timezone.now()
    )
    _work()
    assert ChosenTable.objects.get() == asked


def test_what_cannot_be_computed_is_refused(
    client: Client, ranking: Ranking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After three tries, each of them by one worker alone; the sweep sends what was lost."""
    client.get(BOARD, SEA)
    asked = ChosenTable.objects.get()
    now = timezone.now()

    def broken(*_: Any, **__: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(chosen_module, "scores_of", broken)
    assert chosen_tables.due(now) == []
    assert chosen_tables.due(now + timedelta(minutes=2)) == [asked.pk]
    for _ in range(3):
        with pytest.raises(MemoryError):
            compute(asked.pk)
        compute(asked.pk)  # another worker finds it begun
        ChosenTable.objects.update(begun_at=now - timedelta(hours=1))
    assert chosen_tables.due(now + timedelta(hours=1)) == []
    refused = client.get(BOARD, SEA)
    assert refused.status_code == 400
    assert b"Choose some of the systems, too" in refused.content


def test_old_ones_are_forgotten(
    client: Client, ranking: Ranking, submit: Any, work_off: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A day after another ranking has followed, and of very many the oldest."""
    client.get(BOARD, SEA)
    client.get(BOARD, {"category": "Street"})
    _work()
    later = timezone.now() + timedelta(days=2)
    chosen_tables.forget_old(later)
    assert ChosenTable.objects.count() == 2
    monkeypatch.setattr(chosen_tables, "MOST_KEPT", 1)
    chosen_tables.forget_old(later)
    assert ChosenTable.objects.get().choice["categories"] == ["Street"]
    submit("Newcomer")
    work_off()
    chosen_tables.forget_old(timezone.now())
    assert ChosenTable.objects.count() == 1
    chosen_tables.forget_old(later)
    assert not ChosenTable.objects.exists()


def test_the_sweep_sends_and_forgets(
    client: Client, ranking: Ranking, sent: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    """Workers know the task by its name."""
    assert tasks.COMPUTE_TABLE in celery_app.tasks
    client.get(BOARD, SEA)
    ChosenTable.objects.update(asked_at=timezone.now() - timedelta(hours=1))
    del sent[:]
    with django_capture_on_commit_callbacks(execute=True):
        tasks.sweep()
    assert sent == [("table", ChosenTable.objects.get().pk)]


def test_queries_do_not_grow(
    client: Client, ranking: Ranking, submit: Any, work_off: Any,
    django_assert_max_num_queries: Any,
) -> None:  # fmt: skip
    """The same number for three systems and for seven."""
    client.get(BOARD, SEA)
    _work()
    cache.clear()
    with django_assert_max_num_queries(30) as first:
        client.get(BOARD, SEA)
    few = len(first)
    for n in range(4):
        submit(f"More {n}")
    work_off()
    client.get(BOARD, SEA)
    _work()
    cache.clear()
    with django_assert_max_num_queries(few):
        client.get(BOARD, SEA)
