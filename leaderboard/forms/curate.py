"""Forms of the curators' workspace; each calls one function of ``leaderboard.curation``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile

from leaderboard.curation import benchmarks, panels, releases, sources
from leaderboard.models import Benchmark, Release, Track
from leaderboard.pipeline import options
from scoring.diagnostics.flags import FLAGS

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    BenchmarkModelForm = forms.ModelForm[Benchmark]
    ReleaseModelForm = forms.ModelForm[Release]
else:
    BenchmarkModelForm = ReleaseModelForm = forms.ModelForm

MOMENTS = ("opens_at", "closes_at", "embargo_until")


def _lines(rows: int) -> forms.Textarea:
    return forms.Textarea(attrs={"rows": rows})


class CardForm(BenchmarkModelForm):
    """What a benchmark says of itself, and its policies."""

    licence_url = forms.URLField(
        label="Address of the licence", required=False, assume_scheme="https"
    )
    homepage = forms.URLField(required=False, assume_scheme="https")
    blocking_flags = forms.MultipleChoiceField(
        label="A file is refused when this is found in it",
        required=False,
        choices=[(code, kind.title) for code, kind in FLAGS.items()],
        widget=forms.CheckboxSelectMultiple,
    )

    class Meta:
        model = Benchmark
        fields = (*benchmarks.CARD, *benchmarks.POLICIES)
        labels = {
            "faq": "Questions and answers",
            "holds_first": "A person's first submission waits for a curator",
            "shows_withdrawn": "What is withdrawn stays in the table, marked as such",
            "unpublish_days": "Days in which a public submission can be made private again",
            "forbids_proper_nouns": "Descriptions must not name people or places",
        }
        help_texts = dict.fromkeys(("holds_first", "shows_withdrawn"), "") | {
            "unpublish_days": "Empty: always."
        }
        widgets = {
            "description": _lines(5),
            "citation": _lines(6),
            "rules": _lines(6),
            "faq": _lines(6),
        }

    @property
    def policy_fields(self) -> list[forms.BoundField]:
        """The switches."""
        return [self[name] for name in benchmarks.POLICIES if name in self.fields]

    @property
    def card_fields(self) -> list[forms.BoundField]:
        """Everything else."""
        return [self[name] for name in self.fields if name not in benchmarks.POLICIES]

    def save_for(self, actor: User) -> Benchmark | None:
        """The changed benchmark; None, with errors on the fields, when it is refused."""
        try:
            return benchmarks.edit_card(
                benchmark=self.instance, values=self.cleaned_data, actor=actor
            )
        except ValidationError as unfit:
            self.add_error(None, unfit)
        return None


class NewBenchmarkForm(CardForm):
    """The same of one that is not there yet, and its address."""

    slug = forms.SlugField(
        label="Short name",
        max_length=50,
        help_text="It stands in every address and never changes: lower case, digits and hyphens.",
    )
    field_order = ["name", "slug"]

    def save_for(self, actor: User) -> Benchmark | None:
        """The new benchmark; None, with errors on the fields, when it is refused."""
        values = dict(self.cleaned_data)
        try:
            return benchmarks.create_benchmark(slug=values.pop("slug"), values=values, actor=actor)
        except ValidationError as unfit:
            self.add_error(None, unfit)
        return None


class CuratorsForm(forms.Form):
    """Account names, separated by spaces, commas or lines."""

    curators = forms.CharField(
        required=False,
        widget=_lines(3),
        help_text="Account names, one a line. Staff always curate.",
    )

    def save_for(self, benchmark: Benchmark, actor: User) -> bool:
        """Whether they are the curators now; else the field says why."""
        names = self.cleaned_data["curators"].replace(",", " ").split()
        try:
            benchmarks.set_curators(benchmark=benchmark, usernames=names, actor=actor)
        except ValidationError as unfit:
            self.add_error(None, unfit)
        return self.is_valid()


class DataForm(forms.Form):
    """A file of data, and what it is."""

    kind = forms.ChoiceField(
        label="What the file is",
        choices=[(key, one.title) for key, one in sources.FORMATS.items()],
    )
    file = forms.FileField(
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,.jsonl,.ndjson,.csv,.tsv,.zip,.gz"}),
    )

    @property
    def limit(self) -> int:
        """The largest file, in bytes."""
        return int(settings.UPLOAD_MAX_BYTES)

    def clean_file(self) -> UploadedFile[Any]:
        """Within the limit that the page tells."""
        file: UploadedFile[Any] = self.cleaned_data["file"]
        if (file.size or 0) > self.limit:
            raise ValidationError(
                f"The file has {file.size} bytes; the limit is {self.limit}. Leave out what is no "
                "text, or hand it in as a ZIP."
            )
        return file


class VersionForm(forms.Form):
    """What a new release is called."""

    version = forms.CharField(max_length=40, help_text="Begins with a number, such as 1.1.")
    notes = forms.CharField(
        required=False, widget=_lines(3), help_text="What readers should know; it is shown."
    )


class ReleaseSettingsForm(ReleaseModelForm):
    """Everything of a release that is not data."""

    class Meta:
        model = Release
        fields = releases.SETTINGS
        labels = {
            "opens_at": "Takes submissions from",
            "closes_at": "Takes no submissions from",
            "embargo_until": "Rankings and scores under embargo until",
            "references_hidden": "Hidden test set: curators alone read references and their quotes",
            "missing_clips": "A file that leaves clips out",
        }
        help_texts = dict.fromkeys((*MOMENTS, "references_hidden"), "")
        widgets = {"notes": _lines(3)} | {
            name: forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
            for name in MOMENTS
        }

    def save_for(self, actor: User) -> bool:
        """Whether it is stored; else the fields say why."""
        try:
            releases.change_settings(release=self.instance, values=self.cleaned_data, actor=actor)
        except ValidationError as unfit:
            self.add_error(None, unfit)
        return self.is_valid()


class PanelForm(forms.Form):
    """The judges of a track."""

    judges = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple)
    reason = forms.CharField(required=False, max_length=300, help_text="For the audit trail.")

    def __init__(self, *args: Any, track: Track, **kwargs: Any) -> None:
        super().__init__(*args, **{"initial": {"judges": track.judges}, **kwargs})
        self.track = track
        field: Any = self.fields["judges"]
        field.choices = list(options.judges_for(track.protocol).items())

    def save_for(self, actor: User) -> Track | None:
        """The track that has the address now; None, with an error, when the panel is refused."""
        given = self.cleaned_data
        try:
            return panels.change_panel(
                track=self.track, judges=given["judges"], actor=actor, reason=given["reason"]
            )
        except ValidationError as unfit:
            self.add_error(None, unfit)
        return None
