"""Search: what is found, in which order, and what nobody may find."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from leaderboard.models import (
    Benchmark,
    Clip,
    Reference,
    Release,
    Submission,
    System,
)

Text = Callable[[Any], str]


def titles(response: Any) -> dict[str, list[str]]:
    """Group to the titles that are shown."""
    return {g.key: [hit.title for hit in g.hits] for g in response.context["found"].groups}


def test_groups_of_all_three_kinds(ranked: Any, client: Client, text: Text) -> None:
    """Names whatever their case, and texts that people wrote, with the words around."""
    System.objects.filter(slug="best").update(organisation="Small Lab", parameters="7B")
    Clip.objects.filter(key="c3").update(title="Small dogs", category="Garden")
    response = client.get("/search/", {"q": "sMall"})
    assert titles(response) == {
        "benchmarks": ["Small"], "systems": ["Best"], "clips": ["Small dogs"],
    }  # fmt: skip
    said = text(response)
    assert "3 results for “sMall”" in said
    assert "Best Small Lab · 7B" in said
    assert "Small dogs c3 · Garden · Small 1.0" in said
    page = response.content.decode()
    assert 'href="/systems/best/"' in page
    assert 'href="/b/small/1.0/clips/c3/"' in page
    response = client.get("/search/", {"q": "driver waves"})
    assert titles(response)["clips"] == ["c2"]
    assert "The <mark>driver</mark> waves at a child." in response.content.decode()


def test_every_word_must_be_there(ranked: Any, client: Client) -> None:
    """In whatever field, in whatever order; a title comes before a text."""
    Clip.objects.filter(key="c1").update(title="At sea", category="Boat")
    assert titles(client.get("/search/", {"q": "boat sea"}))["clips"] == ["At sea", "c4"]
    assert titles(client.get("/search/", {"q": "boat camel"}))["clips"] == []
    assert titles(client.get("/search/", {"q": "100%"}))["clips"] == []


def test_nothing_asked_and_nothing_found(ranked: Any, client: Client, text: Text) -> None:
    """Both say what to do."""
    assert "All words must be there" in text(client.get("/search/"))
    assert "Nothing has all of these words" in text(client.get("/search/", {"q": "xyzzy"}))
    long = client.get("/search/", {"q": "<b>" * 300})
    assert long.status_code == 200
    assert b"<b><b>" not in long.content


def test_pages_of_one_group(release: Release, client: Client, text: Text) -> None:
    """Five at first, then page by page; the address says which."""
    Clip.objects.bulk_create(
        Clip(release=release, key=f"street-{n:02}", position=10 + n) for n in range(30)
    )
    response = client.get("/search/", {"q": "street"})
    assert len(titles(response)["clips"]) == 5
    assert "All 30 clips" in text(response)
    assert "?q=street&amp;in=clips" in response.content.decode()
    response = client.get("/search/", {"q": "street", "in": "clips", "page": "2"})
    assert titles(response) == {"clips": [f"street-{n}" for n in range(25, 30)]}
    assert "Page 2 of 2" in text(response)
    assert client.get("/search/", {"q": "street", "in": "no", "page": "x"}).status_code == 200


class TestWhatNobodyMayFind:
    """Search tells no more than the pages that it leads to."""

    @pytest.mark.parametrize("visibility", ["private", "anonymous"])
    def test_systems_without_a_public_name(
        self, submit: Any, work_off: Any, client: Client, ann: User, ben: User, visibility: str
    ) -> None:
        """Not for others, by no field of theirs; for their owner."""
        submit("Hidden-7B", visibility=visibility)
        System.objects.update(organisation="Quiet Lab", family="Still")
        work_off()
        for word in ("Hidden-7B", "Quiet", "Still"):
            client.logout()
            assert b"Hidden-7B</a>" not in client.get("/search/", {"q": word}).content
            client.force_login(ben)
            assert titles(client.get("/search/", {"q": word}))["systems"] == []
            client.force_login(ann)
            assert titles(client.get("/search/", {"q": word}))["systems"] == ["Hidden-7B"]

    def test_descriptions_are_not_looked_at(self, submit: Any, client: Client) -> None:
        """They may be private; what is found in references is of the benchmark."""
        submit("Model", {"c1": "An ostrich."}, visibility=Submission.Visibility.PRIVATE)
        assert titles(client.get("/search/", {"q": "ostrich"}))["clips"] == []

    def test_hidden_references(self, release: Release, client: Client, ben: User) -> None:
        """A clip is not found by a text that may not be read; titles and keys go on."""
        Release.objects.update(references_hidden=True)
        Clip.objects.filter(key="c2").update(title="Red light")
        assert titles(client.get("/search/", {"q": "driver"}))["clips"] == []
        response = client.get("/search/", {"q": "red"})
        assert titles(response)["clips"] == ["Red light"]
        assert b"car stops" not in response.content
        release.benchmark.curators.add(ben)
        client.force_login(ben)
        assert titles(client.get("/search/", {"q": "driver"}))["clips"] == ["Red light"]

    def test_unpublished_releases(self, release: Release, client: Client) -> None:
        """Neither benchmark nor clip nor text."""
        Release.objects.update(published_at=None)
        found = client.get("/search/", {"q": "small"}).context["found"]
        assert found.count == 0
        assert client.get("/search/", {"q": "driver"}).context["found"].count == 0


def test_the_box_stands_on_every_page(release: Release, client: Client) -> None:
    """A plain form that works without JavaScript."""
    page = client.get("/").content.decode()
    assert 'role="search"' in page
    assert 'action="/search/"' in page
    assert client.get("/no/such/").content.decode().count('role="search"') == 1


def test_queries_do_not_grow(
    ranked: Any, client: Client, submit: Any, django_assert_max_num_queries: Any
) -> None:
    """Whatever there is to be found."""
    with django_assert_max_num_queries(8) as first:
        client.get("/search/", {"q": "l"})
    for n in range(10):
        submit(f"Elephant {n}")
        made = Benchmark.objects.create(slug=f"e-{n}", name=f"Late {n}")
        more = Release.objects.create(benchmark=made, version="1", published_at=timezone.now())
        clip = Clip.objects.create(release=more, key=f"e{n}", position=0)
        Reference.objects.create(clip=clip, text="An elephant.")
    with django_assert_max_num_queries(len(first.captured_queries)):
        client.get("/search/", {"q": "l"})
