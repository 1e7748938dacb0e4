"""JSON as an upload may hold it: read with positions, every key kept, nothing coerced.

Built on the standard library's scanner. Objects become `Pairs`, so that a repeated key is seen;
numbers become `Number`, so that no id turns into a float and no huge integer is ever computed.
Nesting is limited before the (recursive) scanner runs. The only exception raised is `JsonFault`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

MAX_DEPTH = 32
"""Levels of nested lists and objects that are accepted. The four formats need two."""
MAX_NUMBER = 1_000
"""Characters of one number that are accepted."""

_SPACE = re.compile(r"[ \t\n\r]*")
# Possessive, with an optional closing quote: never backtracks, so hostile text stays linear.
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[\[\]{}]', re.DOTALL)

_CLEARER = {
    "Expecting value": "a value is missing or not quoted",
    "Expecting property name enclosed in double quotes": "a key in double quotes is missing",
    "Expecting ':' delimiter": "a colon is missing after the key",
    "Expecting ',' delimiter": "a comma is missing, or a quote inside a text is not escaped",
    "Unterminated string starting at": "the text that starts here is not closed by a quote",
    "Invalid control character at": "a raw line break or control character stands inside a text; "
    "write it as an escape such as \\n",
}


class JsonFault(Exception):  # noqa: N818 - carries a position to the reader that catches it
    """Text that is not JSON, or JSON that is refused: what is wrong, and the offset where."""

    def __init__(self, message: str, offset: int, code: str = "invalid-json") -> None:
        super().__init__(message)
        self.message = message
        self.offset = offset
        self.code = code


class Pairs(list[tuple[str, object]]):
    """A JSON object as the pairs it was written in, repeated keys included."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number, as written (also NaN and Infinity, which Python writes and JSON forbids)."""

    token: str


def _number(token: str) -> Number:
    if len(token) > MAX_NUMBER:
        message = f"a number of {len(token):,} characters; at most {MAX_NUMBER:,} are accepted"
        raise JsonFault(message, 0, "long-number")
    return Number(token)


_DECODER = json.JSONDecoder(
    object_pairs_hook=Pairs, parse_int=_number, parse_float=_number, parse_constant=Number
)


def kind_of(value: object) -> str:
    """A parsed value in words: ``the number 7``, ``null``, ``a list``."""
    if isinstance(value, Number):
        return f"the number {value.token[:30]}"
    if isinstance(value, Pairs):
        return "an object"
    words: dict[type, str] = {list: "a list", str: "a string", type(None): "null"}
    return words.get(type(value)) or str(value).lower()


def document(text: str) -> object:
    """The one JSON value that `text` consists of."""
    value, end = _value(text, _skip(text, 0))
    _expect_end(text, end)
    return value


def entries(text: str) -> Iterator[tuple[str, int, object]]:
    """Key, offset of the key and value of each entry of the object that `text` consists of."""
    more, at = _open(text, "}")
    while more:
        if text[at : at + 1] != '"':
            raise JsonFault("a key in double quotes is missing", at)
        key, end = _value(text, at)
        colon = _skip(text, end)
        if text[colon : colon + 1] != ":":
            raise JsonFault("a colon is missing after the key", colon)
        value, end = _value(text, _skip(text, colon + 1))
        yield str(key), at, value
        more, at = _next(text, end, "}")
    _expect_end(text, at)


def items(text: str) -> Iterator[tuple[int, object]]:
    """Offset and value of each item of the list that `text` consists of."""
    more, at = _open(text, "]")
    while more:
        value, end = _value(text, at)
        yield at, value
        more, at = _next(text, end, "]")
    _expect_end(text, at)


class Lines:
    """Turns offsets of a text, asked for in rising order, into line and column (from 1)."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._known = 0
        self._line = 1
        self._start = 0

    def at(self, offset: int) -> tuple[int, int]:
        """Line and column of `offset`."""
        if offset < self._known:
            self._known, self._line, self._start = 0, 1, 0
        breaks = self._text.count("\n", self._known, offset)
        if breaks:
            self._line += breaks
            self._start = self._text.rfind("\n", self._known, offset) + 1
        self._known = offset
        return self._line, offset - self._start + 1


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


def _expect_end(text: str, at: int) -> None:
    rest = _skip(text, at)
    if rest < len(text):
        raise JsonFault("more text follows after the end of the JSON value", rest)


def _open(text: str, closing: str) -> tuple[bool, int]:
    """After the opening bracket: whether a value follows, and where it or the rest starts."""
    first = _skip(text, _skip(text, 0) + 1)
    return (False, first + 1) if text[first : first + 1] == closing else (True, first)


def _next(text: str, end: int, closing: str) -> tuple[bool, int]:
    """After a value: whether another follows, and where it or the rest starts."""
    mark = _skip(text, end)
    if text[mark : mark + 1] == ",":
        return True, _skip(text, mark + 1)
    if text[mark : mark + 1] == closing:
        return False, mark + 1
    if mark >= len(text):
        raise JsonFault(f"the file ends before the closing {closing}", mark)
    raise JsonFault("a comma is missing, or a quote inside a text is not escaped", mark)


def _value(text: str, at: int) -> tuple[object, int]:
    if text[at : at + 1] in ("{", "["):
        _check_depth(text, at)
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise JsonFault(_CLEARER.get(error.msg, error.msg), error.pos) from None
    except JsonFault as fault:
        raise JsonFault(fault.message, at, fault.code) from None
    return value, end


def _check_depth(text: str, at: int) -> None:
    depth = 0
    for match in _TOKEN.finditer(text, at):
        token = match[0]
        if token in ("{", "["):
            depth += 1
            if depth > MAX_DEPTH:
                message = f"lists and objects are nested more than {MAX_DEPTH} levels deep"
                raise JsonFault(message, match.start(), "too-deep")
        elif token in ("}", "]"):
            depth -= 1
            if depth <= 0:
                return
