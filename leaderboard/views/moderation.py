"""Moderation: submissions that wait, are flagged or hidden; who shares files or machines; bans."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from leaderboard import access, access_curated
from leaderboard.curation import bans, local_bans
from leaderboard.curation.refusals import Refused
from leaderboard.forms.moderation import BanForm, ModerateForm
from leaderboard.http import next_page, signed_in
from leaderboard.models import Ban
from leaderboard.tables.moderation import SHOWN, queue
from leaderboard.tables.shared_files import shared_files
from leaderboard.tables.shared_machines import shared_machines

PER_PAGE = 50


@login_required
@never_cache
def moderation(request: HttpRequest, slug: str) -> HttpResponse:
    """What waits, or with ``?show=`` and ``?q=`` other submissions, and who shares files."""
    found = access.curated_benchmark(request.user, slug)
    asked = queue(request.user, found, request.GET.get("show", ""), request.GET.get("q", ""))
    context = {
        "benchmark": found,
        "queue": asked,
        "shown": SHOWN.items(),
        "page": Paginator(asked.submissions, PER_PAGE).get_page(request.GET.get("page")),
        "shared": shared_files(request.user, found),
        "bans": Ban.objects.filter(benchmark=found).select_related("user"),
        "machines": shared_machines(request.user, found),
    }
    return render(request, "curate/moderation.html", context)


@login_required
@require_POST
def moderate(request: HttpRequest, slug: str, pk: UUID) -> HttpResponse:
    """Do one thing about one submission."""
    found = access_curated.moderated_submission(request.user, slug, pk)
    form = ModerateForm(request.POST)
    try:
        if form.is_valid():
            form.apply(found, signed_in(request))
            messages.success(request, "Done. Whoever sent it is told; the boards follow at once.")
        else:
            messages.error(request, "Not done: choose what to do; a reason has 300 characters.")
    except Refused as refused:
        messages.error(request, str(refused))
    if "next" in request.POST:
        return HttpResponseRedirect(next_page(request))
    return redirect("curate-moderation", slug)


@login_required
@require_POST
def unban_here(request: HttpRequest, slug: str, username: str) -> HttpResponse:
    """Let an account submit to the benchmark again."""
    found = access_curated.local_ban(request.user, slug, username)
    local_bans.unban(banned=found, actor=signed_in(request))
    messages.success(request, f"{username} may submit here again.")
    return redirect("curate-moderation", slug)


@login_required
@never_cache
def people(request: HttpRequest) -> HttpResponse:
    """Staff: banned accounts, and a form to ban another."""
    access_curated.staff_only(request.user)
    initial = {"username": request.GET.get("user", "")}
    form = BanForm(request.POST or None, initial=initial)
    try:
        if form.is_valid():
            given = form.cleaned_data
            bans.ban(user=given["username"], reason=given["reason"], actor=signed_in(request))
            messages.success(request, "Banned. The person is told why.")
            return redirect("curate-people")
    except Refused as refused:
        form.add_error(None, str(refused))
    context = {"form": form, "banned": bans.banned()}
    return render(request, "curate/people.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def unban(request: HttpRequest, username: str) -> HttpResponse:
    """Staff: let an account submit again."""
    user = access_curated.person(request.user, username)
    try:
        bans.unban(user=user, actor=signed_in(request))
        messages.success(request, f"{username} may submit again.")
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("curate-people")
