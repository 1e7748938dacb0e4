"""What the interface shows, and to whom."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from leaderboard.models import ApiToken, Benchmark, Release, Submission, Track
from leaderboard.pipeline import rank, score

Submit = Callable[..., Submission]
pytestmark = pytest.mark.django_db
RANKING = "/api/v1/benchmarks/small/releases/1.0/tracks/main/ranking"


def _strict(response: Any) -> Any:
    """The answer's body; no NaN in it."""
    assert response["Content-Type"].startswith("application/json")

    def refuse(name: str) -> None:
        pytest.fail(f"{name} is no JSON")

    return json.loads(response.content, parse_constant=refuse)


def _as(user: User) -> dict[str, Any]:
    _, secret = ApiToken.objects.issue(user=user, name="test")
    return {"headers": {"Authorization": f"Bearer {secret}"}}


@pytest.fixture
def scored(submit: Submit, judges: Any, track: Track) -> Submit:
    """An upload, scored and ranked."""

    def made(*args: Any, **more: Any) -> Submission:
        submission = submit(*args, **more)
        for run in submission.runs.all():
            score.score_run(run.pk)
        rank.rank_track(track.pk)
        return submission

    return made


def test_benchmarks_are_listed(client: Client, release: Release) -> None:
    """Those with a published release."""
    Benchmark.objects.create(slug="draft", name="Draft", summary="Not published.")
    listed = _strict(client.get("/api/v1/benchmarks"))
    assert [(b["slug"], b["versions"]) for b in listed] == [("small", ["1.0"])]


def test_a_benchmark_shows_releases_and_tracks(client: Client, release: Release) -> None:
    """With how many clips count and which do not."""
    detail = _strict(client.get("/api/v1/benchmarks/small"))
    assert detail["releases"][0]["clips"] == 4
    assert detail["releases"][0]["excluded"] == ["c5"]
    assert detail["releases"][0]["tracks"][0]["judges"] == ["left", "right"]
    assert _strict(client.get("/api/v1/benchmarks/small/releases/1.0")) == detail["releases"][0]


def test_a_ranking_is_strict_json(client: Client, scored: Submit) -> None:
    """AP-02: also with a system that lacks a judge."""
    scored("Whole")
    broken = scored("Broken", {"c1": "zzz."})
    broken.runs.filter(judge="left").update(state="failed")
    rank.rank_track(broken.runs.get(judge="left").track_id)
    ranking = _strict(client.get(RANKING))
    assert [(r["name"], r["rank"], r["missing"]) for r in ranking["rows"]] == [
        ("Whole", 1, []),
        ("Broken", None, ["left"]),
    ]
    assert ranking["provenance"] == "verified"
    assert ranking["signature"]
    assert len(ranking["fingerprint"]) == 64
    place = ranking["permalink"].split("//", 1)[1].partition("/")[2]
    assert client.get(f"/{place}").json()["rows"] == ranking["rows"]


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/nothing/of/the/kind",
        "/api/v1/submissions/no-id",
        "/api/v1/benchmarks/none",
        "/api/v1/benchmarks/small/releases/2.0",
        "/api/v1/benchmarks/small/releases/1.0/tracks/none/ranking",
        RANKING,  # nothing ranked yet
        RANKING + "?provenance=reported",
        "/api/v1/submissions/00000000-0000-0000-0000-000000000000",
    ],
)
def test_what_is_not_there_is_404_in_json(client: Client, track: Track, path: str) -> None:
    """In the shape of every error."""
    response = client.get(path)
    assert response.status_code == 404
    assert _strict(response) == {"error": "Not found.", "problems": []}


def test_an_unknown_provenance_is_named(client: Client, track: Track) -> None:
    """With the words that are known."""
    response = client.get(RANKING + "?provenance=made-up")
    assert response.status_code == 422
    assert _strict(response)["problems"][0]["where"] == "provenance"


