"""Where cached data lies: named pieces that are written once and never changed."""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Blob:
    """A stored piece of data: `used` orders blobs by their last use (seconds)."""

    name: str
    size: int
    used: float


class BlobStore(Protocol):
    """Named, immutable pieces of data. A missing name raises `FileNotFoundError`."""

    def blobs(self, prefix: str = "") -> list[Blob]:
        """All blobs whose name begins with `prefix`."""
        ...

    def read(self, name: str, start: int, size: int) -> bytes:
        """`size` bytes from `start` on, fewer at the end."""
        ...

    def write(self, name: str, data: bytes) -> None:
        """Store all of it or nothing: no reader ever sees a part."""
        ...

    def delete(self, name: str) -> None:
        """Remove it; one that is gone is fine."""
        ...

    def touch(self, name: str) -> None:
        """Note that it was used just now."""
        ...


class FileStore:
    """Blobs as files under a folder; a slash in a name is a subfolder."""

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root)

    def blobs(self, prefix: str = "") -> list[Blob]:
        """See `BlobStore.blobs`."""
        found = []
        for path in self.root.rglob("*"):
            name = path.relative_to(self.root).as_posix()
            if not name.startswith(prefix):
                continue
            with suppress(FileNotFoundError):
                status = path.stat()
                if path.is_file():
                    found.append(Blob(name, status.st_size, status.st_mtime))
        return found

    def read(self, name: str, start: int, size: int) -> bytes:
        """See `BlobStore.read`."""
        with (self.root / name).open("rb") as file:
            file.seek(start)
            return file.read(size)

    def write(self, name: str, data: bytes) -> None:
        """See `BlobStore.write`."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_name(f"draft-{uuid.uuid4().hex}")
        try:
            draft.write_bytes(data)
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)

    def delete(self, name: str) -> None:
        """See `BlobStore.delete`."""
        (self.root / name).unlink(missing_ok=True)

    def touch(self, name: str) -> None:
        """See `BlobStore.touch`."""
        with suppress(FileNotFoundError):
            os.utime(self.root / name)
