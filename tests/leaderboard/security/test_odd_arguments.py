"""Whatever stands in an address: a page that says what is wrong, never an error of ours."""

from __future__ import annotations

import os
import traceback
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from unittest.mock import patch

import pytest
from django.http import QueryDict
from django.test import Client

from tests.leaderboard.security.matrix import PAGES
from tests.support.routes import Route, routes
from tests.support.world import World

pytestmark = pytest.mark.usefixtures("strict_database")

ALL = os.environ.get("CLIPRANK_FUZZ") == "1"
HUGE = "9" * 5000
ODD: dict[str, list[Any]] = {
    "int": ["0", 2**31, 2**63, 10**30, HUGE],
    "slug": ["-", "x" * 3000, HUGE],
    "uuid": ["00000000-0000-0000-0000-000000000000", "f" * 32, "x"],
    "str": ["\0", "é\u0301", "x" * 3000, "..", b"\xff\xfe", "<script>", HUGE, "\U0001f388'\"%s{}"],
}
ODD |= {"path": [*ODD["str"], "a//b/../c"], "uuidstr": ODD["uuid"]}
QUERY = [
    "",
    "\0",
    "-1",
    "0",
    HUGE,
    "nan",
    "1e400",
    "é\u0301\U0001f388",
    "x" * 3000,
    b"\xed\xa0\x80\xff",
]


def asked(client: Client, method: str, address: str, **given: Any) -> str:
    """Empty where the answer is one of ours; else what went wrong, with the address."""
    try:
        answer = getattr(client, method)(address, **given)
        if answer.status_code < 500:
            b"".join(answer.streaming_content) if answer.streaming else answer.content
            return ""
        return f"{method} {address[:200]} -> {answer.status_code}"
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{where.filename}:{where.lineno}"
        return f"{method} {address[:200]} {str(given)[:90]} -> {error!r:.150} at {place}"


def odd_addresses(world: World, route: Route) -> Iterator[str]:
    """One value of the address odd at a time, then all at once."""
    values = world.values(route)
    for name, kind in route.kinds.items():
        for odd in ODD[kind]:
            yield route.at(values | {name: odd})
    for number in range(max(len(ODD[kind]) for kind in route.kinds.values())):
        odd = {name: ODD[kind][number % len(ODD[kind])] for name, kind in route.kinds.items()}
        yield route.at(odd)


def some(found: Iterable[Any], nth: int, every: int) -> list[Any]:
    """Of many cases those of this turn; ``make fuzz`` takes all of them."""
    return [one for number, one in enumerate(found) if ALL or number % every == nth % every]


def test_odd_values_in_addresses(world: World, as_role: Callable[[str], Client]) -> None:
    """Every pattern, for whoever may do everything and for who may nothing."""
    staff, anonymous, faults = as_role("staff"), as_role("anonymous"), []
    for number, route in enumerate(one for one in routes() if one.kinds):
        there = list(odd_addresses(world, route))
        every = 24 if route.namespace == "admin" else 2
        faults += [asked(staff, "get", address) for address in some(there, number, every)]
        faults += [asked(staff, "post", address) for address in some(there, number + 1, every * 3)]
        faults += [asked(anonymous, "get", address) for address in some(there, number, every * 3)]
    assert len(faults) > 500
    assert not list(filter(None, faults)), "\n".join(filter(None, faults))


