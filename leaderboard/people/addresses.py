"""Mail addresses: the link that confirms one, and accounts that have none."""

from __future__ import annotations

from typing import Any

from allauth.account.models import EmailAddress
from allauth.account.stages import EmailVerificationStage
from allauth.core import ratelimit
from django.http import HttpRequest, HttpResponse


def send_link_again(request: HttpRequest, email: str) -> None:
    """Mail a new link to an address that waits to be confirmed, not more often than the limit.

    Nothing happens, and nobody learns it, when the address is confirmed or not known.
    """
    address = EmailAddress.objects.filter(email=email.strip().lower(), verified=False).first()
    if address and ratelimit.consume(request, action="confirm_email", key=address.email):
        address.send_confirmation(request)


class AddressStage(EmailVerificationStage):  # type: ignore[misc] # the package has no types
    """Logging in asks for a confirmed address, except of accounts that never gave one.

    Those were made on the command line or before the site sent mail: a link could not reach them.
    """

    def handle(self) -> tuple[HttpResponse | None, bool]:
        """The way to the page that waits for the link, or on."""
        user: Any = self.login.user
        if user and not user.email and not EmailAddress.objects.filter(user=user).exists():
            return None, True
        answer: tuple[HttpResponse | None, bool] = super().handle()
        return answer
