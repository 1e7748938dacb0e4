"""One stored ranking at its own address, and badges."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from leaderboard.models import Benchmark, Ranking, Release, Run, Submission, System

MAIN = "/b/small/1.0/main"


@pytest.fixture
def address(ranking: Ranking) -> str:
    return f"{MAIN}/rankings/{ranking.fingerprint}.json"


def test_it_is_everything_that_was_stored(client: Client, ranking: Ranking, address: str) -> None:
    found = json.loads(client.get(address).content)
    assert found["rows"] == ranking.rows
    assert found["signature"] == ranking.signature
    assert found["agreement"] == ranking.agreement
    assert found["settings"]["clips"] == ["c1", "c2", "c3", "c4"]
    entries = ranking.inputs["entries"]
    assert found["signatures"] == {entry["system"]: entry["signatures"] for entry in entries}


def test_who_has_it_gets_304(client: Client, address: str) -> None:
    first = client.get(address)
    assert first["ETag"]
    assert first["Last-Modified"]
    again = client.get(address, headers={"if-none-match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    since = client.get(address, headers={"if-modified-since": first["Last-Modified"]})
    assert since.status_code == 304
    assert client.get(address, headers={"if-none-match": '"other"'}).status_code == 200


def test_it_stays_when_a_newer_one_is_made(
    client: Client, ranking: Ranking, address: str, submit: Callable[..., Submission], work_off: Any
) -> None:
    before = client.get(address)
    submit("Newcomer")
    assert work_off().fingerprint != ranking.fingerprint
    after = client.get(address)
    assert after.content == before.content
    assert after["ETag"] == before["ETag"]


@pytest.mark.parametrize(
    "changed",
    [
        {"visibility": "private"},
        {"standing": "hidden"},
        {"visibility": "anonymous"},
    ],
)
def test_what_is_public_no_more_loses_its_name(
    client: Client, address: str, changed: dict[str, str]
) -> None:
    """Also for who has the older answer: the tag is another one, and no day is given."""
    first = client.get(address)
    Submission.objects.filter(system__slug="best").update(**changed)
    second = client.get(
        address,
        headers={"if-none-match": first["ETag"], "if-modified-since": first["Last-Modified"]},
    )
    assert second.status_code == 200
    assert "Last-Modified" not in second
    assert second["ETag"] != first["ETag"]
    found = json.loads(second.content)
    best = found["rows"][0]
    assert (best["rank"], best["system"], best["submission"]) == (1, None, None)
    assert best["name"] == "no longer public"
    assert "best" not in found["signatures"]
    assert b"Best" not in second.content


def test_an_unknown_one_and_an_unpublished_one_are_404(client: Client, address: str) -> None:
    assert client.get(f"{MAIN}/rankings/{'0' * 64}.json").status_code == 404
    Release.objects.update(published_at=None)
    assert client.get(address).status_code == 404


def said(svg: bytes) -> str:
    """The texts of a drawing, which must be well-formed."""
    root = ET.fromstring(svg)  # noqa: S314 - our own
    return " | ".join(node.text or "" for node in root.iter("{http://www.w3.org/2000/svg}text"))


def test_a_badge_says_the_place(client: Client, ranking: Ranking) -> None:
    response = client.get(f"{MAIN}/badge/best.svg")
    assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert "max-age=300" in response["Cache-Control"]
    assert said(response.content) == "Best | rank 1 of 2 on Small"
    assert b"style" not in response.content
    assert client.get(f"{MAIN}/badge/nobody.svg").status_code == 404


def test_a_badge_survives_its_name(client: Client, ranking: Ranking) -> None:
    Benchmark.objects.update(name="<i>&\"'")
    slug = ranking.rows[1]["system"]
    drawn = said(client.get(f"{MAIN}/badge/{slug}.svg").content)
    assert drawn == f"{ranking.rows[1]['name']} | rank 2 of 2 on <i>&\"'"


def test_a_badge_of_what_is_unranked_claims_no_place(
    client: Client, ranking: Ranking, submit: Callable[..., Submission], work_off: Any
) -> None:
    submission = submit("Gap \x07" + "x" * 100)
    Run.objects.filter(submission=submission, judge="right").update(state=Run.State.FAILED)
    work_off()
    slug = System.objects.get(submissions=submission).slug
    drawn = said(client.get(f"{MAIN}/badge/{slug}.svg").content)
    assert drawn.endswith("… | listed on Small")
