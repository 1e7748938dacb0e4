"""Bodies as strict JSON, without what no database takes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest
from ninja.parser import Parser
from ninja.types import DictStrAny


class NotStorable(ValueError):  # noqa: N818 - named as the fault is spoken of
    """A value somewhere in a body; ``field`` says where, with dots between names."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field, self.message = field, message


class StrictParser(Parser):
    """As ninja's own; refuses NUL, halves of characters, and numbers that are none."""

    def parse_body(self, request: HttpRequest) -> DictStrAny:
        """What the body says; NotStorable names the first field that cannot be kept."""
        data = super().parse_body(request)
        for field, message in _faults(data, ""):
            raise NotStorable(field, message)
        return data


def _faults(value: Any, field: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            shown = key.encode(errors="replace").decode().replace("\0", "?")
            yield from _faults(key, shown)
            yield from _faults(inner, f"{field}.{shown}" if field else shown)
    elif isinstance(value, list):
        for position, inner in enumerate(value):
            yield from _faults(inner, f"{field}.{position}" if field else str(position))
    elif isinstance(value, str) and "\0" in value:
        yield field, "NUL characters cannot be stored; remove them."
    elif isinstance(value, str) and not _is_text(value):
        yield field, "Half of a character (a lone surrogate) cannot be stored; remove it."
    elif isinstance(value, float) and not math.isfinite(value):
        yield field, "NaN and infinite numbers are no values; leave the field out, or send null."


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
