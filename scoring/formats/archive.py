"""ZIP and gzip files, read in memory and never trusted.

Nothing is written to disk. Limits count what really comes out of the decompressor, chunk by chunk,
so neither the compressed size nor the sizes that a header claims decide anything, and memory stays
within the limit. Every fault of an archive is reported at once; an archive with one yields no file.
"""

from __future__ import annotations

import gzip
import io
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Protocol

from scoring.formats.quoting import counted, quote
from scoring.types import Problem

CHUNK = 64 * 1024
_CENTRAL_ENTRY = b"PK\x01\x02"
_ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
_GZIP_START = b"\x1f\x8b"
_PACKED_STARTS = (
    *_ZIP_STARTS,
    _GZIP_START,
    b"Rar!\x1a\x07",
    b"7z\xbc\xaf\x27\x1c",
    b"BZh",
    b"\xfd7zXZ\x00",
    b"\x28\xb5\x2f\xfd",
)
_PACKED_SUFFIXES = frozenset(
    {".zip", ".gz", ".tgz", ".tar", ".rar", ".7z", ".bz2", ".xz", ".zst", ".lz4"}
)
_SYSTEM_FILES = frozenset({".ds_store", "thumbs.db", "desktop.ini"})
_PLAIN = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What an archive may hold: `entries` of any kind, `size` bytes of files once unpacked."""

    entries: int = 1_000
    size: int = 20_000_000


@dataclass(frozen=True, slots=True)
class Contents:
    """The files of an archive as (name, bytes), in its order, or the problems that forbid them.

    Names are as the archive has them, with forward slashes; folders and the files that operating
    systems add (`__MACOSX`, `.DS_Store`, `Thumbs.db`) are left out.
    """

    files: tuple[tuple[str, bytes], ...] = ()
    problems: tuple[Problem, ...] = ()


class _TooMuch(Exception):  # noqa: N818 - says how much, is caught in this module
    """The limit on unpacked bytes is passed."""


def is_archive(data: bytes, filename: str = "") -> bool:
    """True for a ZIP or gzip file, by its first bytes or by its name."""
    named = PurePosixPath(filename.lower()).suffix in (".zip", ".gz")
    return named or data.startswith((*_ZIP_STARTS, _GZIP_START))


def members(data: bytes, filename: str = "", *, limits: Limits | None = None) -> Contents:
    """The files of a ZIP archive, or the one file of a gzip file.

    Refused, each with its own code: too many entries or bytes, encryption, names that lead out of
    the archive, links, two entries of one name, archives in archives, damage, and compression
    methods whose output cannot be bounded while it is unpacked.
    """
    limits = limits or Limits()
    if data.startswith(_GZIP_START):
        return _gunzip(data, filename, limits)
    if not data.startswith(_ZIP_STARTS):
        message = "the file is neither a ZIP archive nor gzip; upload the bare file or zip it again"
        return Contents(problems=(Problem("archive-damaged", message),))
    # Counted before the directory is read: an entry costs its maker 46 bytes and us far more.
    if data.count(_CENTRAL_ENTRY) > limits.entries:
        return Contents(problems=(_too_many(limits),))
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _unzip(archive, limits)
    except _DAMAGE:
        return Contents(problems=(_damaged(),))


def the_file(
    data: bytes, filename: str, suffixes: Sequence[str], *, limits: Limits | None = None
) -> Contents:
    """The one file of an archive whose name ends with one of `suffixes`, or why there is none.

    Several such files are refused, all named: which of them is meant is not guessed.
    """
    contents = members(data, filename, limits=limits)
    if contents.problems:
        return contents
    usable = tuple(file for file in contents.files if suffix(file[0]) in suffixes)
    if len(usable) == 1:
        return Contents(usable)
    there = [name for name, _ in contents.files]
    if usable:
        listed = _listed([name for name, _ in usable])
        message = f"the archive holds {len(usable)} files that could be meant: {listed}; keep one"
        return Contents(problems=(Problem("archive-ambiguous", message),))
    if "[Content_Types].xml" in there:
        message = "this is an office document; save it as CSV"
        return Contents(problems=(Problem("wrong-type", message),))
    wanted = ", ".join(suffixes)
    holds = _listed(there) or "nothing"
    message = f"the archive holds no file that ends with one of {wanted}; it holds {holds}"
    return Contents(problems=(Problem("archive-empty", message),))


def suffix(name: str) -> str:
    """The ending of a member's name, in lower case, with its dot."""
    return PurePosixPath(name.lower()).suffix


