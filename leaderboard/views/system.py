"""A system's page, and the form that changes its card."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from leaderboard import access_systems
from leaderboard.forms import HandOverForm, SystemForm
from leaderboard.http import signed_in
from leaderboard.intake import SystemTaken, cards
from leaderboard.intake.visibility import NotAllowed
from leaderboard.tables.system_page import system_page


def system(request: HttpRequest, slug: str) -> HttpResponse:
    """Card, results, strengths and weaknesses, and how it came to be what it is."""
    found = access_systems.system(request.user, slug)
    page = system_page(
        found,
        releases=access_systems.releases_with_scores(request.user),
        submissions=access_systems.named_submissions(request.user),
        track=request.GET.get("on", ""),
    )
    own = access_systems.own_systems(request.user).contains(found)
    return render(request, "system/page.html", {"system": found, "page": page, "own": own})


@login_required
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the card of one's own system; its history keeps what stood there."""
    found = access_systems.own_system(request.user, slug)
    form = SystemForm(request.POST or None, instance=found)
    if form.is_valid():
        try:
            cards.edit_card(found, actor=signed_in(request), card=form.cleaned_data)
        except SystemTaken as taken:
            form.add_error("name", str(taken))
        except ValidationError as unfit:
            form.add_error(None, unfit)
        else:
            messages.success(request, "The card is changed.")
            return redirect("system", slug)
    status = 422 if form.is_bound else 200
    teams = access_systems.teams_for(request.user, found)
    context = {
        "form": form,
        "system": found,
        "team_form": HandOverForm(teams=teams) if teams.exists() else None,
        "gives_back": access_systems.gives_back(request.user, found),
    }
    return render(request, "system/edit.html", context, status=status)


@login_required
@require_POST
def hand_over(request: HttpRequest, slug: str) -> HttpResponse:
    """Give one's own system to a team, or back to whoever entered it."""
    found = access_systems.own_system(request.user, slug)
    form = HandOverForm(request.POST, teams=access_systems.teams_for(request.user, found))
    if not form.is_valid():
        messages.error(request, "Choose one of your teams.")
        return redirect("system-edit", slug)
    try:
        held = cards.hand_over(found, actor=signed_in(request), team=form.cleaned_data["team"])
    except NotAllowed as refused:
        messages.error(request, str(refused))
        return redirect("system-edit", slug)
    whose = held.team or "whoever entered it"
    messages.success(request, f"{held.name} belongs to {whose} now.")
    return redirect("system", slug)
