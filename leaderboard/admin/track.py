"""Tracks: which judges score a release, and which table comes of it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from leaderboard import tasks
from leaderboard.admin.base import Admin, Form
from leaderboard.models import Track
from leaderboard.pipeline import dispatch
from scoring.judges import catalogue
from scoring.protocols.semantic import METRICS


def _judges() -> list[tuple[str, str]]:
    return [(entry.name, entry.title) for entry in catalogue.entries()]


class TrackForm(Form[Track]):
    """Judges and metric are chosen from what the scoring library has."""

    judges = forms.MultipleChoiceField(choices=_judges, widget=forms.CheckboxSelectMultiple)
    primary_metric = forms.ChoiceField(choices=[(name, name) for name in METRICS], initial="hm_cf")

    class Meta:
        model = Track
        fields = [
            "release",
            "slug",
            "name",
            "summary",
            "position",
            "protocol",
            "settings",
            "judges",
            "primary_metric",
            "scores_uploads",
            "bootstrap_replicates",
            "bootstrap_seed",
        ]

    def clean_settings(self) -> dict[str, Any]:
        """An object that names a rule for long texts, or nothing."""
        value = self.cleaned_data["settings"] or {}
        rules = ("truncate", "windows")
        if not isinstance(value, dict) or set(value) - {"long_text"}:
            raise forms.ValidationError('Only {"long_text": ...} can be set for this protocol.')
        if value.get("long_text", rules[0]) not in rules:
            raise forms.ValidationError(f"long_text is one of {', '.join(rules)}.")
        return value


@admin.register(Track)
class TrackAdmin(Admin[Track]):
    """One ranked table of a release."""

    form = TrackForm
    list_display = ["__str__", "slug", "protocol", "panel", "primary_metric", "scores_uploads"]
    list_filter = ["release__benchmark", "protocol", "scores_uploads"]
    list_select_related = ["release__benchmark"]
    search_fields = ["name", "slug", "release__benchmark__name"]
    autocomplete_fields = ["release"]
    actions = ["score_missing"]

    @admin.display(description="judges")
    def panel(self, track: Track) -> str:
        """The names of its judges."""
        return ", ".join(track.judges)

    @admin.action(description="Score what a judge has not scored yet", permissions=["change"])
    def score_missing(self, request: HttpRequest, queryset: QuerySet[Track]) -> None:
        """Make and send the runs that submissions lack, after a track has gained a judge."""
        runs = [
            run
            for track in queryset.filter(scores_uploads=True).select_related("release")
            for submission in track.release.submissions.all()
            for run in dispatch.create_runs(submission)
        ]
        tasks.send_runs(runs)
        self.message_user(request, f"Runs waiting for a worker: {len(runs)}.", messages.SUCCESS)
