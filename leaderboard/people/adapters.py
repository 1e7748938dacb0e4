"""What django-allauth asks this site: who may sign up, and where mail goes."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers import registry
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import Http404, HttpRequest

ADDRESS_STAGE = "leaderboard.people.addresses.AddressStage"


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc] # the package has no types
    """Accounts by mail address and password."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Whether the site takes new accounts."""
        return bool(settings.SIGNUP_OPEN)

    def is_reauthentication_required(self, *, app: str) -> bool:
        """Whether delicate pages ask once more who it is: not of who has nothing to answer with.

        An account that signs in by a service only has neither password nor second factor.
        """
        asked = super().is_reauthentication_required(app=app)
        return bool(asked and self.get_reauthentication_methods(self.request.user))

    def get_client_ip(self, request: HttpRequest) -> str:
        """The visitor's address; where proxies are fewer than was said, the one that is there."""
        try:
            return str(super().get_client_ip(request))
        except (ImproperlyConfigured, PermissionDenied):
            return request.META.get("REMOTE_ADDR") or "unknown"

    def get_login_stages(self) -> list[str]:
        """Allauth's, but for accounts without an address."""
        own = {"allauth.account.stages.EmailVerificationStage": ADDRESS_STAGE}
        return [own.get(stage, stage) for stage in super().get_login_stages()]


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc] # the same
    """Accounts by GitHub, ORCID or Hugging Face."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Whether the site takes new accounts."""
        return bool(settings.SIGNUP_OPEN)

    def get_app(self, request: HttpRequest, provider: str, client_id: str | None = None) -> Any:
        """The service's id and secret here; 404 on the addresses of one that has none.

        Elsewhere such a service is only named: accounts that came by it stay on the list of those
        connected, and can be taken off it.
        """
        try:
            return super().get_app(request, provider, client_id)
        except SocialApp.DoesNotExist:
            match = request.resolver_match
            if match and (match.url_name or "").endswith(("_login", "_callback")):
                raise Http404(f"This site offers no sign-in by {provider}.") from None
            kind = provider if registry.get_class(provider) else "openid_connect"
            return SocialApp(provider=kind, provider_id=provider, name=provider.title())
