"""News, rules and questions on a benchmark's page and in its feed."""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from leaderboard.curation import news
from leaderboard.models import AuditEntry, Release

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def cora(release: Release) -> User:
    """Curates the small benchmark."""
    made = User.objects.create_user("cora")
    release.benchmark.curators.add(made)
    return made


def test_news_are_posted_changed_and_taken_away(
    client: Client, cora: User, release: Release, text: Any
) -> None:
    """They stand on the page as prose; the trail keeps what they said."""
    client.force_login(cora)
    address = reverse("curate-news", args=["small"])
    assert client.post(address, {"title": "", "text": "x"}).status_code == 422
    client.post(address, {"title": "Release 1.1", "text": "**Two** clips <script>x</script>"})
    page = client.get(reverse("benchmark", args=["small"]))
    assert "<strong>Two</strong> clips &lt;script&gt;" in page.content.decode()
    one = release.benchmark.announcements.get()
    client.post(reverse("curate-edit-news", args=["small", one.pk]), {"title": "Release 1.2"})
    assert "Release 1.2" in text(client.get(reverse("news", args=["small"])))
    client.post(reverse("curate-remove-news", args=["small", one.pk]))
    assert not release.benchmark.announcements.exists()
    entries = list(AuditEntry.objects.order_by("pk"))
    assert [entry.action.split(".")[1] for entry in entries] == ["post", "edit", "remove"]
    assert entries[1].before["title"] == "Release 1.1"
    assert entries[2].before == {"title": "Release 1.2", "text": ""}


def test_a_title_is_needed(cora: User, release: Release) -> None:
    """Whoever calls."""
    with pytest.raises(ValidationError):
        news.post(benchmark=release.benchmark, title=" ", text="x", actor=cora)
    assert not release.benchmark.announcements.exists()


def test_the_feed_is_atom(client: Client, cora: User, release: Release) -> None:
    """With whole addresses and clean HTML."""
    one = news.post(
        benchmark=release.benchmark, title="A & B", text="*New* <b>data</b>", actor=cora
    )
    answer = client.get(reverse("news-feed", args=["small"]))
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    feed = ET.fromstring(answer.content)  # noqa: S314 - our own
    (entry,) = feed.findall(f"{ATOM}entry")
    assert entry.findtext(f"{ATOM}title") == "A & B"
    summary = entry.findtext(f"{ATOM}summary") or ""
    assert "<em>New</em> &lt;b&gt;" in summary
    link = entry.find(f"{ATOM}link")
    assert link is not None
    assert link.attrib["href"] == f"http://testserver/b/small/news/#news-{one.pk}"
    assert client.get(reverse("news-feed", args=["none"])).status_code == 404


def test_rules_and_questions_are_prose(client: Client, release: Release) -> None:
    """Rendered, and cleaned."""
    release.benchmark.rules = "1. Be fair.\n2. [No](javascript:alert(1))"
    release.benchmark.faq = "## May I?\n\nYes."
    release.benchmark.save()
    page = client.get(reverse("benchmark", args=["small"])).content.decode()
    assert "<li>Be fair.</li>" in page
    assert "<h3>May I?</h3>" in page
    assert 'href="javascript' not in page