def test_an_unpublished_release_is_404_everywhere(client: Client, track: Track) -> None:
    """As if it did not exist."""
    Release.objects.update(published_at=None)
    for path in ("small", "small/releases/1.0", "small/releases/1.0/tracks/main/ranking"):
        assert client.get(f"/api/v1/benchmarks/{path}").status_code == 404
    assert _strict(client.get("/api/v1/benchmarks")) == []


def test_a_submission_shows_its_runs(client: Client, scored: Submit) -> None:
    """Means per judge once they are done."""
    submission = scored("Model", {"c1": ""})
    shown = _strict(client.get(f"/api/v1/submissions/{submission.pk}"))
    assert shown["system_name"] == "Model"
    assert shown["final"] is True
    assert [w["code"] for w in shown["warnings"]] == ["blank-text"]
    assert [(r["judge"], r["state"], r["percent"]) for r in shown["runs"]] == [
        ("left", "done", 100),
        ("right", "done", 100),
    ]
    assert shown["runs"][0]["scores"]["hm_cf"] == pytest.approx(0.75)
    assert shown["runs"][0]["counts"]["empty"] == 1
    assert shown["runs"][0]["signature"].startswith("cliprank:")


def test_a_submission_being_scored_is_not_final(client: Client, submit: Submit) -> None:
    """Scripts ask until it is."""
    shown = _strict(client.get(f"/api/v1/submissions/{submit().pk}"))
    assert shown["final"] is False
    assert shown["runs"][0]["scores"] == {}


def test_a_private_submission_is_its_owners(
    client: Client, scored: Submit, ann: User, ben: User
) -> None:
    """404 for everybody else, in every endpoint, and absent from the ranking."""
    secret = scored("Secret", visibility="private")
    path = f"/api/v1/submissions/{secret.pk}"
    assert client.get(path).status_code == 404
    assert client.get(path, **_as(ben)).status_code == 404
    assert client.get(path, **_as(ann)).status_code == 200
    client.force_login(ann)
    assert client.get(path).status_code == 200
    ben.is_staff = True
    ben.save()
    assert client.get(path, **_as(ben)).status_code == 200
    assert client.get(RANKING).status_code == 404
    scored("Open")
    assert b"Secret" not in client.get(RANKING).content
    assert str(secret.pk).encode() not in client.get(RANKING).content


def test_a_wrong_token_is_refused_even_for_reading(client: Client, release: Release) -> None:
    """Rather than showing less than the script expects."""
    response = client.get("/api/v1/benchmarks", headers={"Authorization": "Bearer clr_wrong"})
    assert response.status_code == 401
    assert response["WWW-Authenticate"] == "Bearer"
    assert "token" in _strict(response)["error"]


def test_a_submission_is_read_with_as_many_queries_whatever_its_judges(
    client: Client, scored: Submit, django_assert_max_num_queries: Any
) -> None:
    """Queries do not grow with runs."""
    submission = scored()
    with django_assert_max_num_queries(4):
        client.get(f"/api/v1/submissions/{submission.pk}")


def test_the_docs_are_served_from_here(client: Client) -> None:
    """No script and no style from elsewhere, under a policy that forbids it."""
    page = client.get("/api/docs")
    assert page.status_code == 200
    assert b"http://" not in page.content
    assert b"https://" not in page.content
    policy = page["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "script-src" not in policy  # scripts fall under default-src: ours alone
    assert "style-src 'self' 'unsafe-inline'" in policy
    assert "unsafe-inline" not in client.get("/api/v1/benchmarks")["Content-Security-Policy"]


def test_the_description_names_every_address_and_both_kinds_of_upload(client: Client) -> None:
    """OpenAPI, as tools read it."""
    described = _strict(client.get("/api/openapi.json"))
    paths = described["paths"]
    upload = paths["/api/v1/benchmarks/{slug}/submissions"]["post"]
    assert {"multipart/form-data", "application/json", "text/csv"} <= set(
        upload["requestBody"]["content"]
    )
    assert {"201", "401", "404", "409", "413", "422", "429"} <= set(upload["responses"])
    assert upload["security"]
    assert {"/api/v1/submissions/{pk}/cancel", "/api/v1/submissions/{pk}/retry"} <= set(paths)
    assert len(paths) >= 12
