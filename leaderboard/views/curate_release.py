"""A release in the workspace: its settings, its clips, and its way to publication."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from leaderboard import access
from leaderboard.curation import corrections, releases
from leaderboard.curation.readiness import obstacles
from leaderboard.curation.refusals import Refused
from leaderboard.forms.curate import ReleaseSettingsForm, VersionForm
from leaderboard.http import signed_in
from leaderboard.models import Release

PER_PAGE = 50


@login_required
@never_cache
def release(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """What it holds, what can be done with it, and its settings, which this stores."""
    found = access.curated_release(request.user, slug, version)
    form = ReleaseSettingsForm(request.POST or None, instance=found)
    if form.is_valid() and form.save_for(signed_in(request)):
        messages.success(request, "The settings have been changed.")
        return redirect("curate-release", slug, version)
    found.refresh_from_db()
    context = {
        "release": found,
        "benchmark": found.benchmark,
        "form": form,
        "counts": _counts(found) | {"excluded": found.clips.filter(excluded=True).count()},
        "tracks": found.tracks.all(),
        "obstacles": [] if found.is_frozen else obstacles(found),
        "correction": VersionForm(),
        "submissions": found.submissions.count(),
    }
    return render(request, "curate/release.html", context, status=422 if form.is_bound else 200)


def _counts(release: Release) -> dict[str, int]:
    """How many clips and references it holds."""
    return release.clips.aggregate(clips=Count("pk", distinct=True), texts=Count("references"))


@login_required
@never_cache
def clips(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Its clips; those of a draft can be left out, with a reason."""
    found = access.curated_release(request.user, slug, version)
    rows = found.clips.annotate(texts=Count("references")).order_by("position")
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    context = {"release": found, "benchmark": found.benchmark, "page": page}
    return render(request, "curate/clips.html", context)


@login_required
@require_POST
def exclude(request: HttpRequest, slug: str, version: str, key: str) -> HttpResponse:
    """Leave a clip out, or with ``include`` let it count again."""
    clip = access.curated_clip(request.user, slug, version, key)
    actor, reason = signed_in(request), request.POST.get("reason", "")
    try:
        if "include" in request.POST:
            releases.include_clip(clip=clip, actor=actor)
        else:
            releases.exclude_clip(clip=clip, reason=reason, actor=actor)
    except ValidationError as unfit:
        messages.error(request, " ".join(unfit.messages))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("curate-clips", slug, version)


@login_required
@require_POST
def publish(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Open a draft to everybody, for good."""
    found = access.curated_release(request.user, slug, version)
    try:
        releases.publish(release=found, actor=signed_in(request))
        messages.success(request, f"{found} is published; its data is frozen.")
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("curate-release", slug, version)


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def discard(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Ask whether a draft is to go, and what goes with it; posted, delete it."""
    found = access.curated_release(request.user, slug, version)
    if request.method != "POST":
        if found.is_frozen:
            return redirect("curate-release", slug, version)
        context = {"release": found, "benchmark": found.benchmark, "counts": _counts(found)}
        return render(request, "curate/discard.html", context)
    try:
        releases.discard(release=found, actor=signed_in(request))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("curate-release", slug, version)
    messages.success(request, f"The draft {version} is gone.")
    return redirect("curate-benchmark", slug)


@login_required
@require_POST
def correct(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """A new draft from a published release."""
    found = access.curated_release(request.user, slug, version)
    form = VersionForm(request.POST)
    try:
        if form.is_valid():
            made = corrections.correct(release=found, actor=signed_in(request), **form.cleaned_data)
            return redirect("curate-release", slug, made.version)
    except ValidationError as unfit:
        form.add_error(None, unfit)
    except Refused as refused:
        form.add_error(None, str(refused))
    context = {"release": found, "benchmark": found.benchmark, "form": form}
    return render(request, "curate/correct.html", context, status=422)
