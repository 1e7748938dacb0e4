"""Logging in and out, signing up, and the tokens of scripts."""

from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LoginView, LogoutView
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from leaderboard.forms import SignUpForm, TokenForm
from leaderboard.http import next_page, signed_in
from leaderboard.models import ApiToken


class Login(LoginView):
    """Django's, with this site's page."""

    template_name = "account/login.html"
    redirect_authenticated_user = True

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Whether there is a page to make an account on."""
        return super().get_context_data(**kwargs) | {"signup_open": settings.SIGNUP_OPEN}


class Logout(LogoutView):
    """Django's: by POST, back to the first page."""


@sensitive_post_parameters("password1", "password2")
@never_cache
def signup(request: HttpRequest) -> HttpResponse:
    """A new account, signed in at once; 404 where the site takes none."""
    if not settings.SIGNUP_OPEN:
        raise Http404("This site takes no new accounts.")
    form = SignUpForm(request.POST or None)
    if form.is_valid():
        login(request, form.save())
        return redirect(next_page(request))
    status = 422 if form.is_bound else 200
    return render(request, "account/signup.html", {"form": form}, status=status)


@login_required
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """One's tokens; a new one is shown on the answer to its making and never again."""
    user = signed_in(request)
    form = TokenForm(request.POST or None)
    secret = ""
    if form.is_valid():
        _, secret = ApiToken.objects.issue(user=user, name=form.cleaned_data["name"])
        form = TokenForm()
    context = {"form": form, "secret": secret, "tokens": user.api_tokens.all()}
    return render(request, "account/page.html", context)


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """End a token of one's own."""
    get_object_or_404(ApiToken, pk=pk, user=signed_in(request)).delete()
    return redirect("account")
