"""The page of a clip on tracks of cosines and of shared words: what was paired, what was read."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from leaderboard.intake import Contents
from leaderboard.models import Clip, Reference, Release, Run, Submission, Track
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run
from scoring.protocols import ngram

Submit = Callable[..., Submission]
Text = Callable[[Any], str]
needs_java = pytest.mark.skipif(shutil.which("java") is None, reason="no Java on this machine")
GERMAN = {key: f"Ein Hund läuft durch {key}. Es regnet." for key in ("c1", "c2", "c3", "c4")}


@pytest.fixture
def bare(release: Release) -> Release:
    """The small site without its track."""
    release.tracks.all().delete()
    return release


def scored(submission: Submission) -> Run:
    """Its run, done and ranked."""
    run = submission.runs.get()
    score_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.DONE, run.error
    rank_track(run.track_id)
    return run


def words_track(release: Release, **settings: str) -> Track:
    """A track of shared words."""
    return Track.objects.create(
        release=release,
        slug="words",
        name="Words",
        protocol=Track.Protocol.NGRAM,
        judges=[ngram.JUDGE],
        primary_metric="rouge_l",
        settings=settings,
        bootstrap_replicates=20,
    )


def test_paired_sentences_and_those_without_a_partner(
    bare: Release, submit: Submit, judges: Any, client: Client, text: Text
) -> None:
    """Every sentence of both sides stands there, with the median that is the score."""
    Track.objects.create(
        release=bare,
        slug="cosines",
        name="Cosines",
        protocol=Track.Protocol.EMBEDDING_MATCH,
        judges=["left"],
        primary_metric="cos_sent",
        settings={"language": "en", "kind": "long"},
        bootstrap_replicates=20,
    )
    told = "Two dogs play in the garden."
    run = scored(submit("Model", {"c1": " ", "c3": told}))
    said = text(client.get("/b/small/1.0/clips/c3/"))
    (pair,) = run.evidence.get(clip__key="c3").data["pairs"]
    assert f"{told} Two dogs play in the garden. {pair[2]:.4f}" in said
    value = run.vectors.get(metric="cos_sent").values[2]
    assert value == pytest.approx(1)
    assert f"CosSent is the median of these cosines, {value:.4f}" in said
    assert (
        "CosSent is measured against reference 1 of those that this track reads (en, long)" in said
    )
    assert "Of the reference, without a partner One of them digs a hole." in said
    assert "Said, without a partner" not in said
    blank = text(client.get("/b/small/1.0/clips/c1/"))
    assert "The description is empty" in blank
    assert "Sentence beside sentence" not in blank


@needs_java
def test_words_and_the_references_that_were_read(
    bare: Release, submit: Submit, client: Client, text: Text, settings: Any
) -> None:
    """Short ones count together; the page says how many and of which language and kind."""
    settings.RUN_SILENCE_SECONDS = 3600  # Java may start slowly, and one connection serves a test
    for clip in Clip.objects.exclude(excluded=True):
        for place, short in enumerate(("A dog runs.", "It rains now.", "One."), 1):
            Reference.objects.create(clip=clip, text=short, kind="short", position=place)
    words_track(bare, language="en", kind="short")
    scored(submit("Model", {"c1": "A dog."}))
    said = text(client.get("/b/small/1.0/clips/c1/"))
    assert (
        "2 words said. All 3 references that this track reads (en, short) count together; they "
        "have 1 to 3 words." in said
    )


@needs_java
def test_a_metric_that_a_language_does_not_have_says_so(
    bare: Release, submit: Submit, client: Client, text: Text, settings: Any
) -> None:
    """On the submission's page."""
    settings.RUN_SILENCE_SECONDS = 3600
    for clip in Clip.objects.exclude(excluded=True):
        Reference.objects.create(clip=clip, text=GERMAN[clip.key], language="de", position=1)
    words_track(bare, language="de", kind="long")
    run = scored(submit("Model", GERMAN, contents=Contents(language="de")))
    said = text(client.get(run.submission.get_absolute_url()))
    assert (
        "METEOR: not defined for German: its stems, synonyms and paraphrases are English." in said
    )
    assert "The reference that this track reads (de, long) has 7 words." in text(
        client.get("/b/small/1.0/clips/c1/")
    )
