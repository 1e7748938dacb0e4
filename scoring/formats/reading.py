"""From bytes to an `Upload` or to references: the two ways into this package."""

from __future__ import annotations

from dataclasses import replace

from scoring.formats.archive import Limits, is_archive, the_file
from scoring.formats.collector import Collector
from scoring.formats.findings import Abandoned
from scoring.formats.quoting import name
from scoring.formats.registry import choose
from scoring.formats.source import Refused, Source
from scoring.text import is_blank
from scoring.types import Problem, Reference, ScoringError, Upload

MAX_BYTES = 20_000_000
"""Bytes of an upload, unless the caller says otherwise."""
MAX_REFERENCE_BYTES = 200_000_000
"""Bytes of a file of references."""
SUFFIXES = (".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".tab")
"""Endings of the file that is looked for in an archive."""
UNKNOWN = "unknown"
"""`Upload.format` of a file whose format could not be told."""


class ReferencesError(ScoringError):
    """A file of references that cannot be used; ``problems`` lists all that is wrong with it."""

    code = "bad-references"

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__("the references cannot be used: " + "; ".join(map(str, problems)))


def too_large(size: int, max_bytes: int) -> Problem:
    """The problem of a file of `size` bytes where `max_bytes` are accepted."""
    message = f"the file has {size:,} bytes; at most {max_bytes:,} are accepted"
    return Problem("too-large", message)


def read_upload(data: bytes, filename: str, *, max_bytes: int = MAX_BYTES) -> Upload:
    """Read one file of descriptions: JSON map, JSON list of objects, JSON Lines, CSV or TSV.

    It may be packed: a ZIP with one such file in it, or gzip. `max_bytes` holds before and after.
    The format is told by the content, by the name only where the content leaves it open. All
    problems are in the result, never an exception; the rules on rows are those of `Collector`.
    ``descriptions`` and ``positions`` keep the file's order; ``positions`` has every clip that was
    seen, also those whose text was refused. Which clips are wanted is asked by `check_clips`.
    """
    if len(data) > max_bytes:
        return Upload(UNKNOWN, problems=(too_large(len(data), max_bytes),))
    inside = ""
    if is_archive(data, filename):
        contents = the_file(data, filename, SUFFIXES, limits=Limits(size=max_bytes))
        if contents.problems:
            return Upload(UNKNOWN, problems=contents.problems)
        ((filename, data),) = contents.files
        inside = filename
    rows, source = Collector(), Source(data, filename)
    upload = rows.upload(_read(source, rows))
    return replace(upload, encoding=source.encoding, inside=inside)


def read_references(
    data: bytes, filename: str, *, language: str = "en"
) -> dict[str, tuple[Reference, ...]]:
    """Read the references of a release: clip id -> its references, in the file's order.

    Takes CLIP-CC-Bench's dataset file (a JSON list of ``{"id", "file_link", "summary"}``), a JSON
    map of clip id to a text or to a list of texts, and every other format of `read_upload`. An
    entry that is repeated word for word counts once.

    Raises:
        ReferencesError: the file has any problem, or a reference is blank.
    """
    if len(data) > MAX_REFERENCE_BYTES:
        raise ReferencesError((too_large(len(data), MAX_REFERENCE_BYTES),))
    rows = Collector(several=True)
    upload = rows.upload(_read(Source(data, filename), rows))
    blank = tuple(
        Problem("blank-reference", f"a reference of {name(clip)} is blank", where, clip)
        for clip, where in upload.positions.items()
        if any(is_blank(text) for text in rows.texts().get(clip, ()))
    )
    if upload.errors or blank:
        raise ReferencesError((*upload.errors, *blank))
    return {
        clip: tuple(Reference(text, language=language) for text in texts)
        for clip, texts in rows.texts().items()
    }


def _read(source: Source, rows: Collector) -> str:
    """Hand the source's rows over and return the name of its format."""
    try:
        chosen = choose(source)
    except Refused as refused:
        rows.error(refused.code, refused.message)
        return UNKNOWN
    try:
        chosen.read(source, rows)
    except Abandoned:
        pass
    except Refused as refused:
        rows.error(refused.code, refused.message)
    return chosen.name
