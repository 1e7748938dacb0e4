"""Stored files in a folder: whole or not at all, as in a bucket."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage

CHUNK = 64 * 1024
DRAFTS = ".drafts"


class FolderStorage(FileSystemStorage):
    """Django's own, except that a full disk leaves no part of a file and nobody reads one."""

    def _save(self, name: str, content: File[bytes]) -> str:
        """Write a draft beside the files, then give it its name."""
        draft = f"{DRAFTS}/{uuid.uuid4().hex}"
        try:
            super()._save(draft, content)  # type: ignore[misc] # the stubs leave it out
            name, place = self._reserved(name)
            Path(self.path(draft)).replace(place)
        finally:
            Path(self.path(draft)).unlink(missing_ok=True)
        return name

    def _reserved(self, name: str) -> tuple[str, Path]:
        """The name and its place, now taken; another name where somebody was quicker."""
        while True:
            place = Path(self.path(name))
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                place.touch(exist_ok=False)
            except FileExistsError:
                name = self.get_available_name(name)
            else:
                return name, place

    def part(self, name: str, first: int, length: int) -> Iterator[bytes]:
        """``length`` bytes from ``first`` on, in pieces."""
        file = self.open(name)
        file.seek(first)
        return _pieces(file, length)

    def dated(self) -> Iterator[tuple[str, datetime]]:
        """Every stored file and when it was stored."""
        root = Path(self.location)
        for path in root.rglob("*"):
            with suppress(FileNotFoundError):
                if path.is_file():
                    moment = datetime.fromtimestamp(path.stat().st_mtime, UTC)
                    yield path.relative_to(root).as_posix(), moment


def _pieces(file: File[bytes], length: int) -> Iterator[bytes]:
    with file:
        while length > 0 and (chunk := file.read(min(CHUNK, length))):
            length -= len(chunk)
            yield chunk
