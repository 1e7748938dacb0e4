"""ApiToken: lets a script act for a user. Only the hash is kept."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.utils import timezone

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def hash_token(secret: str) -> str:
    """SHA-256 of a token: enough, since tokens are random and long."""
    return hashlib.sha256(secret.encode()).hexdigest()


class ApiTokenManager(models.Manager["ApiToken"]):
    """Makes and finds tokens."""

    def issue(
        self, *, user: User, name: str, scope: str = "submit", expires_at: datetime | None = None
    ) -> tuple[ApiToken, str]:
        """A new token and its secret, which is shown once and cannot be read again."""
        secret = f"clr_{secrets.token_urlsafe(32)}"
        made = self.create(
            user=user, name=name, digest=hash_token(secret), scope=scope, expires_at=expires_at
        )
        return made, secret


class ApiToken(models.Model):
    """A named token of one user, for one scope; no use once it has expired or is revoked."""

    class Scope(models.TextChoices):
        """What it allows."""

        READ = "read", "Read: see what I may see"
        SUBMIT = "submit", "Read and submit"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="api_tokens"
    )
    name = models.CharField(max_length=80)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)
    scope = models.CharField(max_length=8, choices=Scope.choices, default=Scope.SUBMIT)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenManager()

    class Meta:
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return f"{self.name} of {self.user}"

    @property
    def has_expired(self) -> bool:
        """True from the moment it was made to end."""
        return self.expires_at is not None and self.expires_at <= timezone.now()

    @property
    def is_usable(self) -> bool:
        """True until it expires or is revoked."""
        return self.revoked_at is None and not self.has_expired
