"""What curators have asked for many submissions, and how far it is."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from leaderboard import access
from leaderboard.curation.batches import of, recent

PER_PAGE = 50


@login_required
@never_cache
def batches(request: HttpRequest, slug: str) -> HttpResponse:
    """All of a benchmark; asked for by a page that shows the recent ones, only these."""
    found = access.curated_benchmark(request.user, slug)
    if request.headers.get("HX-Request"):
        context = {"benchmark": found, "batches": recent(found, timezone.now())}
        return render(request, "curate/_batches.html", context)
    page = Paginator(of(found), PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "curate/batches.html", {"benchmark": found, "page": page})
