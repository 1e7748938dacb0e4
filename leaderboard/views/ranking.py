"""A track's ranking, what may be claimed of it, and how far it can be trusted."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from leaderboard import access, tables
from leaderboard.models import Ranking, Track

# What the form of choices leaves as it is.
KEPT = ("provenance", "metric", "sort")


def ranking(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """The newest table of one provenance, under the address's choices, sorted as it says."""
    found = access.track(slug, version, track)
    context, shown = asked(request, found)
    context |= {"tracks": found.release.tracks.all(), "waiting": tables.being_scored(found)}
    if shown is not None:
        chosen = tables.chosen_ranking(shown, context["choice"])
        own = tables.own_in(found.release, request.user)
        metric, sort = request.GET.get("metric", ""), request.GET.get("sort", "")
        context["board"] = board = tables.board(chosen, metric=metric, sort=sort, own=own)
        context["sort"] = board.sort
        context["agreement"] = tables.agreement(chosen)
        context["breakdown"] = tables.breakdown(chosen, board.metric)
        context["families"] = tables.families(chosen, board.metric)
        context["ablations"] = tables.ablations(chosen)
        context["spreads"] = tables.spreads(chosen, board.metric)
        context["hardest"] = tables.hardest(chosen, board.metric)
    return render(request, "ranking/page.html", context)


def claims(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """What may be said of the top of the table: a part that the ranking's page asks for."""
    return _reliability(request, access.track(slug, version, track), "ranking/_claims.html")


def reliability(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """Everything that says how sure the ranking is."""
    return _reliability(request, access.track(slug, version, track), "reliability/page.html")


def relations(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """LLMFactsF1 beside the other metrics of the release."""
    found = access.track(slug, version, track)
    context, shown = asked(request, found)
    report = tables.relations(shown) if shown and found.protocol == Track.Protocol.FACTS else None
    if report is None:
        raise Http404("There are no other metrics to compare with.")
    return render(request, "relations/page.html", context | {"report": report})


def _reliability(request: HttpRequest, track: Track, template: str) -> HttpResponse:
    context, shown = asked(request, track)
    if shown is None or not context["can_choose"]:
        raise Http404("Nothing has been ranked that could be resampled.")
    context["ranking"] = shown
    context["report"] = tables.reliability(shown, context["choice"])
    return render(request, template, context)


def asked(request: HttpRequest, track: Track) -> tuple[dict[str, Any], Ranking | None]:
    """What these pages share: the track, its rankings, the one asked for, and the choice."""
    rankings = tables.latest_rankings(track)
    asked = request.GET.get("provenance", "")
    shown = rankings.get(asked) or next(iter(rankings.values()), None)
    can_choose = tables.can_choose(track)
    categories = tables.categories_of(track.release) if can_choose else []
    return {
        "track": track,
        "release": track.release,
        "benchmark": track.release.benchmark,
        "rankings": rankings.values(),
        "provenance": shown.provenance if shown else "",
        "can_choose": can_choose,
        "choice": tables.Choice.parse(request.GET, track.judges, categories)
        if can_choose
        else tables.Choice(),
        "judges": [(judge, tables.judge_title(judge)) for judge in track.judges],
        "categories": categories,
        "has_durations": can_choose and tables.has_durations(track.release),
        "kept": [(name, request.GET[name]) for name in KEPT if request.GET.get(name)],
        "intervals": tables.INTERVALS.items(),
    }, shown
