"""The first page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from leaderboard import tables


def home(request: HttpRequest) -> HttpResponse:
    """What this is, and every benchmark with the top of its tables."""
    return render(request, "home.html", {"cards": tables.cards(viewer=request.user)})
