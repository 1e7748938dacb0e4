"""A benchmark's page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from leaderboard.models import Benchmark, Release, Track


def test_it_says_what_it_is_and_how_to_submit(
    client: Client, release: Release, text: Callable[[Any], str], settings: Any
) -> None:
    """Licence, citation, limit, formats with the release's own clip ids, script and commands."""
    settings.UPLOAD_MAX_BYTES = 20_000_000
    settings.SITE_URL = "https://board.example.org/"
    Benchmark.objects.update(
        description="Four scenes.\n\nAnd no more.",
        licence="CC BY 4.0",
        licence_url="https://creativecommons.org/licenses/by/4.0/",
        citation="@misc{small, title = {Small & <b>bold</b>}}",
    )
    response = client.get("/b/small/")
    said = text(response)
    assert response.status_code == 200
    assert "Four scenes." in said
    assert "CC BY 4.0" in said
    assert "@misc{small, title = {Small &amp; &lt;b&gt;bold&lt;/b&gt;}}" in said
    assert "up to 20 MB" in said
    assert "&quot;c1&quot;: &quot;A man opens a door." in said
    assert "clip_id,description c1," in said
    assert "https://board.example.org/api/v1/benchmarks/small/submissions" in said
    assert "cliprank check" in said


def test_one_that_takes_no_uploads_offers_no_form(client: Client, release: Release) -> None:
    """A benchmark of reported results alone."""
    Track.objects.update(scores_uploads=False)
    assert b"/b/small/submit/" not in client.get("/b/small/").content


@pytest.mark.parametrize("address", ["/b/none/", "/b/small/"])
def test_what_is_not_published_is_not_there(client: Client, release: Release, address: str) -> None:
    """The two cannot be told apart."""
    Release.objects.update(published_at=None)
    assert client.get(address).status_code == 404
