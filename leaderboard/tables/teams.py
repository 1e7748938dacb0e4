"""What a team's page shows."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib.auth.models import User

from leaderboard.models import Invitation, Membership, Submission, Team


@dataclass(frozen=True)
class TeamPage:
    """Members and open invitations; ``owns`` says whether the reader may change them."""

    members: list[Membership]
    invited: list[Membership]
    invitations: list[Invitation]
    submissions: int
    owns: bool

    @property
    def alone(self) -> bool:
        """Whether nobody else has joined."""
        return len(self.members) == 1


def team_page(team: Team, reader: User) -> TeamPage:
    """The page of ``team`` for one of its members."""
    rows = list(team.memberships.select_related("user__profile").order_by("-role", "joined_at"))
    members = [row for row in rows if row.joined_at]
    return TeamPage(
        members=members,
        invited=[row for row in rows if not row.joined_at],
        invitations=list(team.invitations.all()),
        submissions=Submission.objects.filter(team=team).count(),
        owns=any(m.user_id == reader.pk and m.role == Membership.Role.OWNER for m in members),
    )


def sender(submission: Submission) -> str:
    """Who sent a submission, as far as they want it shown: a team, a name, "former member"."""
    if submission.team:
        return submission.team.name
    if submission.sender_left:
        return "former member"
    profile = getattr(submission.user, "profile", None)
    return profile.display_name if profile else ""
