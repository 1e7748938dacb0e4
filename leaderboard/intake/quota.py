"""How much one may still submit to a benchmark, and when.

Nobody is exempt, staff and curators neither: only importers, who submit as nobody, are not asked.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import Count, Q, QuerySet
from django.utils import timezone
from django.utils.formats import date_format

from leaderboard.models import Ban, Profile, QuotaPolicy, Run, Submission, Team

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from leaderboard.models import Release

# What a run may end with because of us: its judge, its worker, its stored file.
NOT_THEIRS = Q(runs__state=Run.State.INCOMPLETE) | Q(runs__state=Run.State.FAILED)
STATED = (
    "Only accepted submissions count. Files that are refused, dry runs, submissions cancelled "
    "before anything was scored, and those that failed on this site's side do not."
)


class NotTaken(Exception):  # noqa: N818 - named as the fault is spoken of
    """Nothing is taken now, whatever the file; the message says why and until when."""

    code = "not-taken"

    def __init__(self, message: str, next_at: datetime | None = None) -> None:
        super().__init__(message)
        self.next_at = next_at


class QuotaSpent(NotTaken):
    """So many submissions were sent, or are being scored, that the next one must wait."""

    code = "quota-spent"


class NotOpen(NotTaken):
    """The release takes submissions at another time."""

    code = "not-open"


class Banned(NotTaken):
    """Staff have closed the account for submissions."""

    code = "banned"


@dataclass(frozen=True, slots=True)
class Allowance:
    """What somebody may still submit to a release at ``now``.

    ``ban`` is why nothing is taken from the account; ``limit`` and ``at_once`` are None where
    there is no such limit. ``next_at`` is the moment from which one more is taken: None when one is
    taken now, or when no moment can be told.
    """

    now: datetime
    policy: QuotaPolicy | None = None
    used: int = 0
    running: int = 0
    frees_at: datetime | None = None
    opens_at: datetime | None = None
    closes_at: datetime | None = None
    ban: str | None = None

    @property
    def limit(self) -> int | None:
        """Submissions a window."""
        return self.policy.limit if self.policy else None

    @property
    def at_once(self) -> int | None:
        """Submissions being scored at the same time."""
        return self.policy.at_once if self.policy else None

    @property
    def left(self) -> int | None:
        """How many the window still takes; None for as many as one likes."""
        return None if self.limit is None else max(0, self.limit - self.used)

    @property
    def is_open(self) -> bool:
        """Whether the release takes submissions at all now."""
        begun = self.opens_at is None or self.opens_at <= self.now
        return begun and (self.closes_at is None or self.now < self.closes_at)

    @property
    def next_at(self) -> datetime | None:
        """When one more is taken, as far as the clock alone decides it."""
        if not self.is_open:
            return self.opens_at if self.opens_at and self.opens_at > self.now else None
        return self.frees_at if self.left == 0 else None

    @property
    def refusal(self) -> NotTaken | None:
        """Why nothing is taken now; None when one is."""
        if self.ban is not None:
            return Banned(f"This account may not submit any more. {self.ban}")
        if not self.is_open:
            return NotOpen(self._closed(), self.next_at)
        if self.left == 0:
            return QuotaSpent(self._spent(), self.next_at)
        if self.at_once is not None and self.running >= self.at_once:
            return QuotaSpent(
                f"At most {_submissions(self.at_once)} may be scored at the same time here, "
                f"and {self.running} of yours {'is' if self.running == 1 else 'are'}. Send the "
                "next one when one of them is through."
            )
        return None

    @property
    def window(self) -> str:
        """The window in words: in 24 hours; a day, by UTC."""
        if self.policy is None:
            return ""
        if self.policy.window == QuotaPolicy.Window.DAY:
            return "a day, by UTC"
        return "in an hour" if self.policy.hours == 1 else f"in {self.policy.hours} hours"

    @property
    def whose(self) -> str:
        """Whose submissions are counted together."""
        return "a team, or a person outside a team," if self.per_team else "a person"

    @property
    def per_team(self) -> bool:
        """Whether a team counts for itself."""
        return self.policy is not None and self.policy.per == QuotaPolicy.Per.TEAM

    @property
    def stated(self) -> str:
        """What counts, in two sentences."""
        return STATED

    def _spent(self) -> str:
        after = f" The next one is taken from {shown(self.next_at)}." if self.next_at else ""
        limit = _submissions(self.limit or 0)
        return f"The limit is {limit} {self.window}, and you have sent {self.used}.{after}"

    def _closed(self) -> str:
        if self.opens_at is not None and self.opens_at > self.now:
            return f"Submissions are taken from {shown(self.opens_at)}; until then, check files."
        return f"Submissions were taken until {shown(self.closes_at)}."


def allowance(
    release: Release,
    user: User,
    team: Team | None = None,
    *,
    now: datetime | None = None,
    policy: QuotaPolicy | None = None,
) -> Allowance:
    """What ``user`` may still submit to ``release`` (for ``team``) at ``now``."""
    now = now or timezone.now()
    policy = policy or QuotaPolicy.objects.filter(benchmark=release.benchmark_id).first()
    opens_at, closes_at = release.opens_at, release.closes_at
    if policy is None:
        return Allowance(now, opens_at=opens_at, closes_at=closes_at, ban=_ban(user, release))
    theirs = _counted_together(policy, release, user, team)
    sent = list(_sent(theirs, policy, now))
    return Allowance(
        now,
        policy,
        used=len(sent),
        running=_running(theirs).count(),
        frees_at=_frees_at(policy, sent, now),
        opens_at=opens_at,
        closes_at=closes_at,
        ban=_ban(user, release),
    )


def allowances(release: Release, user: User) -> list[tuple[Team | None, Allowance]]:
    """What ``user`` may still submit for themselves (None) and, where teams count for themselves,
    for each team that they have joined, by name.
    """
    policy = QuotaPolicy.objects.filter(benchmark=release.benchmark_id).first()
    per_team = policy is not None and policy.per == QuotaPolicy.Per.TEAM
    teams = Team.objects.of(user).order_by("name", "pk") if per_team else Team.objects.none()
    now = timezone.now()
    return [
        (team, allowance(release, user, team, now=now, policy=policy)) for team in (None, *teams)
    ]


def _ban(user: User, release: Release) -> str | None:
    """Why the site, or this benchmark, takes nothing from the account."""
    banned = Profile.objects.filter(user=user, banned_at__isnull=False)
    here = Ban.objects.filter(user=user, benchmark=release.benchmark_id)
    reason = banned.values_list("ban_reason", flat=True).first()
    return here.values_list("reason", flat=True).first() if reason is None else reason


def claim_place(release: Release, user: User | None, team: Team | None = None) -> None:
    """Refuse with ``NotTaken`` when nothing more is taken; call it where the submission is stored.

    The policy's row stays locked until that transaction ends, so that of two uploads at the same
    time the second one sees the first. (SQLite locks the whole database when it begins.)
    """
    if user is None:
        return
    policies = QuotaPolicy.objects.select_for_update()
    policy = policies.filter(benchmark=release.benchmark_id).first()
    if refusal := allowance(release, user, team, policy=policy).refusal:
        raise refusal


def shown(moment: datetime | None) -> str:
    """A moment in the viewer's time zone, named."""
    if moment is None:
        return "an unknown time"
    return date_format(timezone.localtime(moment), "j M Y, H:i e")


