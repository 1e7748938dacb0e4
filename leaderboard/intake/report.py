"""What a check found in a file: the same for the page, the interface and the command line."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from leaderboard.intake.contents import Contents, Examined
from leaderboard.intake.names import shown_name
from scoring.diagnostics import OF_REFERENCES, Flag
from scoring.text import count_words, is_blank
from scoring.types import Problem

if TYPE_CHECKING:
    from leaderboard.models import Release

IGNORED = ("ignored-", "duplicate-row")


@dataclass(frozen=True, slots=True)
class CheckReport:
    """A file that was read and compared with a release; nothing of it is stored.

    ``found`` of ``expected`` clips (or pairs) stand in it; ``missing`` are the ids of clips that do
    not. ``empty`` descriptions score 0. ``size`` is in bytes. ``flags`` are what the texts show by
    themselves.
    """

    filename: str
    inside: str
    size: int
    sha256: str
    format: str
    encoding: str
    kind: str
    language: str
    noun: str
    found: int
    expected: int
    missing: tuple[str, ...]
    empty: int
    words: int
    problems: tuple[Problem, ...]
    flags: tuple[Flag, ...]

    @classmethod
    def of(
        cls,
        examined: Examined,
        held: Contents,
        release: Release,
        *,
        data: bytes,
        filename: str,
    ) -> CheckReport:
        """The report on ``examined``, which was read from ``data``.

        Of a hidden test set it has no flag that compares texts with references.
        """
        upload = examined.upload
        texts = upload.descriptions
        # A clip that is missing has an empty text where the release has it so.
        given = [text for clip, text in texts.items() if clip in upload.positions]
        return cls(
            filename=shown_name(filename),
            inside=shown_name(upload.inside) if upload.inside else "",
            size=len(data),
            sha256=hashlib.sha256(data).hexdigest(),
            format=upload.format,
            encoding=upload.encoding,
            kind=held.kind,
            language=held.language,
            noun=examined.noun,
            found=examined.found,
            expected=examined.expected,
            missing=examined.missing,
            empty=sum(is_blank(text) for text in given),
            words=sum(count_words(text) for text in given),
            problems=upload.problems,
            flags=tuple(
                flag
                for flag in (upload.diagnosis.flags if upload.diagnosis else ())
                if not (release.references_hidden and flag.code in OF_REFERENCES)
            ),
        )

    @property
    def ok(self) -> bool:
        """Whether the file would be accepted."""
        return not self.errors

    @property
    def errors(self) -> tuple[Problem, ...]:
        """What forbids scoring it."""
        return tuple(p for p in self.problems if p.severity == "error")

    @property
    def ignored(self) -> tuple[Problem, ...]:
        """What of the file would not be used."""
        unused = (p for p in self.problems if p.code.startswith(IGNORED))
        return tuple(p for p in unused if p.severity == "warning")

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """What is worth a look and would be accepted."""
        rest = (p for p in self.problems if p.severity == "warning")
        return tuple(p for p in rest if not p.code.startswith(IGNORED))

    def to_json(self) -> dict[str, Any]:
        """All of it, and whether it would be accepted."""
        flags = [
            {
                "code": flag.code,
                "title": flag.kind.title,
                "meaning": flag.kind.meaning,
                "severity": flag.kind.severity,
                "count": len(flag.clips),
                "clips": list(flag.clips),
                "examples": [asdict(example) for example in flag.examples],
                "others": [],
            }
            for flag in self.flags
        ]
        return asdict(self) | {"ok": self.ok, "flags": flags}
