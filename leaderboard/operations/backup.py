"""A site as one file, made while it goes on working, on whatever database it has."""

from __future__ import annotations

import hashlib
import json
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core import serializers
from django.core.files.storage import default_storage
from django.db import connection, models, transaction

from leaderboard.operations import archive, files
from leaderboard.operations.archive import ArchiveError


@dataclass(frozen=True, slots=True)
class Made:
    """What went in: rows, files, and files that rows speak of and the storage does not have."""

    rows: int
    files: int
    missing: tuple[str, ...]


def backup(target: Path, *, now: datetime) -> Made:
    """Write every row and stored file to ``target``, readable by its owner only.

    Rows are those of one moment; files are written once and never changed. Raises
    ``ArchiveError`` when the file exists already. Nothing is left behind when it fails.
    """
    if target.exists():
        raise ArchiveError(f"{target} exists already; name a new file, or remove it first.")
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.touch(mode=0o600)
    try:
        with tarfile.open(unfinished, "w") as tar, TemporaryDirectory() as folder:
            with _one_moment():
                manifest: dict[str, Any] = {
                    "version": archive.VERSION,
                    "made_at": now.isoformat(),
                    "migrations": archive.applied(),
                    "rows": _write_rows(tar, Path(folder)),
                }
                names = sorted(files.named())
            manifest["files"], missing = _write_files(tar, names, Path(folder))
            text = Path(folder) / archive.MANIFEST
            text.write_text(json.dumps(manifest, indent=1))
            tar.add(text, archive.MANIFEST)
        unfinished.replace(target)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    rows = sum(table["count"] for table in manifest["rows"].values())
    return Made(rows, len(manifest["files"]), tuple(missing))


@contextmanager
def _one_moment() -> Iterator[None]:
    """A transaction in which every query sees the same rows, and which keeps nobody waiting."""
    mode = getattr(connection, "transaction_mode", None)
    if connection.vendor == "sqlite":
        connection.transaction_mode = "DEFERRED"  # type: ignore[attr-defined]
    try:
        with transaction.atomic():
            if connection.vendor == "postgresql" and len(connection.savepoint_ids) == 0:
                with connection.cursor() as cursor:
                    cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
            yield
    finally:
        if connection.vendor == "sqlite":
            connection.transaction_mode = mode  # type: ignore[attr-defined]


def _write_rows(tar: tarfile.TarFile, folder: Path) -> dict[str, dict[str, Any]]:
    """Table to how many rows it has and the hash of their lines."""
    found = {}
    for model in archive.kept_models():
        name = archive.label(model)
        path = folder / "rows.jsonl"
        with path.open("w", encoding="utf-8") as stream:
            rows = model._base_manager.order_by("pk")
            serializers.serialize("jsonl", rows.iterator(500), stream=stream, cls=archive.Exact)
        with path.open("rb") as written:
            digest = hashlib.file_digest(written, "sha256").hexdigest()
        tar.add(path, archive.row_member(name))
        found[name] = {"count": _count(model), "sha256": digest}
    return found


def _count(model: type[models.Model]) -> int:
    return model._base_manager.count()


def _write_files(
    tar: tarfile.TarFile, names: list[str], folder: Path
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Stored file to its size and hash, and those that are not there."""
    found, missing = {}, []
    path = folder / "file"
    for name in names:
        try:
            with default_storage.open(name, "rb") as stored, path.open("wb") as copy:
                for chunk in stored.chunks():
                    copy.write(chunk)
        except FileNotFoundError:
            missing.append(name)
            continue
        with path.open("rb") as written:
            digest = hashlib.file_digest(written, "sha256").hexdigest()
        tar.add(path, archive.file_member(name))
        found[name] = {"size": path.stat().st_size, "sha256": digest}
    return found, missing
