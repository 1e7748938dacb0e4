"""Pages over rows that the pipeline has made."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from leaderboard.models import Run, Submission, Track
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run

FAITHFUL = {"c1": "A man walks into a bar. He orders water.", "c2": "A red car stops at a light."}
OTHER = {"c1": "Zebras jump. Quizzes are fun.", "c2": "Jazz.", "c3": "Fizz buzz.", "c4": "Vex."}


@pytest.fixture
def work_off(judges: Any, track: Track) -> Callable[[], None]:
    """What the workers do: score every waiting run, then rank."""

    def made() -> None:
        for key in Run.objects.filter(state=Run.State.QUEUED).values_list("pk", flat=True):
            score_run(key)
        rank_track(track.pk)

    return made


@pytest.fixture
def ranked(submit: Callable[..., Submission], work_off: Callable[[], None]) -> list[Submission]:
    """Three systems on the board, the best first."""
    made = [submit("Best"), submit("Middle", FAITHFUL), submit("Worst", OTHER)]
    work_off()
    return made


@pytest.fixture
def as_ann(client: Client, ann: Any) -> Client:
    """A browser in which ann is logged in."""
    client.force_login(ann)
    return client


@pytest.fixture
def text() -> Callable[[Any], str]:
    """What a page says, without its tags and with single spaces."""

    def made(response: Any) -> str:
        without_tags = re.sub(r"<[^>]+>", " ", response.content.decode())
        return re.sub(r"\s+", " ", without_tags).strip()

    return made