def _submissions(number: int) -> str:
    return "1 submission" if number == 1 else f"{number} submissions"


def _counted_together(
    policy: QuotaPolicy, release: Release, user: User, team: Team | None
) -> QuerySet[Submission]:
    of_benchmark = Submission.objects.filter(release__benchmark=release.benchmark_id)
    if policy.per == QuotaPolicy.Per.USER:
        return of_benchmark.filter(user=user)
    if team is not None:
        return of_benchmark.filter(team=team)
    return of_benchmark.filter(user=user, team=None)


def _sent(
    submissions: QuerySet[Submission], policy: QuotaPolicy, now: datetime
) -> QuerySet[Submission, datetime]:
    """When those of the window were sent that count, oldest first.

    Curators' copies on corrected releases are left out: the original counts.
    """
    own = submissions.filter(taken_from=None, created_at__gt=_begin(policy, now))
    counted = own.annotate(
        runs_all=Count("runs"),
        runs_not_theirs=Count("runs", filter=NOT_THEIRS),
        runs_scored=Count("runs", filter=Q(runs__state=Run.State.DONE) | Q(runs__stands=True)),
        runs_open=Count("runs", filter=~Q(runs__state__in=Run.FINAL)),
    )
    cancelled = Q(cancelled_at__isnull=False, runs_scored=0)
    failed = Q(runs_not_theirs__gt=0, runs_scored=0, runs_open=0)
    left = counted.exclude(cancelled).exclude(failed)
    return left.order_by("created_at").values_list("created_at", flat=True)


def _running(submissions: QuerySet[Submission]) -> QuerySet[Submission]:
    """Those that are being scored; runs of low priority are those that a curator has asked for."""
    asked = Run.objects.filter(low_priority=False)
    open_runs = asked.exclude(state__in=Run.FINAL).exclude(stands=True)
    return submissions.filter(pk__in=open_runs.values("submission"))


def _begin(policy: QuotaPolicy, now: datetime) -> datetime:
    if policy.window == QuotaPolicy.Window.DAY:
        return _midnight(now) - timedelta(microseconds=1)
    return now - timedelta(hours=policy.hours)


def _midnight(now: datetime) -> datetime:
    return now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _frees_at(policy: QuotaPolicy, sent: list[datetime], now: datetime) -> datetime | None:
    """When the window takes one more; None when it takes one now, or never does."""
    if policy.limit is None or not policy.limit or len(sent) < policy.limit:
        return None
    if policy.window == QuotaPolicy.Window.DAY:
        return _midnight(now) + timedelta(days=1)
    return sent[len(sent) - policy.limit] + timedelta(hours=policy.hours)
