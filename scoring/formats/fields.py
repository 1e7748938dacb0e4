"""Which field of a record is the clip id and which the text, in JSON objects and CSV columns."""

from __future__ import annotations

from dataclasses import dataclass

from scoring.formats.quoting import quote

ID_FIELDS = ("clip_id", "video_id", "id")
"""Names of the clip id, in order of preference; case and outer spaces do not matter."""
TEXT_FIELDS = ("caption", "description", "text", "summary")
"""Names of the text. A record must have exactly one of them."""

FIELDS_WANTED = f"a clip id ({', '.join(ID_FIELDS)}) and a text ({', '.join(TEXT_FIELDS)})"


@dataclass(frozen=True, slots=True)
class Shape:
    """What the field names of a record mean.

    ``id_at`` and ``text_at`` are positions in ``keys``, None when there is no such field.
    ``fault`` is a problem's code and message when a record of this shape cannot be used, ``remark``
    a message to show once when it can.
    """

    keys: tuple[str, ...]
    id_at: int | None
    text_at: int | None
    fault: tuple[str, str] | None = None
    remark: str = ""

    @property
    def complete(self) -> bool:
        """True when both fields are there, whatever else may be wrong."""
        return self.id_at is not None and self.text_at is not None


def shape_of(keys: tuple[str, ...]) -> Shape:
    """Find the id and the text among the field names `keys`."""
    folded = [key.strip().casefold() for key in keys]
    ids = [folded.index(field) for field in ID_FIELDS if field in folded]
    texts = [folded.index(field) for field in TEXT_FIELDS if field in folded]
    id_at, text_at = ids[0] if ids else None, texts[0] if texts else None
    repeated = [folded[at] for at in (*ids, *texts) if folded.count(folded[at]) > 1]
    fault = _fault(keys, id_at, text_at, texts, repeated)
    remark = ""
    if fault is None and id_at is not None and len(ids) > 1:
        others = ", ".join(quote(keys[at]) for at in ids[1:])
        remark = f"the clip id is read from {quote(keys[id_at])}, not from {others}"
    return Shape(keys, id_at, text_at, fault, remark)


def _fault(
    keys: tuple[str, ...],
    id_at: int | None,
    text_at: int | None,
    texts: list[int],
    repeated: list[str],
) -> tuple[str, str] | None:
    if id_at is None or text_at is None:
        missing = {
            (True, True): f"no field for {FIELDS_WANTED}",
            (True, False): f"no field for the clip id ({', '.join(ID_FIELDS)})",
            (False, True): f"no field for the text ({', '.join(TEXT_FIELDS)})",
        }[id_at is None, text_at is None]
        return "missing-field", f"{missing}; found {found(keys)}"
    if repeated:
        return "duplicate-field", f"the field {quote(repeated[0])} stands twice; keep one"
    if len(texts) > 1:
        both = " and ".join(quote(keys[at]) for at in texts)
        return "ambiguous-field", f"{both} could each be the text; keep one of them"
    return None


def found(keys: tuple[str, ...], limit: int = 6) -> str:
    """The field names that are there, for a message."""
    if not keys:
        return "no fields"
    more = f" and {len(keys) - limit} more" if len(keys) > limit else ""
    return ", ".join(quote(key) for key in keys[:limit]) + more
