"""What is done about a submission's runs on its page: cancel, try again."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from leaderboard import access
from leaderboard.http import signed_in
from leaderboard.intake import NotTaken, steer
from leaderboard.intake.visibility import NotAllowed


@login_required
@require_POST
def cancel(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Stop what is open."""
    found = access.steered_submission(request.user, pk)
    try:
        stopped = steer.cancel(found, actor=signed_in(request))
        messages.success(request, f"Cancelled: {_judges(len(stopped))}. Nothing of it is stored.")
    except NotAllowed as refused:
        messages.error(request, str(refused))
    return redirect(found)


@login_required
@require_POST
def retry(request: HttpRequest, pk: UUID) -> HttpResponse:
    """Try again what ended without a score."""
    found = access.steered_submission(request.user, pk)
    try:
        again = steer.retry(found, actor=signed_in(request))
        messages.success(request, f"Queued again: {_judges(len(again))}. It costs no quota.")
    except (NotAllowed, NotTaken) as refused:
        messages.error(request, str(refused))
    return redirect(found)


def _judges(number: int) -> str:
    return "1 judge" if number == 1 else f"{number} judges"
