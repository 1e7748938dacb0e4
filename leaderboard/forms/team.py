"""Forms of teams: a new one, and who is in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms

from leaderboard.models import Membership, Team

if TYPE_CHECKING:
    TeamModelForm = forms.ModelForm[Team]
else:
    TeamModelForm = forms.ModelForm


class TeamForm(TeamModelForm):
    """A new team."""

    class Meta:
        model = Team
        fields = ("name", "affiliation")
        labels = {"name": "Name of the team"}


class InviteForm(forms.Form):
    """Whom to ask into a team, and as what."""

    who = forms.CharField(label="Username or mail address", max_length=254)
    role = forms.ChoiceField(
        label="As", choices=Membership.Role.choices, initial=Membership.Role.MEMBER
    )


class RoleForm(forms.Form):
    """What a member becomes."""

    role = forms.ChoiceField(choices=Membership.Role.choices)
