"""Uploading with a token: one file, two ways to send it, one limit, one shape of errors."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client

from leaderboard.models import ApiToken, Release, Submission, System
from tests.support.judgements import judgement_files
from tests.support.small_tests import (
    annotations,
    answers,
    as_csv,
    keypoints_track,
    pairs_track,
)

pytestmark = pytest.mark.django_db
PATH = "/api/v1/benchmarks/small/submissions"
COMPLETE = {"c1": "One.", "c2": "Two.", "c3": "Three.", "c4": "Four."}


@pytest.fixture
def token(ann: User) -> str:
    """Ann's."""
    return ApiToken.objects.issue(user=ann, name="laptop")[1]


@pytest.fixture
def upload(client: Client, token: str, release: Release, sent: list[Any]) -> Any:
    """``upload(data)`` as a form, ``upload(data, raw=True)`` as the body."""

    def made(
        data: bytes, *, raw: bool = False, name: str = "p.json", content: str = "", **fields: str
    ) -> Any:
        fields = {"system": "Model"} | fields
        bearer = {"Authorization": f"Bearer {token}"}
        if raw:
            return client.post(
                PATH,
                data,
                content_type=content or "application/json",
                query_params=fields,
                headers=bearer,
            )
        file = SimpleUploadedFile(name, data)
        return client.post(PATH, {"file": file, **fields}, headers=bearer)

    return made


@pytest.mark.parametrize("raw", [False, True])
def test_an_upload_is_stored_and_sent(
    upload: Any, ann: User, sent: list[Any], raw: bool, django_capture_on_commit_callbacks: Any
) -> None:
    """Both ways the same; the answer is the submission."""
    with django_capture_on_commit_callbacks(execute=True):
        response = upload(
            json.dumps(COMPLETE).encode(),
            raw=raw,
            frames="8",
            open_weights="true",
            link="https://example.org",
            visibility="private",
            note="first",
        )
    assert response.status_code == 201, response.content
    answer = response.json()
    stored = Submission.objects.get(pk=answer["id"])
    assert (stored.user, stored.visibility, stored.note) == (ann, "private", "first")
    assert (stored.system.frames, stored.system.open_weights) == (8, True)
    assert stored.format == "json-map"
    assert {run["state"] for run in answer["runs"]} == {"queued"}
    assert len(sent) == 2


@pytest.mark.parametrize(
    ("data", "content"),
    [
        (
            "\n".join(f'{{"clip_id": "{k}", "caption": "{v}"}}' for k, v in COMPLETE.items()),
            "application/x-ndjson",
        ),
        ("clip_id,caption\n" + "\n".join(f"{k},{v}" for k, v in COMPLETE.items()), "text/csv"),
        (
            "clip_id\tcaption\n" + "\n".join(f"{k}\t{v}" for k, v in COMPLETE.items()),
            "text/tab-separated-values",
        ),
    ],
)
def test_the_body_may_have_any_accepted_format(upload: Any, data: str, content: str) -> None:
    """The content type stands for the file's suffix."""
    response = upload(data.encode(), raw=True, content=content)
    assert response.status_code == 201, response.content
    assert Submission.objects.get().descriptions.get(clip__key="c2").text == "Two."


def test_an_empty_form_field_is_a_field_left_out(upload: Any) -> None:
    """As browsers and curl send it."""
    response = upload(json.dumps(COMPLETE).encode(), frames="", open_weights="", link="")
    assert response.status_code == 201, response.content


def test_every_problem_of_a_file_comes_at_once(upload: Any) -> None:
    """With code, message and place; nothing is stored, no new system either."""
    response = upload(b'{"c1": "a", "c1": "b", "c2": 7, "zz": "x"}')
    assert response.status_code == 422
    answer = response.json()
    codes = {problem["code"] for problem in answer["problems"]}
    assert {"duplicate-clip", "missing-clip", "unknown-clip"} <= codes
    assert all(
        set(p) == {"code", "message", "where", "clip", "severity"} for p in answer["problems"]
    )
    assert any("line" in problem["where"] for problem in answer["problems"])
    assert answer["error"]
    assert not Submission.objects.exists()
    assert not System.objects.exists()


