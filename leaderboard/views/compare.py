"""A few systems of a track side by side."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from leaderboard import access, tables
from leaderboard.views.ranking import asked


def compare(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """Two to five systems of the address; a form to choose them while there are fewer."""
    context, shown = asked(request, access.track(slug, version, track))
    if shown is None:
        raise Http404("Nothing has been ranked that could be compared.")
    wanted = tables.asked_systems(shown, request.GET.getlist("system"))
    context |= {"asked": wanted, "intervals": ()}
    context["kept"] += [("system", system) for system in wanted.systems]
    if wanted.enough:
        found = tables.comparison(shown, context["choice"], wanted.systems)
        two = request.GET.get("x", ""), request.GET.get("y", "")
        context |= {"comparison": found, "focus": tables.focus(found, *two)}
    return render(request, "compare/page.html", context)
