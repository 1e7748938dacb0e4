"""Stored files and the rows that speak of them: neither should be without the other."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.apps import apps
from django.core.files.storage import default_storage
from django.db.models import FileField

from leaderboard.curation import staging
from leaderboard.models import DirectUpload, Submission
from leaderboard.operations.finding import ERROR, WARNING, Finding, some
from leaderboard.storage import multipart, unfinished

logger = logging.getLogger(__name__)

KEPT = timedelta(days=1)
"""A file younger than this may belong to an upload that is under way."""


def findings(now: datetime) -> Iterator[Finding]:
    """Files nobody speaks of, and submissions whose file is gone or is another."""
    if orphans := orphaned(now):
        what = f"{len(orphans)} stored files belong to nothing: {some(orphans)}."
        remedy = "Run `manage.py doctor --fix` to delete them."
        if not named():
            remedy = "The database names no file at all: is it that of this storage? Restore it."
        yield Finding(WARNING, "orphaned-files", what, remedy)
    if left := unjoined(now):
        what = f"The bucket holds parts of {len(left)} files that nobody sends any more."
        remedy = "Run `manage.py doctor --fix`; `manage.py storage_lifecycle` prevents more."
        yield Finding(WARNING, "unfinished-uploads", what, remedy)
    gone, changed = [], []
    for pk, name, sha256 in Submission.objects.order_by("pk").values_list("pk", "file", "sha256"):
        digest = sha256_of(name)
        if digest is None:
            gone.append(str(pk))
        elif digest != sha256:
            changed.append(str(pk))
    remedy = "Restore the files from a backup; until then these cannot be scored again."
    if gone:
        what = f"The files of {len(gone)} submissions are missing: {some(gone)}."
        yield Finding(ERROR, "missing-files", what, remedy)
    if changed:
        what = (
            f"The files of {len(changed)} submissions are not what was uploaded: {some(changed)}."
        )
        yield Finding(ERROR, "changed-files", what, remedy)


def sha256_of(name: str) -> str | None:
    """Of a stored file, in hexadecimal; None where there is none."""
    if not name:
        return None
    try:
        with default_storage.open(name, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except FileNotFoundError:
        return None


def orphaned(now: datetime) -> list[str]:
    """Stored files older than ``KEPT`` that no row names, in alphabetical order.

    What curators have staged is named by no row either; it has an age limit of its own.
    """
    spoken_of = named() | {upload.key for upload in DirectUpload.objects.all()}
    files: Iterator[tuple[str, datetime]] = default_storage.dated()  # type: ignore[attr-defined]
    return sorted(
        name
        for name, moment in files
        if name not in spoken_of
        and not name.startswith(f"{staging.FOLDER}/")
        and now - moment > KEPT
    )


def delete_orphans(now: datetime) -> list[str]:
    """Delete them, and parts that nobody joins; what was done.

    Nothing while no row names a stored file: that is another site's storage, or a database that
    is still to be restored.
    """
    done: list[str] = []
    if not named():
        return done
    bucket = unfinished.bucket()
    for name, upload_id in unjoined(now):
        if bucket:
            multipart.abort(bucket, name, upload_id)
            done.append(f"Deleted the parts of {name}.")
    for name in orphaned(now):
        default_storage.delete(name)
        done.append(f"Deleted the stored file {name}.")
    return done


def unjoined(now: datetime) -> list[tuple[str, str]]:
    """(name, upload id) of uploads in parts that were begun before ``KEPT`` and that no row knows.

    Those with a row end by themselves. None are found on a server that does not list them.
    """
    bucket = unfinished.bucket()
    if bucket is None:
        return []
    try:
        there = list(multipart.under_way(bucket))
    except OSError as error:
        logger.warning("the bucket does not list unfinished uploads: %s", error)
        return []
    known = set(DirectUpload.objects.values_list("upload_id", flat=True))
    return sorted(
        (name, upload_id)
        for name, upload_id, begun in there
        if upload_id not in known and now - begun > KEPT
    )


def named() -> set[str]:
    """Every stored file that a row speaks of."""
    found: set[str] = set()
    for model in apps.get_models():
        for field in model._meta.fields:
            if isinstance(field, FileField):
                found.update(model._default_manager.values_list(field.name, flat=True))
    return found - {""}
