"""A system's card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.db.models import QuerySet

from leaderboard.models import System, Team

if TYPE_CHECKING:
    SystemModelForm = forms.ModelForm[System]
else:
    SystemModelForm = forms.ModelForm

LINKS = ("link", "paper", "code", "outputs")
TEXTS = ("prompt", "training_data")
CARD = (
    "organisation",
    "parameters",
    "family",
    "frames",
    "modality",
    "open_weights",
    "licence",
    *LINKS,
    "decoding",
    *TEXTS,
)


class LinkField(forms.URLField):
    """An address on the web; one without a scheme is taken as https."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs | {"assume_scheme": "https"})


class SystemForm(SystemModelForm):
    """A system's card. All but the name may stay empty."""

    class Meta:
        model = System
        fields: tuple[str, ...] = ("name", *CARD, "note")
        field_classes = dict.fromkeys(LINKS, LinkField)
        labels = {
            "frames": "Frames looked at",
            "link": "The model's page",
            "paper": "Paper",
            "code": "Code",
            "outputs": "Raw outputs",
            "prompt": "Prompt",
            "decoding": "Decoding settings",
            "training_data": "Training data",
            "licence": "Licence of the weights",
            "note": "Note",
        }
        help_texts = {
            "parameters": "For example 7B",
            "frames": "",
            "link": "",
            "outputs": "",
            "licence": "",
            "prompt": "What the model was asked for each clip.",
        }
        widgets = {
            "open_weights": forms.NullBooleanSelect,
            "name": forms.TextInput(attrs={"placeholder": "MyModel-7B"}),
            "prompt": forms.Textarea(attrs={"rows": 4, "maxlength": 20_000}),
            "training_data": forms.Textarea(attrs={"rows": 4, "maxlength": 20_000}),
        }

    @property
    def short_fields(self) -> list[forms.BoundField]:
        """The fields of one line, but the name."""
        return [self[name] for name in (*CARD, "note") if name in self.fields and name not in TEXTS]

    @property
    def long_fields(self) -> list[forms.BoundField]:
        """The fields of several lines."""
        return [self[name] for name in TEXTS]


class HandOverForm(forms.Form):
    """A team to give a system to; where none may be chosen it goes back to its owner."""

    team = forms.ModelChoiceField(
        Team.objects.none(),
        help_text="Everybody in the team may then submit for it and change its card.",
    )

    def __init__(self, *args: Any, teams: QuerySet[Team], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["team"]
        if isinstance(field, forms.ModelChoiceField):
            field.queryset = teams
            field.required = teams.exists()
