"""The first page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from leaderboard.models import Benchmark, Ranking, Release, Submission, Track


@pytest.mark.django_db
def test_a_new_site_says_that_it_has_nothing_yet(client: Client) -> None:
    """No benchmark is not an error."""
    response = client.get("/")
    assert response.status_code == 200
    assert b"No benchmark has been published here yet" in response.content


def test_it_shows_the_top_of_each_table(
    client: Client, ranked: Any, text: Callable[[Any], str]
) -> None:
    """Names in the board's order, with the mark of what was scored here."""
    said = text(client.get("/"))
    assert "Small" in said
    assert "4 clips" in said
    said = said.rpartition("Benchmarks")[2]
    assert said.index("Best") < said.index("Middle") < said.index("Worst")
    assert "Verified" in said


def test_an_unpublished_release_is_not_shown(client: Client, release: Release) -> None:
    """Neither are benchmarks that have nothing else."""
    Release.objects.update(published_at=None)
    assert b"Small" not in client.get("/").content


def test_queries_do_not_grow_with_benchmarks(
    client: Client, ranked: Any, django_assert_max_num_queries: Any
) -> None:
    """Ten more benchmarks with a track each cost nothing more."""
    with django_assert_max_num_queries(13) as first:
        client.get("/")
    for n in range(10):
        benchmark = Benchmark.objects.create(slug=f"more-{n}", name=f"More {n}")
        more = Release.objects.create(benchmark=benchmark, version="1", published_at=timezone.now())
        Track.objects.create(release=more, slug="main", name="Main", judges=["left"])
    with django_assert_max_num_queries(len(first.captured_queries)):
        assert b"More 9" in client.get("/").content


def test_the_newest_results(
    client: Client, ranked: Any, submit: Any, work_off: Any, text: Callable[[Any], str]
) -> None:
    """The latest first, with rank and score, each leading to its system and its table."""
    response = client.get("/")
    found = response.context["newest"]
    assert [one.name for one in found] == ["Worst", "Middle", "Best"]
    assert [(one.rank, one.places) for one in found] == [(3, 3), (2, 3), (1, 3)]
    row = Ranking.objects.latest("computed_at").rows[0]
    assert f"Best rank 1 of 3 Small, Main · HM-CF {row['mean']['hm_cf']:.4f}" in text(response)
    assert 'href="/systems/best/"' in response.content.decode()
    submit("Waiting")
    assert [one.name for one in client.get("/").context["newest"]] == ["Worst", "Middle", "Best"]
    work_off()
    assert client.get("/").context["newest"][0].name == "Waiting"


def test_nothing_private_or_named_that_is_anonymous(
    client: Client, ranked: Any, submit: Any, work_off: Any
) -> None:
    """A pseudonym leads to no page; what was taken back is gone at once."""
    submit("Secret", visibility="private")
    submit("Nameless", {"c1": "A man."}, visibility="anonymous")
    work_off()
    page = client.get("/")
    content = page.content.decode()
    assert "Secret" not in content
    assert "Nameless" not in content
    first = page.context["newest"][0]
    assert first.name.startswith("Anonymous")
    assert not first.known
    assert f"/systems/{first.system}/" not in content
    Submission.objects.filter(system__slug="worst").update(withdrawn_at=timezone.now())
    assert "Worst" not in [one.name for one in client.get("/").context["newest"]]
