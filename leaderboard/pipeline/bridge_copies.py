"""Submissions compared with each other by their texts: rows to sketches and back."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from datetime import datetime
from uuid import UUID

import numpy as np

from leaderboard.models import Description, Release, Submission, TextSketch
from scoring.diagnostics import Flag, flag_of
from scoring.diagnostics.copies import (
    COPIED,
    HASHES,
    SKETCH_VERSION,
    SUSPECT,
    Sketches,
    alike,
    overlap,
    sketch,
)

OTHERS = 5
"""Submissions that a flag names at most."""


def sketches_of(release: Release, texts: Mapping[str, str]) -> Sketches:
    """One sketch for each clip of the release, at its position; zeros where there is no text."""
    positions = dict(release.clips.values_list("key", "position"))
    rows = np.zeros((max(positions.values(), default=-1) + 1, HASHES), np.uint8)
    known = [clip for clip in texts if clip in positions]
    rows[[positions[clip] for clip in known]] = sketch(texts[clip] for clip in known)
    return rows


def keep_sketches(submission: Submission, sketches: Sketches) -> None:
    """Store what later submissions are compared with, in place of what there was."""
    kept = {"version": SKETCH_VERSION, "data": sketches.tobytes()}
    TextSketch.objects.update_or_create(submission=submission, defaults=kept)


def copies_of_submissions(
    release: Release,
    own: Collection[int],
    texts: Mapping[str, str],
    sketches: Sketches,
    *,
    before: datetime | None = None,
) -> Flag:
    """The flag for texts that stand in public submissions of other systems than those with the
    keys ``own``, sent ``before`` then.

    Every stored sketch is looked at once; texts are read only where one looks alike. ``others`` of
    the flag counts clips by submission, the most first.
    """
    clips = dict(release.clips.values_list("position", "key"))
    found: dict[str, str] = {}
    counts: dict[str, int] = {}
    for other, theirs in _stored(release, own, before):
        if theirs.shape != sketches.shape:
            continue
        suspects = [clips[int(at)] for at in np.flatnonzero(alike(sketches, theirs) > SUSPECT)]
        copied = _confirmed(other, {clip: texts[clip] for clip in suspects})
        if copied:
            counts[str(other)] = len(copied)
            found |= {clip: texts[clip] for clip in copied}
    most = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))[:OTHERS]
    in_order = {clip: found[clip] for clip in texts if clip in found}
    return flag_of("copy-of-submission", in_order, others=dict(most))


def _stored(
    release: Release, own: Collection[int], before: datetime | None
) -> Iterator[tuple[UUID, Sketches]]:
    public = release.submissions.on_the_board().exclude(system__in=own)
    if before is not None:
        public = public.filter(created_at__lt=before)
    rows = TextSketch.objects.filter(submission__in=public, version=SKETCH_VERSION)
    for other, data in rows.values_list("submission_id", "data").iterator(chunk_size=100):
        yield other, np.frombuffer(bytes(data), np.uint8).reshape(-1, HASHES)


def _confirmed(other: UUID, texts: Mapping[str, str]) -> list[str]:
    """Clips whose text is a near-copy of what the other submission says of them."""
    if not texts:
        return []
    theirs = Description.objects.filter(submission=other, clip__key__in=texts)
    return [
        clip
        for clip, text in theirs.values_list("clip__key", "text")
        if overlap(texts[clip], text) >= COPIED
    ]
