"""The submission form: a system, a file, and who may see it."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.utils import timezone

from leaderboard import intake
from leaderboard.forms.fields import FilesField, FilesInput, TrackField
from leaderboard.forms.privacy import MomentField
from leaderboard.forms.system import CARD, SystemForm
from leaderboard.models import Kind, Submission, System, Team

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from leaderboard.models import Release
    from leaderboard.models.track import TrackQuerySet

# A CSV for each pair test, the two files of judgements: these come in several files.
IN_SEVERAL_FILES = {Kind.PAIRS, Kind.JUDGEMENTS}


class SubmissionForm(SystemForm):
    """An upload for one's own system, or for one that is entered here.

    ``submit`` may raise ``InvalidUpload``; nothing has been stored then, no new system either.
    With ``checking`` only the file is asked for, and ``check`` says all that can be said of it.
    """

    system = forms.ModelChoiceField(
        System.objects.none(), required=False, empty_label="A new system, entered below"
    )
    file = FilesField(
        allow_empty_file=True,
        widget=FilesInput(attrs={"accept": ".json,.jsonl,.ndjson,.csv,.tsv,.zip,.gz"}),
    )
    visibility = forms.ChoiceField(
        choices=Submission.Visibility.choices,
        initial=Submission.Visibility.PUBLIC,
        widget=forms.RadioSelect,
    )
    named_from = MomentField(
        label="Show the names from", help_text="For an anonymous one, if it shall end by itself."
    )
    note = forms.CharField(
        required=False,
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="How the descriptions were made: prompt, sampling, frames. It is shown.",
    )

    team = forms.ModelChoiceField(
        Team.objects.none(),
        required=False,
        empty_label="Only me",
        label="Submit for",
        help_text="Everybody in the team sees it, and may submit for the same system.",
    )
    kind = forms.ChoiceField(label="What the file holds", required=False)
    language = forms.ChoiceField(label="Language of the descriptions", required=False)
    track = TrackField(label="Track that the judgements are for", required=False)
    judged_by = forms.CharField(
        label="Judge that gave the judgements",
        required=False,
        max_length=intake.JUDGE_LENGTH,
        help_text="The numbers are shown as reported, with this judge's name.",
    )

    class Meta(SystemForm.Meta):
        fields = ("name", *CARD)  # the note here is the submission's

    def __init__(
        self, *args: Any, user: User, release: Release, checking: bool = False, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        # Needed only where no system of one's own is chosen: see clean.
        self.fields["name"].required = False
        self.user = user
        self.checking = checking
        self.release = release
        self.kinds = [kind for kind in Kind if release.tracks.taking(kind).exists()]
        self._offer("kind", [(kind.value, kind.label) for kind in self.kinds])
        spoken = release.tracks.taking(Kind.DESCRIPTIONS).languages()
        self._offer("language", [(language, language) for language in spoken])
        self._offer_judgements(release.tracks.taking(Kind.JUDGEMENTS))
        if not self.in_several_files:
            del self.fields["file"].widget.attrs["multiple"]
        own = System.objects.owned_by(user)
        systems = self.fields["system"]
        if isinstance(systems, forms.ModelChoiceField):
            systems.queryset = own
        if not own.exists():
            del self.fields["system"]
        teams = self.fields["team"]
        if isinstance(teams, forms.ModelChoiceField):
            teams.queryset = Team.objects.of(user)
            if not teams.queryset.exists():
                del self.fields["team"]

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        """A field is asked only where there is something to choose."""
        field = self.fields[name]
        if len(choices) > 1 and isinstance(field, forms.ChoiceField):
            field.choices = choices
        else:
            del self.fields[name]

    def _offer_judgements(self, tracks: TrackQuerySet) -> None:
        """Track and judge are asked where some track takes judgements made elsewhere."""
        field = self.fields["track"]
        if Kind.JUDGEMENTS in self.kinds and isinstance(field, TrackField):
            field.empty_label = None if len(tracks) == 1 else field.empty_label
            field.queryset = tracks
        else:
            del self.fields["track"], self.fields["judged_by"]

    def clean(self) -> dict[str, Any]:
        """A system is needed: a chosen one or a name. Only judgements have a track and a judge."""
        cleaned = super().clean() or self.cleaned_data
        if not cleaned.get("kind") and len(self.kinds) == 1:
            cleaned["kind"] = self.kinds[0]
        if cleaned.get("kind") == Kind.JUDGEMENTS:
            for name, missing in (("track", intake.NO_TRACK), ("judged_by", intake.NO_JUDGE)):
                if not cleaned.get(name) and name not in self.errors:
                    self.add_error(name, missing.message)
        else:
            cleaned |= {"track": None, "judged_by": ""}
        named = cleaned.get("system") or cleaned.get("name") or "name" in self.errors
        if not named and not self.checking:
            self.add_error("name", "Name the system that wrote the descriptions.")
        return cleaned

    def clean_named_from(self) -> datetime | None:
        """A moment to come."""
        moment: datetime | None = self.cleaned_data["named_from"]
        if moment is not None and moment <= timezone.now():
            raise forms.ValidationError("This moment has passed; choose one that lies ahead.")
        return moment

    def check(self, refused: intake.InvalidUpload | None = None) -> intake.CheckReport:
        """What the file would be told, or was told just now; nothing is stored or counted."""
        data, filename = self._file()
        return intake.check(
            release=self.release,
            data=data,
            filename=filename,
            user=self.user,
            contents=self._contents(),
            refused=refused,
        )

    def submit(self) -> Submission | None:
        """The stored submission; None, with an error on the name, when the name is taken."""
        data, filename = self._file()
        given: dict[str, Any] = {
            "release": self.release,
            "contents": self._contents(),
            "user": self.user,
            "team": self.cleaned_data.get("team"),
            "data": data,
            "filename": filename,
            "visibility": self.cleaned_data["visibility"],
            "named_from": self.cleaned_data["named_from"],
            "note": self.cleaned_data["note"],
        }
        card = {name: self.cleaned_data[name] for name in CARD}
        try:
            new = intake.Named(self.cleaned_data["name"], card)
            return intake.receive(system=self.cleaned_data.get("system") or new, **given)
        except intake.SystemTaken as taken:
            self.add_error("name", str(taken))
        except intake.NotTaken as refused:
            self.add_error(None, str(refused))
        except forms.ValidationError as unfit:
            self.add_error(None, unfit)
        return None

    def _file(self) -> tuple[bytes, str]:
        files = self.cleaned_data["file"]
        for file in files:
            file.seek(0)
        return intake.packed([(file.name or "upload", file.read()) for file in files])

    def _contents(self) -> intake.Contents:
        return intake.Contents(
            kind=self.cleaned_data.get("kind", ""),
            track=self.cleaned_data["track"],
            judged_by=self.cleaned_data["judged_by"],
            language=self.cleaned_data.get("language", ""),
        )

    @property
    def contents_fields(self) -> list[forms.BoundField]:
        """What is asked about the file, where there is a choice."""
        return [self[name] for name in ("kind", "language") if name in self.fields]

    @property
    def judgement_fields(self) -> list[forms.BoundField]:
        """What is asked about judgements made elsewhere, where they are taken."""
        return [self[name] for name in ("track", "judged_by") if name in self.fields]

    @property
    def in_several_files(self) -> bool:
        """Whether some upload may come in several files."""
        return not IN_SEVERAL_FILES.isdisjoint(self.kinds)

    @property
    def limit(self) -> int:
        """The largest file, in bytes."""
        return int(settings.UPLOAD_MAX_BYTES)
