"""Bringing data in: a file is checked and previewed, and stored only when told so."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from leaderboard import access
from leaderboard.curation import releases, sources, staging
from leaderboard.curation.refusals import InvalidData, Refused
from leaderboard.forms.curate import DataForm, VersionForm
from leaderboard.http import signed_in
from leaderboard.limits import spend
from leaderboard.models import Benchmark, Release

PREVIEWED = 20


@login_required
@never_cache
def add(request: HttpRequest, slug: str) -> HttpResponse:
    """Data for a new release."""
    return _checked(request, access.curated_benchmark(request.user, slug), None)


@login_required
@never_cache
def replace(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """Other data for a draft."""
    found = access.curated_release(request.user, slug, version)
    return _checked(request, found.benchmark, found)


@login_required
@require_POST
def store(request: HttpRequest, slug: str) -> HttpResponse:
    """The file that was checked becomes a draft."""
    found = access.curated_benchmark(request.user, slug)
    form, user = VersionForm(request.POST), signed_in(request)
    ticket = request.POST.get("ticket", "")
    context: dict[str, Any] = {"benchmark": found, "version_form": form, "ticket": ticket}
    try:
        held = staging.staged(ticket, benchmark=found, user=user)
        data = sources.read(held.data, held.filename, held.kind)
        context |= _preview(data) | {"filename": held.filename}
        if form.is_valid():
            made = releases.add_release(benchmark=found, data=data, actor=user, **form.cleaned_data)
            staging.forget(ticket, benchmark=found, user=user)
            return redirect("curate-release", slug, made.version)
    except ValidationError as unfit:
        form.add_error(None, unfit)
    except (Refused, InvalidData) as refused:
        messages.error(request, str(refused))
        return redirect("curate-data", slug)
    return render(request, "curate/checked.html", context, status=422)


@login_required
@require_POST
def store_replacement(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """The file that was checked becomes the draft's data."""
    found = access.curated_release(request.user, slug, version)
    user, ticket = signed_in(request), request.POST.get("ticket", "")
    try:
        held = staging.staged(ticket, benchmark=found.benchmark, user=user)
        data = sources.read(held.data, held.filename, held.kind)
        releases.replace_data(release=found, data=data, actor=user)
        staging.forget(ticket, benchmark=found.benchmark, user=user)
    except (Refused, InvalidData) as refused:
        messages.error(request, str(refused))
    return redirect("curate-release", slug, version)


def _checked(request: HttpRequest, benchmark: Benchmark, release: Release | None) -> HttpResponse:
    """The form, or what was found in the file and the way to store it."""
    if request.method == "POST":
        spend(request, "upload", request.user)
    form = DataForm(request.POST or None, request.FILES or None)
    context: dict[str, Any] = {"benchmark": benchmark, "release": release, "form": form}
    context["formats"] = sources.FORMATS
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        return render(request, "curate/data.html", context, status=status)
    upload, kind = form.cleaned_data["file"], form.cleaned_data["kind"]
    content = upload.read()
    data = sources.read(content, upload.name, kind)
    context |= _preview(data) | {"filename": upload.name}
    if not data.ok:
        return render(request, "curate/data.html", context, status=422)
    context["ticket"] = staging.stage(
        data=content,
        filename=upload.name,
        kind=kind,
        benchmark=benchmark,
        user=signed_in(request),
    )
    context["version_form"] = VersionForm()
    return render(request, "curate/checked.html", context)


def _preview(data: sources.Data) -> dict[str, Any]:
    return {
        "data": data,
        "errors": data.errors,
        "warnings": data.warnings,
        "clips": data.clips[:PREVIEWED],
    }
