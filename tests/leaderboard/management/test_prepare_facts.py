"""``prepare_facts`` asks about references once, ahead of submissions, and names what is wrong."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from leaderboard.models import Reference, Release, Run, Submission, Track
from leaderboard.pipeline import score
from leaderboard.pipeline.judges import reply_cache
from tests.support.openai_server import Asked, Reaction, SteeredServer, error, reply

pytestmark = pytest.mark.django_db


@pytest.fixture
def track(release: Release) -> Track:
    """Facts by a language model behind a server."""
    release.tracks.all().delete()
    return Track.objects.create(
        release=release,
        slug="facts",
        name="Facts",
        protocol=Track.Protocol.FACTS,
        primary_metric="llm_facts_f1",
        judges=["endpoint"],
        settings={"language": "en", "kind": "long"},
    )


@pytest.fixture
def server(settings: Any) -> Iterator[SteeredServer]:
    """A running one."""
    made = SteeredServer()
    with made.http:
        settings.CHAT_BASE_URL, settings.CHAT_MODEL = made.http.url, "test-model"
        yield made


def prepared(*arguments: str) -> tuple[str, str]:
    """What the command writes: to its output, and of faults."""
    out, err = io.StringIO(), io.StringIO()
    call_command("prepare_facts", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def test_references_are_taken_apart_before_anything_is_submitted(
    track: Track, server: SteeredServer, submit: Callable[..., Submission]
) -> None:
    """Once: neither a second preparation nor a submission asks about them again."""
    said, _ = prepared("small")
    assert said == "facts, endpoint: references of 4 of 4 clips ready\n"
    assert server.http.tasks == {"probe": 1, "extract": 4}
    assert len(reply_cache()) == 4
    assert prepared("small") == (said, "")
    assert server.http.tasks["extract"] == 4
    run = submit("Model", {"c1": "A man sings."}).runs.get()
    score.score_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.DONE
    # The three descriptions that are the reference's own words were known, too.
    assert server.http.tasks["extract"] == 5


def test_references_that_state_nothing_or_fail_are_named(
    track: Track, server: SteeredServer
) -> None:
    """LJ-07: when the benchmark is built. What is ready is kept, the rest is asked again."""

    def react(asked: Asked) -> Reaction | None:
        if asked.task == "extract" and "dogs" in asked.text:
            return reply({"facts": []})
        return error(500) if asked.task == "extract" and "sun" in asked.text else None

    server.react = react
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError, match="Not everything is ready"):
        call_command("prepare_facts", "small", stdout=out, stderr=err)
    assert out.getvalue() == "facts, endpoint: references of 2 of 4 clips ready\n"
    assert err.getvalue().splitlines() == [
        "  c3: its reference states no facts",
        "  c4: the server answered HTTP 500",
    ]
    server.react = lambda _: None
    before = server.http.tasks["extract"]
    with pytest.raises(CommandError):
        call_command("prepare_facts", "small", stdout=out, stderr=err)
    assert server.http.tasks["extract"] == before + 1


def test_a_judge_that_cannot_be_used_is_said_and_others_go_on(
    track: Track, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So is a clip without a reference."""
    monkeypatch.delenv("CHAT_BASE_URL", raising=False)
    settings.CHAT_BASE_URL = ""
    Track.objects.filter(pk=track.pk).update(judges=["endpoint", "facts-baseline"])
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError):
        call_command("prepare_facts", "small", stdout=out, stderr=err)
    assert "facts, endpoint: This judge cannot work here" in err.getvalue()
    assert "facts, facts-baseline: references of 4 of 4" in out.getvalue()
    Reference.objects.filter(clip__key="c2").delete()
    with pytest.raises(CommandError):
        call_command("prepare_facts", "small", "--judge", "facts-baseline", stdout=out, stderr=err)
    assert "no long text in language 'en' for 1 of 4 clips (c2)" in err.getvalue()


def test_tracks_are_chosen_by_name_or_those_that_are_open(
    track: Track, server: SteeredServer
) -> None:
    """A closed one only by name; what is not there is said with what is."""
    Track.objects.filter(pk=track.pk).update(scores_uploads=False)
    with pytest.raises(CommandError, match=r"to be named by --track: facts\."):
        prepared("small")
    assert "4 of 4" in prepared("small", "--track", "facts")[0]
    with pytest.raises(CommandError, match="There is no such release of 'large'; there is: Small"):
        prepared("large")
    with pytest.raises(CommandError, match="no such release"):
        prepared("small", "--release", "2.0")
