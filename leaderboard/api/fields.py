"""What comes with an uploaded file, read from a form or from the query."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal, TypeVar

from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from ninja import Schema
from ninja.errors import ValidationError
from pydantic import Field, field_validator
from pydantic import ValidationError as ModelError

from leaderboard.forms import CARD
from leaderboard.intake import Contents, Named
from leaderboard.models import Release, Team

SUFFIXES = {
    "application/json": "json",
    "application/jsonl": "jsonl",
    "application/x-ndjson": "jsonl",
    "text/csv": "csv",
    "text/tab-separated-values": "tsv",
}


class FileFields(Schema):
    """What the file holds."""

    kind: Literal["", "descriptions", "pairs", "judgements"] = Field(
        "",
        description="What the file holds: a description of each clip, answers to pair tests, or "
        "judgements of keypoints made elsewhere. Empty: what the track or the release takes.",
    )
    track: str = Field("", description="Slug of the one track it is for; empty: all that take it.")
    judged_by: str = Field("", max_length=80, description="Who gave judgements made elsewhere.")
    language: str = Field("", max_length=12, description="Of the descriptions, for example en.")
    filename: str = Field("", description="Where the file itself is the body: its name.")

    @field_validator("*", mode="before")
    @classmethod
    def storable(cls, value: Any) -> Any:
        """A form leaves a field empty where a script leaves it out; no database takes NUL."""
        if isinstance(value, str) and "\0" in value:
            raise ValueError("NUL characters cannot be stored; remove them.")
        return value

    def contents(self, release: Release) -> Contents:
        """What the file is said to hold; a track that the release does not have is a fault."""
        track = release.tracks.filter(slug=self.track).first() if self.track else None
        if self.track and track is None:
            there = ", ".join(release.tracks.values_list("slug", flat=True))
            message = f"The release has no such track; it has: {there}."
            raise ValidationError([{"loc": ("track",), "msg": message}])
        return Contents(self.kind, track, self.judged_by, self.language)


class UploadFields(FileFields):
    """The system that was tested, what the file holds, and who may see the submission.

    What describes the system counts when it is new; a system that you entered before keeps its
    own description.
    """

    system: str = Field(min_length=1, max_length=120, description="Name of the system.")
    organisation: str = ""
    parameters: str = Field("", description="For example 7B.")
    family: str = ""
    frames: int | None = Field(None, ge=1, description="Frames it looks at.")
    open_weights: bool | None = None
    modality: str = Field("", description="For example video, or video and sound.")
    licence: str = Field("", description="Of the weights.")
    link: str = Field("", description="The model's page (http or https).")
    paper: str = Field("", description="Its address.")
    code: str = Field("", description="Its address.")
    outputs: str = Field("", description="Address of the raw outputs.")
    prompt: str = Field("", max_length=20_000)
    decoding: str = Field("", description="For example greedy, at most 1024 tokens.")
    training_data: str = Field("", max_length=20_000)
    visibility: Literal["public", "anonymous", "private"] = "public"
    named_from: datetime | None = Field(
        None, description="When an anonymous submission shows its names by itself."
    )
    team: str = Field("", description="Slug of a team of yours that it is for; empty: only you.")
    note: str = Field("", max_length=5000)

    @field_validator("frames", "open_weights", "named_from", mode="before")
    @classmethod
    def empty_is_unknown(cls, value: Any) -> Any:
        """An empty field of a form."""
        return None if value == "" else value

    @field_validator("named_from")
    @classmethod
    def ahead(cls, value: datetime | None) -> datetime | None:
        """A moment to come; without a time zone it is in the site's."""
        moment = timezone.make_aware(value) if value and timezone.is_naive(value) else value
        if moment is not None and moment <= timezone.now():
            raise ValueError("The moment from which the names show must lie ahead.")
        return moment

    def submitted(self, release: Release, user: User) -> dict[str, Any]:
        """What ``receive`` takes beside the file, of a user of the interface."""
        return {
            "release": release,
            "user": user,
            "team": team_named(self.team, user),
            "system": Named(self.system, self.model_dump(include=set(CARD))),
            "contents": self.contents(release),
            "visibility": self.visibility,
            "named_from": self.named_from,
            "note": self.note,
        }


def team_named(slug: str, user: User) -> Team | None:
    """The team of that slug; one that the user has not joined is a fault, as if it were none."""
    if not slug:
        return None
    team = Team.objects.of(user).filter(slug=slug).first()
    if team is None:
        message = "You are in no such team; leave the field empty to submit for yourself."
        raise ValidationError([{"loc": ("team",), "msg": message}])
    return team


Fields = TypeVar("Fields", bound=Schema)


def read_fields(kind: type[Fields], values: dict[str, Any]) -> Fields:
    """The fields, or every fault in them at once."""
    try:
        return kind.model_validate(values)
    except ModelError as error:
        faults = [{"loc": fault["loc"], "msg": fault["msg"]} for fault in error.errors()]
        raise ValidationError(faults) from error


def default_name(request: HttpRequest) -> str:
    """A file name for a body that has none: its suffix says the format."""
    suffix = SUFFIXES.get(request.content_type or "", "")
    return f"upload.{suffix}" if suffix else "upload"


def openapi_body(kind: type[Schema]) -> dict[str, Any]:
    """Both ways to send a file, for the interface's description."""
    schema = kind.model_json_schema()
    file = {"type": "string", "format": "binary"}
    form = {**schema["properties"], "file": {"type": "array", "items": file}}
    form.pop("filename")
    body = {"schema": {"type": "string", "format": "binary"}}
    return {
        "requestBody": {
            "required": True,
            "content": {
                "multipart/form-data": {
                    "schema": {
                        "type": "object",
                        "properties": form,
                        "required": [*schema.get("required", ()), "file"],
                    }
                }
            }
            | dict.fromkeys(SUFFIXES, body),
        },
    }
