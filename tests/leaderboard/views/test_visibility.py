"""The owner's actions on a submission's page, and what others read of an anonymous one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from leaderboard.models import AuditEntry, QuotaPolicy, Release, Submission

BOARD = "/b/small/1.0/main/"


@pytest.fixture
def secret(submit: Callable[..., Submission], work_off: Callable[[], None]) -> Submission:
    """An anonymous submission on the board."""
    made = submit("Secret-7B", visibility="anonymous", note="By Lab X", filename="secret-7b.json")
    work_off()
    return made


@pytest.mark.parametrize(
    "address",
    [
        BOARD,
        "/b/small/",
        "/",
        "/b/small/1.0/clips/",
        "/b/small/1.0/clips/c1/",
        "/b/small/1.0/clips/c1/?submission={pk}",
        f"{BOARD}claims/",
        f"{BOARD}reliability/",
        f"{BOARD}?category=&interval=simultaneous",
        "/submissions/{pk}/",
        "/submissions/{pk}/progress/",
        f"{BOARD}export.csv",
        f"{BOARD}export.json",
        f"{BOARD}scores.csv",
        f"{BOARD}compare/",
        f"{BOARD}?columns=organisation&columns=submitted",
        "/api/v1/submissions/{pk}",
        "/api/v1/benchmarks/small/releases/1.0/tracks/main/ranking",
    ],
)
def test_nothing_tells_readers_whose_an_anonymous_one_is(
    client: Client, secret: Submission, ben: Any, address: str
) -> None:
    """Neither a visitor nor somebody else who is signed in."""
    for _ in range(2):
        response = client.get(address.format(pk=secret.pk))
        assert response.status_code == 200
        said = response.getvalue().decode().lower()
        assert "secret-7b" not in said
        assert "lab x" not in said
        client.force_login(ben)


def test_readers_read_a_pseudonym_and_the_owner_a_mark(
    client: Client, secret: Submission, ann: Any, text: Callable[[Any], str]
) -> None:
    """On the board; and on its page the owner reads the names."""
    said = text(client.get(BOARD))
    assert "Anonymous " in said
    assert "yours" not in said
    client.force_login(ann)
    assert "yours: Secret-7B" in text(client.get(BOARD))
    page = text(client.get(secret.get_absolute_url()))
    assert "Secret-7B" in page
    assert "Anonymous" in page
    assert "secret-7b.json" in page


def test_the_owner_lifts_it_and_takes_it_back(
    as_ann: Client, secret: Submission, text: Callable[[Any], str], work_off: Any
) -> None:
    """By forms on the page."""
    page = secret.get_absolute_url()
    response = as_ann.post(f"{page}visibility/", {"visibility": "public"}, follow=True)
    assert "Changed." in text(response)
    secret.refresh_from_db()
    assert secret.visibility == "public"
    work_off()
    assert "Secret-7B" in text(Client().get(BOARD))
    as_ann.post(f"{page}visibility/", {"visibility": "private"})
    assert Client().get(page).status_code == 404
    response = as_ann.post(f"{page}withdraw/", {"reason": "Wrong file"}, follow=True)
    assert "Withdrawn" in text(response)
    actions = (
        AuditEntry.objects.exclude(action="submission.create")
        .order_by("pk")
        .values_list("action", flat=True)
    )
    assert list(actions) == ["submission.publish", "submission.unpublish", "submission.withdraw"]


def test_a_refusal_is_said(as_ann: Client, secret: Submission, text: Callable[[Any], str]) -> None:
    """The rule, and nothing changed."""
    secret.release.benchmark.unpublish_days = 0
    secret.release.benchmark.save()
    page = secret.get_absolute_url()
    response = as_ann.post(f"{page}visibility/", {"visibility": "private"}, follow=True)
    assert "within 0 days" in text(response)
    response = as_ann.post(f"{page}visibility/", {"visibility": "secret"}, follow=True)
    assert "Not changed" in text(response)
    assert not AuditEntry.objects.exclude(action="submission.create").exists()


@pytest.mark.parametrize("action", ["visibility", "withdraw"])
def test_others_do_nothing_to_it(client: Client, secret: Submission, ben: Any, action: str) -> None:
    """To a visitor the way to log in, to others 404, and nothing by GET."""
    address = f"{secret.get_absolute_url()}{action}/"
    given = {"visibility": "private"}
    assert client.post(address, given).status_code == 302
    client.force_login(ben)
    assert client.post(address, given).status_code == 404
    assert client.get(address).status_code == 405
    secret.refresh_from_db()
    assert (secret.visibility, secret.withdrawn_at) == ("anonymous", None)


def test_a_withdrawn_row_is_marked(
    as_ann: Client, ranked: list[Submission], work_off: Any, text: Callable[[Any], str]
) -> None:
    """Where the benchmark shows it; its texts stand on no clip page."""
    ranked[0].release.benchmark.shows_withdrawn = True
    ranked[0].release.benchmark.save()
    as_ann.post(f"{ranked[0].get_absolute_url()}withdraw/")
    work_off()
    assert "Best yours withdrawn, without a place" in text(as_ann.get(BOARD))
    assert "Best" not in text(Client().get("/b/small/1.0/clips/c1/"))
    assert Client().get(ranked[0].get_absolute_url()).status_code == 200


def test_older_versions_are_reached_from_the_page(
    client: Client, submit: Callable[..., Submission], work_off: Any, text: Any
) -> None:
    """Each from the other."""
    older, newer = submit("Model"), submit("Model")
    work_off()
    response = client.get(newer.get_absolute_url())
    assert "Versions" in text(response)
    assert older.get_absolute_url() in response.content.decode()


def test_the_form_says_what_is_left(
    as_ann: Client, release: Release, submit: Callable[..., Submission], text: Any
) -> None:
    """And when the next one is taken, once nothing is."""
    QuotaPolicy.objects.create(benchmark=release.benchmark, limit=2)
    submit()
    assert "1 of 2 in 24 hours" in text(as_ann.get("/b/small/submit/"))
    submit()
    said = text(as_ann.get("/b/small/submit/"))
    assert "Nothing is taken now. The limit is 2 submissions in 24 hours" in said
    assert "Next one from" in said
