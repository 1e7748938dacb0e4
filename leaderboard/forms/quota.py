"""How much may be submitted to a benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.core.exceptions import ValidationError

from leaderboard.curation import quotas
from leaderboard.models import QuotaPolicy

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    QuotaModelForm = forms.ModelForm[QuotaPolicy]
else:
    QuotaModelForm = forms.ModelForm


class QuotaForm(QuotaModelForm):
    """The benchmark's policy; both limits may stay empty."""

    class Meta:
        model = QuotaPolicy
        fields = quotas.FIELDS
        labels = {
            "limit": "Submissions a window",
            "window": "Counted over",
            "hours": "Hours of the window",
            "per": "Counted together",
            "at_once": "Submissions being scored at the same time",
        }
        help_texts = {
            "limit": "Empty: as many as one likes.",
            "hours": "Of the hours before now; a calendar day has its own length.",
            "at_once": "Empty: as many as one likes.",
        }

    def save_for(self, actor: User) -> bool:
        """Whether it is stored; else the fields say why."""
        benchmark = self.instance.benchmark
        try:
            quotas.set_policy(benchmark=benchmark, values=self.cleaned_data, actor=actor)
        except ValidationError as unfit:
            self.add_error(None, unfit)
        return self.is_valid()
