"""What all importers do with rows: make them as the source has them, and submit once."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.db import models
from django.utils import timezone

from leaderboard import audit
from leaderboard.importers.source import InvalidSource
from leaderboard.intake import Contents, receive
from leaderboard.models import Benchmark, Clip, Reference, Release, System, Track
from scoring.types import Reference as ReferenceText

M = TypeVar("M", bound=models.Model)


@dataclass(frozen=True, slots=True)
class ClipData:
    """A clip as a source describes it; one with an exclusion reason is excluded."""

    key: str
    references: Sequence[ReferenceText]
    title: str = ""
    link: str = ""
    duration: float | None = None
    category: str = ""
    exclusion_reason: str = ""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What a benchmark holds after an import, and what was new.

    ``remarks`` are sentences about what of the source was left out, and why.
    """

    release: Release
    clips: int
    excluded: int
    systems: int
    reported: int = 0
    submitted: int = 0
    unchanged: int = 0
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [
            f"{self.release}: {self.clips} clips ({self.excluded} excluded)",
            f"{self.systems} systems",
            f"{self.reported} reported results",
            f"{self.submitted} new submissions ({self.unchanged} were here already)",
        ]
        return "\n".join([", ".join(parts) + ".", *self.remarks])


def put(model: type[M], *, values: Mapping[str, Any], **key: Any) -> M:
    """The row of ``key`` with ``values``: made, or changed where it differs (and only then).

    What is done to a benchmark, a track or a system is written into the audit trail.
    """
    row, made = model._default_manager.get_or_create(defaults=dict(values), **key)
    changed = [name for name, value in values.items() if getattr(row, name) != value]
    before = {name: getattr(row, name) for name in changed}
    if changed and not made:
        for name in changed:
            setattr(row, name, values[name])
        row.save(update_fields=changed)
    if isinstance(row, Benchmark | Track | System) and (made or changed):
        _record(
            row, before, {name: getattr(row, name) for name in values if made or name in before}
        )
    return row


def _record(row: Benchmark | Track | System, before: dict[str, Any], after: dict[str, Any]) -> None:
    benchmark = row if isinstance(row, Benchmark) else None
    if isinstance(row, Track):
        if not row.release.is_frozen:
            return  # Comes with the data that a curator brings in, whose own entry says so.
        benchmark = row.release.benchmark
    audit.record(
        actor=None,
        action=f"{row._meta.model_name}.import",
        target=row,
        benchmark=benchmark,
        before=before,
        after=after,
    )


def put_release(
    *, benchmark: Mapping[str, Any], version: str, notes: str, clips: Sequence[ClipData]
) -> Release:
    """The benchmark and its published release with these clips.

    A release that is there keeps its clips, and must have the same: its data is frozen. One that
    has none yet, for only reported numbers were brought in, takes them; none change nothing.
    """
    slug = benchmark["slug"]
    row = put(Benchmark, slug=slug, values={k: v for k, v in benchmark.items() if k != "slug"})
    release, made = Release.objects.get_or_create(
        benchmark=row,
        version=version,
        defaults={"notes": notes, "published_at": timezone.now()},
    )
    if made or not release.clips.exists():
        make_clips(release, clips)
        if made or clips:
            audit.record(
                actor=None,
                action="release.import",
                target=release,
                benchmark=row,
                before={},
                after={"version": version, "clips": len(clips)},
            )
    elif clips:
        _check_clips(release, clips)
    return release


def put_system(slug: str, *, name: str, card: Mapping[str, Any] | None = None) -> System:
    """The curated system of that slug with this card; without one, as it is or with this name.

    A system that a user entered is not touched: InvalidSource.
    """
    owned = System.objects.filter(slug=slug, owner__isnull=False).select_related("owner").first()
    if owned:
        remedy = "change the slug of that system in the admin, then import again"
        raise InvalidSource([f"system {slug} was entered by user {owned.owner}; {remedy}"])
    if card is None:
        return System.objects.get_or_create(slug=slug, defaults={"name": name})[0]
    return put(System, slug=slug, values=card)


def submit_once(
    *,
    release: Release,
    system: System,
    data: bytes,
    filename: str,
    note: str,
    contents: Contents | None = None,
) -> bool:
    """Take a file in as an upload without a user; False when the same one is there already."""
    same = release.submissions.filter(
        system=system, user=None, sha256=hashlib.sha256(data).hexdigest()
    )
    if same.exists():
        return False
    receive(
        release=release,
        user=None,
        system=system,
        data=data,
        filename=filename,
        note=note,
        contents=contents,
    )
    return True


def put_track(release: Release, slug: str, **values: Any) -> Track:
    """The release's track of that slug."""
    return put(Track, release=release, slug=slug, values=values)


def make_clips(release: Release, clips: Sequence[ClipData]) -> None:
    """Give a release that has none its clips, in this order, with their references."""
    rows = Clip.objects.bulk_create(
        Clip(
            release=release,
            key=clip.key,
            position=position,
            title=clip.title,
            link=clip.link,
            duration=clip.duration,
            category=clip.category,
            excluded=bool(clip.exclusion_reason),
            exclusion_reason=clip.exclusion_reason,
        )
        for position, clip in enumerate(clips)
    )
    Reference.objects.bulk_create(
        Reference(clip=row, position=n, language=text.language, kind=text.kind, text=text.text)
        for row, clip in zip(rows, clips, strict=True)
        for n, text in enumerate(clip.references)
    )


def _check_clips(release: Release, clips: Sequence[ClipData]) -> None:
    """InvalidSource where clips or references differ from those of the frozen release."""
    there: dict[str, list[ReferenceText]] = {
        key: [] for key in release.clips.order_by("position").values_list("key", flat=True)
    }
    texts = Reference.objects.filter(clip__release=release).order_by("clip__position", "position")
    for key, *text in texts.values_list("clip__key", "text", "language", "kind"):
        there[key].append(ReferenceText(*text))
    new = {clip.key: list(clip.references) for clip in clips}
    if list(new) == list(there) and new == there:
        return
    differing = [key for key in {**there, **new} if there.get(key) != new.get(key)]
    where = f"clips {', '.join(differing[:10])}" if differing else "the order of the clips"
    raise InvalidSource(
        [
            f"{release} is published and frozen, and {where} differ: a changed dataset is a release"
            " of its own, under another version"
        ]
    )
