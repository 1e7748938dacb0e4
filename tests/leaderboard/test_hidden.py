"""Hidden references and embargoes: nothing of them on any page or in any answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from leaderboard.intake import Contents, receive
from leaderboard.models import (
    ApiToken,
    Clip,
    Evidence,
    Ranking,
    Reference,
    Release,
    Run,
    Submission,
    Track,
)
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run
from tests.leaderboard.conftest import TEXTS
from tests.support.small_tests import answers, as_jsonl, keypoints_track, pairs_track

SECRET = "Zanzibarish walrus"
"""Stands in every text that people wrote of the clips, and in what judges quote of them."""
OURS = "leaderboard."
COUNTS = {"facts": 1, "entailment": 1, "contradiction": 0, "neutral": 0}
FACTS = {
    "reference_facts": [{"fact": f"{SECRET} fact.", "label": "entailment", "reason": SECRET}],
    "description_facts": [{"fact": "A man.", "label": "entailment", "reason": f"As {SECRET}."}],
    "counts": {"ref_to_pred": COUNTS, "pred_to_ref": COUNTS},
    "baseline": False,
    **dict.fromkeys(("ent_ref", "ent_pred", "ent_f1", "llm_facts_f1"), 1.0),
    **dict.fromkeys(("cont_ref", "cont_pred", "cont_f1"), 0.0),
}
POINTS = {
    "keypoints": [
        {
            "kind": "bg_desc",
            "text": f"{SECRET} room.",
            "verdict": "correct",
            "reason": SECRET,
            "subjects": ["<s1>"],
            "descriptions": {"<s1>": "a man"},
        }
    ],
    "clusters": {},
    "subjects": {},
    "baseline": False,
}


@pytest.fixture
def scored(release: Release, submit: Any, judges: Any, ann: User) -> Submission:
    """A public submission with scores and evidence on a track of every kind."""
    for one in Reference.objects.all():
        Reference.objects.filter(pk=one.pk).update(text=f"{SECRET}. {one.text}")
    points = keypoints_track(release)
    pairs = pairs_track(release)
    for pair in release.caption_pairs.all():
        release.caption_pairs.filter(pk=pair.pk).update(positive=f"{SECRET} {pair.pk}")
    for clip in Clip.objects.filter(release=release):
        clip.keypoints.update(text=f"<s1> is a {SECRET}.")
        clip.subjects.update(name=f"{SECRET} person")
    facts = Track.objects.create(
        release=release, slug="facts", name="Facts", protocol="facts", judges=["left"], position=5
    )
    made = submit("Best", {"c1": "A plain man."})
    submit("Other", TEXTS | {"c2": "Something else."})
    system = made.system
    given = {"data": as_jsonl(answers({"agent_iden": ["c1"]})), "filename": "a.jsonl"}
    receive(release=release, user=ann, system=system, contents=Contents("pairs"), **given)
    for run in Run.objects.filter(track__protocol__in=("semantic", "pairs")):
        score_run(run.pk)
    for track, data in ((points, POINTS), (facts, FACTS)):
        for run in Run.objects.filter(track=track):
            _finish(run, data)
    for track in (release.tracks.get(slug="main"), pairs):
        rank_track(track.pk)
    return made


def _finish(run: Run, data: dict[str, Any]) -> None:
    """As if its judge had seen this on every clip."""
    Run.objects.filter(pk=run.pk).update(state=Run.State.DONE, finished_at=timezone.now())
    Evidence.objects.bulk_create(
        Evidence(run=run, clip=clip, data=data) for clip in run.track.release.clips.scored()
    )


def addresses(submission: Submission) -> list[str]:
    """Every page that is read, of the small benchmark, with what its address may ask."""
    known = {
        "slug": "small",
        "version": "1.0",
        "key": "c1",
        "pk": submission.pk,
        "suffix": "csv",
        "system": "best",
        "fingerprint": Ranking.objects.filter(track__slug="main").latest("computed_at").fingerprint,
    }
    found = []
    for name, wanted in _patterns(get_resolver().url_patterns):
        if name is None or name.startswith("curate"):
            continue
        tracks = ("main", "keypoints", "facts", "pairs") if "track" in wanted else ("",)
        for track in tracks:
            values = {key: (known | {"track": track}).get(key, "x") for key in wanted}
            try:
                found.append(reverse(name, kwargs=values))
            except NoReverseMatch:  # an address by the number of something, not by a submission's
                found.append(reverse(name, kwargs=values | {"pk": submission.user_id}))
    clip = reverse("clip", args=["small", "1.0", "c1"])
    asked = [
        f"{clip}?track={track}&submission={submission.pk}{more}"
        for track in ("main", "keypoints", "facts")
        for more in ("", "&judge=right", "&subject=s1", "&system=best")
    ]
    other = [f"/b/small/1.0/main/export.{suffix}" for suffix in ("json", "tex", "md", "html")]
    return [*found, *asked, *other, f"{reverse('system', args=['best'])}?on=small/1.0/main"]


def _patterns(patterns: list[Any], wanted: tuple[str, ...] = ()) -> Iterator[tuple[Any, Any]]:
    for pattern in patterns:
        names = (*wanted, *pattern.pattern.converters)
        if isinstance(pattern, URLResolver):
            if pattern.namespace is None:
                yield from _patterns(pattern.url_patterns, names)
        elif isinstance(pattern, URLPattern) and pattern.callback.__module__.startswith(OURS):
            yield pattern.name, names


def interface(client: Client, submission: Submission) -> list[str]:
    """Every operation of the interface that reads."""
    paths = client.get("/api/openapi.json").json()["paths"]
    known = {"slug": "small", "version": "1.0", "pk": str(submission.pk), "key": "c1"}
    found = []
    for path, methods in paths.items():
        if "get" in methods and "/curate" not in path:
            for track in ("main", "keypoints", "pairs"):
                values = known | {"track": track}
                found.append(re.sub(r"\{(\w+)\}", lambda m, v=values: v.get(m[1], "x"), path))
    return sorted(set(found))


def said(client: Client, submission: Submission, **headers: Any) -> dict[str, str]:
    """Address to what it answers, wherever it answers."""
    found = {}
    for address in addresses(submission) + interface(client, submission):
        sent = headers if address.startswith("/api/") else {}
        answer = client.get(address, headers=sent)
        assert answer.status_code < 500, address
        found[address] = answer.getvalue().decode()
    return found


def leaks(pages: dict[str, str]) -> list[str]:
    """Addresses whose answer holds a hidden text."""
    return [address for address, content in pages.items() if SECRET in content]


def test_what_the_walk_would_find(client: Client, scored: Submission) -> None:
    """Shown references stand on clip pages, evidence of each kind there, captions on a ranking:
    so the next test can fail.
    """
    found = leaks(said(client, scored))
    clip = reverse("clip", args=["small", "1.0", "c1"])
    for track in ("main", "keypoints", "facts"):
        assert any(one.startswith(clip) and f"track={track}" in one for one in found), track
    assert reverse("ranking", args=["small", "1.0", "pairs"]) in found
    for track, quoted in (("facts", f"{SECRET} fact."), ("keypoints", f"{SECRET} room.")):
        page = client.get(f"{clip}?track={track}&submission={scored.pk}").content.decode()
        assert quoted in page


@pytest.mark.parametrize("who", ["anonymous", "ben", "ann"])
def test_hidden_references_stand_nowhere(
    client: Client, scored: Submission, release: Release, who: str, ann: User, ben: User
) -> None:
    """On no page, in no answer: for passers-by, other users, and the submitter."""
    Release.objects.update(references_hidden=True)
    headers = {}
    if who != "anonymous":
        user = {"ann": ann, "ben": ben}[who]
        client.force_login(user)
        _, secret = ApiToken.objects.issue(user=user, name="t")
        headers["Authorization"] = f"Bearer {secret}"
    pages = said(client, scored, **headers)
    assert len(pages) > 30
    assert leaks(pages) == []
    assert "hidden test set" in pages[reverse("clip", args=["small", "1.0", "c1"])]


def test_curators_read_them_all_the_same(
    client: Client, scored: Submission, release: Release, ben: User
) -> None:
    """So do staff."""
    Release.objects.update(references_hidden=True)
    release.benchmark.curators.add(ben)
    client.force_login(ben)
    assert SECRET in client.get(reverse("clip", args=["small", "1.0", "c1"])).content.decode()


def test_refusals_quote_no_reference(
    client: Client, scored: Submission, release: Release, ben: User
) -> None:
    """What a bad file is told, of each kind."""
    Release.objects.update(references_hidden=True)
    _, secret = ApiToken.objects.issue(user=ben, name="t")
    for kind, data in (
        ("descriptions", b'{"c1": "x", "c9": "y"}'),
        ("pairs", b'{"test_name": "agent_iden", "video_id": "c9", "event": "", "pos_score": 1}'),
        ("judgements&track=keypoints&judged_by=me", b'{"video_id": "c1", "events": []}'),
    ):
        for route in ("check", "submissions"):
            answer = client.post(
                f"/api/v1/benchmarks/small/{route}?system=S&filename=f.jsonl&kind={kind}",
                data,
                content_type="application/jsonl",
                headers={"Authorization": f"Bearer {secret}"},
            )
            assert answer.status_code in {200, 422}
            assert answer.json()["problems"], kind
            assert SECRET not in answer.content.decode()


@pytest.fixture
def embargoed(scored: Submission) -> Submission:
    """The same, an hour before its scores are shown."""
    Release.objects.update(embargo_until=timezone.now() + timedelta(hours=1))
    return scored


def test_an_embargo_keeps_scores_and_ranks_from_others(
    client: Client, embargoed: Submission, ben: User, text: Callable[[Any], str]
) -> None:
    """Every page that would show a number of the submission, and every answer."""
    numbers = {
        f"{vector.mean:.4f}"
        for vector in embargoed.runs.get(judge="left", track__slug="main").vectors.all()
    } - {"1.0000", "0.0000"}
    assert numbers
    Release.objects.update(embargo_until=None)
    before = said(client, embargoed)
    assert any(number in page for page in before.values() for number in numbers)
    Release.objects.update(embargo_until=timezone.now() + timedelta(hours=1))
    cache.clear()
    for browser in (client, Client()):
        pages = said(browser, embargoed)
        told = [a for a, page in pages.items() if any(number in page for number in numbers)]
        assert told == []
        client.force_login(ben)
    ranking = reverse("ranking", args=["small", "1.0", "main"])
    assert "under embargo until" in text(client.get(ranking))
    track = "/api/v1/benchmarks/small/releases/1.0/tracks/main/ranking"
    assert client.get(track).status_code == 404
    assert client.get(f"/api/v1/submissions/{embargoed.pk}").json()["runs"] == []


def test_under_embargo_one_sees_ones_own_scores_without_a_place(
    client: Client, embargoed: Submission, ann: User, ben: User, text: Callable[[Any], str]
) -> None:
    """Curators see everything, and after it everybody does."""
    address = reverse("submission", args=[embargoed.pk])
    client.force_login(ann)
    page = text(client.get(address))
    assert "Places are under embargo" in page
    assert "Rank 1 of" not in page
    assert "0." in page
    ranking = reverse("ranking", args=["small", "1.0", "main"])
    assert "Best" not in text(client.get(ranking))
    embargoed.release.benchmark.curators.add(ben)
    client.force_login(ben)
    assert "Best" in text(client.get(ranking))
    assert "Rank" in text(client.get(address))
    client.logout()
    Release.objects.update(embargo_until=timezone.now() - timedelta(seconds=1))
    assert "Best" in text(client.get(ranking))


@pytest.fixture
def text() -> Callable[[Any], str]:
    """What a page says, without its tags."""
    return lambda answer: re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))
