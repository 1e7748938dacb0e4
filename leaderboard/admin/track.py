"""Tracks: which judges score a release, and which table comes of it."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest

from leaderboard import audit, tasks
from leaderboard.admin.base import Admin, Form
from leaderboard.http import signed_in
from leaderboard.models import Track
from leaderboard.pipeline import dispatch, options
from leaderboard.pipeline.bridge import METRICS


def _judges() -> list[tuple[str, str]]:
    titles: dict[str, str] = {}
    for protocol in Track.Protocol.values:
        titles |= options.judges_for(protocol)
    return list(titles.items())


class TrackForm(Form[Track]):
    """Judges, metric and settings are those that the protocol has."""

    judges = forms.MultipleChoiceField(choices=_judges, widget=forms.CheckboxSelectMultiple)
    primary_metric = forms.ChoiceField(
        choices=[(protocol, [(m, m) for m in names]) for protocol, names in METRICS.items()],
        initial="hm_cf",
    )

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

    def __init__(self, *args: Any, **more: Any) -> None:
        """A panel that is there may stay, whoever its judges are: a paper's need not be known."""
        super().__init__(*args, **more)
        field: Any = self.fields["judges"]
        field.choices = list(
            ({name: name for name in self.instance.judges} | dict(_judges())).items()
        )

    def clean(self) -> dict[str, Any]:
        """Refuse what no worker could score, each fault beside its field."""
        given: dict[str, Any] = super().clean() or self.cleaned_data
        protocol = given.get("protocol")
        if protocol is None:
            return given
        if "settings" in given:
            given["settings"] = given["settings"] or {}
            for fault in options.faults(protocol, given["settings"]):
                self.add_error("settings", fault)
        if given.get("primary_metric") not in {*METRICS[protocol], None}:
            self.add_error("primary_metric", f"This protocol has {', '.join(METRICS[protocol])}.")
        can_be_asked = options.judges_for(protocol)
        strangers = [name for name in given.get("judges", []) if name not in can_be_asked]
        if strangers and given.get("scores_uploads"):
            self.add_error(
                "judges",
                f"Under this protocol {', '.join(strangers)} cannot score uploads; "
                f"{', '.join(can_be_asked)} can.",
            )
        return given


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
        for track in {run.track for run in runs}:
            audit.record(
                actor=signed_in(request),
                action="track.queue",
                target=track,
                benchmark=track.release.benchmark,
                before={},
                after={"runs": sum(run.track_id == track.pk for run in runs)},
            )
        tasks.send_runs(runs)
        self.message_user(request, f"Runs waiting for a worker: {len(runs)}.", messages.SUCCESS)
