"""What follows from a correction or another panel: differences, costs, rescoring."""

from collections.abc import Callable
from urllib.parse import quote

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from leaderboard import access
from leaderboard.curation import diff, panels, rescoring
from leaderboard.curation.batches import recent
from leaderboard.curation.refusals import Refused
from leaderboard.forms.curate import PanelForm
from leaderboard.forms.curate_track import TrackForm
from leaderboard.http import signed_in
from leaderboard.models import Batch, Release
from leaderboard.pipeline import attendance, options
from leaderboard.tables.labels import judge_title

PER_PAGE = 25


@login_required
@never_cache
def changes(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """What differs from the release that it corrects (or ``?from=``), and what that costs."""
    new = access.curated_release(request.user, slug, version)
    old = _older(request, new)
    found = diff.compare(old, new)
    context = {
        "release": new,
        "benchmark": new.benchmark,
        "diff": found,
        "page": Paginator(found.changed, PER_PAGE).get_page(request.GET.get("page")),
        "plan": rescoring.plan(old, new),
        "batches": recent(new.benchmark, timezone.now()),
        "others": new.benchmark.releases.exclude(pk=new.pk).order_by("-pk"),
    }
    return render(request, "curate/changes.html", context)


@login_required
@require_POST
def rescore(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Take the public submissions of the older release in on this one, at low priority."""
    new = access.curated_release(request.user, slug, version)
    old = _older(request, new)
    begun(request, lambda: rescoring.rescore(old=old, new=new, actor=signed_in(request)))
    return redirect(f"{reverse('curate-changes', args=[slug, version])}?from={quote(old.version)}")


@login_required
@never_cache
def track(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """The judges of a track, and what has to be scored by them."""
    found = access.curated_track(request.user, slug, version, track)
    form = PanelForm(request.POST if request.method == "POST" else None, track=found)
    if form.is_valid() and (made := form.save_for(signed_in(request))):
        titles = ", ".join(map(judge_title, made.judges))
        messages.success(request, f"{made.name} is judged by {titles} now.")
        return redirect("curate-track", slug, version, made.slug)
    context = {
        "track": found,
        "release": found.release,
        "benchmark": found.release.benchmark,
        "form": form,
        "lacking": panels.lacking(found),
        "batches": recent(found.release.benchmark, timezone.now()),
        "newer": getattr(found, "replaced_by", None),
        "silent": attendance.silent(options.judges_for(found.protocol), now=timezone.now()),
    }
    return render(request, "curate/track.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def uploads(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """Open a track to uploads, or close it."""
    found = access.curated_track(request.user, slug, version, track)
    takes = request.POST.get("takes") == "yes"
    try:
        panels.take_uploads(track=found, takes=takes, actor=signed_in(request))
        messages.success(
            request, f"{found.name} takes {'uploads now' if takes else 'no more uploads'}."
        )
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("curate-track", slug, version, track)


@login_required
@never_cache
def new_track(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Another table of the release."""
    found = access.curated_release(request.user, slug, version)
    form = TrackForm(request.POST or None)
    if form.is_valid() and (made := form.save_for(found, signed_in(request))):
        messages.success(request, f"The track {made.name} is there.")
        return redirect("curate-track", slug, version, made.slug)
    context = {"release": found, "benchmark": found.benchmark, "form": form}
    return render(request, "curate/new_track.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def queue(request: HttpRequest, slug: str, version: str, track: str) -> HttpResponse:
    """Queue what is lacking, at low priority."""
    found = access.curated_track(request.user, slug, version, track)
    begun(request, lambda: panels.queue_lacking(track=found, actor=signed_in(request)))
    return redirect("curate-track", slug, version, track)


def begun(request: HttpRequest, begin: Callable[[], Batch]) -> None:
    """Begin something for many submissions, and say what was begun or why not."""
    try:
        total = begin().total
    except Refused as refused:
        messages.error(request, str(refused))
    else:
        said = f"Begun for {total} submission{'s' if total != 1 else ''}; see how far it is below."
        messages.success(request, said if total else "There is nothing to do.")


def _older(request: HttpRequest, new: Release) -> Release:
    """The release that is compared with: that of the address, else the corrected one."""
    asked = request.POST.get("from") or request.GET.get("from") or ""
    if asked:
        return access.curated_release(request.user, new.benchmark.slug, asked)
    if new.corrects is None:
        raise Http404("It corrects no release.")
    return new.corrects
