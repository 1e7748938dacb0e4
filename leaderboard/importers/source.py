"""Files that importers read: checked against a shape, every fault named by file and key."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")
AT_MOST = 200  # faults of one file that are told


class InvalidSource(Exception):  # noqa: N818 - named as the fault is spoken of
    """What is to be imported is not as it must be; nothing has been stored.

    ``problems`` are sentences, each naming its file and key.
    """

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


class SourceFile(Protocol):
    """A file to be read: a ``Path``, or what a curator has dragged in, which is in memory only."""

    @property
    def name(self) -> str:
        """The last part of a path."""

    @property
    def stem(self) -> str:
        """The name without its ending."""

    def read_bytes(self) -> bytes:
        """All of it."""


def read_bytes(path: SourceFile) -> bytes:
    """The file's content; InvalidSource when it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InvalidSource([f"{path}: cannot be read ({error.strerror})"]) from error


def read_json(path: SourceFile, shape: type[T]) -> T:
    """The file's JSON as ``shape`` (anything pydantic knows), nothing coerced.

    Raises InvalidSource with every place where the file departs from the shape.
    """
    data = read_bytes(path)
    try:
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_object)
    except (ValueError, RecursionError) as error:
        raise InvalidSource([f"{path.name}: not JSON that can be read: {error}"]) from error
    adapter: TypeAdapter[T] = TypeAdapter(shape)
    try:
        return adapter.validate_python(value, strict=True)
    except ValidationError as error:
        raise InvalidSource(_faults(path, error)) from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; one whose key is repeated would lose a value without a word."""
    found = dict(pairs)
    if len(found) < len(pairs):
        (key, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {key!r} stands twice in one object")
    return found


def _faults(path: SourceFile, error: ValidationError) -> list[str]:
    details = error.errors(include_url=False, include_context=False, include_input=False)
    faults = [
        f"{path.name}: {_key(fault['loc'])}{fault['msg'].removeprefix('Value error, ')}"
        for fault in details[:AT_MOST]
    ]
    if len(details) > AT_MOST:
        faults.append(f"{path.name}: {len(details) - AT_MOST} more faults")
    return faults


def _key(location: Sequence[Any]) -> str:
    """``systems.oryx.judges.kalm: ``; a place in a list counts from 1 (``entry 3``)."""
    parts = [f"entry {part + 1}" if isinstance(part, int) else str(part) for part in location]
    return f"{'.'.join(parts)}: " if parts else ""
