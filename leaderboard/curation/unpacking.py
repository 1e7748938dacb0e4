"""A dragged-in file as the files that importers read: itself, or what a ZIP of them holds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from leaderboard.importers.source import InvalidSource
from leaderboard.intake.names import shown_name
from scoring.formats.archive import Limits, is_archive, members

SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".tab"})
LIMITS = Limits(entries=2_000, size=200_000_000)
"""Of an archive, once unpacked."""


@dataclass(frozen=True, slots=True)
class Held:
    """A file in memory. Its place is a word to tell it from others, and leads nowhere."""

    place: PurePosixPath
    content: bytes

    @property
    def name(self) -> str:
        """Without the folders it lay in."""
        return self.place.name

    @property
    def stem(self) -> str:
        """The name without its ending."""
        return self.place.stem

    def read_bytes(self) -> bytes:
        """As those of a ``Path``."""
        return self.content


def unpacked(data: bytes, filename: str) -> list[Held]:
    """The data files of the upload, in the order of their places; nothing is written anywhere.

    Archives are read within ``LIMITS`` and refused whole when anything about them is unsafe.
    Raises InvalidSource.
    """
    if not is_archive(data, filename):
        return [Held(PurePosixPath(shown_name(filename)), data)]
    contents = members(data, shown_name(filename), limits=LIMITS)
    if contents.problems:
        raise InvalidSource([f"{shown_name(filename)}: {one}" for one in contents.problems])
    files = [Held(PurePosixPath(name), content) for name, content in contents.files]
    wanted = [file for file in files if file.place.suffix.lower() in SUFFIXES]
    if not wanted:
        endings = ", ".join(sorted(SUFFIXES))
        raise InvalidSource([f"{shown_name(filename)}: holds no file that ends with {endings}"])
    return sorted(wanted, key=lambda file: file.place)
