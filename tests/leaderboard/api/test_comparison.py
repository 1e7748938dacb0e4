"""Systems side by side, for scripts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from leaderboard.models import Provenance, Ranking, Track
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run
from leaderboard.tables import Choice, comparison

ADDRESS = "/api/v1/benchmarks/small/releases/1.0/tracks/main/comparison"


@pytest.fixture
def ranking(submit: Any, judges: Any, track: Track) -> Ranking:
    """The small site's table."""
    for name, texts in (("Best", None), ("Worst", dict.fromkeys(("c1", "c2", "c3", "c4"), "Zzz."))):
        submission = submit(name, texts) if texts else submit(name)
        for run in submission.runs.all():
            score_run(run.pk)
    rank_track(track.pk)
    made = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert made is not None
    return made


def test_the_numbers_are_those_of_the_page(client: Client, ranking: Ranking) -> None:
    """Pairs by slug, clips by key, and the same digits."""
    shown = comparison(ranking, Choice(), ("best", "worst"))
    said = client.get(f"{ADDRESS}?system=best&system=worst").json()
    (pair,) = said["pairs"]
    assert (pair["first"], pair["second"]) == ("best", "worst")
    assert pair["overall"]["difference"] == shown.pairs[0].overall.difference
    assert pair["overall"]["wins"] == shown.pairs[0].overall.wins
    assert [line["clip"] for line in said["lines"]] == [line.key for line in shown.lines]
    assert said["signature"] == shown.signature


def test_a_choice_narrows_it(client: Client, ranking: Ranking) -> None:
    """By the same words as the page's address."""
    said = client.get(f"{ADDRESS}?system=best&system=worst&judge=left").json()
    assert len(said["parts"]) == len(said["pairs"][0]["by_part"]) == 1


@pytest.mark.parametrize("query", ["", "?system=best", "?system=best&system=nobody"])
def test_too_few_systems_are_refused(client: Client, ranking: Ranking, query: str) -> None:
    """With the field, and how many it takes."""
    answer = client.get(ADDRESS + query)
    assert answer.status_code == 422
    assert "system" in answer.content.decode()


def test_nothing_under_an_embargo(client: Client, ranking: Ranking, track: Track) -> None:
    """404, as the ranking itself."""
    track.release.embargo_until = timezone.now() + timedelta(days=1)
    track.release.save()
    assert client.get(f"{ADDRESS}?system=best&system=worst").status_code == 404
