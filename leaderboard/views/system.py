"""A system's page, and the form that changes its card."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from leaderboard import access_systems
from leaderboard.forms import SystemForm
from leaderboard.http import signed_in
from leaderboard.intake import SystemTaken
from leaderboard.intake.cards import edit_card
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
    found = get_object_or_404(access_systems.own_systems(request.user), slug=slug)
    form = SystemForm(request.POST or None, instance=found)
    if form.is_valid():
        try:
            edit_card(found, actor=signed_in(request), card=form.cleaned_data)
        except SystemTaken as taken:
            form.add_error("name", str(taken))
        except ValidationError as unfit:
            form.add_error(None, unfit)
        else:
            messages.success(request, "The card is changed.")
            return redirect("system", slug)
    status = 422 if form.is_bound else 200
    return render(request, "system/edit.html", {"form": form, "system": found}, status=status)
