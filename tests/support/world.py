"""A site in which there is one of everything, and who is who in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.utils import timezone

from leaderboard.curation import corrections
from leaderboard.intake import Contents, receive
from leaderboard.models import (
    Announcement,
    ApiToken,
    Ban,
    Batch,
    Benchmark,
    Evidence,
    Membership,
    Notice,
    Ranking,
    Release,
    ReportedResult,
    Run,
    Submission,
    Team,
    Track,
)
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run
from tests.support.routes import Route
from tests.support.small_tests import answers, as_jsonl, keypoints_track, pairs_track

ROLES = ("anonymous", "user", "team member", "owner", "curator of another", "curator", "staff")
COUNTS = {"facts": 1, "entailment": 1, "contradiction": 0, "neutral": 0}
FACTS = {
    "reference_facts": [{"fact": "A fact.", "label": "entailment", "reason": "It says so."}],
    "description_facts": [{"fact": "A man.", "label": "entailment", "reason": "It says so."}],
    "counts": {"ref_to_pred": COUNTS, "pred_to_ref": COUNTS},
    "baseline": False,
    **dict.fromkeys(("ent_ref", "ent_pred", "ent_f1", "llm_facts_f1"), 1.0),
    **dict.fromkeys(("cont_ref", "cont_pred", "cont_f1"), 0.0),
}
POINTS = {
    "keypoints": [
        {
            "kind": "bg_desc",
            "text": "A room.",
            "verdict": "correct",
            "reason": "It says so.",
            "subjects": ["<s1>"],
            "descriptions": {"<s1>": "a man"},
        }
    ],
    "clusters": {},
    "subjects": {},
    "baseline": False,
}


@dataclass(frozen=True)
class World:
    """Its people by role, and what stands in the places of addresses."""

    people: Mapping[str, User]
    submission: Submission
    private: Submission
    anonymous: Submission
    draft: Release
    keys: Mapping[str, int]
    fingerprint: str

    def values(self, route: Route) -> dict[str, Any]:
        """A value for every name in the route's pattern, so that something is there."""
        return {name: self._value(route.path, name) for name in route.kinds}

    def _value(self, path: str, name: str) -> Any:
        if name == "slug":
            return {"systems": "best", "teams": "team"}.get(_kind_of(path), "small")
        if name == "pk":
            found = [key for part, key in self.keys.items() if f"{part}/" in path]
            return found[0] if found else self.submission.pk
        return {
            "version": "1.0",
            "track": "main",
            "system": "best",
            "key": "c1",
            "suffix": "csv",
            "at": "2099-01-01",
            "username": "user",
            "fingerprint": self.fingerprint,
            "provider_id": "huggingface",
            "uidb36": "1",
            "object_id": "1",
            "number": 1,
        }.get(name, "x")


def _kind_of(path: str) -> str:
    parts = path.removeprefix("api/v1/").split("/")
    return parts[0]


def build(release: Release, submit: Callable[..., Submission], ann: User) -> World:
    """Everything: submissions of each visibility, scored on a track of each protocol; a team with
    an invitation; tokens, notices, news, numbers of papers, a draft, a video.
    """
    people = _people(release, ann)
    points, pairs = keypoints_track(release), pairs_track(release)
    facts = Track.objects.create(
        release=release, slug="facts", name="Facts", protocol="facts", judges=["left"], position=5
    )
    team = Team.objects.get(slug="team")
    found = submit("Best", {"c1": "A plain man."}, team=team)
    private = submit("Secret", visibility="private", team=team)
    nameless = submit("Hidden", {"c2": "A car."}, visibility="anonymous", team=team)
    submit("Other", {"c2": "Something else."})
    given = {"data": as_jsonl(answers({"agent_iden": ["c1"]})), "filename": "a.jsonl"}
    receive(release=release, user=ann, system=found.system, contents=Contents("pairs"), **given)
    for run in Run.objects.filter(track__protocol__in=("semantic", "pairs")):
        score_run(run.pk)
    for track, data in ((points, POINTS), (facts, FACTS)):
        for run in Run.objects.filter(track=track):
            _finish(run, data)
    main = release.tracks.get(slug="main")
    for track in (main, pairs):
        rank_track(track.pk)
    draft = corrections.correct(release=release, version="1.1", notes="", actor=people["curator"])
    return World(
        people=people,
        submission=found,
        private=private,
        anonymous=nameless,
        draft=draft,
        keys=_keys(release, main, team, found),
        fingerprint=Ranking.objects.filter(track=main).latest("computed_at").fingerprint,
    )


def _people(release: Release, ann: User) -> dict[str, User]:
    made = {role: User.objects.create_user(role) for role in ROLES[1:] if role != "owner"}
    User.objects.filter(pk=made["staff"].pk).update(is_staff=True, is_superuser=True)
    team = Team.objects.create(slug="team", name="Team")
    for user, role in ((ann, "owner"), (made["team member"], "member")):
        Membership.objects.create(team=team, user=user, role=role, joined_at=timezone.now())
    other = Benchmark.objects.create(slug="other", name="Other", summary="x")
    other.curators.add(made["curator of another"])
    release.benchmark.curators.add(made["curator"])
    fresh = {role: User.objects.get(pk=user.pk) for role, user in made.items()}
    return fresh | {"owner": ann}


def _keys(release: Release, main: Track, team: Team, found: Submission) -> dict[str, int]:
    """The number of a row of each kind, by the part of the address that stands before it."""
    clip = release.clips.get(key="c1")
    clip.media.save("c1.mp4", ContentFile(b"0123456789"))
    notice = Notice.objects.create(user=found.user, submission=found, key="k", text="Scored.")
    token, _ = ApiToken.objects.issue(user=found.user, name="laptop")
    result = ReportedResult.objects.create(
        track=main,
        system=found.system,
        judge="left",
        metric="coarse",
        mean=0.1,
        source="https://example.org/",
    )
    news = Announcement.objects.create(benchmark=release.benchmark, title="News", text="*There*.")
    Ban.objects.create(
        benchmark=release.benchmark, user=User.objects.create_user("banned"), reason="R."
    )
    now = timezone.now()
    batch = Batch.objects.create(
        benchmark=release.benchmark,
        release=release,
        kind="lacking",
        total=1,
        heard_at=now,
        finished_at=now,
    )
    member = team.memberships.get(role="member")
    return {
        "invitations": team.invitations.create(email="x@example.org").pk,
        "members": member.pk,
        "notices": notice.pk,
        "tokens": token.pk,
        "reported": result.pk,
        "news": news.pk,
        "clips": clip.pk,
        "batches": batch.pk,
    }


def _finish(run: Run, data: dict[str, Any]) -> None:
    """As if its judge had seen this on every clip."""
    Run.objects.filter(pk=run.pk).update(state=Run.State.DONE, finished_at=timezone.now())
    Evidence.objects.bulk_create(
        Evidence(run=run, clip=clip, data=data) for clip in run.track.release.clips.scored()
    )
