"""News of a benchmark and numbers of papers, in the workspace."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from leaderboard import access, access_curated
from leaderboard.curation import news as curation
from leaderboard.curation import reported as numbers
from leaderboard.forms.news import AnnouncementForm, ReportedForm
from leaderboard.http import signed_in

PER_PAGE = 100


@login_required
@never_cache
def news(request: HttpRequest, slug: str) -> HttpResponse:
    """What was announced, and a form for more."""
    found = access.curated_benchmark(request.user, slug)
    form = AnnouncementForm(request.POST or None)
    if form.is_valid() and form.post(found, signed_in(request)):
        messages.success(request, "Posted.")
        return redirect("curate-news", slug)
    context = {"benchmark": found, "form": form, "news": found.announcements.all()}
    return render(request, "curate/news.html", context, status=422 if form.is_bound else 200)


@login_required
@never_cache
def edit_news(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """One of them, to be changed."""
    found = access_curated.curated_announcement(request.user, slug, pk)
    initial = {"title": found.title, "text": found.text}
    form = AnnouncementForm(request.POST or None, initial=initial)
    if form.is_valid() and form.change(found, signed_in(request)):
        messages.success(request, "Changed.")
        return redirect("curate-news", slug)
    context = {"benchmark": found.benchmark, "form": form, "announcement": found}
    return render(request, "curate/news.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def remove_news(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take it away."""
    found = access_curated.curated_announcement(request.user, slug, pk)
    curation.remove(announcement=found, actor=signed_in(request))
    messages.success(request, "Taken away.")
    return redirect("curate-news", slug)


@login_required
@never_cache
def reported(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """The numbers of papers on a track, and a form for another one."""
    found = access.curated_track(request.user, slug, version, track)
    form = ReportedForm(request.POST or None, track=found)
    if form.is_valid() and form.save_for(signed_in(request)):
        messages.success(request, "Stored. The reported table follows at once.")
        return redirect("curate-reported", slug, version, track)
    rows = found.reported.select_related("system").order_by(
        "system__name", "judge", "metric", "part"
    )
    context = {
        "track": found,
        "release": found.release,
        "benchmark": found.release.benchmark,
        "form": form,
        "page": Paginator(rows, PER_PAGE).get_page(request.GET.get("page")),
    }
    return render(request, "curate/reported.html", context, status=422 if form.is_bound else 200)


@login_required
@never_cache
def edit_reported(
    request: HttpRequest, slug: str, version: str, track: str, pk: int
) -> HttpResponse:
    """One of them, to be changed."""
    found = access.curated_track(request.user, slug, version, track)
    result = access_curated.reported_result(found, pk)
    form = ReportedForm(request.POST or None, track=found, result=result)
    if form.is_valid() and form.save_for(signed_in(request)):
        messages.success(request, "Changed. The reported table follows at once.")
        return redirect("curate-reported", slug, version, track)
    context = {
        "track": found,
        "release": found.release,
        "benchmark": found.release.benchmark,
        "form": form,
        "result": result,
    }
    return render(request, "curate/reported.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def remove_reported(
    request: HttpRequest, slug: str, version: str, track: str, pk: int
) -> HttpResponse:
    """Take a number away."""
    found = access.curated_track(request.user, slug, version, track)
    result = access_curated.reported_result(found, pk)
    numbers.remove_result(result=result, actor=signed_in(request))
    messages.success(request, "Taken away. The reported table follows at once.")
    return redirect("curate-reported", slug, version, track)
