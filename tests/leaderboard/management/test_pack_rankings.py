"""Old rankings take less room and say the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from leaderboard.models import Digest, Ranking, Submission, Track
from leaderboard.models.ranking import HEAVY, PACKED
from leaderboard.pipeline import rank, score

PLACE = ["small", "1.0", "main"]


@pytest.fixture
def old(submit: Callable[..., Submission], judges: Any, track: Track) -> list[dict[str, Any]]:
    """Three rankings, a month old; their heavy fields."""
    for name in ("First", "Second", "Third"):
        for run in submit(name, {"c1": f"{name}."}).runs.all():
            score.score_run(run.pk)
        rank.rank_track(track.pk)
    Ranking.objects.update(computed_at=timezone.now() - timedelta(days=30))
    for day, ranking in enumerate(Ranking.objects.order_by("pk")):
        moment = ranking.computed_at + timedelta(days=day)
        Ranking.objects.filter(pk=ranking.pk).update(computed_at=moment)
    return [_heavy(ranking) for ranking in Ranking.objects.order_by("pk")]


def _heavy(ranking: Ranking) -> dict[str, Any]:
    return {name: getattr(ranking, name) for name in PACKED}


def _pack(*options: str) -> str:
    said = StringIO()
    call_command("pack_rankings", *options, stdout=said)
    return said.getvalue()


def _packed() -> list[bool]:
    found = Ranking.objects.order_by("pk").values_list("packed", flat=True)
    return [data is not None for data in found]


def test_those_that_others_have_followed_are_packed(old: list[Any]) -> None:
    """Once, and never the newest; whichever way they are read they are whole."""
    assert "2 rankings would be packed" in _pack("--dry-run")
    assert _packed() == [False, False, False]
    assert "0 rankings packed" in _pack("--days", "60")
    assert "2 rankings packed" in _pack()
    assert _packed() == [True, True, False]
    assert Ranking.objects.order_by("pk").values_list("rows", flat=True)[0] == []
    assert [_heavy(ranking) for ranking in Ranking.objects.order_by("pk")] == old
    assert [_heavy(one) for one in Ranking.objects.order_by("pk").defer("rows", "agreement")] == old
    light = list(Ranking.objects.order_by("pk").defer(*HEAVY))
    assert [_heavy(ranking) for ranking in light] == old
    for ranking in light:
        ranking.refresh_from_db()
    assert [_heavy(ranking) for ranking in light] == old
    assert "0 rankings packed" in _pack()


def test_every_page_of_the_past_says_the_same(client: Client, old: list[Any], track: Track) -> None:
    """The table of a day, the permanent address, the history, with digests and without."""
    first = Ranking.objects.order_by("pk")[0]
    day = f"{first.computed_at:%Y-%m-%d}"
    addresses = [
        f"{reverse('ranking', args=PLACE)}?at={day}",
        reverse("stored-ranking", args=[*PLACE, first.fingerprint]),
        reverse("history", args=PLACE),
        reverse("system-history", args=[*PLACE, "first"]),
        f"/api/v1/benchmarks/small/releases/1.0/tracks/main/ranking/at/{day}",
    ]
    before = [client.get(address).content for address in addresses]
    _pack()
    assert [client.get(address).content for address in addresses] == before
    Digest.objects.all().delete()
    assert [client.get(address).content for address in addresses] == before


def test_the_list_of_the_past_reads_nothing_that_is_packed(client: Client, old: list[Any]) -> None:
    """It needs none of it."""
    _pack()
    with CaptureQueriesContext(connection) as found:
        client.get(reverse("history", args=PLACE))
    assert not [one for one in found if '"leaderboard_ranking"."packed"' in one["sql"]]
