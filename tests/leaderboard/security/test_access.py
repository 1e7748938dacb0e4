"""Every address and operation, for everybody: what ``matrix.py`` says, and nothing else."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.shortcuts import resolve_url
from django.test import Client

from leaderboard.models import ApiToken, Release
from tests.leaderboard.security.matrix import ADMIN, API, PAGES, Line
from tests.support.routes import Route, routes
from tests.support.undone import undone
from tests.support.world import ROLES, World

FINE = {200, 201, 202, 204, 301, 302, 409, 422}
UNSAFE = ("post", "put", "patch", "delete")
TABLE = b"clip,reference\nc1,A man walks.\n"
PREFIX = "api/v1/"
# Shown to whoever comes by, on to the next step, or back: there is a flow behind each.
FLOWS = re.compile(r"(account|mfa|socialaccount)_|social/")


def lines() -> dict[str, tuple[Route, list[Line]]]:
    """Every address that is there, with what is said of it."""
    found = {}
    for route in routes():
        if route.path.startswith(PREFIX):
            found[route.path] = route, API.get(route.path.removeprefix(PREFIX), [])
        elif route.namespace == "admin":
            found[route.path] = route, []
        else:
            found[route.path] = route, PAGES.get(route.id, [])
    return found


def test_every_address_has_its_line() -> None:
    """A new one is denied to nobody until somebody has thought about it: add it to ``matrix``."""
    there = [route for route in routes() if route.namespace != "admin"]
    pages = {route.id for route in there if not route.path.startswith(PREFIX)}
    assert pages == set(PAGES)
    paths = {route.path.removeprefix(PREFIX) for route in there if route.path.startswith(PREFIX)}
    assert paths == set(API)


def test_every_operation_has_its_line(client: Client) -> None:
    """The same of each method of the interface."""
    operations = {
        (path.removeprefix(f"/{PREFIX}"), method)
        for path, methods in client.get("/api/openapi.json").json()["paths"].items()
        for method in methods
    }
    said = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path), line.method)
        for path, found in API.items()
        for line in found
        if "<path:address>" not in path
    }
    assert operations == said


class Visitor:
    """Somebody in a role, with a browser and a token."""

    def __init__(self, world: World, role: str) -> None:
        self.world, self.role, self.client = world, role, Client()
        self.headers: dict[str, str] = {}
        if role != "anonymous":
            user = world.people[role]
            self.client.force_login(user)
            self.headers["Authorization"] = (
                f"Bearer {ApiToken.objects.issue(user=user, name='t')[1]}"
            )

    def ask(self, route: Route, line: Line) -> Any:
        """Make the request of a line."""
        values = self.world.values(route) | line.at
        if line.of != "submission":
            values |= {"pk": getattr(self.world, line.of).pk}
        address, call = route.at(values), getattr(self.client, line.method)
        if not route.path.startswith(PREFIX):
            data = dict(line.sent)
            if line.file:
                data["file"] = SimpleUploadedFile("clips.csv", TABLE)
            return call(address, data)
        browser = Client()  # a login is no token
        call = getattr(browser, line.method)
        if line.file:
            query = "&".join(f"{k}={v}" for k, v in ({"filename": "c.csv"} | line.sent).items())
            return call(f"{address}?{query}", TABLE, content_type="text/csv", headers=self.headers)
        if line.method == "get":
            return call(address, headers=self.headers)
        return call(address, line.sent, content_type="application/json", headers=self.headers)

    def fault(self, route: Route, line: Line) -> str:
        """What is wrong with the answer, else nothing."""
        with undone() as written:
            answer = self.ask(route, line)
            status = answer.status_code
            to_login = answer.headers.get("Location", "").startswith(
                (resolve_url(settings.LOGIN_URL), resolve_url("admin:login"))
            )
        said = f"{self.role}: {line.method} {answer.request['PATH_INFO']} ({line.of}): {status}"
        if self.role in line.who:
            flow = FLOWS.match(route.id) and status in {302, 401, 404, 405}
            good = (status in FINE and not to_login) or flow
            return "" if good else f"{said}, but they may"
        refused = status in {401, 404} or to_login or (status in {400, 403, 405})
        if self.role != "anonymous" and not route.path.startswith(PREFIX):
            refused = status in {404, 405} or to_login
        return f"{said}, wrote {sorted(set(written))}, but they may not" * (
            not refused or bool(written)
        )


@pytest.mark.parametrize("role", ["anonymous", "curator"])
def test_the_admin_is_for_staff(world: World, role: str) -> None:
    """All of it, whatever is sent; what staff may do there is Django's own permissions."""
    visitor = Visitor(world, role)
    gates = {"admin:login", "admin:logout", "admin:jsi18n"}
    there = [one for one in routes() if one.namespace == "admin" and one.id not in gates]
    faults = [
        visitor.fault(route, Line(method, ADMIN)) for route in there for method in ("get", "post")
    ]
    assert len(faults) > 100
    assert not list(filter(None, faults)), "\n".join(filter(None, faults))


@pytest.mark.parametrize("role", ROLES)
def test_who_may_and_who_may_not(world: World, role: str, settings: Any) -> None:
    """Who may gets an answer; what one may not see is not there, and nothing is written."""
    settings.API_RATE = settings.UPLOAD_RATE = ""
    visitor = Visitor(world, role)
    faults = [visitor.fault(route, line) for route, found in lines().values() for line in found]
    assert len(faults) > 200
    assert not list(filter(None, faults)), "\n".join(filter(None, faults))


def test_other_methods_change_nothing(world: World) -> None:
    """Not even for who may do everything: only what has a line is done."""
    visitor, faults = Visitor(world, "staff"), []
    for route, found in lines().values():
        others = () if route.namespace == "admin" else UNSAFE
        for method in set(others) - {line.method for line in found}:
            with undone() as written:
                status = visitor.ask(route, Line(method, frozenset())).status_code
            if written or status >= 500:
                faults.append(f"{method} {route.path}: {status}, wrote {sorted(set(written))}")
    assert not faults, "\n".join(faults)


def test_a_link_changes_nothing(world: World) -> None:
    """Of the site's own pages: reading one writes nothing, but that a notice has been read."""
    faults = []
    visitor = Visitor(world, "owner")
    for route, _ in lines().values():
        if route.namespace == "admin" or FLOWS.match(route.id):
            continue
        with undone() as written:
            visitor.ask(route, Line("get", frozenset()))
        if set(written) - {"leaderboard_notice", "leaderboard_profile"}:
            faults.append(f"get {route.path} wrote {sorted(set(written))}")
    assert not faults, "\n".join(faults)


def test_a_login_is_no_token(world: World) -> None:
    """The interface changes nothing for a browser's session: that would need a CSRF token."""
    client = Client()
    client.force_login(world.people["staff"])
    answer = client.post("/api/v1/curate/small/releases/1.1/publish", content_type="text/plain")
    assert answer.status_code == 401
    assert not Release.objects.get(version="1.1").is_frozen


def test_forms_ask_for_their_own_token(world: World) -> None:
    """Every address that a form is sent to refuses one that another site has made."""
    client, faults = Client(enforce_csrf_checks=True), []
    client.force_login(world.people["staff"])
    for route, found in lines().values():
        if not route.path.startswith("api/") and any(line.method == "post" for line in found):
            status = client.post(route.at(world.values(route))).status_code
            if status != 403:
                faults.append(f"{route.path}: {status}")
    assert not faults, "\n".join(faults)