class Spy:
    """Notes what a view looks up in a query or a form."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def __enter__(self) -> Spy:
        spy, self.patches = self, []
        for method in ("__getitem__", "getlist", "__contains__"):
            original = getattr(QueryDict, method)

            def noting(this: Any, key: Any, *rest: Any, _original: Any = original) -> Any:
                spy.names.add(str(key))
                return _original(this, key, *rest)

            self.patches.append(patch.object(QueryDict, method, noting))
        for one in self.patches:
            one.start()
        return self

    def __exit__(self, *_: object) -> None:
        for one in self.patches:
            one.stop()


def names_read(client: Client, method: str, address: str) -> set[str]:
    """Names that the view looks for; those that it meets only with the others set as well."""
    names: set[str] = set()
    for _ in range(3):
        with Spy() as spy:
            asked(client, method, address, data=dict.fromkeys(names, "1"))
        if spy.names <= names:
            break
        names |= spy.names
    return names - {"csrfmiddlewaretoken"}


def test_odd_queries(world: World, as_role: Callable[[str], Client]) -> None:
    """Every parameter that a page looks up: each filter, order and page number."""
    client, faults, read = as_role("staff"), [], set()
    for number, route in enumerate(one for one in routes() if one.namespace != "admin"):
        address = route.at(world.values(route))
        names = names_read(client, "get", address)
        read |= names
        cases = [{name: odd} for name in sorted(names) for odd in QUERY]
        cases += [{name: [odd, odd] for name in names} for odd in QUERY if names]
        faults += [asked(client, "get", address, data=case) for case in some(cases, number, 7)]
    assert {"page", "sort", "judge", "at", "q", "show", "shortest"} <= read
    assert not list(filter(None, faults)), "\n".join(filter(None, faults))


def test_odd_forms(world: World, as_role: Callable[[str], Client]) -> None:
    """Every field that a form, or a page behind one, looks up."""
    client, faults, read = as_role("staff"), [], set()
    for number, route in enumerate(one for one in routes() if one.namespace != "admin"):
        if not any(line.method == "post" for line in PAGES.get(route.id, ())):
            continue
        address = route.at(world.values(route) | {"version": "1.1"})
        names = names_read(client, "post", address)
        read |= names
        cases = [{name: [odd] for name in names} for odd in QUERY if names]
        faults += [asked(client, "post", address, data=case) for case in some(cases, number, 3)]
    assert {"ticket", "reason", "email", "next", "username"} <= read
    assert not list(filter(None, faults)), "\n".join(filter(None, faults))


HEADERS = {
    "Range": ["bytes=0-", f"bytes={HUGE}-{HUGE}", "bytes=-", "bytes=5-1", "lines=1-2", "bytes=-0"],
    "If-None-Match": ['"x', "*", "é"],
    "If-Modified-Since": ["yesterday", HUGE],
    "X-Request-ID": ["", "x" * 5000, "é\r"],
    "X-Forwarded-For": ["", ",,,", "not an address", HUGE],
    "Accept-Language": [HUGE, "*"],
    "Cookie": ["sessionid=%00", "sessionid=" + "x" * 5000, "csrftoken=\x00", "messages=x"],
    "Authorization": ["", "Bearer", "Bearer \x00", "Basic !", f"Bearer {HUGE}"],
    "HX-Request": ["maybe"],
    "Content-Type": ["multipart/form-data", "application/json; charset=nonsense", ";"],
    "Content-Length": ["x", "-1"],
}


def test_odd_headers(world: World) -> None:
    """Those that something of ours, or beneath it, reads."""
    clip = f"/clips/{world.keys['clips']}/media/"
    stored = f"/b/small/1.0/main/rankings/{world.fingerprint}.json"
    places = ["/", clip, stored, "/api/v1/benchmarks", "/login/"]
    faults = [
        asked(Client(), "get", place, headers={name: value})
        for place in places
        for name, values in HEADERS.items()
        for value in values
    ]
    assert not list(filter(None, faults)), "\n".join(filter(None, faults))


def test_the_admin_takes_no_odd_keys(world: World, as_role: Callable[[str], Client]) -> None:
    """Pages of ours, and of others, that look a row up by what stands in the address."""
    client = as_role("staff")
    for page in ("auth/user/{}/password/", "leaderboard/system/{}/history/"):
        for odd in ("..", "x", HUGE[:400]):
            assert client.get(f"/admin/{page.format(odd)}").status_code == 404, page