def test_ap_01_the_limit_is_the_same_on_every_route(upload: Any, settings: Any) -> None:
    """At the limit accepted, one byte over it 413 with the limit."""
    data = json.dumps(COMPLETE).encode() + b" " * 3_000_000
    settings.UPLOAD_MAX_BYTES = len(data)
    assert upload(data, system="A").status_code == 201
    assert upload(data, system="B", raw=True).status_code == 201
    for raw in (False, True):
        response = upload(data + b" ", raw=raw)
        assert response.status_code == 413
        assert response.json()["limit"] == len(data)
        assert str(len(data)) in response.json()["error"]
    assert Submission.objects.count() == 2


def test_ap_01_far_over_the_limit_is_the_same_answer(upload: Any, settings: Any) -> None:
    """Also where the body is refused before it is read."""
    settings.UPLOAD_MAX_BYTES = 1000
    for raw in (False, True):
        response = upload(b"x" * 2_000_000, raw=raw)
        assert response.status_code == 413
        assert response.json()["limit"] == 1000
        assert response.json()["error"]


def test_ap_01_too_many_form_fields_are_a_400_in_json(upload: Any) -> None:
    """Not a bare page."""
    response = upload(json.dumps(COMPLETE).encode(), **{f"extra{n}": "x" for n in range(1001)})
    assert response.status_code == 400
    assert response.json()["error"]


@pytest.mark.parametrize(
    ("fields", "where"),
    [
        ({"system": ""}, "system"),
        ({"system": "x" * 121}, "system"),
        ({"system": "a\0b"}, "system"),
        ({"note": "a\0b"}, "note"),
        ({"link": "javascript:alert(1)"}, "link"),
        ({"frames": "many"}, "frames"),
        ({"frames": "99999999999999999999"}, "frames"),
        ({"visibility": "hidden"}, "visibility"),
        ({"organisation": "x" * 121}, "organisation"),
    ],
)
@pytest.mark.parametrize("raw", [False, True])
def test_a_field_that_does_not_fit_is_named(
    upload: Any, fields: dict[str, str], where: str, raw: bool
) -> None:
    """And nothing is stored."""
    response = upload(json.dumps(COMPLETE).encode(), raw=raw, **fields)
    assert response.status_code == 422, response.content
    assert [problem["where"] for problem in response.json()["problems"]] == [where]
    assert not System.objects.exists()


def test_a_form_without_a_file_says_so(client: Client, token: str, release: Release) -> None:
    """Naming the field."""
    bearer = {"Authorization": f"Bearer {token}"}
    response = client.post(PATH, {"system": "Model"}, headers=bearer)
    assert response.status_code == 422
    assert response.json()["problems"][0]["where"] == "file"


def test_a_broken_form_is_a_400(client: Client, token: str, release: Release) -> None:
    """A boundary that is not there."""
    response = client.post(
        PATH,
        b"nonsense",
        content_type="multipart/form-data",
        headers={"Authorization": f"Bearer {token}"},
    )
    assert response.status_code == 400
    assert response.json()["error"]


def test_somebody_elses_system_is_a_409(upload: Any, ben: User) -> None:
    """With what to do."""
    System.objects.create(name="Model", slug="model", owner=ben)
    response = upload(json.dumps(COMPLETE).encode())
    assert response.status_code == 409
    assert response.json()["problems"][0]["code"] == "system-taken"
    assert "Choose another name" in response.json()["error"]


@pytest.mark.parametrize("header", [None, "Bearer", "Bearer clr_wrong", "Basic YTpi", "Bearer é"])
def test_without_a_valid_token_nothing_is_taken(
    client: Client, release: Release, header: str | None
) -> None:
    """401 before the file is looked at."""
    headers = {"Authorization": header} if header else {}
    response = client.post(PATH, {"system": "Model"}, headers=headers)
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Bearer"


