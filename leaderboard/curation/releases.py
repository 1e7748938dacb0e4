"""Releases from draft to published: data brought in, clips left out, settings, publication."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from leaderboard import audit
from leaderboard.curation.readiness import obstacles
from leaderboard.curation.refusals import Refused, draft, usable
from leaderboard.importers.keypoint_rows import put_keypoints
from leaderboard.importers.pair_rows import put_pairs
from leaderboard.importers.rows import make_clips
from leaderboard.models import Clip, Release

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from leaderboard.curation.sources import Data
    from leaderboard.models import Benchmark

SETTINGS = (
    "notes",
    "opens_at",
    "closes_at",
    "embargo_until",
    "references_hidden",
    "missing_clips",
)
VERSION = re.compile(r"v?\d[\w.+-]{0,38}", re.ASCII)


def add_release(
    *, benchmark: Benchmark, version: str, notes: str, data: Data, actor: User
) -> Release:
    """A draft with this data and the tracks that it allows, seen by curators only.

    Raises InvalidData, or ValidationError for the version; nothing has been stored then.
    """
    usable(data)
    with transaction.atomic():
        release = new_draft(benchmark, version=version, notes=notes)
        _fill(release, data)
        data.put_tracks(release)
        _record(actor, "release.create", release, {}, _size(data) | {"version": version})
    return release


def new_draft(benchmark: Benchmark, *, version: str, notes: str, **values: Any) -> Release:
    """An empty draft; ValidationError when the version cannot be used."""
    if not VERSION.fullmatch(version):
        message = "A version begins with a number, such as 1.1 or 2.0-beta."
        raise ValidationError({"version": message})
    release = Release(benchmark=benchmark, version=version, notes=notes, **values)
    release.full_clean()
    release.save(force_insert=True)
    return release


def replace_data(*, release: Release, data: Data, actor: User) -> Release:
    """Give a draft other clips, references, keypoints and pairs; its tracks stay.

    A clip that is there again stays excluded, if it was, and keeps its video. Raises InvalidData or
    Refused.
    """
    usable(data)
    with transaction.atomic():
        row = draft(release)
        excluded = dict(row.clips.filter(excluded=True).values_list("key", "exclusion_reason"))
        videos = dict(row.clips.exclude(media="").values_list("key", "media"))
        before = {"clips": row.clips.count()}
        row.clips.all().delete()
        _fill(row, data)
        for clip in row.clips.filter(key__in=excluded, excluded=False):
            clip.excluded, clip.exclusion_reason = True, excluded[clip.key]
            clip.save(update_fields=["excluded", "exclusion_reason"])
        for clip in row.clips.filter(key__in=videos):
            clip.media = videos[clip.key]
            clip.save(update_fields=["media"])
        if not row.tracks.exists():
            data.put_tracks(row)
        _record(actor, "release.replace-data", row, before, _size(data))
    return row


def discard(*, release: Release, actor: User) -> None:
    """Delete a draft with all its data; Refused for a published release."""
    with transaction.atomic():
        row = draft(release)
        _record(actor, "release.discard", row, {"version": row.version}, {})
        row.clips.all().delete()
        row.delete()


def publish(*, release: Release, actor: User) -> Release:
    """Open a draft to everybody and freeze its data; it takes the benchmark's submissions now.

    Raises Refused as long as something is in the way (``readiness.obstacles``).
    """
    with transaction.atomic():
        row = draft(release)
        found = obstacles(row)
        if found:
            raise Refused("not-ready", " ".join(found))
        row.published_at = timezone.now()
        row.save(update_fields=["published_at"])
        _record(
            actor,
            "release.publish",
            row,
            {"published_at": None},
            {"published_at": row.published_at},
        )
    return row


def exclude_clip(*, clip: Clip, reason: str, actor: User) -> Clip:
    """Leave a clip of a draft out for everybody; ValidationError without a reason."""
    said = " ".join(reason.split())
    if not said:
        raise ValidationError({"reason": "Say why the clip is left out; everybody reads it."})
    return _set_excluded(clip, excluded=True, reason=said, actor=actor)


def include_clip(*, clip: Clip, actor: User) -> Clip:
    """Let an excluded clip of a draft count again."""
    return _set_excluded(clip, excluded=False, reason="", actor=actor)


def change_settings(
    *, release: Release, values: Mapping[str, Any], actor: User, reason: str = ""
) -> Release:
    """Change fields of ``SETTINGS``, which hold no data, before or after publication.

    Raises ValidationError, with the faults of each field.
    """
    with transaction.atomic():
        row = Release.objects.select_for_update().select_related("benchmark").get(pk=release.pk)
        changed = [name for name in values if getattr(row, name) != values[name]]
        before = {name: getattr(row, name) for name in changed}
        for name in changed:
            setattr(row, name, values[name])
        if row.opens_at and row.closes_at and row.closes_at <= row.opens_at:
            raise ValidationError({"closes_at": "It must close after it opens."})
        row.full_clean()
        if changed:
            row.save(update_fields=changed)
            after = {name: getattr(row, name) for name in changed}
            _record(actor, "release.settings", row, before, after, reason)
    return row


def _set_excluded(clip: Clip, *, excluded: bool, reason: str, actor: User) -> Clip:
    with transaction.atomic():
        release = draft(clip.release)
        row = Clip.objects.select_for_update().get(pk=clip.pk)
        before = {"excluded": row.excluded, "exclusion_reason": row.exclusion_reason}
        row.excluded, row.exclusion_reason = excluded, reason
        row.full_clean(exclude=["release"])
        row.save(update_fields=["excluded", "exclusion_reason"])
        audit.record(
            actor=actor,
            action="clip.exclude" if excluded else "clip.include",
            target=row,
            benchmark=release.benchmark,
            before=before,
            after={"excluded": excluded, "exclusion_reason": reason},
            reason=reason,
        )
    return row


def _fill(release: Release, data: Data) -> None:
    make_clips(release, data.clips)
    for name, file in data.annotations.items():
        put_keypoints(release, name, file)
    if data.tests:
        put_pairs(release, data.tests)


def _size(data: Data) -> dict[str, int]:
    return {
        "clips": len(data.clips),
        "references": data.references,
        "keypoints": data.keypoints,
        "pairs": data.pairs,
    }


def _record(
    actor: User,
    action: str,
    release: Release,
    before: dict[str, Any],
    after: dict[str, Any],
    reason: str = "",
) -> None:
    audit.record(
        actor=actor,
        action=action,
        target=release,
        benchmark=release.benchmark,
        before=before,
        after=after,
        reason=reason,
    )
