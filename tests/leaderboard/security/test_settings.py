"""A site that others can reach: what Django checks before deployment, headers and cookies."""

from __future__ import annotations

import os
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from leaderboard.site_secret import given

ROOT = Path(__file__).resolve().parents[3]
GOOD = secrets.token_urlsafe(50)
SHOW = (
    "from django.conf import settings as s; print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE,"
    " s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS > 3e7, s.SECURE_HSTS_INCLUDE_SUBDOMAINS)"
)


def test_nothing_is_left_to_say_before_deployment(tmp_path: Path) -> None:
    """``check --deploy`` is silent for a site with HTTPS, which then has all that depends on it."""
    more = {"DATA_DIR": str(tmp_path), "SECRET_KEY": GOOD, "HTTPS": "1", "ALLOWED_HOSTS": "a.org"}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | more, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout
    shown = [sys.executable, "manage.py", "shell", "--no-imports", "-c", SHOW]
    done = subprocess.run(
        shown, cwd=ROOT, env=os.environ | more, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["True"] * 5


@pytest.mark.parametrize("secret", ["secret", "changeme", "fifty random characters", "x" * 60])
def test_nothing_starts_with_a_secret_that_can_be_guessed(secret: str) -> None:
    """With what to do; only for debugging it does not matter."""
    with pytest.raises(ImproperlyConfigured, match="50 random characters"):
        given(secret, debug=False)
    assert given(secret, debug=True) == secret
    assert given(GOOD, debug=False) == GOOD
    assert given("", debug=False) == ""


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/login/", "/api/v1/benchmarks", "/no/such/page/"])
def test_every_answer_has_its_policies(client: Client, address: str) -> None:
    """Also a page that is not there, and an answer for scripts."""
    answer = client.get(address)
    policy = answer["Content-Security-Policy"]
    for part in ("default-src 'self'", "frame-ancestors 'none'", "object-src 'none'", "base-uri"):
        assert part in policy
    assert "unsafe" not in policy
    assert answer["X-Frame-Options"] == "DENY"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
    assert "camera=()" in answer["Permissions-Policy"]


@pytest.mark.django_db
def test_cookies_are_no_business_of_scripts(client: Client, ann: Any) -> None:
    """Nor of other sites."""
    ann.set_password("right-and-long")
    ann.save()
    answer = client.post("/login/", {"login": "ann", "password": "right-and-long"})
    session = answer.cookies["sessionid"]
    assert session["httponly"]
    assert session["samesite"] == "Lax"
