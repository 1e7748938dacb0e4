"""The first page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from leaderboard import tables
from leaderboard.tables.newest import newest


def home(request: HttpRequest) -> HttpResponse:
    """What this is, how to submit, the newest results, and the top of every benchmark's tables."""
    cards = tables.cards(viewer=request.user)
    return render(request, "home.html", {"cards": cards, "newest": newest(cards)})
