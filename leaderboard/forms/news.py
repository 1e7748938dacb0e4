"""News of a benchmark, and numbers of papers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError

from leaderboard.curation import news, reported
from leaderboard.models import Announcement, Benchmark, ReportedResult, Track
from leaderboard.pipeline.bridge import METRICS

if TYPE_CHECKING:
    from django.contrib.auth.models import User


class AnnouncementForm(forms.Form):
    """A title and a text."""

    title = forms.CharField(max_length=160)
    text = forms.CharField(
        required=False, widget=forms.Textarea(attrs={"rows": 8}), help_text="Markdown."
    )

    def post(self, benchmark: Benchmark, actor: User) -> Announcement | None:
        """The news; None, with errors, when it is refused."""
        try:
            return news.post(benchmark=benchmark, actor=actor, **self.cleaned_data)
        except ValidationError as unfit:
            self.add_error(None, unfit)
        return None

    def change(self, announcement: Announcement, actor: User) -> Announcement | None:
        """The same of one that is there."""
        try:
            return news.edit(announcement=announcement, actor=actor, **self.cleaned_data)
        except ValidationError as unfit:
            self.add_error(None, unfit)
        return None


class ReportedForm(forms.Form):
    """One number: of whom, by which judge, over what, and where it stands."""

    system = forms.CharField(
        max_length=140, help_text="Its name or short name; one that is new here is made."
    )
    judge = forms.CharField(max_length=80, help_text="Ranked by are those of the track's panel.")
    metric = forms.ChoiceField()
    part = forms.CharField(
        required=False, max_length=40, help_text="Empty for all; else such as duration:(0,120]."
    )
    mean = forms.FloatField(help_text="Between -1 and 1; a length in words.")
    std = forms.FloatField(label="Standard deviation", required=False)
    clips = forms.IntegerField(required=False, min_value=1)
    source = forms.URLField(
        max_length=300, assume_scheme="https", help_text="Address of the paper."
    )

    def __init__(
        self, *args: Any, track: Track, result: ReportedResult | None = None, **kwargs: Any
    ) -> None:
        if result is not None:
            kwargs["initial"] = {name: getattr(result, name) for name in reported.VALUES}
        super().__init__(*args, **kwargs)
        self.track, self.result = track, result
        names = [*METRICS[track.protocol], ReportedResult.LENGTH]
        metric: Any = self.fields["metric"]
        metric.choices = [(name, name) for name in names]
        if result is not None:
            del self.fields["system"]

    def save_for(self, actor: User) -> ReportedResult | None:
        """The number; None, with errors on the fields, when it is refused."""
        values = dict(self.cleaned_data)
        try:
            if self.result is not None:
                return reported.edit_result(result=self.result, values=values, actor=actor)
            system = values.pop("system")
            return reported.add_result(track=self.track, system=system, values=values, actor=actor)
        except ValidationError as unfit:
            self.add_error(None, unfit)
        return None
