"""Submissions: the form, the page that shows progress and scores, one's own."""

from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache

from leaderboard import access, access_files, access_systems, tables
from leaderboard.forms import SubmissionForm, VisibilityForm, WithdrawForm
from leaderboard.http import signed_in
from leaderboard.intake import CheckReport, InvalidUpload, allowance, allowances
from leaderboard.intake.visibility import hideable_until, may_hide
from leaderboard.limits import spend
from leaderboard.media import served
from leaderboard.models import Submission
from leaderboard.people import sightings
from leaderboard.tables.system import card_of
from scoring.diagnostics import FLAGS

PER_PAGE = 50


@login_required
def submit(request: HttpRequest, slug: str) -> HttpResponse:
    """The form; a file that is only checked, or cannot be scored, comes back with a report."""
    release, user = access.newest_release(slug), signed_in(request)
    if request.method == "POST":
        spend(request, "upload", user)
    initial = {name: request.GET.get(name, "") for name in ("kind", "track")}
    form = SubmissionForm(
        request.POST or None,
        request.FILES or None,
        initial=initial,
        user=user,
        release=release,
        checking="check" in request.POST,
    )
    report: CheckReport | None = None
    if request.method == "POST" and form.is_valid():
        try:
            stored = None if form.checking else form.submit()
            if stored is not None:
                sightings.note(request, user)
                return redirect(stored)
            report = form.check() if form.checking else None
        except InvalidUpload as refused:
            report = form.check(refused)
    context = {
        "form": form,
        "report": report,
        "release": release,
        "benchmark": release.benchmark,
        "allowances": allowances(release, user),
        "examples": tables.examples(release),
    }
    fine = not form.is_bound or (report is not None and report.ok)
    return render(request, "submission/form.html", context, status=200 if fine else 422)


@never_cache
def submission(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Progress, then scores and the place on the board."""
    return _submission(request, pk, "submission/page.html", whole=True)


@never_cache
def progress(request: HttpRequest, pk: UUID) -> HttpResponse:
    """The part of that page that changes, asked for again until it is final."""
    return _submission(request, pk, "submission/_report.html")


def _submission(
    request: HttpRequest, pk: UUID, template: str, *, whole: bool = False
) -> HttpResponse:
    found = access.submission(request.user, pk)
    now = timezone.now()
    report = tables.report(found, now=now)
    scores = access.shows_scores_of(request.user, found)
    if not access.shows_scores(request.user, found.release):
        report = tables.under_embargo(report, scores=scores)
    context: dict[str, object] = {
        "submission": found,
        "names": access.names(request.user, found),
        "release": found.release,
        "benchmark": found.release.benchmark,
        "report": report,
        "embargo": not scores,
        "now": now,
        "steers": access.steers(request.user, found),
        # A part of the page says aloud only what the page has not said yet.
        "news": request.GET.get("finished") != str(report.finished) or report.final,
    }
    return render(request, template, context | (_around(request, found) if whole else {}))


def _around(request: HttpRequest, found: Submission) -> dict[str, object]:
    """What does not change while judges are at work: whose it is, who sees it, its versions."""
    diagnostics = tables.diagnostics(request.user, found)
    own = access.is_own(request.user, found)
    shown: dict[str, object] = {
        "diagnostics": diagnostics,
        # What the diagnostics show is not said a second time.
        "warnings": [w for w in found.warnings if not diagnostics or w["code"] not in FLAGS],
        "own": own,
        "has_file": own or access_files.has_file(request.user, found),
        "curates": access.curates(request.user, found.release.benchmark),
        "sender": tables.sender(found) if access.sees_names(request.user, found) else "",
        "nameless": found.is_nameless(timezone.now()),
        "versions": access.versions(request.user, found),
        "card": card_of(found.system),
        "own_system": access_systems.own_systems(request.user).contains(found.system),
    }
    if own:
        shown |= {
            "visibility_form": VisibilityForm(submission=found),
            "withdraw_form": WithdrawForm(),
            "may_hide": may_hide(found, timezone.now()),
            "hideable_until": hideable_until(found),
            "allowance": (left := allowance(found.release, signed_in(request), found.team)),
            "quota_of": found.team if left.per_team else None,
        }
    return shown


@never_cache
def file(request: HttpRequest, pk: UUID) -> HttpResponseBase:
    """The file as it was uploaded, under its name."""
    found = access_files.file_of(request.user, pk)
    return served(request, found.file, filename=found.original_name)


@login_required
def submissions(request: HttpRequest) -> HttpResponse:
    """One's own, newest first."""
    lines = tables.submissions_of(signed_in(request))
    page = Paginator(lines, PER_PAGE).get_page(request.GET.get("page"))
    return render(request, "submission/list.html", {"page": page})
