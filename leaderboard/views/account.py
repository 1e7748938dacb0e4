"""One's account: the profile, the tokens of scripts, its end. Signing in is django-allauth's."""

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from leaderboard.forms import DeleteAccountForm, ProfileForm, TokenForm
from leaderboard.http import signed_in
from leaderboard.models import ApiToken, Profile
from leaderboard.people import accounts, addresses


@login_required
@never_cache
def account(request: HttpRequest) -> HttpResponse:
    """Who one is here, and how one wants to be told of things."""
    user = signed_in(request)
    form = ProfileForm(request.POST or None, instance=Profile.objects.of(user))
    if form.is_valid():
        form.save()
        messages.success(request, "Your profile has been saved.")
        return redirect("account")
    context = {
        "form": form,
        "address": EmailAddress.objects.filter(user=user).order_by("-primary").first(),
        "sends_mail": settings.MAIL_CONFIGURED,
    }
    return render(request, "account/page.html", context, status=422 if form.is_bound else 200)


@login_required
@never_cache
def tokens(request: HttpRequest) -> HttpResponse:
    """One's tokens; a new one is shown on the answer to its making and never again."""
    user = signed_in(request)
    form = TokenForm(request.POST or None)
    secret = ""
    if form.is_valid():
        secret = form.issue(user)
        form = TokenForm()
    context = {"form": form, "secret": secret, "tokens": user.api_tokens.all()}
    return render(request, "account/tokens.html", context, status=422 if form.is_bound else 200)


@login_required
@require_POST
def revoke(request: HttpRequest, pk: int) -> HttpResponse:
    """End a token of one's own; it stays on the list."""
    token = get_object_or_404(ApiToken, pk=pk, user=signed_in(request))
    ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
    return redirect("tokens")


@require_POST
def confirm_again(request: HttpRequest) -> HttpResponse:
    """A new link to confirm an address; the answer is the same whether or not one is sent."""
    addresses.send_link_again(request, request.POST.get("email", "").replace("\0", ""))
    return redirect("account_email_verification_sent")


@login_required
@reauthentication_required  # type: ignore[untyped-decorator]
@never_cache
def delete(request: HttpRequest) -> HttpResponse:
    """What would go and what would stay; then, with one's name typed, it is done."""
    user = signed_in(request)
    form = DeleteAccountForm(request.POST or None, user=user)
    if form.is_valid():
        try:
            accounts.delete_account(user=user)
        except accounts.HandOverFirst as forbidden:
            form.add_error(None, str(forbidden))
        else:
            logout(request)
            messages.success(request, "Your account has been deleted.")
            return redirect("home")
    context = {"form": form, "departure": accounts.departure(user)}
    return render(request, "account/delete.html", context, status=422 if form.is_bound else 200)
