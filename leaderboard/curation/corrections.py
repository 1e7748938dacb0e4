"""A new draft from an older release: its data and tracks, copied, to be corrected."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from django.db import models, transaction

from leaderboard import audit
from leaderboard.curation.refusals import Refused
from leaderboard.curation.releases import new_draft
from leaderboard.models import CaptionPair, Clip, Keypoint, Reference, Release, Subject, Track

if TYPE_CHECKING:
    from django.contrib.auth.models import User

M = TypeVar("M", bound=models.Model)
BATCH = 500
POLICY = ("references_hidden", "missing_clips", "opens_at", "closes_at", "embargo_until")


def correct(*, release: Release, version: str, notes: str, actor: User) -> Release:
    """A draft with the clips, references, keypoints, pairs and tracks of a published release.

    Submissions, scores and reported results stay with the old one: numbers never mix. Raises
    Refused for a draft, which can be corrected itself, and ValidationError for the version.
    """
    if not release.is_frozen:
        raise Refused("not-published", f"{release} is a draft: change it as it is.")
    policy = {name: getattr(release, name) for name in POLICY}
    with transaction.atomic():
        made = new_draft(
            release.benchmark, version=version, notes=notes, corrects=release, **policy
        )
        clips = _copy_clips(release, made)
        _copy_references(clips)
        _copy_keypoints(clips)
        _copy_pairs(release, made, clips)
        _copy_tracks(release, made)
        audit.record(
            actor=actor,
            action="release.correct",
            target=made,
            benchmark=made.benchmark,
            before={"version": release.version},
            after={"version": made.version, "clips": len(clips)},
        )
    return made


def _again(row: M, **changed: object) -> M:
    """The same row once more, unsaved."""
    values = {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.primary_key
    }
    return type(row)(**(values | changed))


def _copy_clips(old: Release, new: Release) -> dict[int, Clip]:
    """Id of a clip of the old release to its copy."""
    rows = list(old.clips.order_by("position"))
    copies = Clip.objects.bulk_create([_again(row, release_id=new.pk) for row in rows], BATCH)
    return {row.pk: copy for row, copy in zip(rows, copies, strict=True)}


def _copy_references(clips: dict[int, Clip]) -> None:
    rows = Reference.objects.filter(clip__in=clips)
    Reference.objects.bulk_create(
        (_again(row, clip_id=clips[row.clip_id].pk) for row in rows), BATCH
    )


def _copy_keypoints(clips: dict[int, Clip]) -> None:
    people = list(Subject.objects.filter(clip__in=clips).order_by("pk"))
    copies = Subject.objects.bulk_create(
        [_again(row, clip_id=clips[row.clip_id].pk) for row in people], BATCH
    )
    subjects = {row.pk: copy.pk for row, copy in zip(people, copies, strict=True)}
    points = list(Keypoint.objects.filter(clip__in=clips).order_by("pk"))
    made = Keypoint.objects.bulk_create(
        [_again(row, clip_id=clips[row.clip_id].pk) for row in points], BATCH
    )
    new = {row.pk: copy.pk for row, copy in zip(points, made, strict=True)}
    through = Keypoint.subjects.through
    links = through.objects.filter(keypoint__clip__in=clips)
    through.objects.bulk_create(
        (
            through(keypoint_id=new[keypoint], subject_id=subjects[subject])
            for keypoint, subject in links.values_list("keypoint_id", "subject_id")
        ),
        BATCH,
    )


def _copy_pairs(old: Release, new: Release, clips: dict[int, Clip]) -> None:
    CaptionPair.objects.bulk_create(
        (
            _again(row, release_id=new.pk, clip_id=clips[row.clip_id].pk)
            for row in old.caption_pairs.order_by("position")
        ),
        BATCH,
    )


def _copy_tracks(old: Release, new: Release) -> None:
    """The newest version of each track; older ones keep their rankings on the old release."""
    current = old.tracks.filter(replaced_by__isnull=True)
    Track.objects.bulk_create(
        _again(row, release_id=new.pk, version=1, replaces_id=None) for row in current
    )
