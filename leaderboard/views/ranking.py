"""A track's ranking, what may be claimed of it, and how far it can be trusted."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers

from leaderboard import access, tables
from leaderboard.models import Track
from leaderboard.tables.reliability import Report
from leaderboard.tables.system import known_slugs
from leaderboard.views import history
from leaderboard.views.asked import Asked
from leaderboard.views.parts import table_part


def ranking(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """The newest table of one provenance, under the address's choices, sorted as it says."""
    found = access.track(slug, version, track)
    if "at" in request.GET:
        return history.then(request, found)
    asked = Asked.of(request, found, whole=False)
    context = asked.context() | {"tracks": list(found.release.tracks.order_by("position", "slug"))}
    context["waiting"] = tables.being_scored(found)
    if asked.ranking is not None:
        context["part"] = table_part(request, asked, context)
    return render(request, "ranking/page.html", context)


def claims(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """What may be said of the top of the table: a part that the ranking's page asks for."""
    asked = Asked.of(request, access.track(slug, version, track), whole=False)
    return render(request, "ranking/_claims.html", {"report": _report(asked)})


def reliability(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """Everything that says how sure the ranking is."""
    asked = Asked.of(request, access.track(slug, version, track))
    report = _report(asked)
    linked = known_slugs(line.system for line in report.standings)
    context = asked.context() | asked.choices() | {"report": report, "linked": linked}
    return render(request, "reliability/page.html", context)


def relations(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """LLMFactsF1 beside the other metrics of the release."""
    found = access.track(slug, version, track)
    asked = Asked.of(request, found)
    shown = asked.ranking
    report = tables.relations(shown) if shown and found.protocol == Track.Protocol.FACTS else None
    if report is None:
        raise Http404("There are no other metrics to compare with.")
    linked = known_slugs(row[0] for row in report.rows)
    context = asked.context() | {"report": report, "linked": linked}
    return render(request, "relations/page.html", context)


def explore(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """What lies behind the table's means; 404 where only means are known."""
    found = access.track(slug, version, track)
    asked = Asked.of(request, found, whole=False)
    shown = asked.ranking if tables.can_choose(found) else None
    report = tables.explored(shown, asked.choice) if shown else None
    if report is None:
        raise Http404("There are no scores per clip to look into.")
    context = asked.context() | asked.choices(filters=False) | {"report": report}
    return render(request, "explore/page.html", context)


def _report(asked: Asked) -> Report:
    if asked.ranking is None or not tables.can_choose(asked.track):
        raise Http404("Nothing has been ranked that could be resampled.")
    return tables.reliability(asked.ranking, asked.choice)


def summary(request: HttpRequest, slug: str, version: str, track: str, system: str) -> HttpResponse:
    """One system of the table in short: a part that a row unfolds, or a page of its own."""
    asked = Asked.of(request, access.track(slug, version, track))
    found = asked.summary(system)
    if found is None:
        raise Http404("The table has no such system.")
    template = "ranking/_summary.html" if request.headers.get("HX-Request") else "summary/page.html"
    response = render(request, template, asked.context() | {"summary": found})
    patch_vary_headers(response, ["HX-Request"])
    return response
