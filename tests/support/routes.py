"""Every address that the site answers, found by walking its patterns: none is listed by hand."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.urls import URLPattern, URLResolver, get_resolver

PLACE = re.compile(r"<(?:(?P<kind>\w+):)?(?P<name>\w+)>|\(\?P<(?P<group>\w+)>[^)]*\)")
REGEX_MARKS = re.compile(r"[\^$]|\\Z")


@dataclass(frozen=True)
class Route:
    """One pattern: its whole address, with the names in it and what each has to look like."""

    path: str
    name: str
    namespace: str
    kinds: Mapping[str, str]

    @property
    def id(self) -> str:
        """How tests call it."""
        return f"{self.namespace}:{self.name}" if self.namespace else self.name or self.path

    def at(self, values: Mapping[str, Any]) -> str:
        """The address with these values in it, quoted, whether or not the pattern takes them."""

        def put(match: re.Match[str]) -> str:
            name = match["name"] or match["group"]
            keep = "/" if self.kinds[name] == "path" else ""
            return quote(
                values[name] if isinstance(values[name], bytes) else str(values[name]), keep
            )

        return "/" + PLACE.sub(put, self.path)


def routes() -> list[Route]:
    """All of them, those of django-allauth, of the API and of the admin too."""
    return list(_walk(get_resolver().url_patterns, "", ""))


def _walk(patterns: list[Any], start: str, namespace: str) -> Iterator[Route]:
    for pattern in patterns:
        path = start + REGEX_MARKS.sub("", str(pattern.pattern))
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, path, pattern.namespace or namespace)
        elif isinstance(pattern, URLPattern):
            kinds = {m["name"] or m["group"]: m["kind"] or "str" for m in PLACE.finditer(path)}
            yield Route(path, pattern.name or "", namespace, kinds)
