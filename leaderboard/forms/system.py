"""A system's card."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from leaderboard.models import System

if TYPE_CHECKING:
    SystemModelForm = forms.ModelForm[System]
else:
    SystemModelForm = forms.ModelForm

CARD = ("organisation", "parameters", "family", "frames", "open_weights", "link")


class SystemForm(SystemModelForm):
    """A new system's card. All but the name may stay empty."""

    link = forms.URLField(
        label="Paper, code or model page", required=False, max_length=200, assume_scheme="https"
    )

    class Meta:
        model = System
        fields = ("name", *CARD)
        labels = {"frames": "Frames looked at"}
        help_texts = {"parameters": "For example 7B", "frames": ""}
        widgets = {
            "open_weights": forms.NullBooleanSelect,
            "name": forms.TextInput(attrs={"placeholder": "MyModel-7B"}),
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # The name is needed only where no system of one's own is chosen: see SubmissionForm.
        self.fields["name"].required = False
