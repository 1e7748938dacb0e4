"""What the interface and the submission's page say of a run beside its scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client

from leaderboard.models import Release, Run, Submission, Track
from leaderboard.pipeline import rank, score
from tests.support.openai_server import Asked, Reaction, SteeredServer, error, reply

pytestmark = pytest.mark.django_db
CATALOGUE = """
[judge.priced]
title = "Priced model"
kind = "endpoint"
model = "test-model"
price_in = 2.0
price_out = 8.0
"""


@pytest.fixture
def server(settings: Any, tmp_path: Any) -> Iterator[SteeredServer]:
    """The judge ``priced`` of the site's own catalogue."""
    settings.CHAT_CATALOGUE = tmp_path / "own.toml"
    settings.CHAT_CATALOGUE.write_text(CATALOGUE)
    made = SteeredServer()
    with made.http:
        settings.CHAT_BASE_URL = made.http.url
        yield made


@pytest.fixture
def track(release: Release) -> Track:
    """Facts by the priced model, judged twice over."""
    release.tracks.all().delete()
    return Track.objects.create(
        release=release,
        slug="facts",
        name="Facts",
        protocol=Track.Protocol.FACTS,
        primary_metric="llm_facts_f1",
        judges=["priced"],
        settings={"language": "en", "kind": "long", "repeats": 2},
        bootstrap_replicates=20,
    )


def scored(submission: Submission) -> Run:
    """Its run, after a worker has had it."""
    run = submission.runs.get()
    score.score_run(run.pk)
    run.refresh_from_db()
    return run


def shown(client: Client, run: Run) -> dict[str, Any]:
    """The run as the interface shows it."""
    answer = client.get(f"/api/v1/submissions/{run.submission_id}")
    assert answer.status_code == 200
    (found,) = answer.json()["runs"]
    return found  # type: ignore[no-any-return]


def said(client: Client, address: str) -> str:
    """A page without its tags."""
    words = re.sub(r"<[^>]+>", " ", client.get(address).content.decode())
    return re.sub(r"\s+", " ", words)


def test_an_incomplete_run_names_its_clips_and_reasons(
    track: Track, server: SteeredServer, submit: Callable[..., Submission], client: Client
) -> None:
    """In the interface and on the page, where each clip leads to what the judge replied."""

    def react(asked: Asked) -> Reaction | None:
        if asked.task == "extract" and "dogs" in asked.text:
            return error(500)
        return reply("No.") if asked.task == "extract" and "sun" in asked.text else None

    server.react = react
    run = scored(submit())
    found = shown(client, run)
    assert (found["state"], found["error_code"]) == ("incomplete", "judge-failed")
    assert found["failures"] == [{"clip": c, "reason": why} for c, why in run.failures.items()]
    assert [one["clip"] for one in found["failures"]] == ["c3", "c4"]
    assert "HTTP 500" in found["failures"][0]["reason"]
    assert found["scores"]["llm_facts_f1"] is None
    assert found["spread"] == []
    page = client.get(run.submission.get_absolute_url()).content.decode()
    words = said(client, run.submission.get_absolute_url())
    assert "Priced model: 2 clips without a verdict" in words
    assert f"{run.failures['c4'].replace(chr(39), '&#x27;')} c4" in words
    address = f"/b/small/1.0/clips/c3/?submission={run.submission_id}&amp;track=facts"
    assert f'href="{address}"' in page
    assert "HTTP 500" in said(client, address.replace("&amp;", "&"))


def test_what_a_run_took_and_how_far_it_spreads(
    track: Track, server: SteeredServer, submit: Callable[..., Submission], client: Client
) -> None:
    """Requests, tokens, cost and spread; the same digits in both places and on the board."""
    turns: dict[str, int] = {}

    def react(asked: Asked) -> Reaction | None:
        # The second time the judge finds nothing in the texts about dogs.
        if asked.task == "check" and "dogs" in asked.text:
            turns["check"] = turns.get("check", 0) + 1
            if turns["check"] > 1:
                verdicts = [
                    {"fact": n, "reason": "", "label": "neutral"}
                    for n in range(1, len(asked.facts) + 1)
                ]
                return reply({"verdicts": verdicts})
        if asked.task == "extract" and asked.attempt == 1 and "sun" in asked.text:
            return error(503)
        return None

    server.react = react
    run = scored(submit())
    assert run.state == Run.State.DONE, run.error
    found = shown(client, run)
    usage = found["usage"]
    asked = [one for one in server.http.asked if one.task != "probe"]
    assert usage["calls"] == len(asked) == 17
    assert (usage["retries"], usage["cached"]) == (1, 0)
    assert usage["prompt_tokens"] == 16 * 100
    cost = (usage["prompt_tokens"] * 2 + usage["completion_tokens"] * 8) / 1_000_000
    assert usage["cost"] == pytest.approx(cost)
    spread = {one["metric"]: one for one in found["spread"]}["llm_facts_f1"]
    assert (spread["runs"], spread["high"], spread["low"]) == (2, 1, 0.75)
    page = said(client, run.submission.get_absolute_url())
    assert "Priced model was asked 17 times, 1 of them again after an error; 0 answers" in page
    assert f"It read 1600 and wrote {usage['completion_tokens']} tokens, at a cost of" in page
    rank.rank_track(track.pk)
    board = said(client, "/b/small/1.0/facts/")
    assert f"Model Priced model 2 times {spread['std']:.4f} 0.7500 1.0000" in board


def test_a_baseline_is_labelled_wherever_its_numbers_stand(
    track: Track, submit: Callable[..., Submission], client: Client
) -> None:
    """Whatever the track is called: on the pages, and as a word of the interface."""
    Track.objects.filter(pk=track.pk).update(judges=["facts-baseline"], settings={})
    for name in ("One", "Two"):
        run = scored(submit(name))
    rank.rank_track(track.pk)
    for address in (
        "/",
        "/b/small/",
        "/b/small/1.0/facts/",
        "/b/small/1.0/facts/reliability/",
        "/b/small/1.0/clips/",
        "/b/small/1.0/clips/c1/",
        run.submission.get_absolute_url(),
    ):
        assert "Baseline judge" in said(client, address), address
    found = shown(client, run)
    assert (found["baseline"], found["usage"], found["failures"]) == (True, None, [])
    tracks = client.get("/api/v1/benchmarks/small/releases/1.0").json()["tracks"]
    assert [one["baseline"] for one in tracks] == [True]
    ranking = client.get("/api/v1/benchmarks/small/releases/1.0/tracks/facts/ranking").json()
    assert ranking["baseline"] is True
    Track.objects.filter(pk=track.pk).update(judges=["endpoint"])
    assert "Baseline judge" not in said(client, "/b/small/1.0/clips/")
