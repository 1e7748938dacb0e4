"""Between a change of who may see a submission and the next ranking, no page shows what is gone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from leaderboard.intake import visibility
from leaderboard.models import Provenance, Ranking, Run, Submission, Track
from leaderboard.people.accounts import delete_account
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run
from leaderboard.tables import newest_shown, stamp
from leaderboard.tables.standing import as_shown
from tests.leaderboard.test_hidden import addresses, interface

NAME = "Zirkonium"
SLUG = "zirkonium"
PAGES = (
    "/",
    "/b/small/",
    "/b/small/1.0/main/",
    "/b/small/1.0/main/?judge=left",
    "/b/small/1.0/main/explore/",
    "/b/small/1.0/main/reliability/",
    "/b/small/1.0/main/export.csv",
    "/b/small/1.0/main/scores.csv",
    f"/b/small/1.0/main/badge/{SLUG}.svg",
    f"/b/small/1.0/main/compare/?system={SLUG}&system=other",
    "/b/small/1.0/clips/",
    "/b/small/1.0/clips/c1/",
    f"/systems/{SLUG}/",
    "/systems/other/",
    "/search/?q=zirkon",
    "/api/v1/benchmarks/small/releases/1.0/tracks/main/ranking",
)


@pytest.fixture
def first(submit: Callable[..., Submission], judges: Any, track: Track) -> Submission:
    """The best of three systems on the board; nothing works from here on."""
    made = submit(NAME)
    submit("Other", {"c2": "Something else stands there, and nobody waves."})
    submit("Third", {"c1": "A cat.", "c2": "A bird.", "c3": "Nothing at all."})
    for key in Run.objects.values_list("pk", flat=True):
        score_run(key)
    rank_track(track.pk)
    return made


def _hide(submission: Submission) -> None:
    _standing(submission, Submission.Standing.HIDDEN)


def _hold(submission: Submission) -> None:
    _standing(submission, Submission.Standing.HELD)


def _standing(submission: Submission, standing: str) -> None:
    """As a curator's decision leaves it, before the boards have followed."""
    Submission.objects.filter(pk=submission.pk).update(standing=standing)


def _make_private(submission: Submission) -> None:
    visibility.set_visibility(submission, actor=submission.user, visibility="private")  # type: ignore[arg-type]


def _unname(submission: Submission) -> None:
    visibility.set_visibility(submission, actor=submission.user, visibility="anonymous")  # type: ignore[arg-type]


def _withdraw(submission: Submission) -> None:
    visibility.withdraw(submission, actor=submission.user)  # type: ignore[arg-type]


def _leave(submission: Submission) -> None:
    """Make it private and delete the account: its row is nowhere in the database any more."""
    _make_private(submission)
    delete_account(user=submission.user)  # type: ignore[arg-type]


def _said(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code < 500, address
    return "" if answer.status_code == 404 else answer.getvalue().decode()


def _names_it(content: str) -> bool:
    """By its name, by a link to its page, or in the first column of a CSV."""
    return NAME in content or f"systems/{SLUG}" in content or f"\n{SLUG}," in content


def test_the_pages_that_show_it(client: Client, first: Submission) -> None:
    """All of them, so that the next test can fail."""
    assert [page for page in PAGES if not _names_it(_said(client, page))] == []


@pytest.mark.parametrize(
    "change", [_make_private, _withdraw, _hide, _hold, _unname, _leave], ids=lambda f: f.__name__
)
def test_no_page_shows_it_after_a_change_though_nothing_was_ranked(
    change: Callable[[Submission], None], client: Client, first: Submission
) -> None:
    pages = [*PAGES, *addresses(first), *interface(client, first)]
    for page in pages:  # what is kept from before the change must not be shown after it
        _said(client, page)
    somebody = User.objects.create_user("somebody")
    Submission.objects.exclude(pk=first.pk).update(user=somebody)
    rankings = Ranking.objects.count()
    change(Submission.objects.get(pk=first.pk))
    shown = {page: _said(client, page) for page in pages}
    assert [page for page, content in shown.items() if _names_it(content)] == []
    assert Ranking.objects.count() == rankings
    assert "Other" in shown["/b/small/1.0/main/"]


def test_an_unnamed_row_keeps_its_place_under_its_pseudonym(
    first: Submission, track: Track
) -> None:
    _unname(first)
    ranking = newest_shown(track, Provenance.VERIFIED)
    assert ranking is not None
    called = Submission.objects.get(pk=first.pk).names(timezone.now())
    (row,) = (row for row in ranking.rows if row["submission"] == str(first.pk))
    assert (row["system"], row["name"], row["rank"]) == (called.slug, called.name, 1)
    assert {e["system"] for e in ranking.inputs["entries"]} == {called.slug, "other", "third"}
    ranked = rank_track(track.pk)
    assert ranked is not None
    assert [(r["system"], r["rank"]) for r in ranked.rows] == [
        (r["system"], r["rank"]) for r in ranking.rows
    ]


def test_those_behind_move_up_and_their_intervals_stay_certain(
    first: Submission, track: Track
) -> None:
    before = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert before is not None
    _make_private(first)
    shown = newest_shown(track, Provenance.VERIFIED)
    ranked = rank_track(track.pk)
    assert shown is not None
    assert ranked is not None
    assert [(row["system"], row["rank"]) for row in shown.rows] == [("other", 1), ("third", 2)]
    for row, later in zip(shown.rows, ranked.rows, strict=True):
        assert row["rank_low"] <= later["rank_low"] <= later["rank_high"] <= row["rank_high"]
    assert shown.content != before.content
    assert shown.fingerprint == before.fingerprint


def test_a_withdrawn_row_stays_without_a_place_where_the_benchmark_shows_it(
    first: Submission, track: Track
) -> None:
    benchmark = track.release.benchmark
    benchmark.shows_withdrawn = True
    benchmark.save()
    _withdraw(first)
    shown = newest_shown(track, Provenance.VERIFIED)
    assert shown is not None
    last = shown.rows[-1]
    assert (last["system"], last["rank"], last["withdrawn"]) == (SLUG, None, True)
    assert [row["rank"] for row in shown.rows] == [1, 2, None]


def test_the_stamp_follows_every_change_and_names_show_in_time(
    first: Submission, track: Track
) -> None:
    seen = {stamp(track.release)}
    Submission.objects.filter(pk=first.pk).update(visibility="anonymous")
    seen.add(stamp(track.release))
    past = timezone.now() - timedelta(days=1)
    Submission.objects.filter(pk=first.pk).update(named_from=past)
    seen.add(stamp(track.release))
    _standing(first, Submission.Standing.HELD)
    seen.add(stamp(track.release))
    first.delete()
    seen.add(stamp(track.release))
    assert len(seen) == 5


def test_one_query_whatever_the_number_of_rankings(first: Submission, track: Track) -> None:
    found = list(Ranking.objects.select_related("track__release__benchmark")) * 3
    with CaptureQueriesContext(connection) as asked:
        as_shown(found)
    assert len(asked) == 1
