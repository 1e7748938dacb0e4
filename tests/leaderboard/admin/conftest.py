"""A signed-in administrator, and rows of every kind."""

from __future__ import annotations

import uuid
from collections.abc import Callable

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.utils import timezone

from leaderboard import audit
from leaderboard.models import (
    Announcement,
    ApiToken,
    Batch,
    Benchmark,
    CaptionPair,
    Clip,
    ClipMap,
    Description,
    Evidence,
    Keypoint,
    Notice,
    Profile,
    QuotaPolicy,
    Ranking,
    Reference,
    Release,
    ReportedResult,
    Run,
    ScoreVector,
    Subject,
    Submission,
    System,
    Team,
    Track,
)


@pytest.fixture
def staff(client: Client, db: None) -> Client:
    """A client signed in as a superuser; without a password, whose hashing would take long."""
    client.force_login(User.objects.create(username="root", is_staff=True, is_superuser=True))
    return client


@pytest.fixture
def grow(db: None) -> Callable[[], Run]:
    """``grow()``: one more row of every table, none sharing a parent with those before."""

    def grown() -> Run:
        tag = uuid.uuid4().hex[:8]
        user = User.objects.create_user(f"user-{tag}")
        benchmark = Benchmark.objects.create(slug=tag, name=f"Benchmark {tag}", summary="x")
        release = Release.objects.create(
            benchmark=benchmark, version="1", published_at=timezone.now()
        )
        clip = Clip.objects.create(release=release, key="c", position=0, category=tag)
        Reference.objects.create(clip=clip, text="A dog runs.")
        subject = Subject.objects.create(clip=clip, key="<s1>", name="a dog")
        keypoint = Keypoint.objects.create(
            clip=clip, position=0, kind=Keypoint.Kind.SUBJECT_EVENT, text="<s1> runs."
        )
        keypoint.subjects.add(subject)
        CaptionPair.objects.create(
            release=release,
            test_name="chrono",
            key="c",
            position=0,
            clip=clip,
            positive="A dog runs, then sits.",
            negative="A dog sits, then runs.",
        )
        system = System.objects.create(slug=tag, name=f"System {tag}", owner=user, family=tag)
        track = Track.objects.create(
            release=release, slug="t", name="Track", judges=["char-tfidf", "use-multilingual-v3"]
        )
        submission = Submission.objects.create(
            release=release,
            system=system,
            user=user,
            file=f"submissions/{tag}",
            original_name="a.json",
            format="json-map",
            size=1,
            sha256="0" * 64,
        )
        Description.objects.create(submission=submission, clip=clip, text="A cat sits.")
        run = Run.objects.create(
            track=track, submission=submission, judge="char-tfidf", queued_at=timezone.now()
        )
        ScoreVector.objects.create(
            run=run, metric="hm_cf", data=np.array([0.5]).tobytes(), clips=1, mean=0.5
        )
        Evidence.objects.create(run=run, clip=clip, data={"candidate": ["A cat sits."]})
        Ranking.objects.create(
            track=track,
            provenance="verified",
            fingerprint=tag,
            signature="s",
            inputs={},
            rows=[],
            agreement={},
        )
        ClipMap.objects.create(track=track, judge="char-tfidf", points={}, share=0.5)
        ReportedResult.objects.create(
            track=track, system=system, judge="char-tfidf", metric="hm_cf", mean=0.1, source="x"
        )
        ApiToken.objects.issue(user=user, name=tag)
        Batch.objects.create(
            kind="lacking",
            benchmark=benchmark,
            release=release,
            track=track,
            user=user,
            total=1,
            heard_at=timezone.now(),
        )
        _people_and_policies(user, benchmark, tag)
        return run

    return grown


def _people_and_policies(user: User, benchmark: Benchmark, tag: str) -> None:
    Profile.objects.create(user=user, display_name=tag)
    team = Team.objects.create(slug=tag, name=f"Team {tag}")
    team.memberships.create(user=user, role="owner", joined_at=timezone.now())
    team.invitations.create(email=f"{tag}@example.org")
    Notice.objects.create(user=user, key=tag, text="Done.")
    Announcement.objects.create(benchmark=benchmark, title=tag, user=user)
    QuotaPolicy.objects.create(benchmark=benchmark, limit=5)
    with transaction.atomic():
        audit.record(
            actor=user,
            action="benchmark.change",
            target=benchmark,
            benchmark=benchmark,
            before={},
            after={"name": tag},
        )
