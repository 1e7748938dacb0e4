"""The form of a new track."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError

from leaderboard.curation.new_tracks import add_track
from leaderboard.models import Reference, Release, Track
from leaderboard.pipeline import options
from leaderboard.pipeline.bridge import METRICS
from scoring.text import LANGUAGES

if TYPE_CHECKING:
    from django.contrib.auth.models import User

ANY = [("", "Whatever there is")]
SETTINGS = ("language", "kind", "annotation")


def _judges() -> list[tuple[str, list[tuple[str, str]]]]:
    return [
        (str(protocol.label), list(options.judges_for(protocol).items()))
        for protocol in Track.Protocol
    ]


class TrackForm(forms.Form):
    """A protocol, which references it reads, and who judges."""

    name = forms.CharField(max_length=120)
    slug = forms.SlugField(
        label="Short name", max_length=50, help_text="It stands in the table's address."
    )
    summary = forms.CharField(max_length=300, required=False)
    protocol = forms.ChoiceField(choices=Track.Protocol.choices)
    language = forms.ChoiceField(
        label="Language of the references",
        required=False,
        choices=[*ANY, *((code, code) for code in LANGUAGES)],
    )
    kind = forms.ChoiceField(
        label="Kind of the references", required=False, choices=[*ANY, *Reference.Kind.choices]
    )
    annotation = forms.CharField(
        required=False, max_length=40, help_text="Of keypoints, where a release has several."
    )
    primary_metric = forms.ChoiceField(
        label="Metric that makes the order",
        choices=[
            (protocol, [(name, name) for name in names]) for protocol, names in METRICS.items()
        ],
    )
    judges = forms.MultipleChoiceField(
        choices=_judges, widget=forms.SelectMultiple(attrs={"size": 10})
    )

    def save_for(self, release: Release, actor: User) -> Track | None:
        """The new track; None, with errors on the fields, when it is refused."""
        values: dict[str, Any] = dict(self.cleaned_data)
        given = {name: values.pop(name) for name in SETTINGS}
        values["settings"] = {name: value for name, value in given.items() if value}
        try:
            return add_track(release=release, values=values, actor=actor)
        except ValidationError as unfit:
            for field, messages in unfit.message_dict.items():
                self.add_error(field if field in self.fields else None, messages)
        return None
