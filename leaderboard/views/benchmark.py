"""A benchmark's page."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from leaderboard import access, tables

NEWS = 3


def benchmark(request: HttpRequest, slug: str) -> HttpResponse:
    """What it is, its tables, how to submit, licence and citation."""
    found = access.benchmark(slug)
    (card,) = tables.cards([found], viewer=request.user)
    context = {
        "benchmark": found,
        "card": card,
        "examples": tables.examples(card.release),
        "site_url": settings.SITE_URL.rstrip("/"),
        "news": found.announcements.all()[:NEWS],
        "limit": settings.UPLOAD_MAX_BYTES,
        "takes_uploads": any(table.track.scores_uploads for table in card.tables),
    }
    return render(request, "benchmark/page.html", context)
