"""The secret that signs sessions and tickets: given, or made here; never a default one."""

from __future__ import annotations

import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

CHARACTERS, DISTINCT = 32, 8


def local(path: Path) -> str:
    """A secret of this machine's own, made on first use, so that no default secret exists."""
    try:
        return path.read_text()
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with path.open("x") as file:
                path.chmod(0o600)
                file.write(secrets.token_urlsafe(50))
        except FileExistsError:
            pass
        return path.read_text()


def can_be_guessed(secret: str) -> bool:
    """True where it is short, or of a few characters over and over."""
    return len(secret) < CHARACTERS or len(set(secret)) < DISTINCT


def given(secret: str, *, debug: bool) -> str:
    """A secret from the environment, unless it can be guessed: then nothing starts."""
    if secret and not debug and can_be_guessed(secret):
        message = "SECRET_KEY can be guessed: set 50 random characters, or unset it and one is made"
        raise ImproperlyConfigured(message)
    return secret
