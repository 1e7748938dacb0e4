"""A few systems of a track side by side."""

from dataclasses import replace

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from leaderboard import access, tables
from leaderboard.tables.system import known_slugs
from leaderboard.views.asked import Asked


def compare(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """Two to five systems of the address; a form to choose them while there are fewer."""
    found = Asked.of(request, access.track(slug, version, track))
    if found.ranking is None:
        raise Http404("Nothing has been ranked that could be compared.")
    wanted = tables.asked_systems(found.ranking, request.GET.getlist("system"))
    # The systems are named one by one here: no filter chooses among them.
    choice = replace(found.choice, systems=None)
    context = found.context() | found.choices(filters=False) | {"choice": choice}
    context |= {"asked": wanted, "intervals": ()}
    if wanted.enough:
        made = tables.comparison(found.ranking, choice, wanted.systems)
        two = request.GET.get("x", ""), request.GET.get("y", "")
        context |= {"comparison": made, "focus": tables.focus(made, *two)}
        context["linked"] = known_slugs(wanted.systems)
    return render(request, "compare/page.html", context)
