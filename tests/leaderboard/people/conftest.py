"""A team with an owner and a member, and somebody outside."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from leaderboard.models import Membership, Team
from leaderboard.people import teams


@pytest.fixture
def team(ann: User, ben: User) -> Team:
    """Ann owns it, ben is in it."""
    made = teams.create(user=ann, name="Blue")
    made.memberships.create(user=ben, joined_at=timezone.now())
    return made


@pytest.fixture
def cleo(db: None) -> User:
    """In no team."""
    return User.objects.create_user("cleo")


@pytest.fixture
def membership_of() -> Callable[[Team, User], Membership]:
    """``membership_of(team, user)``."""
    return lambda team, user: team.memberships.get(user=user)


@pytest.fixture
def as_user() -> Callable[[User | None], Client]:
    """``as_user(ann)``: a browser in which ann is logged in; None: nobody is."""

    def made(user: User | None) -> Client:
        client = Client()
        if user is not None:
            client.force_login(user)
        return client

    return made
