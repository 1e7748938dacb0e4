"""The small site's table as files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from leaderboard.models import Provenance, Ranking, Run, Submission, Track
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run

HOSTILE = '=HYPERLINK("http://x.example","y") & 50%_\\{[|*<b>'
OTHER = {"c1": "Zebras jump. Quizzes are fun.", "c2": "Jazz.", "c3": "Fizz buzz.", "c4": "Vex."}


@pytest.fixture(autouse=True)
def address(settings: Any) -> None:
    """The site is known to others."""
    settings.SITE_URL = "https://board.example.org/"


@pytest.fixture
def work_off(judges: Any, track: Track) -> Callable[[], Ranking]:
    """What the workers do: score every waiting run, then rank."""

    def made() -> Ranking:
        for key in Run.objects.filter(state=Run.State.QUEUED).values_list("pk", flat=True):
            score_run(key)
        rank_track(track.pk)
        found = Ranking.objects.latest_of(track, Provenance.VERIFIED)
        assert found is not None
        return found

    return made


@pytest.fixture
def ranking(submit: Callable[..., Submission], work_off: Callable[[], Ranking]) -> Ranking:
    """Two systems, the second with a name that acts on whoever opens it unescaped."""
    submit("Best")
    submit(HOSTILE, OTHER)
    return work_off()


@pytest.fixture
def get(client: Client) -> Callable[..., Any]:
    """An answer's body as text, by what follows the table's address."""

    def made(what: str, **query: Any) -> str:
        response = client.get(f"/b/small/1.0/main/{what}", query)
        assert response.status_code == 200, what
        return str(b"".join(response).decode())

    return made
