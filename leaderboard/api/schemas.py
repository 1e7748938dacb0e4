"""What the interface answers with."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from ninja import Schema


class TrackOut(Schema):
    """One ranked table of a release."""

    slug: str
    name: str
    summary: str
    protocol: str
    settings: dict[str, Any]
    judges: list[str]
    primary_metric: str
    scores_uploads: bool
    bootstrap_replicates: int
    bootstrap_seed: int


class ReleaseOut(Schema):
    """One frozen version of a benchmark's data."""

    version: str
    notes: str
    published_at: datetime | None
    clips: int
    excluded: list[str]
    tracks: list[TrackOut]


class BenchmarkOut(Schema):
    """A benchmark in a list; `versions` newest first."""

    slug: str
    name: str
    summary: str
    licence: str
    versions: list[str]


class BenchmarkDetail(BenchmarkOut):
    """A benchmark with everything published of it."""

    description: str
    licence_url: str
    homepage: str
    citation: str
    releases: list[ReleaseOut]


class RankingOut(Schema):
    """A ranked table: `rows` best first, unranked systems last.

    `provenance` is `verified` (scored here) or `reported` (typed in from a paper).
    """

    benchmark: str
    release: str
    track: str
    provenance: str
    computed_at: datetime
    signature: str
    fingerprint: str
    agreement: dict[str, Any] | None
    rows: list[dict[str, Any]]


class RunOut(Schema):
    """One judge on the submission; `scores` are its numbers, once it is done.

    They are means over clips, or over tests of pairs: then null while a test is missing. `summary`
    is what the protocol says of the submission as a whole.
    """

    track: str
    judge: str
    state: str
    attempts: int
    done: int
    total: int
    percent: int
    queued_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    error_code: str
    error: str
    signature: str
    counts: dict[str, Any]
    summary: dict[str, Any]
    scores: dict[str, float | None]


class SubmissionOut(Schema):
    """One upload. `final` says that nothing more will happen by itself."""

    id: UUID
    benchmark: str
    release: str
    system: str
    system_name: str
    visibility: str
    note: str
    created_at: datetime
    kind: str
    judged_by: str
    language: str
    file_name: str
    format: str
    size: int
    sha256: str
    warnings: list[dict[str, Any]]
    final: bool
    runs: list[RunOut]


class ProblemOut(Schema):
    """One fault: a stable code, what to do about it, and where it is."""

    code: str
    message: str
    where: str = ""
    clip: str = ""
    severity: str = "error"


class ErrorOut(Schema):
    """Any answer of 400 and above. `limit` (bytes) comes with 413."""

    error: str
    problems: list[ProblemOut] = []
    limit: int | None = None
