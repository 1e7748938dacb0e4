"""Teams: one's own, who is in them, invitations. What one is not in does not exist."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from leaderboard import access, tables
from leaderboard.forms import InviteForm, RoleForm, TeamForm
from leaderboard.http import signed_in
from leaderboard.models import Team
from leaderboard.people import teams
from leaderboard.people.teams import TeamRule


@login_required
@never_cache
def team_list(request: HttpRequest) -> HttpResponse:
    """One's teams, the invitations that wait for an answer, and a form for a new team."""
    user = signed_in(request)
    form = TeamForm(request.POST or None)
    if form.is_valid():
        return redirect(teams.create(user=user, **form.cleaned_data))
    context = {
        "form": form,
        "teams": Team.objects.of(user),
        "inviting": Team.objects.inviting(user),
    }
    return render(request, "team/list.html", context, status=422 if form.is_bound else 200)


@login_required
@never_cache
def team(request: HttpRequest, slug: str) -> HttpResponse:
    """Who is in it; owners change that."""
    found = access.team(request.user, slug)
    context = {
        "team": found,
        "page": tables.team_page(found, signed_in(request)),
        "form": InviteForm(),
    }
    return render(request, "team/page.html", context)


@login_required
@require_POST
def invite(request: HttpRequest, slug: str) -> HttpResponse:
    """By username or mail address."""
    found = access.owned_team(request.user, slug)
    form = InviteForm(request.POST)
    if not form.is_valid():
        messages.error(request, "Name whom to invite: a username or a mail address.")
        return redirect(found)
    return _told(
        request, found, lambda: teams.invite(team=found, by=signed_in(request), **form.cleaned_data)
    )


@login_required
@require_POST
def take_back(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """An invitation that went by mail."""
    found = access.owned_team(request.user, slug)
    get_object_or_404(found.invitations, pk=pk).delete()
    messages.success(request, "The invitation has been taken back.")
    return redirect(found)


@login_required
@require_POST
def accept(request: HttpRequest, slug: str) -> HttpResponse:
    """Join."""
    found = access.inviting_team(signed_in(request), slug)
    teams.accept(team=found, user=signed_in(request))
    messages.success(request, f"You are in the team {found}.")
    return redirect(found)


@login_required
@require_POST
def decline(request: HttpRequest, slug: str) -> HttpResponse:
    """Do not join."""
    found = access.inviting_team(signed_in(request), slug)
    teams.decline(team=found, user=signed_in(request))
    messages.success(request, f"You have declined the invitation of {found}.")
    return redirect("teams")


@login_required
@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Go; what one sent for the team stays with it."""
    found = access.team(request.user, slug)
    return _told(
        request,
        found,
        lambda: teams.leave(team=found, user=signed_in(request)),
        f"You have left the team {found}.",
        to="teams",
    )


@login_required
@require_POST
def dissolve(request: HttpRequest, slug: str) -> HttpResponse:
    """End a team that nobody else is in."""
    found = access.owned_team(request.user, slug)
    said, by = f"The team {found} is dissolved.", signed_in(request)
    return _told(request, found, lambda: teams.dissolve(team=found, by=by), said, to="teams")


@login_required
@require_POST
def remove(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """A member, or an invitation to a user."""
    member = access.membership(request.user, slug, pk)
    said = f"{member.user.get_username()} is not in the team any more."
    return _told(
        request,
        member.team,
        lambda: teams.remove(team=member.team, membership=member, by=signed_in(request)),
        said,
    )


@login_required
@require_POST
def set_role(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Owner or member."""
    member = access.membership(request.user, slug, pk)
    form = RoleForm(request.POST)
    if not form.is_valid():
        messages.error(request, "There are owners and members, no other roles.")
        return redirect(member.team)
    role = form.cleaned_data["role"]
    said = f"{member.user.get_username()} is {role} now."
    return _told(
        request,
        member.team,
        lambda: teams.set_role(
            team=member.team, membership=member, role=role, by=signed_in(request)
        ),
        said,
    )


def _told(
    request: HttpRequest,
    team: Team,
    act: Callable[[], str | None],
    said: str = "",
    *,
    to: str = "",
) -> HttpResponse:
    """Do it and say so, or say which rule is against it."""
    try:
        message = act() or said
    except TeamRule as rule:
        messages.error(request, str(rule))
        return redirect(team)
    messages.success(request, message)
    return redirect(to or team)
