"""What an owner does to a submission on its page: publish, hide, withdraw."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from leaderboard import access
from leaderboard.forms import VisibilityForm, WithdrawForm
from leaderboard.http import signed_in
from leaderboard.intake import visibility as intake


@login_required
@require_POST
def change(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Public, anonymous or private, as far as the benchmark's rules go."""
    found = access.own_submission(request.user, pk)
    form = VisibilityForm(request.POST, submission=found)
    try:
        if form.is_valid():
            intake.set_visibility(found, actor=signed_in(request), **form.cleaned_data)
            messages.success(request, "Changed. The boards follow within seconds.")
        else:
            messages.error(request, "Not changed: choose who sees it, and a moment that exists.")
    except intake.NotAllowed as refused:
        messages.error(request, str(refused))
    return redirect(found)


@login_required
@require_POST
def withdraw(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Off the board for good."""
    found = access.own_submission(request.user, pk)
    form = WithdrawForm(request.POST)
    try:
        if form.is_valid():
            intake.withdraw(found, actor=signed_in(request), reason=form.cleaned_data["reason"])
            messages.success(request, "Withdrawn. The boards follow within seconds.")
        else:
            messages.error(request, "Not withdrawn: the reason may have 300 characters.")
    except intake.NotAllowed as refused:
        messages.error(request, str(refused))
    return redirect(found)
