"""What `cliprank score` was asked to do, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scoring.types import ScoringError


class WrongUsage(ScoringError):  # noqa: N818 - named as the fault is spoken of
    """Options that do not go together, or that name something unknown."""

    code = "usage"


@dataclass(frozen=True, slots=True)
class Options:
    """What the options of the command say about how to score."""

    protocol: str = "semantic"
    language: str = "en"
    long_text: str | None = None
    device: str | None = None
    cache: Path | None = None
    catalogue: Path | None = None
    base_url: str | None = None
    model: str | None = None
    repeat: int = 1

    @property
    def changes(self) -> dict[str, str]:
        """The fields of a language model's catalogue entry that are given other values."""
        given = {"base_url": self.base_url, "model": self.model, "device": self.device}
        return {field: value for field, value in given.items() if value is not None}

    @property
    def replies(self) -> Path | None:
        """The file that keeps judges' replies."""
        return self.cache / "replies.sqlite3" if self.cache else None


@dataclass(frozen=True, slots=True)
class Request:
    """The files, who judges them, and how. `judged_by` is set for judgements made elsewhere."""

    files: tuple[Path, ...]
    references: Path | None
    system: str
    judges: tuple[str, ...]
    exclude: tuple[str, ...]
    judged_by: str
    options: Options

    @property
    def file(self) -> Path:
        """The only file.

        Raises:
            WrongUsage: there are several.
        """
        if len(self.files) > 1:
            raise WrongUsage(f"protocol {self.options.protocol} scores one file of descriptions")
        return self.files[0]

    @property
    def known(self) -> Path:
        """What the benchmark knows: references, annotations or pair tests.

        Raises:
            WrongUsage: no such file was named.
        """
        if self.references is None:
            raise WrongUsage(f"protocol {self.options.protocol} needs --references")
        return self.references

    def refuse(self, **options: object) -> None:
        """Raise WrongUsage for the first of ``options`` that was given and means nothing here."""
        for option, value in options.items():
            if value:
                flag = option.replace("_", "-")
                raise WrongUsage(f"protocol {self.options.protocol} takes no --{flag}")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is written, whether no judge failed on any clip, and the last line that is said."""

    document: Mapping[str, Any]
    whole: bool
    said: str
