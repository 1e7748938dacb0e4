"""Search."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from leaderboard import access_systems
from leaderboard.tables.search import search as find


def search(request: HttpRequest) -> HttpResponse:
    """Benchmarks, systems and clips in which all words of ``?q=`` stand."""
    found = find(
        request.GET.get("q", ""),
        systems=access_systems.systems(request.user),
        references=access_systems.releases_with_references(request.user),
        only=request.GET.get("in", ""),
        page=request.GET.get("page", ""),
    )
    return render(request, "search/page.html", {"found": found})
