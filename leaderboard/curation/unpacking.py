"""A dragged-in file as a folder that importers read: a bare file, or a ZIP of the folder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from leaderboard.importers.source import InvalidSource
from leaderboard.intake.names import shown_name
from scoring.formats.archive import Limits, is_archive, members

SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".tab"})
LIMITS = Limits(entries=2_000, size=200_000_000)
"""Of an archive, once unpacked."""


@contextmanager
def unpacked(data: bytes, filename: str) -> Iterator[Path]:
    """A temporary folder with the data files of the upload, gone afterwards.

    Archives are read in memory within ``LIMITS`` and refused whole when anything about them is
    unsafe; only files that importers read are written. Raises InvalidSource.
    """
    files = _files(data, filename)
    with TemporaryDirectory(prefix="cliprank-data-") as folder:
        for name, content in files:
            _write(Path(folder), name, content)
        yield Path(folder)


def _files(data: bytes, filename: str) -> list[tuple[str, bytes]]:
    if not is_archive(data, filename):
        return [(shown_name(filename), data)]
    contents = members(data, shown_name(filename), limits=LIMITS)
    if contents.problems:
        raise InvalidSource([f"{shown_name(filename)}: {one}" for one in contents.problems])
    wanted = [file for file in contents.files if PurePosixPath(file[0]).suffix.lower() in SUFFIXES]
    if not wanted:
        endings = ", ".join(sorted(SUFFIXES))
        raise InvalidSource([f"{shown_name(filename)}: holds no file that ends with {endings}"])
    return wanted


def _write(folder: Path, name: str, content: bytes) -> None:
    path = folder.joinpath(*PurePosixPath(name).parts)
    if not path.resolve().is_relative_to(folder.resolve()):  # `members` refuses these already
        raise InvalidSource([f"{name}: leads out of the archive"])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    except (OSError, ValueError) as error:
        raise InvalidSource([f"{shown_name(name)}: a file cannot have this name"]) from error
