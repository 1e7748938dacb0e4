"""Who sees a submission: what its owner may choose."""

from __future__ import annotations

from typing import Any

from django import forms

from leaderboard.models import Submission

MOMENT = "%Y-%m-%dT%H:%M"


class MomentField(forms.DateTimeField):
    """A moment, typed in and shown in the viewer's time zone."""

    def __init__(self, **kwargs: Any) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=MOMENT)
        super().__init__(widget=widget, required=False, **kwargs)


class VisibilityForm(forms.Form):
    """Public, anonymous until a moment or for good, or private."""

    visibility = forms.ChoiceField(
        label="Who sees it", choices=Submission.Visibility.choices, widget=forms.RadioSelect
    )
    named_from = MomentField(label="Show the names from", help_text="Only for an anonymous one.")

    def __init__(self, data: Any = None, *, submission: Submission) -> None:
        initial = {"visibility": submission.visibility, "named_from": submission.named_from}
        super().__init__(data, initial=initial)
        self.submission = submission


class WithdrawForm(forms.Form):
    """The reason, which curators read."""

    reason = forms.CharField(label="Why you withdraw it", max_length=300, required=False)