def _unzip(archive: zipfile.ZipFile, limits: Limits) -> Contents:
    entries = archive.infolist()
    if len(entries) > limits.entries:
        return Contents(problems=(_too_many(limits),))
    problems = [problem for entry in entries for problem in _faults(entry)]
    wanted = [entry for entry in entries if not _ignored(entry)]
    problems.extend(_twice(wanted))
    if problems:
        return Contents(problems=tuple(problems))
    left = limits.size
    files = []
    for entry in wanted:
        try:
            with archive.open(entry) as stream:
                file = _read(stream, left)
        except _TooMuch:
            return Contents(problems=(_too_large(limits),))
        except _DAMAGE:
            problems.append(_damaged(_shown(entry)))
            continue
        left -= len(file)
        files.append((_slashed(entry), file))
        problems.extend(_nested(_slashed(entry), file))
    return Contents(problems=tuple(problems)) if problems else Contents(files=tuple(files))


def _gunzip(data: bytes, filename: str, limits: Limits) -> Contents:
    name = PurePosixPath(filename.replace("\\", "/")).name
    inner = name[:-3] if name.lower().endswith(".gz") else name
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as stream:
            file = _read(stream, limits.size)
    except _TooMuch:
        return Contents(problems=(_too_large(limits),))
    except _DAMAGE:
        return Contents(problems=(_damaged(),))
    nested = tuple(_nested(inner, file))
    return Contents(problems=nested) if nested else Contents(files=((inner, file),))


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


def _read(stream: _Readable, limit: int) -> bytes:
    """Everything in `stream`, unless it is more than `limit` bytes."""
    read = bytearray()
    while chunk := stream.read(min(CHUNK, limit + 1 - len(read))):
        read += chunk
        if len(read) > limit:
            raise _TooMuch
    return bytes(read)


def _faults(entry: zipfile.ZipInfo) -> Iterator[Problem]:
    shown = _shown(entry)
    if entry.flag_bits & 0x1:
        message = f"{shown} is encrypted; upload an archive without a password"
        yield Problem("archive-encrypted", message)
    if _leads_out(entry):
        message = f"the name {shown} leads out of the archive; use plain file names"
        yield Problem("archive-unsafe-name", message)
    mode = stat.S_IFMT(entry.external_attr >> 16)
    if mode not in (0, stat.S_IFREG, stat.S_IFDIR):
        message = f"{shown} is a link or a device, not a file; put the file itself into the archive"
        yield Problem("archive-link", message)
    if entry.compress_type not in _PLAIN:
        message = f"{shown} is compressed by a method other than deflate; zip it the usual way"
        yield Problem("archive-method", message)


def _leads_out(entry: zipfile.ZipInfo) -> bool:
    name = entry.orig_filename.replace("\\", "/")
    drive = name[1:2] == ":"
    return name.startswith("/") or drive or "\x00" in name or ".." in name.split("/")


def _ignored(entry: zipfile.ZipInfo) -> bool:
    """Folders, and what operating systems put into archives without being asked."""
    *folders, name = _slashed(entry).split("/")
    added = "__MACOSX" in folders or name.startswith("._") or name.lower() in _SYSTEM_FILES
    return added or not name


def _twice(entries: Sequence[zipfile.ZipInfo]) -> Iterator[Problem]:
    seen: set[str] = set()
    for entry in entries:
        name = unicodedata.normalize("NFC", _slashed(entry))
        if name in seen:
            message = f"the archive holds two files named {_shown(entry)}; keep one"
            yield Problem("archive-duplicate", message)
        seen.add(name)


def _nested(name: str, file: bytes) -> Iterator[Problem]:
    tar = file[257:262] == b"ustar"
    if tar or file.startswith(_PACKED_STARTS) or suffix(name) in _PACKED_SUFFIXES:
        message = f"{quote(name)} is an archive inside the archive; put its files there instead"
        yield Problem("archive-nested", message)


def _slashed(entry: zipfile.ZipInfo) -> str:
    return entry.filename.replace("\\", "/")


def _shown(entry: zipfile.ZipInfo) -> str:
    return quote(entry.orig_filename)


def _listed(names: Sequence[str], limit: int = 10) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(quote(name) for name in names[:limit]) + more


def _damaged(shown: str = "the archive") -> Problem:
    return Problem("archive-damaged", f"{shown} is damaged or cut off; zip it again")


def _too_many(limits: Limits) -> Problem:
    message = f"the archive holds more than {counted(limits.entries, 'entry', 'entries')}"
    return Problem("archive-too-many", f"{message}; keep the files that are to be scored")


def _too_large(limits: Limits) -> Problem:
    message = f"the archive unpacks to more than {limits.size:,} bytes, which is the limit"
    return Problem("archive-too-large", message)
