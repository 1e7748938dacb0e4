"""The curators' workspace: benchmarks, their cards and their curators."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from leaderboard import access
from leaderboard.curation.batches import recent
from leaderboard.curation.quotas import policy_of
from leaderboard.forms.curate import CardForm, CuratorsForm, NewBenchmarkForm
from leaderboard.forms.quota import QuotaForm
from leaderboard.http import signed_in
from leaderboard.intake.quota import STATED


@login_required
@never_cache
def benchmarks(request: HttpRequest) -> HttpResponse:
    """Those that one curates."""
    found = access.curated_benchmarks(request.user).prefetch_related("releases")
    context = {"benchmarks": found, "may_add": access.may_add_benchmarks(request.user)}
    return render(request, "curate/list.html", context)


@login_required
@never_cache
def new_benchmark(request: HttpRequest) -> HttpResponse:
    """A card to fill in; the benchmark is seen by others once it has a published release."""
    access.adds_benchmarks(request.user)
    form = NewBenchmarkForm(request.POST or None)
    if form.is_valid() and (made := form.save_for(signed_in(request))):
        return redirect("curate-benchmark", made.slug)
    context = {"form": form, "title": "New benchmark"}
    return render(request, "curate/card.html", context, status=422 if form.is_bound else 200)


@login_required
@never_cache
def benchmark(request: HttpRequest, slug: str) -> HttpResponse:
    """Its releases, and everything that can be done."""
    found = access.curated_benchmark(request.user, slug)
    names = "\n".join(found.curators.order_by("username").values_list("username", flat=True))
    context = {
        "benchmark": found,
        "releases": found.releases.prefetch_related("tracks").order_by("-pk"),
        "curators": CuratorsForm(initial={"curators": names}),
        "batches": recent(found, timezone.now()),
    }
    return render(request, "curate/benchmark.html", context)


@login_required
@never_cache
def card(request: HttpRequest, slug: str) -> HttpResponse:
    """Name, texts, licence, citation and policies."""
    found = access.curated_benchmark(request.user, slug)
    form = CardForm(request.POST or None, instance=found)
    if form.is_valid() and form.save_for(signed_in(request)):
        messages.success(request, "The card has been changed.")
        return redirect("curate-benchmark", slug)
    context = {"form": form, "benchmark": found, "title": "Card and policies"}
    return render(request, "curate/card.html", context, status=422 if form.is_bound else 200)


@login_required
@never_cache
def quota(request: HttpRequest, slug: str) -> HttpResponse:
    """How much may be submitted, and when."""
    found = access.curated_benchmark(request.user, slug)
    form = QuotaForm(request.POST or None, instance=policy_of(found))
    if form.is_valid() and form.save_for(signed_in(request)):
        messages.success(request, "The quota has been changed.")
        return redirect("curate-benchmark", slug)
    context = {"form": form, "benchmark": found, "stated": STATED}
    return render(request, "curate/quota.html", context, status=422 if form.is_bound else 200)


@login_required
@never_cache
def curators(request: HttpRequest, slug: str) -> HttpResponse:
    """Who else may do all this."""
    found = access.curated_benchmark(request.user, slug)
    form = CuratorsForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and form.save_for(found, signed_in(request)):
        messages.success(request, "The curators have been changed.")
        return redirect("curate-benchmark", slug)
    if not form.is_bound:
        return redirect("curate-benchmark", slug)
    return render(request, "curate/curators.html", {"form": form, "benchmark": found}, status=422)
