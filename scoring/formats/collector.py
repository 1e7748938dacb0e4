"""Gathers the rows of one file: checks each, keeps the good ones, notes every problem."""

from __future__ import annotations

import unicodedata
from typing import NoReturn

from scoring.formats.fields import Shape, shape_of
from scoring.formats.findings import FORBIDDEN, MAX_CLIP, MAX_ROWS, Findings, character
from scoring.formats.quoting import counted, name, names, quote
from scoring.formats.strict_json import Pairs, kind_of
from scoring.text import is_blank
from scoring.types import Upload

MAX_ID = MAX_CLIP
"""Characters of a clip id."""
MAX_TEXT = 200_000
"""Characters of one text: some 30,000 words, far more than any clip needs."""


class Collector(Findings):
    """What readers hand their rows to. One per file.

    Rules on rows: a clip id is a non-blank string of at most `MAX_ID` characters, used exactly as
    written; a text is a string of at most `MAX_TEXT` characters; neither holds U+0000 or a lone
    surrogate. A clip that comes again with the identical text is ignored with a warning; with
    another text it is an error that names both positions. Ids that differ only by outer spaces or
    Unicode normal form are refused as ambiguous: none overwrites the other.

    With ``several`` a text may also be a non-empty list of strings (references).
    """

    def __init__(self, *, several: bool = False) -> None:
        super().__init__()
        self._several = several
        self._texts: dict[str, tuple[str, ...]] = {}
        self._positions: dict[str, str] = {}
        self._canonical: dict[str, str] = {}
        self._repeated: list[str] = []
        self._rows = 0
        self._shapes: dict[tuple[str, ...], Shape] = {}

    def abandon(self, code: str, message: str, where: str = "") -> NoReturn:
        """Note an error after which nothing read from this file can be relied on, and stop."""
        self._texts.clear()
        self._positions.clear()
        super().abandon(code, message, where)

    def add_object(self, value: object, where: str) -> None:
        """Take one record of a JSON file."""
        if not isinstance(value, Pairs):
            message = f"a record must be an object with a clip id and a text, not {kind_of(value)}"
            self.error("not-a-record", message, where)
            return
        keys = tuple(key for key, _ in value)
        shape = self._shapes.get(keys)
        if shape is None:
            shape = shape_of(keys)
            if len(self._shapes) < 100:
                self._shapes[keys] = shape
        self.add_record(shape, [item for _, item in value], where)

    def add_record(self, shape: Shape, values: list[object], where: str) -> None:
        """Take one record, given its fields' values in the order of the shape's keys."""
        if shape.fault is None and shape.id_at is not None and shape.text_at is not None:
            if shape.remark:
                self.warn("several-id-fields", shape.remark)
            field = shape.keys[shape.text_at].strip()
            self.add(values[shape.id_at], values[shape.text_at], where, text_field=field)
            return
        clip = values[shape.id_at] if shape.id_at is not None else ""
        code, message = shape.fault or ("missing-field", "no clip id or no text")
        self.reject(code, message, where, clip)

    def add(self, clip: object, text: object, where: str, text_field: str = "text") -> None:
        """Take one row: keep it, or note what is wrong with it."""
        self._rows += 1
        if self._rows > MAX_ROWS:
            self.abandon("too-many-rows", f"the file has more than {MAX_ROWS:,} rows", where)
        if not isinstance(clip, str):
            message = f'the clip id must be a string such as "0007", not {kind_of(clip)}'
            self.error("id-not-string", message, where)
            return
        if not self._id_is_fit(clip, where):
            return
        texts = self._fit_texts(clip, text, where, text_field)
        if texts is None:
            self._positions.setdefault(clip, where)
            return
        self._keep(clip, texts, where)

    def reject(self, code: str, message: str, where: str, clip: object) -> None:
        """Note a fault of a row whose clip may be known: it then counts as seen, not as missing."""
        known = clip if isinstance(clip, str) else ""
        if known and len(known) <= MAX_ID and not FORBIDDEN.search(known):
            self._positions.setdefault(known, where)
        self.error(code, message, where, known)

    def upload(self, format_name: str) -> Upload:
        """Everything gathered, as the value that the rest of the library works with."""
        if self._repeated:
            count = counted(len(self._repeated), "duplicate row")
            message = f"{count} ignored (same clip, identical text): {names(self._repeated)}"
            self.warn("duplicate-row", message)
        if not self._positions and not self.found:
            self.error("no-descriptions", "the file holds no descriptions")
        return Upload(
            format=format_name,
            descriptions={clip: texts[0] for clip, texts in self._texts.items()},
            problems=self.problems,
            positions=self._positions,
        )

    def texts(self) -> dict[str, tuple[str, ...]]:
        """All texts of each clip, in the file's order."""
        return self._texts

    def _id_is_fit(self, clip: str, where: str) -> bool:
        if len(clip) > MAX_ID:
            message = f"the clip id {quote(clip)} has {len(clip):,} characters; at most {MAX_ID}"
            self.error("long-id", message, where)
        elif forbidden := FORBIDDEN.search(clip):
            message = f"the clip id {quote(clip)} holds {character(forbidden[0])}; remove it"
            self.error("forbidden-character", message, where, clip)
        elif is_blank(clip):
            self.error("empty-id", "the clip id is empty", where)
        else:
            return True
        return False

    def _fit_texts(
        self, clip: str, text: object, where: str, text_field: str
    ) -> tuple[str, ...] | None:
        several = self._several and isinstance(text, list) and not isinstance(text, Pairs)
        texts: list[object] = list(text) if several and isinstance(text, list) and text else [text]
        fit = []
        for one in texts:
            if not isinstance(one, str):
                message = f"the {text_field} of {name(clip)} must be a string, not {kind_of(one)}"
                self.error("text-not-string", message, where, clip)
            elif len(one) > MAX_TEXT:
                message = (
                    f"the {text_field} of {name(clip)} has {len(one):,} characters; "
                    f"at most {MAX_TEXT:,} are accepted"
                )
                self.error("long-text", message, where, clip)
            elif forbidden := FORBIDDEN.search(one):
                message = (
                    f"the {text_field} of {name(clip)} holds {character(forbidden[0])} at "
                    f"character {forbidden.start() + 1:,}; remove it"
                )
                self.error("forbidden-character", message, where, clip)
            else:
                fit.append(one)
        return tuple(fit) if len(fit) == len(texts) else None

    def _keep(self, clip: str, texts: tuple[str, ...], where: str) -> None:
        before = self._positions.get(clip)
        if before is not None:
            if self._texts.get(clip) == texts:
                self._repeated.append(clip)
            else:
                self._texts.pop(clip, None)
                message = f"{name(clip)} is described a second time; first at {before}"
                self.error("duplicate-clip", message, where, clip)
            return
        canonical = unicodedata.normalize("NFC", clip).strip()
        twin = self._canonical.setdefault(canonical, clip)
        self._positions[clip] = where
        if twin != clip:
            message = (
                f"the clip ids {twin!a} ({self._positions[twin]}) and {clip!a} differ "
                "only by outer spaces or Unicode form; use one spelling"
            )
            self.error("ambiguous-id", message, where, clip)
            return
        self._texts[clip] = texts
