"""What the curators' part of the interface takes and answers with."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from django.utils import timezone
from ninja import Schema
from pydantic import Field, field_validator

from leaderboard.api.schemas import ProblemOut, TrackOut
from leaderboard.curation.quotas import policy_of
from leaderboard.curation.sources import FORMATS, Data
from leaderboard.models import Benchmark, Clip, Release

PREVIEWED = 20


class Given(Schema):
    """What a curator sends."""

    @field_validator("*", mode="before")
    @classmethod
    def storable(cls, value: Any) -> Any:
        """No database takes NUL."""
        if isinstance(value, str) and "\0" in value:
            raise ValueError("NUL characters cannot be stored; remove them.")
        return value


class CardIn(Given):
    """Fields of a benchmark's card and policies; those left out stay as they are."""

    name: str = ""
    summary: str = ""
    description: str = ""
    licence: str = ""
    licence_url: str = ""
    homepage: str = ""
    citation: str = Field("", description="BibTeX.")
    rules: str = Field("", description="Markdown.")
    faq: str = Field("", description="Markdown.")
    holds_first: bool = Field(False, description="First submissions wait for a curator.")
    shows_withdrawn: bool = Field(False, description="What is withdrawn stays in the table.")
    unpublish_days: int | None = Field(None, ge=0, description="Null: always.")
    forbids_proper_nouns: bool = False
    blocking_flags: list[str] = Field([], description="Flags that refuse a file.")


class BenchmarkIn(CardIn):
    """A new benchmark."""

    slug: str = Field(description="Stands in addresses and never changes.")


class QuotaIn(Given):
    """How much may be submitted to a benchmark."""

    limit: int | None = Field(None, ge=0, description="Submissions a window; null: any number.")
    window: Literal["rolling", "day"] = "rolling"
    hours: int = Field(24, ge=1, le=24 * 366, description="Of a rolling window.")
    per: Literal["user", "team"] = "user"
    at_once: int | None = Field(None, ge=0, description="Being scored at the same time.")


class CuratorsIn(Given):
    """Account names: these and no others."""

    curators: list[str]


class DataFields(Given):
    """What comes beside a file of data."""

    kind: str = Field("table", description=f"One of {', '.join(FORMATS)}.")
    version: str = Field("", description="Of the new release, such as 1.1.")
    notes: str = ""
    filename: str = Field("", description="Where the file itself is the body: its name.")

    @field_validator("kind")
    @classmethod
    def known(cls, value: str) -> str:
        """One of the formats."""
        if value not in FORMATS:
            raise ValueError(f"must be one of {', '.join(FORMATS)}")
        return value


class VersionIn(Given):
    """What a new release is called."""

    version: str
    notes: str = ""


class SettingsIn(Given):
    """Settings of a release; those left out stay as they are. Moments may be null."""

    notes: str = ""
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    embargo_until: datetime | None = None
    references_hidden: bool = False
    missing_clips: Literal["reject", "zero"] = "reject"

    @field_validator("opens_at", "closes_at", "embargo_until")
    @classmethod
    def zoned(cls, value: datetime | None) -> datetime | None:
        """A moment without a time zone is in the site's."""
        return timezone.make_aware(value) if value and timezone.is_naive(value) else value


class ReasonIn(Given):
    """Why; kept in the audit trail."""

    reason: str = Field("", max_length=300)


class CuratedOut(Schema):
    """A benchmark as its curators see it; `releases` newest first, drafts too."""

    slug: str
    card: dict[str, Any]
    quota: dict[str, Any]
    curators: list[str]
    releases: list[str]

    @staticmethod
    def of(benchmark: Benchmark) -> dict[str, Any]:
        """The benchmark's."""
        return {
            "slug": benchmark.slug,
            "card": {name: getattr(benchmark, name) for name in CardIn.model_fields},
            "quota": {name: getattr(policy_of(benchmark), name) for name in QuotaIn.model_fields},
            "curators": sorted(benchmark.curators.values_list("username", flat=True)),
            "releases": list(benchmark.releases.order_by("-pk").values_list("version", flat=True)),
        }


class CuratedClipOut(Schema):
    """A clip as curators see it; `excluded` is the reason why it counts for nobody."""

    clip: str
    title: str
    duration: float | None
    category: str
    references: int
    excluded: str
    counts: bool

    @staticmethod
    def of(clip: Clip, references: int) -> dict[str, Any]:
        """The row, and how many references it has."""
        names = ("title", "duration", "category")
        return {name: getattr(clip, name) for name in names} | {
            "clip": clip.key,
            "references": references,
            "excluded": clip.exclusion_reason,
            "counts": not clip.excluded,
        }


class CuratedReleaseOut(Schema):
    """A release, draft or published."""

    version: str
    published_at: datetime | None
    corrects: str | None
    settings: dict[str, Any]
    clips: int
    excluded: dict[str, str]
    obstacles: list[str]
    tracks: list[TrackOut]

    @staticmethod
    def of(release: Release, obstacles: list[str]) -> dict[str, Any]:
        """The release's; ``obstacles`` keep a draft from being published."""
        excluded = release.clips.filter(excluded=True).order_by("position")
        return {
            "version": release.version,
            "published_at": release.published_at,
            "corrects": release.corrects.version if release.corrects else None,
            "settings": {name: getattr(release, name) for name in SettingsIn.model_fields},
            "clips": release.clips.count(),
            "excluded": dict(excluded.values_list("key", "exclusion_reason")),
            "obstacles": obstacles,
            "tracks": list(release.tracks.all()),
        }


class DataOut(Schema):
    """What was found in a file of data; nothing of it has been stored."""

    ok: bool
    clips: int
    references: int
    keypoints: int
    pairs: int
    problems: list[ProblemOut]
    remarks: list[str]
    preview: list[dict[str, Any]]

    @staticmethod
    def of(data: Data) -> dict[str, Any]:
        """The data's, with its first clips."""
        return {
            "ok": data.ok,
            "clips": len(data.clips),
            "references": data.references,
            "keypoints": data.keypoints,
            "pairs": data.pairs,
            "problems": data.problems,
            "remarks": data.remarks,
            "preview": [
                {
                    "clip": clip.key,
                    "duration": clip.duration,
                    "category": clip.category,
                    "references": [text.text for text in clip.references],
                    "excluded": clip.exclusion_reason,
                }
                for clip in data.clips[:PREVIEWED]
            ],
        }
