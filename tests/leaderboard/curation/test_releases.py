"""Drafts, publication, and what can never change afterwards."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils import timezone

from leaderboard import access, access_curated
from leaderboard.curation import corrections, releases, sources
from leaderboard.curation.readiness import obstacles
from leaderboard.curation.refusals import InvalidData, Refused
from leaderboard.models import AuditEntry, Benchmark, Release, Submission
from tests.leaderboard.curation.test_sources import PAIR, POINTS, lines
from tests.support.small_tests import keypoints_track, pairs_track

TABLE = b"clip,duration,reference\nc1,10,A man.\nc2,20,A car.\n"
Zipped = Callable[[Mapping[str, bytes]], bytes]


def add(benchmark: Benchmark, actor: User, table: bytes = TABLE, version: str = "2.0") -> Release:
    """A draft of that table."""
    data = sources.read(table, "clips.csv", "table")
    return releases.add_release(
        benchmark=benchmark, version=version, notes="", data=data, actor=actor
    )


def test_a_draft_is_seen_by_curators_only(small: Benchmark, cora: User, ben: User) -> None:
    """It has its clips, references and the tracks that they allow."""
    made = add(small, cora)
    assert not made.is_frozen
    assert list(made.clips.values_list("key", flat=True)) == ["c1", "c2"]
    assert made.tracks.get().slug == "embedded"
    assert access.curated_release(cora, "small", "2.0") == made
    assert not Release.objects.published().filter(pk=made.pk).exists()
    entry = AuditEntry.objects.get(action="release.create")
    assert (entry.user, entry.benchmark) == (cora, small)
    assert entry.after["clips"] == 2


def test_faulty_data_stores_nothing(small: Benchmark, cora: User) -> None:
    """All its problems come back."""
    with pytest.raises(InvalidData) as refused:
        add(small, cora, b"clip,duration,reference\nc1,x,A.\nc2,y,B.\n")
    assert len(refused.value.data.errors) == 2
    assert small.releases.count() == 1
    assert not AuditEntry.objects.exists()


@pytest.mark.parametrize("version", ["", "latest", "1/2", "1.0", " 2", "2" * 41])
def test_a_version_is_a_number_and_new(small: Benchmark, cora: User, version: str) -> None:
    """It stands in addresses."""
    with pytest.raises(ValidationError):
        add(small, cora, version=version)
    assert small.releases.count() == 1


def test_keypoints_and_pairs_get_tracks(small: Benchmark, cora: User, zipped: Zipped) -> None:
    """One of each that there is data for."""
    files = {
        "clips.csv": TABLE,
        "keypoints.jsonl": lines(POINTS | {"duration": 10}),
        "pairs.jsonl": lines(PAIR),
    }
    data = sources.read(zipped(files), "z.zip", "table")
    made = releases.add_release(benchmark=small, version="2.0", notes="", data=data, actor=cora)
    assert set(made.tracks.values_list("slug", flat=True)) == {"embedded", "keypoints", "pairs"}
    assert obstacles(made) == []


def test_publication_freezes(small: Benchmark, cora: User) -> None:
    """Every change of data is refused by the one check."""
    made = releases.publish(release=add(small, cora), actor=cora)
    assert access.newest_release("small") == made
    clip = made.clips.get(key="c1")
    data = sources.read(TABLE, "clips.csv", "table")
    for change in (
        lambda: releases.replace_data(release=made, data=data, actor=cora),
        lambda: releases.exclude_clip(clip=clip, reason="Broken.", actor=cora),
        lambda: releases.include_clip(clip=clip, actor=cora),
        lambda: releases.discard(release=made, actor=cora),
        lambda: releases.publish(release=made, actor=cora),
    ):
        with pytest.raises(Refused, match="frozen"):
            change()
    assert made.clips.filter(excluded=False).count() == 2


def test_what_cannot_be_scored_is_not_published(small: Benchmark, cora: User) -> None:
    """Each obstacle says what to do; leaving the clip out is one way."""
    made = add(small, cora, b"clip,reference\nc1,A man.\nc2,\n")
    assert "c2" in obstacles(made)[0]
    with pytest.raises(Refused, match="c2"):
        releases.publish(release=made, actor=cora)
    clip = made.clips.get(key="c2")
    with pytest.raises(ValidationError):
        releases.exclude_clip(clip=clip, reason="  ", actor=cora)
    releases.exclude_clip(clip=clip, reason="Nobody described it.", actor=cora)
    assert releases.publish(release=made, actor=cora).is_frozen
    assert AuditEntry.objects.get(action="clip.exclude").reason == "Nobody described it."


def test_replaced_data_keeps_tracks_and_exclusions(small: Benchmark, cora: User) -> None:
    """The clips are new rows, in the order of the new file."""
    made = add(small, cora)
    releases.exclude_clip(clip=made.clips.get(key="c1"), reason="Broken.", actor=cora)
    made.tracks.update(judges=["char-tfidf"])
    other = sources.read(b"clip,reference\nc3,A dog.\nc1,A man, again.\n", "c.jsonl", "table")
    assert not other.ok
    other = sources.read(b'clip,reference\nc3,A dog.\nc1,"A man, again."\n', "c.csv", "table")
    releases.replace_data(release=made, data=other, actor=cora)
    rows = made.clips.order_by("position").values_list("key", "excluded", "exclusion_reason")
    assert list(rows) == [("c3", False, ""), ("c1", True, "Broken.")]
    assert made.tracks.get().judges == ["char-tfidf"]


def test_settings_are_no_data(release: Release, cora: User) -> None:
    """They change after publication, with an entry of what they were."""
    now = timezone.now()
    releases.change_settings(
        release=release, values={"closes_at": now, "references_hidden": True}, actor=cora
    )
    release.refresh_from_db()
    assert release.references_hidden
    entry = AuditEntry.objects.get(action="release.settings")
    assert entry.before == {"closes_at": None, "references_hidden": False}
    with pytest.raises(ValidationError):
        releases.change_settings(
            release=release, values={"opens_at": now + timedelta(days=1)}, actor=cora
        )


def test_a_correction_is_a_copy(release: Release, cora: User) -> None:
    """Of everything that scores follow from; the old release stays as it is."""
    keypoints_track(release)
    pairs_track(release)
    with pytest.raises(Refused):
        corrections.correct(
            release=add(release.benchmark, cora), version="3.0", notes="", actor=cora
        )
    made = corrections.correct(release=release, version="1.1", notes="Why.", actor=cora)
    assert (made.corrects, made.is_frozen) == (release, False)

    def content(one: Release) -> list[list[object]]:
        clips = one.clips.order_by("position")
        return [
            list(clips.values_list("key", "excluded", "references__text", "references__kind")),
            list(
                clips.values_list(
                    "keypoints__text", "keypoints__position", "keypoints__subjects__key"
                ).order_by("position", "keypoints__position")
            ),
            list(
                one.caption_pairs.order_by("position").values_list("key", "clip__key", "positive")
            ),
            list(one.tracks.order_by("slug").values_list("slug", "judges", "protocol", "settings")),
        ]

    assert content(made) == content(release)
    ours = made.clips.values_list("pk", flat=True)
    assert all(pair.clip_id in ours for pair in made.caption_pairs.all())


def test_videos_of_the_sites_own_go_along(small: Benchmark, release: Release, cora: User) -> None:
    """Into a correction, and through other data for it."""
    release.clips.filter(key="c1").update(media="clips/c1.mp4")
    made = corrections.correct(release=release, version="1.1", notes="", actor=cora)
    videos = made.clips.exclude(media="").values_list("key", "media")
    assert list(videos) == [("c1", "clips/c1.mp4")]
    data = sources.read(TABLE, "clips.csv", "table")
    releases.replace_data(release=made, data=data, actor=cora)
    assert list(videos.all()) == [("c1", "clips/c1.mp4")]
    assert made.clips.get(key="c1").duration == 10


def test_sending_a_submission_is_written_down(
    release: Release, submit: Callable[..., Submission], cora: User, ben: User
) -> None:
    """By whom, of what; of a private one only staff read it."""
    one, private = submit("One"), submit("Two", visibility="private")
    entry = AuditEntry.objects.get(action="submission.create", target_id=str(one.pk))
    assert (entry.actor, entry.after["system"], entry.after["sha256"]) == ("ann", "One", one.sha256)
    seen = access_curated.audit_entries(cora, release.benchmark)
    assert set(seen.values_list("target_id", flat=True)) == {str(one.pk)}
    ben.is_staff = True
    seen = access_curated.audit_entries(ben, release.benchmark)
    assert set(seen.values_list("target_id", flat=True)) == {str(one.pk), str(private.pk)}
