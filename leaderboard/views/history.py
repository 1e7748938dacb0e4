"""Rankings as they were: the table of a day, all stored ones, and one system's way."""

from __future__ import annotations

from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from leaderboard import access, tables
from leaderboard.models import Provenance, Track
from leaderboard.tables import ranking_history as stored

PER_PAGE = 25


def then(request: HttpRequest, track: Track) -> HttpResponse:
    """The table as it was at ``?at=``, marked as such."""
    context, provenance = _context(request, track)
    wanted = request.GET.get("at", "").strip()
    moment = stored.moment_of(wanted)
    ranking = stored.ranking_at(track, provenance, moment) if moment else None
    if ranking is not None:
        context["board"] = tables.board(ranking)
    context |= {"wanted": wanted, "moment": moment}
    return render(request, "history/then.html", context, status=200 if moment else 422)


def rankings(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """Every stored ranking, the newest first, and what was new in it."""
    context, provenance = _context(request, access.track(slug, version, track))
    found = stored.light(stored.rankings_of(context["track"], provenance))
    page = Paginator(found, PER_PAGE).get_page(request.GET.get("page"))
    older = found[page.end_index() : page.end_index() + 1] if page.has_next() else ()
    context |= {
        "page": page,
        "steps": stored.steps(list(page), next(iter(older), None)),
    }
    return render(request, "history/rankings.html", context)


def system(request: HttpRequest, slug: str, version: str, track: str, system: str) -> HttpResponse:
    """Why a system's place changed, step by step."""
    context, provenance = _context(request, access.track(slug, version, track))
    way = stored.way_of(context["track"], provenance, system)
    if not way.steps:
        raise Http404("No ranking shows such a system.")
    context |= {"way": way, "name": way.steps[0].name, "system": system}
    return render(request, "history/system.html", context)


def _context(request: HttpRequest, track: Track) -> tuple[dict[str, Any], str]:
    """404 under an embargo: what was ranked then is as closed as what is now."""
    if not access.shows_scores(request.user, track.release):
        raise Http404("Under embargo.")
    there = list(tables.latest_rankings(track))
    asked = request.GET.get("provenance", "")
    provenance = asked if asked in there else next(iter(there), Provenance.VERIFIED.value)
    context: dict[str, Any] = {
        "track": track,
        "release": track.release,
        "benchmark": track.release.benchmark,
        "provenance": provenance,
        "provenances": there,
    }
    return context, provenance
