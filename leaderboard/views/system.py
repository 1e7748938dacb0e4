"""A system's page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from leaderboard import access_systems
from leaderboard.tables.system_page import system_page


def system(request: HttpRequest, slug: str) -> HttpResponse:
    """Card, results, strengths and weaknesses, and how it came to be what it is."""
    found = access_systems.system(request.user, slug)
    page = system_page(
        found,
        releases=access_systems.releases_with_scores(request.user),
        submissions=access_systems.named_submissions(request.user),
        track=request.GET.get("on", ""),
    )
    return render(request, "system/page.html", {"system": found, "page": page})
