"""Uploads in parts that nobody has completed: their row, their parts, their file."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, cast

from django.core.files.storage import default_storage

from leaderboard.models import DirectUpload
from leaderboard.storage import multipart

if TYPE_CHECKING:
    from leaderboard.storage.bucket import BucketStorage

logger = logging.getLogger(__name__)

KEPT = timedelta(days=1)
"""So long may an upload take from its beginning to its completion."""


def bucket() -> BucketStorage | None:
    """The bucket, where the site keeps files in one."""
    is_bucket = hasattr(default_storage, "bucket_name")
    return cast("BucketStorage", default_storage) if is_bucket else None


def drop(upload: DirectUpload) -> None:
    """Forget the parts and the file of the upload, then its row. Raises OSError, and keeps it."""
    if kept := bucket():
        if not upload.joined:
            multipart.abort(kept, upload.key, upload.upload_id)
        kept.delete(upload.key)
    DirectUpload.objects.filter(pk=upload.pk).delete()


def expire(now: datetime) -> int:
    """Drop what was not completed in time; how many. What cannot be dropped waits for next time."""
    dropped = 0
    for upload in DirectUpload.objects.filter(expires_at__lte=now):
        try:
            drop(upload)
        except OSError as error:
            logger.warning("an unfinished upload cannot be dropped now: %s", error)
            break
        dropped += 1
    return dropped
