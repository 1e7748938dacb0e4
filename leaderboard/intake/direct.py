"""Large files straight into the bucket: announced, sent in parts, completed, checked as any other.

Nothing is a submission before the checks. On a site that keeps files in a folder this is not
offered: there the parts would go through the same process as the ordinary upload.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import IntegrityError
from django.utils import timezone

from leaderboard import intake
from leaderboard.intake.names import shown_name
from leaderboard.intake.quota import NotTaken, allowance
from leaderboard.models import DirectUpload, Submission
from leaderboard.storage import multipart, unfinished

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from leaderboard.models import Release, Team
    from leaderboard.storage.bucket import BucketStorage

AT_ONCE = 5
"""Uploads of one person that may be under way."""


class OverLimit(Exception):  # noqa: N818 - named as the fault is spoken of
    """The file has more bytes than the site takes."""


class NotDirect(NotTaken):
    """The direct way cannot be gone (on); ``code`` says why."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


NOT_OFFERED = (
    "This site takes no files past itself: send the file to the benchmark's `submissions`, "
    "whatever its size."
)
AWAY = (
    "The site's storage does not answer; your file is not the cause. What has arrived stays: ask "
    "again in some minutes."
)


def offered_from() -> int | None:
    """Bytes from which a file had better go this way; None where it cannot."""
    bucket = unfinished.bucket()
    return int(bucket.direct_from) if bucket and bucket.links else None


def begin(
    *, release: Release, user: User, team: Team | None, filename: str, size: int, sha256: str
) -> DirectUpload:
    """Announce a file of ``size`` bytes, with its hash if that is known.

    Refuses what would be refused in the end: raises ``OverLimit`` and ``NotTaken``.
    """
    if size > settings.UPLOAD_MAX_BYTES:
        raise OverLimit
    if refusal := allowance(release, user, team).refusal:
        raise refusal
    bucket, now = _bucket(), timezone.now()
    if DirectUpload.objects.filter(user=user, expires_at__gt=now).count() >= AT_ONCE:
        message = f"{AT_ONCE} of your uploads are under way; complete or abort one of them first."
        raise NotDirect("too-many-uploads", message)
    made = DirectUpload(
        user=user,
        benchmark=release.benchmark,
        original_name=shown_name(filename),
        size=size,
        sha256=sha256.lower(),
        expires_at=now + unfinished.KEPT,
    )
    try:
        made.upload_id = multipart.begin(bucket, made.key)
    except OSError as error:
        raise NotDirect("storage-failing", AWAY) from error
    made.save(force_insert=True)
    return made


def complete(upload: DirectUpload, *, user: User, **submitted: Any) -> Submission:
    """The submission that the file becomes; ``submitted`` is what ``receive`` takes beside it.

    Asked again, it is the same one. A file that is refused for what is in it is dropped. Raises
    what ``receive`` raises, ``OverLimit`` and ``NotDirect``.
    """
    data = data_of(upload)
    try:
        made = intake.receive(
            user=user, data=data, filename=upload.original_name, pk=upload.pk, **submitted
        )
    except intake.InvalidUpload:
        _drop(upload)
        raise
    except IntegrityError:
        # Completed at the same time by another request.
        there = Submission.objects.filter(pk=upload.pk, user=user).first()
        if there is None:
            raise
        made = there
    _drop(upload)
    return made


def data_of(upload: DirectUpload) -> bytes:
    """The whole file, as it was announced: measured by the server, compared with its hash."""
    bucket = _bucket()
    try:
        if not upload.joined:
            _join(bucket, upload)
        size = bucket.size(upload.key)
        if size > settings.UPLOAD_MAX_BYTES:
            _drop(upload)
            raise OverLimit
        with bucket.open(upload.key) as file:
            data: bytes = file.read()
    except FileNotFoundError as error:
        message = "Its parts are no longer there; begin a new upload."
        raise NotDirect("upload-gone", message) from error
    except OSError as error:
        raise NotDirect("storage-failing", AWAY) from error
    if len(data) != size:
        raise NotDirect("storage-failing", AWAY)
    if upload.sha256 not in {"", hashlib.sha256(data).hexdigest()}:
        _drop(upload)
        message = "What arrived is not what was announced (its SHA-256 differs); send it anew."
        raise NotDirect("upload-damaged", message)
    return data


def part_sizes(upload: DirectUpload) -> list[int]:
    """Bytes of each part, the first to the last."""
    each = multipart.part_bytes(upload.size)
    whole, rest = divmod(upload.size, each)
    return [each] * whole + ([rest] if rest else [])


def part_link(upload: DirectUpload, number: int) -> str:
    """Where to PUT part ``number``, for as long as links are good."""
    size = part_sizes(upload)[number - 1]
    try:
        return multipart.part_link(_bucket(), upload.key, upload.upload_id, number, size)
    except OSError as error:
        raise NotDirect("storage-failing", AWAY) from error


def abort(upload: DirectUpload) -> None:
    """Forget it with all its parts."""
    try:
        unfinished.drop(upload)
    except OSError as error:
        raise NotDirect("storage-failing", AWAY) from error


def _bucket() -> BucketStorage:
    bucket = unfinished.bucket()
    if bucket is None or not bucket.links:
        raise NotDirect("no-direct-upload", NOT_OFFERED)
    return bucket


def _join(bucket: BucketStorage, upload: DirectUpload) -> None:
    try:
        parts = multipart.arrived(bucket, upload.key, upload.upload_id)
        _check_parts(upload, {part.number: part.size for part in parts})
        multipart.join(bucket, upload.key, upload.upload_id, parts)
    except FileNotFoundError:
        # They are joined already, perhaps by a try whose answer was lost.
        if not bucket.exists(upload.key):
            raise
    upload.joined = True
    DirectUpload.objects.filter(pk=upload.pk).update(joined=True)


def _check_parts(upload: DirectUpload, arrived: dict[int, int]) -> None:
    """Refuse parts that are too much in all, or not of the sizes that were announced."""
    if sum(arrived.values()) > settings.UPLOAD_MAX_BYTES:
        _drop(upload)
        raise OverLimit
    wanted = dict(enumerate(part_sizes(upload), start=1))
    if arrived != wanted:
        lacking = [number for number in wanted if arrived.get(number) != wanted[number]]
        message = f"Not all of it has arrived as it was announced; parts that lack: {lacking[:20]}."
        raise NotDirect("upload-incomplete", message)


def _drop(upload: DirectUpload) -> None:
    """Forget it, now or, when the storage does not answer, with the sweep after its end."""
    with suppress(OSError):
        unfinished.drop(upload)
