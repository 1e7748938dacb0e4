"""What the interface answers with."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from uuid import UUID

from ninja import Schema

from leaderboard.api.flag_schemas import DiagnosticsOut, FlagOut
from leaderboard.models import Track
from leaderboard.tables import by_baseline


class TrackOut(Schema):
    """One ranked table of a release; `baseline`: a judge by rules, not comparable with papers."""

    slug: str
    name: str
    summary: str
    protocol: str
    settings: dict[str, Any]
    judges: list[str]
    baseline: bool
    primary_metric: str
    scores_uploads: bool
    bootstrap_replicates: int
    bootstrap_seed: int

    @staticmethod
    def resolve_baseline(track: Track) -> bool:
        """As the pages label it."""
        return by_baseline(track)


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
    """A benchmark with everything published of it. `upload_limit` is the largest file, in bytes.

    A file of `direct_upload_from` bytes or more had better go straight to the site's bucket (see
    `uploads`); null: that is not offered.
    """

    description: str
    licence_url: str
    homepage: str
    citation: str
    upload_limit: int
    direct_upload_from: int | None
    releases: list[ReleaseOut]


class RankingOut(Schema):
    """A ranked table: `rows` best first, unranked systems last.

    `provenance` is `verified` (scored here) or `reported` (typed in from a paper). `baseline` says
    that a judge works by rules, so that its numbers are not comparable with published ones.
    `permalink` is where this ranking stays, whatever is ranked later.
    """

    benchmark: str
    release: str
    track: str
    provenance: str
    computed_at: datetime
    signature: str
    fingerprint: str
    permalink: str
    agreement: dict[str, Any] | None
    baseline: bool
    rows: list[dict[str, Any]]


class FailureOut(Schema):
    """A clip that the judge failed on, and why. It has no score; that is not a 0."""

    clip: str
    reason: str


class UsageOut(Schema):
    """What a language model's answers took, over all tries of the run.

    `cached` were known already; of the `calls`, `retries` were sent again after an error. `cost` is
    in the currency of the judge's prices, null where none are known.
    """

    calls: int
    retries: int
    cached: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None


class SpreadOut(Schema):
    """How far a metric's mean lies apart where everything was judged several times."""

    metric: str
    runs: int
    mean: float
    std: float
    low: float
    high: float
    clip_std: float


class LogOut(Schema):
    """What a worker did with the run."""

    at: datetime
    sentence: str


class RunOut(Schema):
    """One judge on the submission; `scores` are its numbers, once it is done.

    They are means over clips, or over tests of pairs: then null while a test is missing. `summary`
    is what the protocol says of the submission as a whole. An incomplete run has the clips that its
    judge failed on in `failures`, and says why in `error_code` and `error`. `baseline` marks a
    judge by rules, whose numbers are not comparable with published ones. While it waits,
    `queue_place` is its place among its judge's runs (1 is next); `seconds_left` is an estimate,
    the least that it takes (its worker may serve other judges too); null when nothing is known;
    `heartbeat_at` is its worker's last sign of life.
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
    heartbeat_at: datetime | None
    finished_at: datetime | None
    queue_place: int | None
    seconds_left: float | None
    log: list[LogOut]
    error_code: str
    error: str
    signature: str
    counts: dict[str, Any]
    summary: dict[str, Any]
    scores: dict[str, float | None]
    baseline: bool
    failures: list[FailureOut]
    usage: UsageOut | None
    spread: list[SpreadOut]


class SubmissionOut(Schema):
    """One upload. `final` says that nothing more will happen by itself.

    While it is anonymous, `system` and `system_name` are a pseudonym for all but its owners, and
    `note` and `file_name` are empty. `standing` is `clear`, `held` or `hidden`, by a curator.
    """

    id: UUID
    benchmark: str
    release: str
    system: str
    system_name: str
    team: str
    visibility: str
    named_from: datetime | None
    published_at: datetime | None
    withdrawn_at: datetime | None
    standing: str
    note: str
    created_at: datetime
    kind: str
    judged_by: str
    language: str
    file_name: str
    format: str
    size: int
    sha256: str
    cancelled_at: datetime | None
    warnings: list[dict[str, Any]]
    diagnostics: DiagnosticsOut | None
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
    """Any answer of 400 and above. `limit` (bytes) comes with 413, `next_at` with 429."""

    error: str
    problems: list[ProblemOut] = []
    limit: int | None = None
    next_at: datetime | None = None


class CheckOut(Schema):
    """What a check found: `found` of `expected` clips (or pairs), `missing` their ids.

    `ok` says whether the file would be accepted. `encoding` is empty when it is no text.
    """

    benchmark: str
    release: str
    ok: bool
    filename: str
    inside: str
    size: int
    sha256: str
    format: str
    encoding: str
    kind: str
    language: str
    noun: str
    found: int
    expected: int
    missing: list[str]
    empty: int
    words: int
    problems: list[ProblemOut]
    flags: list[FlagOut]


class QuotaOut(Schema):
    """What may still be submitted. Null where there is no limit.

    `team` is whom it was asked for, empty for yourself.
    `window` is `rolling` (the last `hours`) or `day` (the calendar day, by UTC); `per` whose
    submissions count together, `user` or `team`.
    """

    benchmark: str
    release: str
    team: str
    limit: int | None
    used: int
    left: int | None
    window: str
    hours: int | None
    per: str
    at_once: int | None
    running: int
    opens_at: datetime | None
    closes_at: datetime | None
    next_at: datetime | None
    taken_now: bool
    why_not: str
