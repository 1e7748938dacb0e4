"""A release's clips and references in a table: the format of the site's own, for any benchmark.

CSV, TSV, JSON Lines or a JSON list with one row per reference; the first row of a clip says what
the clip is, its further rows may leave that out::

    clip,duration,category,title,link,language,kind,reference,excluded
    c1,93.5,sport,A match,https://example.org/c1,en,long,"A girl laces her boots. ...",
    c1,,,,,de,long,"Ein Mädchen schnürt ihre Stiefel. ...",
    c2,12,,,,,,"",The video is gone.

Only ``clip`` is needed (``clip_id``, ``video_id`` and ``id`` mean the same). ``duration`` is in
seconds, ``language`` a code such as ``en`` (the default), ``kind`` is ``long`` (the default) or
``short``, and ``excluded`` gives the reason why a clip counts for nobody. In JSON ``reference`` may
be a list of texts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import URLValidator

from leaderboard.importers.rows import ClipData
from leaderboard.models import Reference
from scoring.formats.fields import ID_FIELDS
from scoring.formats.findings import Abandoned, Findings
from scoring.formats.quoting import name, quote
from scoring.formats.records import Record, records
from scoring.formats.source import Source
from scoring.text import LANGUAGES, is_blank
from scoring.types import Problem
from scoring.types import Reference as ReferenceText

KEYS = ("clip", *ID_FIELDS)
ABOUT = ("duration", "category", "title", "link", "excluded")
OF_REFERENCE = ("language", "kind", "reference")
COLUMNS = (*KEYS, *ABOUT, *OF_REFERENCE)
LONGEST = {"clip": 120, "category": 80, "title": 200, "link": 500, "excluded": 300}
_is_address = URLValidator(schemes=["http", "https"])


@dataclass(slots=True)
class _Clip:
    """A clip as its rows say it so far."""

    where: str
    about: dict[str, Any]
    references: list[ReferenceText] = field(default_factory=list)

    def data(self, key: str) -> ClipData:
        """The clip that it becomes."""
        return ClipData(
            key=key,
            references=tuple(self.references),
            title=self.about.get("title", ""),
            link=self.about.get("link", ""),
            duration=self.about.get("duration"),
            category=self.about.get("category", ""),
            exclusion_reason=self.about.get("excluded", ""),
        )


def read_clip_table(data: bytes, filename: str) -> tuple[tuple[ClipData, ...], tuple[Problem, ...]]:
    """The clips in the order of the file, and everything that is wrong with it, by line.

    Never raises for bad content; where there is an error the clips are what could be read.
    """
    findings = Findings()
    clips: dict[str, _Clip] = {}
    try:
        for record in records(Source(data, filename), findings, wanted=COLUMNS):
            strange = [column for column in record.fields if column not in COLUMNS]
            if strange:
                findings.warn("unread-column", f"the column {quote(strange[0])} is not read")
            _add(record, clips, findings)
        if not clips and not findings.problems:
            findings.error("no-rows", "the file holds no clips")
    except Abandoned:
        pass
    counted = {key: clip for key, clip in clips.items() if not clip.about.get("excluded")}
    bare = [key for key, clip in counted.items() if not clip.references]
    if bare and len(bare) < len(counted):
        findings.warn(
            "no-reference",
            f"{len(bare)} of {len(counted)} clips without a reference, first {name(bare[0])}: "
            "judges that compare with references cannot score such a clip",
        )
    named = (
        replace(problem, where=_place(filename, problem.where)) for problem in findings.problems
    )
    return tuple(clip.data(key) for key, clip in clips.items()), tuple(named)


def _place(filename: str, where: str) -> str:
    return ", ".join(part for part in (filename, where) if part)


def _add(record: Record, clips: dict[str, _Clip], findings: Findings) -> None:
    key = next((record.fields[k] for k in KEYS if record.fields.get(k) not in (None, "")), "")
    if not isinstance(key, str) or is_blank(key) or len(key) > LONGEST["clip"]:
        message = f'clip must be an id of 1 to {LONGEST["clip"]} characters, such as "0007"'
        findings.error("bad-clip-id", message, record.where)
        return
    faults: list[tuple[str, str]] = []
    about = _about(record.fields, faults)
    texts = _references(record.fields, faults)
    clip = clips.setdefault(key, _Clip(record.where, about))
    for what, value in about.items():
        there = clip.about.setdefault(what, value)
        if there != value:
            message = f"{what} is {value!r} here and {there!r} at {clip.where}; say it once"
            faults.append(("contradiction", message))
    for text in texts:
        if text in clip.references:
            faults.append(("repeated-reference", f"the reference {quote(text.text)} stands twice"))
        else:
            clip.references.append(text)
    for code, message in faults:
        findings.error(code, message, record.where, key)


def _about(fields: Mapping[str, object], faults: list[tuple[str, str]]) -> dict[str, Any]:
    """What the row says of the clip itself; a field that is empty says nothing."""
    found: dict[str, Any] = {}
    for what in ABOUT:
        value = fields.get(what)
        if value is None or value == "":
            continue
        if what == "duration":
            value = _seconds(value)
            if value is None:
                faults.append(("bad-duration", "duration must be a number of seconds above 0"))
                continue
        elif not isinstance(value, str) or len(value) > LONGEST[what]:
            message = f"{what} must be a text of at most {LONGEST[what]} characters"
            faults.append((f"bad-{what}", message))
            continue
        elif what == "link" and not _leads_somewhere(value):
            message = f"link must be an http or https address, not {quote(value)}"
            faults.append(("bad-link", message))
            continue
        found[what] = value
    return found


def _seconds(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, str | float):
        return None
    try:
        seconds = float(value)
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds > 0 else None


def _leads_somewhere(link: str) -> bool:
    try:
        _is_address(link)
    except ValidationError:
        return False
    return True


def _references(fields: Mapping[str, object], faults: list[tuple[str, str]]) -> list[ReferenceText]:
    given = fields.get("reference")
    texts = given if isinstance(given, list) else [given]
    language, kind = fields.get("language") or "en", fields.get("kind") or Reference.Kind.LONG
    if language not in LANGUAGES:
        message = f"language must be one of {', '.join(LANGUAGES)}, not {quote(str(language))}"
        faults.append(("bad-language", message))
    if kind not in Reference.Kind.values:
        message = f"kind must be one of {', '.join(Reference.Kind.values)}, not {quote(str(kind))}"
        faults.append(("bad-kind", message))
    if not all(text is None or isinstance(text, str) for text in texts):
        faults.append(("bad-reference", "reference must be a text, or a list of texts"))
        return []
    told = [text for text in texts if isinstance(text, str) and not is_blank(text)]
    return [ReferenceText(text, language=str(language), kind=str(kind)) for text in told]
