"""A track's ranking."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from leaderboard import access, tables


def ranking(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """The newest table of one provenance, sorted as the address says."""
    found = access.track(slug, version, track)
    rankings = tables.latest_rankings(found)
    asked = request.GET.get("provenance", "")
    shown = rankings.get(asked) or next(iter(rankings.values()), None)
    context = {
        "track": found,
        "release": found.release,
        "benchmark": found.release.benchmark,
        "tracks": found.release.tracks.all(),
        "rankings": rankings.values(),
        "waiting": tables.being_scored(found),
    }
    if shown is not None:
        metric, sort = request.GET.get("metric", ""), request.GET.get("sort", "")
        context["board"] = board = tables.board(shown, metric=metric, sort=sort)
        context["sort"] = board.sort
        context["agreement"] = tables.agreement(shown)
    return render(request, "ranking/page.html", context)
