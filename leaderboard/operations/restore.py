"""A backup into an empty system: all of it, checked first, or nothing."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

from django.core import serializers
from django.core.files import File
from django.core.files.storage import default_storage
from django.core.management.color import no_style
from django.db import connection, transaction

from leaderboard.operations import archive, files
from leaderboard.operations.archive import ArchiveError


def restore(source: Path) -> Mapping[str, Any]:
    """Bring back every row and file; returns the manifest.

    Raises ``ArchiveError`` when the file is no whole backup, when this system has other migrations
    or already holds rows, or when its storage has another file in the place of one.
    """
    try:
        with tarfile.open(source, "r:") as tar:
            manifest = _checked(tar)
            _fits(manifest)
            _load(tar, manifest)
    except (tarfile.TarError, OSError) as error:
        raise ArchiveError(f"{source} cannot be read, or not restored: {error}") from error
    return manifest


def _checked(tar: tarfile.TarFile) -> dict[str, Any]:
    """The manifest, once every part has been read and is what it says."""
    manifest: dict[str, Any] = json.loads(_member(tar, archive.MANIFEST).read())
    if manifest.get("version") != archive.VERSION:
        raise ArchiveError("The backup has a format that this version does not read.")
    parts = {archive.row_member(n): t["sha256"] for n, t in manifest["rows"].items()}
    parts |= {archive.file_member(n): f["sha256"] for n, f in manifest["files"].items()}
    for name, digest in parts.items():
        if hashlib.file_digest(_member(tar, name), "sha256").hexdigest() != digest:  # type: ignore[arg-type]
            raise ArchiveError(f"{name} in the backup is damaged; use another backup.")
    return manifest


def _member(tar: tarfile.TarFile, name: str) -> IO[bytes]:
    try:
        found = tar.extractfile(name)
    except KeyError:
        found = None
    if found is None:
        raise ArchiveError(f"The backup has no {name}: it is not whole; use another one.")
    return found


def _fits(manifest: Mapping[str, Any]) -> None:
    """Refuse a system of another version, or one that is in use."""
    here, there = set(archive.applied()), set(manifest["migrations"])
    if here != there:
        lacking, more = sorted(there - here), sorted(here - there)
        raise ArchiveError(
            "This system and the backup differ in migrations (only in the backup: "
            f"{', '.join(lacking) or 'none'}; only here: {', '.join(more) or 'none'}). Install the "
            "version that made the backup, restore, and update then."
        )
    used = [
        archive.label(model)
        for model in archive.kept_models()
        if archive.label(model) not in archive.MADE_BY_MIGRATE and model._base_manager.exists()
    ]
    if used:
        raise ArchiveError(
            f"This system is not empty (rows in {', '.join(used)}). Restore into a new database: "
            "name one in DATABASE_URL and run `manage.py migrate`."
        )
    for name, held in manifest["files"].items():
        if files.sha256_of(name) not in (None, held["sha256"]):
            raise ArchiveError(f"The storage has another file at {name}; name an empty place.")


def _load(tar: tarfile.TarFile, manifest: Mapping[str, Any]) -> None:
    written: list[str] = []
    try:
        with transaction.atomic():
            _load_rows(tar, manifest)
            for name in manifest["files"]:
                if not default_storage.exists(name):
                    content = File(_member(tar, archive.file_member(name)))
                    written.append(default_storage.save(name, content))
    except BaseException:
        for name in written:
            default_storage.delete(name)
        raise


def _load_rows(tar: tarfile.TarFile, manifest: Mapping[str, Any]) -> None:
    """In any order: keys are checked when all rows are there."""
    models = archive.kept_models()
    with connection.constraint_checks_disabled():
        for model in models:
            if archive.label(model) in archive.MADE_BY_MIGRATE:
                model._base_manager.all().delete()
        for model in models:
            name = archive.label(model)
            lines = io.TextIOWrapper(_member(tar, archive.row_member(name)), encoding="utf-8")
            count = 0
            for one in serializers.deserialize("jsonl", lines):
                one.save()
                count += 1
            if count != manifest["rows"][name]["count"]:
                raise ArchiveError(f"The backup has {count} rows of {name}, not what it says.")
    connection.check_constraints()
    with connection.cursor() as cursor:
        for sql in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(sql)
