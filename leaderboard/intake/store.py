"""A checked upload to rows, a file and messages: all of it or nothing."""

from __future__ import annotations

import hashlib
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

from django.core.files.base import ContentFile
from django.db import transaction
from django.utils import timezone

from leaderboard import tasks
from leaderboard.intake import quota
from leaderboard.intake.contents import Contents
from leaderboard.intake.flags import compared_with_others
from leaderboard.intake.names import shown_name
from leaderboard.models import Description, Submission
from leaderboard.pipeline import bridge_copies, dispatch
from scoring.types import Upload

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from leaderboard.models import Release, System, Team


def store(  # noqa: PLR0913 - what a submission is made of
    upload: Upload,
    contents: Contents,
    *,
    release: Release,
    user: User | None,
    team: Team | None,
    system: System,
    data: bytes,
    filename: str,
    visibility: str,
    named_from: datetime | None,
    note: str,
    low_priority: bool = False,
) -> Submission:
    """Store file, submission, descriptions and runs in one transaction.

    Raises ``InvalidUpload`` for copies of others where they are refused, and ``NotTaken`` when the
    quota is spent or the release is closed. When any part fails the stored file is removed again.
    Messages to the workers leave when the outermost transaction has committed, so that no worker
    looks for rows that are not there yet.
    """
    compared = compared_with_others(upload, release, system)
    submission = Submission(
        release=release,
        system=system,
        user=user,
        team=team,
        kind=contents.kind,
        track=contents.track,
        judged_by=contents.judged_by,
        language=contents.language,
        visibility=visibility,
        named_from=named_from if visibility == Submission.Visibility.ANONYMOUS else None,
        published_at=None if visibility == Submission.Visibility.PRIVATE else timezone.now(),
        standing=_standing(release, user),
        note=note,
        original_name=shown_name(filename),
        format=upload.format,
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        diagnostics=compared.diagnosis.to_json() if compared else {},
        warnings=[asdict(problem) for problem in upload.warnings],
    )
    submission.file.save("upload", ContentFile(data), save=False)
    try:
        with transaction.atomic():
            quota.claim_place(release, user, team)
            submission.save(force_insert=True)
            _store_descriptions(submission, upload)
            if compared:
                bridge_copies.keep_sketches(submission, compared.sketches)
            tasks.send_runs(dispatch.create_runs(submission, low_priority=low_priority))
    except BaseException:
        submission.file.delete(save=False)
        raise
    return submission


def _standing(release: Release, user: User | None) -> str:
    """Where the benchmark has it so, a person's submissions wait until a curator has let one pass.

    Importers' do not.
    """
    standing = Submission.Standing
    if user is None or not release.benchmark.holds_first:
        return standing.CLEAR
    theirs = Submission.objects.filter(user=user, release__benchmark=release.benchmark_id)
    passed = theirs.filter(standing=standing.CLEAR)
    return standing.CLEAR if passed.exists() else standing.HELD


def _store_descriptions(submission: Submission, upload: Upload) -> None:
    clips = dict(submission.release.clips.scored().values_list("key", "pk"))
    Description.objects.bulk_create(
        (
            Description(submission=submission, clip_id=clips[key], text=text)
            for key, text in upload.descriptions.items()
        ),
        batch_size=500,
    )