def test_a_session_is_no_token(client: Client, release: Release, ann: User) -> None:
    """Other sites can make a browser send its session."""
    client.force_login(ann)
    assert client.post(PATH, {"system": "Model"}).status_code == 401


def test_a_token_of_somebody_who_was_shut_out_is_worthless(upload: Any, ann: User) -> None:
    """At once."""
    ann.is_active = False
    ann.save()
    assert upload(json.dumps(COMPLETE).encode()).status_code == 401


def test_the_use_of_a_token_is_noted(upload: Any) -> None:
    """So that its owner sees which are alive."""
    assert ApiToken.objects.get().last_used_at is None
    upload(json.dumps(COMPLETE).encode())
    assert ApiToken.objects.get().last_used_at is not None


def test_an_unknown_benchmark_is_404(upload: Any) -> None:
    """In JSON."""
    Release.objects.update(published_at=None)
    response = upload(json.dumps(COMPLETE).encode())
    assert response.status_code == 404
    assert response.json()["error"]


def test_create_token_prints_the_secret_once(ann: User, capsys: pytest.CaptureFixture[str]) -> None:
    """Alone on standard output; only its hash is kept."""
    call_command("create_token", "ann", "--name", "script")
    secret = capsys.readouterr().out.strip()
    assert secret.startswith("clr_")
    token = ApiToken.objects.get(name="script")
    assert token.user == ann
    assert secret not in str(token.__dict__)
    with pytest.raises(CommandError, match="no user 'nobody'"):
        call_command("create_token", "nobody", "--name", "x")


class TestKinds:
    """Answers to pair tests and judgements made elsewhere come in by the same route."""

    @pytest.fixture
    def send(self, client: Client, token: str, release: Release, sent: list[Any]) -> Any:
        """``send([(name, data), ...], kind="pairs")``."""

        def made(files: list[tuple[str, bytes]], **fields: str) -> Any:
            parts = [SimpleUploadedFile(name, data) for name, data in files]
            bearer = {"Authorization": f"Bearer {token}"}
            return client.post(PATH, {"file": parts, "system": "Model", **fields}, headers=bearer)

        return made

    def test_a_csv_for_each_pair_test(self, send: Any, release: Release) -> None:
        pairs_track(release)
        files = [
            (f"{test}.csv", as_csv(answers(tests=[test]))) for test in ("chrono", "agent_iden")
        ]
        response = send(files, kind="pairs")
        assert response.status_code == 201, response.json()
        found = response.json()
        assert (found["kind"], found["file_name"], found["warnings"]) == ("pairs", "upload.zip", [])
        assert [(run["track"], run["judge"]) for run in found["runs"]] == [("pairs", "exact")]

    def test_judgements_name_their_track_and_judge(self, send: Any, release: Release) -> None:
        keypoints_track(release, judges=["gpt-4.1"], scores_uploads=False)
        files = judgement_files(annotations())
        refused = send(files, kind="judgements")
        assert {p["code"] for p in refused.json()["problems"]} == {"missing-track", "missing-judge"}
        response = send(files, kind="judgements", track="keypoints", judged_by="gpt-4.1")
        assert response.status_code == 201, response.json()
        assert response.json()["judged_by"] == "gpt-4.1"
        assert [run["judge"] for run in response.json()["runs"]] == ["gpt-4.1"]

    def test_an_unknown_track_or_kind_is_a_fault_of_that_field(
        self, send: Any, release: Release
    ) -> None:
        for field in ("track", "kind"):
            response = send([("p.json", b"{}")], **{field: "nonsense"})
            assert response.status_code == 422
            assert [problem["where"] for problem in response.json()["problems"]] == [field]
        assert not Submission.objects.exists()
