"""Which team an upload is for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError

from leaderboard.models import Team

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from leaderboard.models import System


def team_for(*, user: User | None, team: Team | None, system: System) -> Team | None:
    """The team that a submission for ``system`` belongs to, or None: its sender's alone.

    What is sent for a team's system is that team's. Raises ``ValidationError`` on ``team`` when the
    sender has not joined it, or when the system is another team's.
    """
    if team is not None and (user is None or not Team.objects.of(user).contains(team)):
        raise ValidationError({"team": "You are in no such team."})
    if team is not None and system.team is not None and system.team != team:
        raise ValidationError({"team": f"{system} belongs to another team: {system.team}."})
    return team or system.team
