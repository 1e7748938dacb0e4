"""News of a benchmark, for readers and for feed readers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django.contrib.syndication.views import Feed
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed

from leaderboard import access
from leaderboard.markdown import html_of
from leaderboard.models import Announcement, Benchmark

IN_FEED = 30
PER_PAGE = 20


def news(request: HttpRequest, slug: str) -> HttpResponse:
    """All of it, the newest first."""
    found = access.benchmark(slug)
    page = Paginator(found.announcements.all(), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "benchmark/news.html", {"benchmark": found, "page": page})


class NewsFeed(Feed):  # type: ignore[type-arg] # takes no argument when the program runs
    """The newest news of a benchmark as Atom."""

    feed_type = Atom1Feed

    def get_object(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Benchmark:
        """The benchmark of the address; 404 for one that nobody may see."""
        return access.benchmark(kwargs["slug"])

    def title(self, obj: Benchmark) -> str:
        """What the feed is called."""
        return f"{obj.name}: news"

    def subtitle(self, obj: Benchmark) -> str:
        """What it is about."""
        return obj.summary

    def link(self, obj: Benchmark) -> str:
        """The page with the same news."""
        return reverse("news", args=[obj.slug])

    def items(self, obj: Benchmark) -> Iterable[Announcement]:
        """The newest."""
        news: QuerySet[Announcement] = obj.announcements.select_related("benchmark")
        return news[:IN_FEED]

    def item_title(self, item: Any) -> str:
        """Its title, plain."""
        return str(item.title)

    def item_description(self, item: Any) -> str:
        """Its text as HTML."""
        return html_of(item.text)

    def item_link(self, item: Any) -> str:
        """Its place on the page."""
        return f"{reverse('news', args=[item.benchmark.slug])}#news-{item.pk}"

    def item_pubdate(self, item: Any) -> datetime:
        """When it was posted."""
        posted: datetime = item.posted_at
        return posted

    item_updateddate = item_pubdate
