"""Every format on every way in, and one limit for all: what the site says of itself is true."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from leaderboard.curation import sources
from leaderboard.models import ApiToken, Release, Submission
from tests.leaderboard.conftest import TEXTS

API = "/api/v1/benchmarks/small"
Way = Callable[[bytes, str], Any]


def _rows(separator: str) -> bytes:
    lines = (f'{clip}{separator}"{text}"' for clip, text in TEXTS.items())
    return f"clip_id{separator}description\n{chr(10).join(lines)}\n".encode()


def _objects() -> list[dict[str, str]]:
    return [{"clip_id": clip, "description": text} for clip, text in TEXTS.items()]


def _zipped(name: str, data: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(name, data)
    return made.getvalue()


JSON_MAP, JSONL = json.dumps(TEXTS).encode(), b"\n".join(json.dumps(o).encode() for o in _objects())
FILES = {
    "map.json": JSON_MAP,
    "list.json": json.dumps(_objects()).encode(),
    "lines.jsonl": JSONL,
    "table.csv": _rows(","),
    "table.tsv": _rows("\t"),
    "map.json.gz": gzip.compress(JSON_MAP),
    "table.csv.gz": gzip.compress(_rows(",")),
    "one.zip": _zipped("map.json", JSON_MAP),
    "lines.zip": _zipped("lines.jsonl", JSONL),
}
CONTENT = {
    "json": "application/json",
    "jsonl": "application/x-ndjson",
    "csv": "text/csv",
    "tsv": "text/tab-separated-values",
    "gz": "application/gzip",
    "zip": "application/zip",
}


@pytest.fixture
def ways(client: Client, ann: Any, release: Release, sent: Any) -> dict[str, Way]:
    """From what is sent and its name to the answer: the page, its check, and the interface's."""
    client.force_login(ann)
    _, secret = ApiToken.objects.issue(user=ann, name="t")
    bearer = {"Authorization": f"Bearer {secret}"}

    def form(data: bytes, name: str, **more: str) -> Any:
        given = {"name": f"By form {name}", "visibility": "public", **more}
        return client.post("/b/small/submit/", given | {"file": SimpleUploadedFile(name, data)})

    def part(path: str) -> Way:
        return lambda data, name: Client().post(
            f"{API}/{path}",
            {"system": f"By {path} {name}", "file": SimpleUploadedFile(name, data)},
            headers=bearer,
        )

    def body(path: str) -> Way:
        return lambda data, name: Client().post(
            f"{API}/{path}?system=Body+{name}&filename={name}",
            data,
            content_type=CONTENT[name.rpartition(".")[2]],
            headers=bearer,
        )

    return {
        "form": form,
        "form check": lambda data, name: form(data, name, check="1"),
        "interface, a form": part("submissions"),
        "interface, the body": body("submissions"),
        "interface, a check": part("check"),
    }


STORES = ("form", "interface, a form", "interface, the body")
GOOD = {"form": 302, "interface, a form": 201, "interface, the body": 201}


@pytest.mark.parametrize("name", FILES)
def test_every_format_is_taken_on_every_way(ways: dict[str, Way], name: str) -> None:
    """And says the same texts; a check stores nothing."""
    for way, send in ways.items():
        before = Submission.objects.count()
        answer = send(FILES[name], name)
        assert answer.status_code == GOOD.get(way, 200), (way, answer.content)
        assert Submission.objects.count() - before == (way in STORES)
    for stored in Submission.objects.all():
        assert dict(stored.descriptions.values_list("clip__key", "text")) == TEXTS


@pytest.mark.parametrize("name", ["map.json", "one.zip"])
def test_the_limit_that_is_told_is_the_limit(
    ways: dict[str, Way], name: str, settings: Any, client: Client
) -> None:
    """At the limit a file is taken, one byte more is not, on every way; the form tells it."""
    settings.UPLOAD_MAX_BYTES = len(FILES[name])
    for way, send in ways.items():
        assert send(FILES[name], name).status_code == GOOD.get(way, 200), way
    settings.UPLOAD_MAX_BYTES -= 1
    for way, send in ways.items():
        before = Submission.objects.count()
        answer = send(FILES[name], name)
        assert answer.status_code in ({413} if "interface" in way else {413, 422}), way
        assert "limit" in answer.content.decode(), way
        assert Submission.objects.count() == before
    settings.UPLOAD_MAX_BYTES = 3_000_000
    assert "3 MB" in client.get("/b/small/submit/").content.decode().replace("\xa0", " ")


def test_the_limit_holds_for_curators_too(
    release: Release, client: Client, ann: Any, settings: Any
) -> None:
    """Who bring data in by page or interface."""
    release.benchmark.curators.add(ann)
    client.force_login(ann)
    _, secret = ApiToken.objects.issue(user=ann, name="t")
    table = b"clip,reference\nc1,A man walks.\n"
    for limit, page, interface in ((len(table), 200, 200), (len(table) - 1, 422, 413)):
        settings.UPLOAD_MAX_BYTES = limit
        file = SimpleUploadedFile("c.csv", table)
        answer = client.post("/curate/small/data/", {"kind": "table", "file": file})
        assert answer.status_code == page, sources.FORMATS
        answer = client.post(
            "/api/v1/curate/small/check?filename=c.csv",
            table,
            content_type="text/csv",
            headers={"Authorization": f"Bearer {secret}"},
        )
        assert answer.status_code == interface
