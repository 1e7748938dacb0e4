"""The interface under inputs made from its own description: never an error of ours.

``make fuzz`` asks much more often than ``make test`` does.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
import schemathesis
from django.core.cache import cache
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from leaderboard.api import api
from leaderboard.models import ApiToken
from tests.leaderboard.security.test_odd_arguments import asked
from tests.support.undone import undone
from tests.support.world import World

pytestmark = pytest.mark.usefixtures("strict_database")

# All operations together ask so often at least; a fuzz run counts what it has asked.
CASES = int(os.environ.get("CLIPRANK_FUZZ_CASES", "3"))
LONG = CASES > 100
BOUNDED = settings(
    max_examples=CASES,
    deadline=None,
    derandomize=not LONG,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
KNOWN = {"slug": "small", "version": "1.0", "track": "main", "key": "c1", "system": "best"}


def operations() -> list[Any]:
    """All that the description names."""
    schema = schemathesis.openapi.from_dict(api.get_openapi_schema(path_prefix="/api/"))
    return [found.ok() for found in schema.get_all_operations()]


def send(client: Client, case: Any, headers: dict[str, str]) -> str:
    """Make the request of a case; empty where the answer is one of ours."""
    given = case.as_transport_kwargs(base_url="http://testserver")
    address = given["url"].removeprefix("http://testserver")
    return asked(
        client,
        case.method.lower(),
        address,
        query_params=given.get("params") or {},
        headers=headers,
        **_body(given),
    )


def _body(given: dict[str, Any]) -> dict[str, Any]:
    if given.get("json") is not None:
        return {"data": given["json"], "content_type": "application/json"}
    if given.get("files"):
        return {"data": {key: str(value) for key, value in dict(given["files"]).items()}}
    data = given.get("data")
    if isinstance(data, bytes | str):
        return {"data": data, "content_type": given["headers"].get("Content-Type", "text/csv")}
    return {}


def _filled(case: Any, world: World, real: bool) -> Any:
    """With names that exist in the address, so that a body is looked at."""
    if real:
        for name in case.path_parameters or {}:
            pk = str(world.submission.pk) if "submissions" in case.path else "1"
            case.path_parameters[name] = (KNOWN | {"pk": pk, "username": "user"}).get(name, "1")
    return case


def test_operations_with_inputs_of_every_shape(world: World, settings: Any) -> None:
    """As staff, who reach everything."""
    settings.API_RATE = settings.UPLOAD_RATE = ""
    _, secret = ApiToken.objects.issue(user=world.people["staff"], name="fuzz")
    headers = {"Authorization": f"Bearer {secret}"}
    faults: list[str] = []
    count = 0
    for operation in operations():

        @BOUNDED
        @given(case=operation.as_strategy(), real=st.booleans())
        def ask(case: Any, real: bool) -> None:
            nonlocal count
            count += 1
            with undone():
                fault = send(Client(), _filled(case, world, real), headers)
            if fault:
                faults.append(fault)

        ask()
        cache.clear()
    print(f"{count} requests to {len(operations())} operations, {len(faults)} faults")  # noqa: T201
    assert count >= CASES * 40
    assert not faults, "\n".join(sorted(set(faults))[:40])


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"name": "a\0b"}, "name"),
        ({"prompt": "\ud800"}, "prompt"),
        ({"frames": float("nan")}, "frames"),
        ({"name": {"a": ["\0"]}}, "name.a.0"),
    ],
)
def test_what_cannot_be_stored_is_named(world: World, body: dict[str, Any], field: str) -> None:
    """Wherever in a body it stands."""
    _, secret = ApiToken.objects.issue(user=world.people["owner"], name="t")
    answer = Client().patch(
        "/api/v1/systems/best",
        body,
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["where"] == field
