"""What somebody sends, on every way in: known by its content, bounded, never put at a path."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from leaderboard.models import ApiToken, Clip, QuotaPolicy, Release, Submission
from tests.leaderboard.conftest import TEXTS
from tests.support import stored

GOOD = json.dumps(TEXTS).encode()
TABLE = b"clip,reference\nc1,A man walks.\n"
BOMB = 60_000_000
Send = Callable[[bytes, str], Any]


def _form(address: str, field: str = "file", **more: str) -> Callable[[Client, bytes, str], Any]:
    def send(client: Client, data: bytes, name: str) -> Any:
        return client.post(address, {field: SimpleUploadedFile(name, data), **more})

    return send


def _body(address: str) -> Callable[[Client, bytes, str], Any]:
    def send(client: Client, data: bytes, name: str) -> Any:
        kind = "application/octet-stream"
        between = "&" if "?" in address else "?"
        named = f"{address}{between}{urlencode({'filename': name})}"
        return client.post(named, data, content_type=kind)

    return send


UPLOADS = "/api/v1/benchmarks/small"
WAYS = {
    "page": _form("/b/small/submit/", name="S", visibility="public"),
    "form for scripts": _form(f"{UPLOADS}/submissions", system="S"),
    "body for scripts": _body(f"{UPLOADS}/submissions?system=S"),
    "check of a script": _body(f"{UPLOADS}/check"),
    "curators' page": _form("/curate/small/data/", kind="table"),
    "curators' script": _body("/api/v1/curate/small/check?kind=table"),
}


@pytest.fixture
def send(release: Release, ann: Any, sent: Any) -> Callable[[str], Send]:
    """``send(way)(data, name)`` as ann, who submits and curates."""
    release.benchmark.curators.add(ann)
    _, secret = ApiToken.objects.issue(user=ann, name="t")

    def made(way: str) -> Send:
        scripted = "script" in way
        client = Client(headers={"Authorization": f"Bearer {secret}"} if scripted else None)
        if not scripted:
            client.force_login(ann)
        return lambda data, name: WAYS[way](client, data, name)

    return made


def said(answer: Any) -> str:
    """What stands in it, whichever its form."""
    return str(answer.getvalue().decode())


def zipped(*entries: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    """An archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return out.getvalue()


@pytest.mark.parametrize("way", WAYS)
def test_what_is_good_is_taken_on_every_way_in(send: Any, way: str) -> None:
    """So that the refusals below are of what was sent, not of how."""
    curators = "curators" in way
    answer = send(way)(TABLE if curators else GOOD, "c.csv" if curators else "p.json")
    assert answer.status_code in {200, 201, 302}, said(answer)[:500]


@pytest.mark.parametrize("way", WAYS)
def test_ap_01_one_limit_on_every_way_in(send: Any, settings: Any, way: str) -> None:
    """One byte over it and far over it are 413 with the limit; nothing is stored."""
    settings.UPLOAD_MAX_BYTES = 3_000
    for size in (3_001, 2_000_000):
        answer = send(way)(b"x" * size, "p.json")
        assert answer.status_code in {413, 422}, (size, said(answer)[:300])
        if "script" in way or size > 1_000_000:
            assert answer.status_code == 413
        assert "limit" in said(answer)
    assert not Submission.objects.exists()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n" + bytes(200),
        b"%PDF-1.7\n\x00\xff",
        b"\x7fELF" + bytes(99),
        b"MZ\x90\x00",
    ],
    ids=["picture", "document", "program", "other program"],
)
def test_a_type_is_known_by_content(send: Any, way: str, data: bytes) -> None:
    """A name that promises texts makes none of what is not: refused, and nothing is kept."""
    for name in ("p.json", "p.csv"):
        answer = send(way)(data, name)
        assert answer.status_code in {200, 422}
        if answer.status_code == 200:
            assert answer.json()["ok"] is False
    assert not Submission.objects.exists()


@pytest.mark.parametrize("way", WAYS)
def test_up_13_an_archive_without_end_is_refused(send: Any, way: str) -> None:
    """While it is being read, whatever it says of its size; so is one of too many entries."""
    inside = GOOD[:-1] + b" " * BOMB + b"}" if "curators" not in way else TABLE + b" " * 201_000_000
    answer = send(way)(zipped(("p.json" if "curators" not in way else "p.csv", inside)), "p.zip")
    assert answer.status_code in {200, 422}
    assert "ok" not in said(answer) or '"ok": true' not in said(answer)
    assert not Submission.objects.exists()


@pytest.mark.parametrize("way", WAYS)
def test_up_14_no_archive_writes_outside(
    send: Any, way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names that lead out, and links, are refused whole; nothing appears anywhere."""
    folder = tmp_path / "somewhere"
    folder.mkdir()
    monkeypatch.chdir(folder)
    link = zipfile.ZipInfo("d")
    link.external_attr = 0o120777 << 16
    for name in ("../../evil.json", "/evil.json", "..\\..\\evil.json"):
        data = zipped((name, GOOD), (link, b"/etc"), ("p.json", GOOD))
        answer = send(way)(data, "p.zip")
        assert answer.status_code in {200, 422}
        assert '"ok": true' not in said(answer)
    assert not list(tmp_path.rglob("evil*"))
    assert not Submission.objects.exists()


@pytest.mark.parametrize("way", ["page", "form for scripts", "body for scripts"])
def test_se_01_a_name_is_no_path(send: Any, way: str) -> None:
    """Whatever a file is called, it is stored under an id of ours."""
    answer = send(way)(GOOD, "..%2f..\\<img src=x>.json")
    assert answer.status_code in {201, 302}
    made = Submission.objects.get()
    assert stored.names() == [made.file.name] == [f"submissions/{made.pk}"]
    assert made.file.read() == GOOD


def test_a_backup_is_read_by_its_manifest_alone(db: None, tmp_path: Path) -> None:
    """A file that is none is refused by name; members that it does not list are not looked at."""
    for data in (b"", b"not a tar", zipped(("x", b"y"))):
        path = tmp_path / "b.tar"
        path.write_bytes(data)
        with pytest.raises(CommandError):
            call_command("restore", str(path))
    assert not Clip.objects.exists()


def test_ap_03_a_refused_file_costs_nothing(send: Any, release: Release) -> None:
    """One a day: after two bad files a good one is taken, and the next one is not."""
    QuotaPolicy.objects.create(benchmark=release.benchmark, limit=1, window="day", per="user")
    upload = send("body for scripts")
    assert [upload(b"{}", "p.json").status_code for _ in range(2)] == [422, 422]
    assert upload(GOOD, "p.json").status_code == 201
    refused = upload(GOOD, "p.json")
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert refused.json()["next_at"]
