"""Fields that Django's forms lack."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms

from leaderboard.models import Track

if TYPE_CHECKING:
    from django.core.files.uploadedfile import UploadedFile

    File = UploadedFile[bytes]
    TrackChoiceField = forms.ModelChoiceField[Track]
else:
    TrackChoiceField = forms.ModelChoiceField


class FilesInput(forms.FileInput):
    """A file input in which several files can be chosen at once."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """One file or several; each is checked as Django checks one, and all come as a list."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[File]:
        """The files in the order in which they were sent."""
        files = data if isinstance(data, list | tuple) else [data]
        return [super(FilesField, self).clean(one, initial) for one in files or [None]]


class TrackField(TrackChoiceField):
    """Tracks of one release, by their slugs and names."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(Track.objects.none(), to_field_name="slug", **kwargs)

    def label_from_instance(self, obj: Track) -> str:
        """Without the release, which is the page's."""
        return obj.name
