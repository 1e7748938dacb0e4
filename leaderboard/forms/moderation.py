"""What a curator wants done about a submission, and staff about an account."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib.auth.models import User as Account

from leaderboard.curation import bans, local_bans, moderation
from leaderboard.curation.refusals import Refused
from leaderboard.models import Submission

if TYPE_CHECKING:
    from django.contrib.auth.models import User

Standing = Submission.Standing
DO = {
    "clear": "Let it onto the board",
    "held": "Hold",
    "hidden": "Hide",
    "flag": "Flag",
    "unflag": "Take the flag away",
    "ban": "Ban its sender from the benchmark",
}


class ModerateForm(forms.Form):
    """One thing, and why."""

    do = forms.ChoiceField(choices=list(DO.items()))
    reason = forms.CharField(required=False, max_length=moderation.REASON_LENGTH)

    def apply(self, submission: Submission, actor: User) -> Submission:
        """Have it done; Refused when it cannot be."""
        do, reason = self.cleaned_data["do"], self.cleaned_data["reason"]
        if do == "ban":
            self._ban(submission, reason, actor)
            return submission
        if do == "flag":
            return moderation.flag(submission=submission, actor=actor, reason=reason)
        if do == "unflag":
            return moderation.unflag(submission=submission, actor=actor)
        return moderation.set_standing(
            submission=submission, standing=do, actor=actor, reason=reason
        )

    def _ban(self, submission: Submission, reason: str, actor: User) -> None:
        """Its sender, from the benchmark."""
        if submission.user is None:
            raise Refused("nobody", "Nobody is known to have sent it.")
        benchmark = submission.release.benchmark
        local_bans.ban(benchmark=benchmark, user=submission.user, reason=reason, actor=actor)


class BanForm(forms.Form):
    """An account, and why."""

    username = forms.CharField(label="Account", max_length=150)
    reason = forms.CharField(max_length=bans.REASON_LENGTH, help_text="The person reads it.")

    def clean_username(self) -> User:
        """The account of that name."""
        found = Account.objects.filter(username=self.cleaned_data["username"]).first()
        if found is None:
            raise forms.ValidationError("There is no such account.")
        return found
