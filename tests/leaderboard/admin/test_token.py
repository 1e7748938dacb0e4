"""A token's secret is shown when it is made, and never again."""

from __future__ import annotations

import re

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from leaderboard.models import ApiToken
from leaderboard.models.token import hash_token

LIST = reverse("admin:leaderboard_apitoken_changelist")
ADD = reverse("admin:leaderboard_apitoken_add")


def test_the_secret_is_shown_once(staff: Client, ann: User) -> None:
    page = staff.post(ADD, {"user": ann.pk, "name": "laptop"}, follow=True).content.decode()

    token = ApiToken.objects.get()
    secrets = re.findall(r"clr_[\w-]+", page)
    assert [hash_token(secret) for secret in secrets] == [token.digest]
    assert (token.user, token.name) == (ann, "laptop")
    change = reverse("admin:leaderboard_apitoken_change", args=[token.pk])
    for address in (LIST, change, reverse("admin:index")):
        later = staff.get(address).content.decode()
        assert "clr_" not in later
        assert token.digest not in later


def test_a_token_can_be_renamed_and_stays_valid_and_in_its_hands(
    staff: Client, ann: User, ben: User
) -> None:
    token, _ = ApiToken.objects.issue(user=ann, name="old")
    change = reverse("admin:leaderboard_apitoken_change", args=[token.pk])

    staff.post(change, {"user": ben.pk, "name": "new"})

    again = ApiToken.objects.get()
    assert (again.name, again.user, again.digest) == ("new", ann, token.digest)
