"""Who is asking: a token in the Authorization header, or for reading the site's own session."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.http import HttpRequest
from django.utils import timezone
from ninja.errors import AuthenticationError, HttpError
from ninja.security import HttpBearer

from leaderboard.limits import spend
from leaderboard.models import ApiToken
from leaderboard.models.token import hash_token
from leaderboard.people.gate import lacks_factor, zone_of

if TYPE_CHECKING:
    from django.contrib.auth.models import User

BETWEEN_NOTES = timedelta(minutes=1)
READING = {"GET", "HEAD", "OPTIONS"}
ONLY_READS = "The token {name!r} only reads; make one that may submit on the account page."


class Ended(AuthenticationError):  # noqa: N818 - named as it is spoken of
    """A token that was good once, and why it is not any more."""

    def __init__(self, message: str) -> None:
        super().__init__(message=message)


class Token(HttpBearer):
    """A valid token of an active user, else 401. A session does not do: it would need CSRF.

    Every request counts for its user's ``API_RATE``, and one without a valid token for its
    address's.
    """

    def __call__(self, request: HttpRequest) -> Any | None:
        """The token's user, unless they have asked too often.

        A token that only reads is refused with 403 wherever something would be written.
        """
        try:
            token: ApiToken | None = super().__call__(request)
        except AuthenticationError:
            spend(request, "api", None)
            raise
        spend(request, "api", token.user if token else None)
        if token is None:
            return None
        if token.scope == ApiToken.Scope.READ and request.method not in READING:
            raise HttpError(403, ONLY_READS.format(name=token.name))
        return _user_of(token)

    def authenticate(self, request: HttpRequest, token: str) -> ApiToken | None:
        """The row of the token, if it is good; one that has ended is told so with 401."""
        found = ApiToken.objects.select_related("user").filter(digest=hash_token(token)).first()
        if found is None or not found.user.is_active:
            return None
        if not found.is_usable:
            ended = "has been revoked" if found.revoked_at else "has expired"
            raise Ended(f"The token {found.name!r} {ended}; make a new one on the account page.")
        return found


def _user_of(token: ApiToken) -> User:
    """The token's user, in whose time zone sentences tell times; its use is noted, at most once a
    minute.

    Staff without a second factor, where staff need one, act as plain users.
    """
    now = timezone.now()
    if token.last_used_at is None or now - token.last_used_at > BETWEEN_NOTES:
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    timezone.activate(zone_of(token.user))  # for this request: the middleware takes it back
    return _without_staff_rights(token.user) if lacks_factor(token.user) else token.user


def _without_staff_rights(user: User) -> User:
    """The user for this request, as somebody who is not staff: a token is but one factor."""
    user.is_staff = user.is_superuser = False
    return user


class OptionalToken(Token):
    """Anybody may read; but a token that is given must be valid."""

    def __call__(self, request: HttpRequest) -> Any | None:
        """The token's user, else the session's (possibly anonymous)."""
        if "Authorization" not in request.headers:
            spend(request, "api", request.user)
            return request.user
        return super().__call__(request)
