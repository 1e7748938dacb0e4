"""What a token may do, and until when."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from leaderboard.models import ApiToken, Release, Submission

pytestmark = pytest.mark.django_db
UPLOAD = "/api/v1/benchmarks/small/submissions"
TEXTS = b'{"c1": "One.", "c2": "Two.", "c3": "Three.", "c4": "Four."}'


def bearer(secret: str) -> dict[str, str]:
    """The header."""
    return {"Authorization": f"Bearer {secret}"}


def upload(client: Client, secret: str) -> Any:
    """A good file."""
    fields = {"file": SimpleUploadedFile("p.json", TEXTS), "system": "Model"}
    return client.post(UPLOAD, fields, headers=bearer(secret))


def test_a_reading_token_reads_and_no_more(
    client: Client, ann: User, release: Release, sent: Any
) -> None:
    """The refusal says why, and what to do."""
    _, secret = ApiToken.objects.issue(user=ann, name="notebook", scope="read")
    assert client.get("/api/v1/benchmarks", headers=bearer(secret)).status_code == 200
    refused = upload(client, secret)
    assert refused.status_code == 403
    assert "'notebook' only reads" in refused.json()["error"]
    assert not Submission.objects.exists()


@pytest.mark.parametrize(
    ("field", "said"), [("expires_at", "has expired"), ("revoked_at", "has been revoked")]
)
def test_a_token_that_has_ended(
    client: Client, ann: User, release: Release, sent: Any, field: str, said: str
) -> None:
    """Neither reads nor submits; its last use stays what it was."""
    token, secret = ApiToken.objects.issue(user=ann, name="laptop")
    ApiToken.objects.update(**{field: timezone.now() - timedelta(seconds=1)})
    for response in (
        client.get("/api/v1/benchmarks", headers=bearer(secret)),
        upload(client, secret),
    ):
        assert response.status_code == 401
        assert response["WWW-Authenticate"] == "Bearer"
        assert said in response.json()["error"]
    token.refresh_from_db()
    assert token.last_used_at is None


def test_one_that_has_not_ended_yet(client: Client, ann: User, release: Release, sent: Any) -> None:
    """Its use is noted."""
    tomorrow = timezone.now() + timedelta(days=1)
    token, secret = ApiToken.objects.issue(user=ann, name="laptop", expires_at=tomorrow)
    assert upload(client, secret).status_code == 201
    token.refresh_from_db()
    assert token.last_used_at is not None


def test_the_command_makes_the_same_tokens(ann: User) -> None:
    """With a scope and an end."""
    out = StringIO()
    given = {"name": "cron", "scope": "read", "days": 7, "stdout": out}
    call_command("create_token", "ann", **given)
    assert out.getvalue().startswith("clr_")
    token = ApiToken.objects.get()
    assert token.scope == "read"
    assert token.expires_at is not None
    assert timedelta(days=6) < token.expires_at - timezone.now() < timedelta(days=8)
    with pytest.raises(CommandError, match="--days"):
        call_command("create_token", "ann", name="cron", days=0)


def test_staff_without_a_second_factor_act_as_plain_users(
    client: Client, ann: User, ben: User, release: Release, sent: Any, settings: Any
) -> None:
    """A token is one factor: it shows what is private to others only beside a second one."""
    settings.STAFF_NEEDS_TOTP = True
    _, secret = ApiToken.objects.issue(user=ann, name="laptop")
    fields = {
        "file": SimpleUploadedFile("p.json", TEXTS),
        "system": "Model",
        "visibility": "private",
    }
    made = client.post(UPLOAD, fields, headers=bearer(secret))
    assert made.status_code == 201
    address = f"/api/v1/submissions/{made.json()['id']}"
    User.objects.filter(pk=ben.pk).update(is_staff=True, is_superuser=True)
    _, theirs = ApiToken.objects.issue(user=ben, name="chief")
    assert client.get("/api/v1/benchmarks", headers=bearer(theirs)).status_code == 200
    assert client.get(address, headers=bearer(theirs)).status_code == 404
    cancelled = client.post(f"{address}/cancel", headers=bearer(theirs))
    assert cancelled.status_code == 404
    curated = client.get("/api/v1/curate/benchmarks/small/submissions", headers=bearer(theirs))
    assert curated.status_code == 404
    ben.refresh_from_db()
    assert ben.is_staff
    Authenticator.objects.create(user=ben, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert client.get(address, headers=bearer(theirs)).status_code == 200
