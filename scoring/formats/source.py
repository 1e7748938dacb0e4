"""One uploaded file as bytes and a name, and its text when it is text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

ACCEPTED = "upload JSON, JSON Lines, CSV or TSV, as it is or packed as ZIP or gzip"

# Offset and bytes by which a file that is no text shows what it is.
_MAGIC = (
    (0, b"\x89PNG", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"GIF8", "a GIF image"),
    (0, b"%PDF", "a PDF document"),
    (0, b"PK\x03\x04", "a ZIP archive or an office document"),
    (0, b"PK\x05\x06", "an empty ZIP archive"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (0, b"BZh", "a bzip2 archive"),
    (0, b"\xfd7zXZ\x00", "an xz archive"),
    (0, b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (0, b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (257, b"ustar\x00", "a tar archive"),
    (257, b"ustar  \x00", "a tar archive"),
    (0, b"\xd0\xcf\x11\xe0", "an old Office document"),
    (0, b"PAR1", "a Parquet file"),
    (0, b"\x93NUMPY", "a NumPy file"),
    (0, b"\x89HDF", "an HDF5 file"),
    (0, b"SQLite format 3", "an SQLite database"),
    (0, b"\x00\x00\x00", "a binary file, such as an MP4 video"),
    (0, b"\x1a\x45\xdf\xa3", "a Matroska or WebM video"),
)
_MARKUP = re.compile(rb"\s*<(!doctype|html|head|body|\?xml|svg)\b", re.IGNORECASE)
_UTF8_BOM = b"\xef\xbb\xbf"
_OTHER_BOMS = (
    (b"\xff\xfe\x00\x00", "UTF-32"),
    (b"\x00\x00\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)


class Refused(Exception):  # noqa: N818 - becomes a problem, never leaves the package
    """Bytes that are no text of ours: a problem's code and message."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


@dataclass(frozen=True)
class Source:
    """A file as it arrived. The name only helps to tell formats apart; it is never a path."""

    data: bytes
    filename: str = ""

    @property
    def suffix(self) -> str:
        """The file name's last extension in lower case, with its dot, or ""."""
        return PurePosixPath(self.filename).suffix.lower()

    @cached_property
    def text(self) -> str:
        """The file as UTF-8 text, without a byte order mark.

        Raises:
            Refused: empty, another kind of file, another encoding.
        """
        if not self.data.strip(_UTF8_BOM + b" \t\r\n"):
            raise Refused("empty-file", "the file is empty")
        _refuse_other_kinds(self.data)
        skipped = len(_UTF8_BOM) if self.data.startswith(_UTF8_BOM) else 0
        try:
            return self.data[skipped:].decode("utf-8")
        except UnicodeDecodeError as error:
            at = error.start + skipped
            line = self.data.count(b"\n", 0, at) + 1
            message = (
                f"the file is not UTF-8: byte 0x{self.data[at]:02X} at offset {at:,} "
                f"(line {line:,}); save it as UTF-8"
            )
            raise Refused("not-utf8", message) from None

    @property
    def encoding(self) -> str:
        """What the text is written in; empty when it cannot be read."""
        try:
            _ = self.text
        except Refused:
            return ""
        return "UTF-8 with a byte order mark" if self.data.startswith(_UTF8_BOM) else "UTF-8"

    @cached_property
    def start(self) -> str:
        """The first character that is not white space."""
        match = re.search(r"[^ \t\r\n]", self.text)
        return match[0] if match else ""


def _refuse_other_kinds(data: bytes) -> None:
    for bom, encoding in _OTHER_BOMS:
        if data.startswith(bom):
            raise Refused("not-utf8", f"the file is {encoding}; it must be UTF-8: save it as UTF-8")
    for offset, magic, kind in _MAGIC:
        if data.startswith(magic, offset):
            raise Refused("wrong-type", f"this is {kind}; {ACCEPTED}")
    if _MARKUP.match(data[:1000].removeprefix(_UTF8_BOM)):
        raise Refused("wrong-type", f"this is an HTML or XML page; {ACCEPTED}")
    head = data[:1000]
    # UTF-16 without a mark: every second byte of western text is 0.
    if len(head) >= 4 and max(head[::2].count(0), head[1::2].count(0)) * 4 > len(head):
        message = "the file is UTF-16 or binary; it must be UTF-8: save it as UTF-8"
        raise Refused("not-utf8", message)
