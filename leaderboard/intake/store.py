"""A checked upload to rows, a file and messages: all of it or nothing."""

from __future__ import annotations

import hashlib
import logging
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from leaderboard import audit, tasks
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


logger = logging.getLogger(__name__)


class NotKept(quota.NotTaken):
    """The storage failed; nothing of the submission is there, and nothing counts."""

    code = "storage-failing"

    def __init__(self) -> None:
        super().__init__(
            "The site's storage could not keep the file; your file is not the cause. Nothing was "
            "stored and nothing counts: send it again in some minutes."
        )


@contextmanager
def kept(data: bytes, pk: uuid.UUID | None = None) -> Iterator[Submission]:
    """A submission to be, with an id and its file in the storage; removed if the block fails.

    It stands around the transaction that stores the rest, which thus never waits for a storage.
    Raises ``NotKept``.
    """
    draft = Submission(pk=pk or uuid.uuid4(), size=len(data))
    draft.sha256 = hashlib.sha256(data).hexdigest()
    try:
        draft.file.save("upload", ContentFile(data), save=False)
    except OSError as error:
        logger.exception("an uploaded file could not be stored")
        if pk is None:  # it may be there, and only the answer lost; the name is this upload's own
            with suppress(OSError):
                default_storage.delete(draft.file.field.generate_filename(draft, "upload"))
        raise NotKept from error
    try:
        yield draft
    except BaseException:
        with suppress(OSError):  # then it is an orphan, which `manage.py doctor` finds
            draft.file.delete(save=False)
        raise


def store(  # noqa: PLR0913 - what a submission is made of
    upload: Upload,
    contents: Contents,
    *,
    draft: Submission,
    release: Release,
    user: User | None,
    team: Team | None,
    system: System,
    filename: str,
    visibility: str,
    named_from: datetime | None,
    note: str,
    low_priority: bool = False,
) -> Submission:
    """Store submission, descriptions and runs in one transaction; ``kept`` has kept the file.

    Raises ``InvalidUpload`` for copies of others where they are refused, and ``NotTaken`` when the
    quota is spent or the release is closed. Messages to the workers leave when the outermost
    transaction has committed, so that no worker looks for rows that are not there yet.
    """
    compared = compared_with_others(upload, release, system)
    submission = Submission(
        pk=draft.pk,
        file=draft.file.name,
        size=draft.size,
        sha256=draft.sha256,
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
        diagnostics=compared.diagnosis.to_json() if compared else {},
        warnings=[asdict(problem) for problem in upload.warnings],
    )
    with transaction.atomic():
        quota.claim_place(release, user, team)
        submission.save(force_insert=True)
        _store_descriptions(submission, upload)
        if compared:
            bridge_copies.keep_sketches(submission, compared.sketches)
        _record(submission)
        tasks.send_runs(dispatch.create_runs(submission, low_priority=low_priority))
    return submission


def _record(submission: Submission) -> None:
    names = ("kind", "visibility", "named_from", "standing", "sha256", "size")
    said = {name: getattr(submission, name) for name in names}
    said["team"] = submission.team and submission.team.name
    audit.record(
        actor=submission.user,
        action="submission.create",
        target=submission,
        benchmark=submission.release.benchmark,
        before={},
        after={
            "system": submission.system.name,
            "release": submission.release.version,
            **{name: value for name, value in said.items() if value is not None},
        },
    )


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
