"""Tracks are made of judges and metrics that there are; a new judge can be caught up on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from leaderboard.models import Release, Run, Submission, Track

ADD = reverse("admin:leaderboard_track_add")
LIST = reverse("admin:leaderboard_track_changelist")


def form(release: Release, **changes: Any) -> dict[str, Any]:
    """A filled form."""
    return {
        "release": release.pk,
        "slug": "second",
        "name": "Second",
        "position": 1,
        "protocol": "semantic",
        "settings": '{"long_text": "windows"}',
        "judges": ["char-tfidf", "use-multilingual-v3"],
        "primary_metric": "hm_cf",
        "scores_uploads": "on",
        "bootstrap_replicates": 100,
        "bootstrap_seed": 0,
    } | changes


def test_a_track_is_made(staff: Client, release: Release) -> None:
    response = staff.post(ADD, form(release))

    assert response.status_code == 302
    track = Track.objects.get(slug="second")
    assert set(track.judges) == {"char-tfidf", "use-multilingual-v3"}
    assert track.settings == {"long_text": "windows"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("judges", ["nobody"]),
        ("judges", []),
        ("primary_metric", "bleu"),
        ("settings", '{"long_text": "never"}'),
        ("settings", '{"other": 1}'),
        ("settings", "[1]"),
        ("settings", "{"),
        ("settings", '{"language": "fr"}'),
        ("settings", '{"repeats": 2}'),
        ("primary_metric", "meteor"),
        ("judges", ["facts-baseline"]),
    ],
)
def test_what_no_worker_could_score_is_refused(
    staff: Client, release: Release, field: str, value: Any
) -> None:
    response = staff.post(ADD, form(release, **{field: value}))

    assert response.status_code == 200
    assert response.context["errors"]
    assert field in response.context["adminform"].form.errors
    assert not Track.objects.filter(slug="second").exists()


@pytest.mark.parametrize(
    ("protocol", "judge", "metric", "chosen"),
    [
        ("facts", "llama-3.1-8b-instruct", "llm_facts_f1", '{"language": "de", "repeats": 3}'),
        ("ngram", "pycocoevalcap", "meteor", '{"kind": "short"}'),
        ("embedding_match", "use-multilingual-v3", "cos_sent", "{}"),
        ("keypoints", "gpt-4.1", "acc", '{"annotation": "main"}'),
        ("pairs", "exact", "classic", "{}"),
    ],
)
def test_every_protocol_has_its_own_judges_metrics_and_settings(
    staff: Client, release: Release, protocol: str, judge: str, metric: str, chosen: str
) -> None:
    made = form(release, protocol=protocol, judges=[judge], primary_metric=metric, settings=chosen)
    assert staff.post(ADD, made).status_code == 302
    assert Track.objects.get(slug="second").protocol == protocol


def test_a_track_of_a_paper_keeps_its_panel_and_cannot_score_with_it(
    staff: Client, track: Track
) -> None:
    change = reverse("admin:leaderboard_track_change", args=[track.pk])
    data = form(track.release, slug=track.slug, name="Paper", judges=track.judges, settings="{}")
    assert "judges" in staff.post(change, data).context["adminform"].form.errors
    del data["scores_uploads"]
    assert staff.post(change, data).status_code == 302
    track.refresh_from_db()
    assert (track.name, track.scores_uploads) == ("Paper", False)


def test_a_new_judge_is_caught_up_on(
    staff: Client,
    track: Track,
    submit: Callable[..., Submission],
    sent: list[Any],
    django_capture_on_commit_callbacks: Any,
) -> None:
    submit("Model")
    Run.objects.update(state=Run.State.DONE)
    Track.objects.filter(pk=track.pk).update(judges=[*track.judges, "third"])

    with django_capture_on_commit_callbacks(execute=True):
        page = staff.post(
            LIST, {"action": "score_missing", "_selected_action": [track.pk]}, follow=True
        )

    assert "waiting for a worker: 1." in page.content.decode()
    run = Run.objects.get(judge="third")
    assert run.state == Run.State.QUEUED
    assert ("score", run.pk) in sent
