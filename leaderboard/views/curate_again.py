"""Scoring submissions of a track again: choose, see what would run, queue it."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from leaderboard import access
from leaderboard.curation.batches import recent
from leaderboard.forms.again import AgainForm
from leaderboard.http import signed_in
from leaderboard.views.curate_scores import begun

PER_PAGE = 100
ASKED = {"everything", "submission"}


@login_required
@never_cache
def again(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """The submissions; with some chosen in the address what would run; a POST queues it."""
    found = access.curated_track(request.user, slug, version, track)
    user = signed_in(request)
    given = request.POST if request.method == "POST" else request.GET
    form = AgainForm(given if ASKED & given.keys() else None, track=found, viewer=user)
    chosen = form.is_valid()
    if request.method == "POST" and chosen:
        begun(request, lambda: form.queue(user))
        return redirect("curate-again", slug, version, track)
    context = {
        "track": found,
        "release": found.release,
        "benchmark": found.release.benchmark,
        "form": form,
        "plan": form.plan() if chosen else None,
        "batches": recent(found.release.benchmark, timezone.now()),
        "page": Paginator(form.choices.order_by("-created_at"), PER_PAGE).get_page(
            request.GET.get("page")
        ),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "curate/again.html", context, status=status)
