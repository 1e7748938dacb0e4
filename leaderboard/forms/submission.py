"""The submission form: a system, a file, and who may see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings

from leaderboard import intake
from leaderboard.forms.system import CARD, SystemForm
from leaderboard.models import Kind, Submission, System

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from leaderboard.models import Release

# Judgements made elsewhere name a track and a judge besides: scripts send them.
FORM_KINDS = (Kind.DESCRIPTIONS, Kind.PAIRS)


def _takes(release: Release, kind: Kind) -> bool:
    return release.tracks.taking(kind).exists()


class SubmissionForm(SystemForm):
    """An upload for one's own system, or for one that is entered here.

    ``submit`` may raise ``InvalidUpload``; nothing has been stored then, no new system either.
    """

    system = forms.ModelChoiceField(
        System.objects.none(), required=False, empty_label="A new system, entered below"
    )
    file = forms.FileField(
        allow_empty_file=True,
        widget=forms.FileInput(attrs={"accept": ".json,.jsonl,.ndjson,.csv,.tsv,.zip,.gz"}),
    )
    visibility = forms.ChoiceField(
        choices=Submission.Visibility.choices,
        initial=Submission.Visibility.PUBLIC,
        widget=forms.RadioSelect,
    )
    note = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="How the descriptions were made: prompt, sampling, frames. It is shown.",
    )

    kind = forms.ChoiceField(label="What the file holds", required=False)
    language = forms.ChoiceField(label="Language of the descriptions", required=False)

    def __init__(self, *args: Any, user: User, release: Release, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.release = release
        self._offer("kind", [(k.value, k.label) for k in FORM_KINDS if _takes(release, k)])
        spoken = release.tracks.taking(Kind.DESCRIPTIONS).languages()
        self._offer("language", [(language, language) for language in spoken])
        own = System.objects.owned_by(user)
        systems = self.fields["system"]
        if isinstance(systems, forms.ModelChoiceField):
            systems.queryset = own
        if not own.exists():
            del self.fields["system"]

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        """A field is asked only where there is something to choose."""
        field = self.fields[name]
        if len(choices) > 1 and isinstance(field, forms.ChoiceField):
            field.choices = choices
        else:
            del self.fields[name]

    def clean(self) -> dict[str, Any]:
        """A system is needed: a chosen one or a name."""
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("system") and not cleaned.get("name") and "name" not in self.errors:
            self.add_error("name", "Name the system that wrote the descriptions.")
        return cleaned

    def submit(self) -> Submission | None:
        """The stored submission; None, with an error on the name, when the name is taken."""
        upload = self.cleaned_data["file"]
        given: dict[str, Any] = {
            "release": self.release,
            "contents": intake.Contents(
                kind=self.cleaned_data.get("kind", ""),
                language=self.cleaned_data.get("language", ""),
            ),
            "user": self.user,
            "data": upload.read(),
            "filename": upload.name or "upload",
            "visibility": self.cleaned_data["visibility"],
            "note": self.cleaned_data["note"],
        }
        if system := self.cleaned_data.get("system"):
            return intake.receive(system=system, **given)
        card = {name: self.cleaned_data[name] for name in CARD}
        try:
            return intake.receive_for(name=self.cleaned_data["name"], card=card, **given)
        except intake.SystemTaken as taken:
            self.add_error("name", str(taken))
        except forms.ValidationError as unfit:
            self.add_error(None, unfit)
        return None

    @property
    def contents_fields(self) -> list[forms.BoundField]:
        """What is asked about the file, where there is a choice."""
        return [self[name] for name in ("kind", "language") if name in self.fields]

    @property
    def card_fields(self) -> list[forms.BoundField]:
        """The fields of a new system but its name."""
        return [self[name] for name in CARD]

    @property
    def limit(self) -> int:
        """The largest file, in bytes."""
        return int(settings.UPLOAD_MAX_BYTES)
