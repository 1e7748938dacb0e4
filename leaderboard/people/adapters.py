"""What django-allauth asks this site: who may sign up, and where mail goes."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.http import HttpRequest

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

    def get_login_stages(self) -> list[str]:
        """Allauth's, but for accounts without an address."""
        own = {"allauth.account.stages.EmailVerificationStage": ADDRESS_STAGE}
        return [own.get(stage, stage) for stage in super().get_login_stages()]


class SocialAccountAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc] # the same
    """Accounts by GitHub, ORCID or Hugging Face."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Whether the site takes new accounts."""
        return bool(settings.SIGNUP_OPEN)
