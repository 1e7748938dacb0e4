"""Which submissions of a track are scored again."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django import forms

from leaderboard.curation import again
from leaderboard.models import Batch, Submission, Track

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class AgainForm(forms.Form):
    """All that the track has, or those chosen among what the curator may see."""

    everything = forms.BooleanField(required=False, label="All of them")
    submission = forms.ModelMultipleChoiceField(Submission.objects.none(), required=False)
    reason = forms.CharField(required=False, max_length=300, help_text="For the audit trail.")

    def __init__(self, *args: Any, track: Track, viewer: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.track = track
        seen = Submission.objects.visible_to(viewer)
        self.choices = again.scorable(track).filter(pk__in=seen.values("pk"))
        field: Any = self.fields["submission"]
        field.queryset = self.choices

    def clean(self) -> dict[str, Any]:
        """Something must be chosen."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        if not given.get("everything") and not given.get("submission"):
            raise forms.ValidationError("Choose submissions, or all of them.")
        return given

    @property
    def chosen(self) -> Collection[UUID] | None:
        """Ids, or None for all."""
        if self.cleaned_data["everything"]:
            return None
        return [one.pk for one in self.cleaned_data["submission"]]

    def plan(self) -> again.Again:
        """What would run."""
        return again.plan(self.track, self.chosen)

    def queue(self, actor: User) -> Batch:
        """Have it run."""
        reason = self.cleaned_data["reason"]
        return again.score_again(
            track=self.track, actor=actor, submissions=self.chosen, reason=reason
        )
