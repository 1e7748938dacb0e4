"""`cliprank submit` sends a large file past the site where that is offered, and else to it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from typer.testing import CliRunner

from leaderboard.models import ApiToken, DirectUpload, Submission
from leaderboard.storage import multipart
from leaderboard.storage.bucket import BucketStorage
from scoring.cli import app
from tests.leaderboard.conftest import TEXTS
from tests.leaderboard.storage.conftest import use


@pytest.fixture
def run(
    transactional_db: None,
    bucket: BucketStorage,
    release: Any,
    ann: Any,
    live_server: Any,
    sent: Any,
) -> Callable[..., Any]:
    """``run(path, "--dry-run")``: the command, as ann, without waiting for scores."""
    secret = ApiToken.objects.issue(user=ann, name="laptop")[1]

    def made(*arguments: Any) -> Any:
        given = [str(argument) for argument in arguments]
        given += ["--site", live_server.url, "--benchmark", "small", "--no-wait"]
        return CliRunner().invoke(app, ["submit", *given], env={"CLIPRANK_TOKEN": secret})

    return made


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A good file above the size from which the site of these tests offers the direct way."""
    path = tmp_path / "large.json"
    path.write_text(json.dumps(TEXTS))
    return path


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What the command asks for: (method, address)."""
    found: list[tuple[str, str]] = []
    send = httpx2.Client.request

    def noted(self: Any, method: str, url: Any, **more: Any) -> Any:
        if "content" in more:
            assert "authorization" not in {name.lower() for name in self.headers}
        found.append((method, str(url).partition("?")[0]))
        return send(self, method, url, **more)

    monkeypatch.setattr(httpx2.Client, "request", noted)
    return found


def test_past_the_site(
    run: Any, large: Path, asked: list[tuple[str, str]], bucket: BucketStorage
) -> None:
    """Checked first, then for good; the token goes to the site alone, and nothing is left over."""
    done = run(large, "--dry-run")
    assert done.exit_code == 0, done.output
    assert "is fine" in done.stdout
    assert not Submission.objects.exists()
    done = run(large, "--system", "Model", "--field", "frames=8")
    assert done.exit_code == 0, done.output
    made = Submission.objects.get()
    assert made.file.open("rb").read() == large.read_bytes()
    assert made.system.frames == 8
    assert len([address for method, address in asked if method == "PUT"]) == 2
    assert not [address for _, address in asked if address.endswith("/submissions")]
    assert not DirectUpload.objects.exists()
    assert list(multipart.under_way(bucket)) == []


def test_an_answer_that_is_lost_makes_no_second_submission(
    run: Any, large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked for again."""
    send, lost = httpx2.Client.request, []

    def losing(self: Any, method: str, url: Any, **more: Any) -> Any:
        answer = send(self, method, url, **more)
        if str(url).endswith("/complete") and not lost:
            lost.append(answer.json()["id"])
            raise httpx2.ReadTimeout("lost")
        return answer

    monkeypatch.setattr(httpx2.Client, "request", losing)
    done = run(large, "--system", "Model")
    assert done.exit_code == 0, done.output
    assert [str(one.pk) for one in Submission.objects.all()] == lost


def test_a_bad_file_is_told_the_same(run: Any, large: Path) -> None:
    """Every problem, and 1."""
    large.write_text(json.dumps({"c1": "A text that is long enough. " * 9, "zz": "B."}))
    done = run(large, "--system", "Model")
    assert done.exit_code == 1
    for words in ("zz is no clip", "have no description", "not accepted"):
        assert words in done.stderr
    assert not DirectUpload.objects.exists()


def test_to_the_site_where_the_bucket_cannot_be_reached(
    run: Any, large: Path, settings: Any, bucket: BucketStorage
) -> None:
    """It says so and goes the ordinary way; the upload that was begun is dropped."""
    options = settings.STORAGES["default"]["OPTIONS"]
    use(settings, options | {"public_endpoint": "http://127.0.0.1:9"})
    done = run(large, "--system", "Model")
    assert done.exit_code == 0, done.output
    assert "Not straight to the site's storage" in done.stderr
    assert Submission.objects.count() == 1
    assert not DirectUpload.objects.exists()
    assert list(multipart.under_way(bucket)) == []


def test_a_small_file_goes_to_the_site(
    run: Any, large: Path, settings: Any, asked: list[tuple[str, str]]
) -> None:
    """As ever."""
    options = settings.STORAGES["default"]["OPTIONS"]
    use(settings, options | {"direct_from": large.stat().st_size + 1})
    assert run(large, "--system", "Model").exit_code == 0
    assert ("POST", "benchmarks/small/submissions") in asked
