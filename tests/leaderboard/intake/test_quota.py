"""What may still be submitted: what counts, when the next one opens, and two at a time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from leaderboard.intake import InvalidUpload, NotOpen, QuotaSpent, allowance, check
from leaderboard.models import QuotaPolicy, Release, Run, Submission, Team

Submit = Callable[..., Submission]
ROOT = Path(__file__).resolve().parents[3]
NOW = datetime(2030, 5, 6, 15, 30, tzinfo=UTC)


def policy(release: Release, **given: Any) -> QuotaPolicy:
    """That of the release's benchmark."""
    return QuotaPolicy.objects.create(benchmark=release.benchmark, **given)


def sent_at(submit: Submit, *moments: datetime, **more: Any) -> list[Submission]:
    """Submissions that were stored at these moments."""
    made = []
    for moment in moments:
        one = submit(**more)
        Submission.objects.filter(pk=one.pk).update(created_at=moment)
        made.append(one)
    return made


@pytest.mark.django_db
def test_without_a_policy_there_is_no_limit(submit: Submit, release: Release, ann: User) -> None:
    """And nothing is counted."""
    submit()
    found = allowance(release, ann)
    assert (found.limit, found.left, found.next_at, found.refusal) == (None, None, None, None)


@pytest.mark.django_db
def test_a_rolling_window_opens_when_the_oldest_leaves_it(
    submit: Submit, release: Release, ann: User, ben: User
) -> None:
    """To the second; what others sent does not count."""
    sent_at(submit, *(NOW - timedelta(hours=h) for h in (30, 20, 2)))
    policy(release, limit=3)
    found = allowance(release, ann, now=NOW)
    assert (found.used, found.left, found.next_at) == (2, 1, None)
    QuotaPolicy.objects.update(limit=2)
    found = allowance(release, ann, now=NOW)
    assert (found.left, found.next_at) == (0, NOW + timedelta(hours=4))
    assert isinstance(found.refusal, QuotaSpent)
    assert "The limit is 2 submissions in 24 hours" in str(found.refusal)
    assert "6 May 2030, 19:30 UTC" in str(found.refusal)
    assert allowance(release, ann, now=NOW + timedelta(hours=4)).left == 1
    assert allowance(release, ben, now=NOW).left == 2


@pytest.mark.django_db
def test_the_next_moment_is_in_the_viewers_time_zone(
    submit: Submit, release: Release, ann: User
) -> None:
    """As the rest of the page."""
    sent_at(submit, NOW - timedelta(hours=1))
    policy(release, limit=1)
    with timezone.override("Asia/Tokyo"):
        assert "7 May 2030, 23:30 JST" in str(allowance(release, ann, now=NOW).refusal)


@pytest.mark.django_db
def test_a_calendar_day_opens_at_midnight_by_utc(
    submit: Submit, release: Release, ann: User
) -> None:
    """What was sent at midnight counts for the new day."""
    midnight = NOW.replace(hour=0, minute=0)
    sent_at(submit, midnight - timedelta(seconds=1), midnight)
    policy(release, limit=1, window="day")
    found = allowance(release, ann, now=NOW)
    assert (found.used, found.next_at) == (1, midnight + timedelta(days=1))


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("midnight", "day", "rolling"),
    [  # Berlin's clocks go forward on 31 March 2030 (23 hours) and back on 27 October (25 hours)
        ((2030, 3, 31), "1 Apr 2030, 02:00 CEST", "1 Apr 2030, 01:40 CEST"),
        ((2030, 10, 27), "28 Oct 2030, 01:00 CET", "28 Oct 2030, 00:40 CET"),
    ],
)
def test_a_day_of_23_or_25_hours_is_none_here(
    submit: Submit,
    release: Release,
    ann: User,
    midnight: tuple[int, int, int],
    day: str,
    rolling: str,
) -> None:
    """A day by UTC and 24 hours are as long as ever; the viewer reads the moment by their clock."""
    begin = datetime(*midnight, tzinfo=UTC)
    sent_at(submit, begin - timedelta(minutes=30), begin)
    made = policy(release, limit=1, window="day")
    late = begin + timedelta(hours=23, minutes=59)
    with timezone.override("Europe/Berlin"):
        found = allowance(release, ann, now=late)
        assert (found.used, found.next_at) == (1, begin + timedelta(hours=24))
        assert day in str(found.refusal)
        assert allowance(release, ann, now=begin + timedelta(hours=24)).left == 1
        made.window, made.limit = "rolling", 1
        made.save()
        Submission.objects.filter(created_at=begin).update(created_at=begin - timedelta(minutes=20))
        found = allowance(release, ann, now=begin + timedelta(hours=23))
        assert (found.used, found.next_at) == (2, begin + timedelta(hours=23, minutes=40))
        assert rolling in str(found.refusal)


@pytest.mark.django_db
def test_a_team_is_counted_together(submit: Submit, release: Release, ann: User, ben: User) -> None:
    """Whoever of it sends; what a person sends for themselves is apart."""
    team = Team.objects.create(name="Lab", slug="lab")
    for user in (ann, ben):
        one = submit(user=user)
        Submission.objects.filter(pk=one.pk).update(team=team)
    submit(user=ann)
    policy(release, limit=5, per="team")
    assert allowance(release, ann, team).used == 2
    assert allowance(release, ann).used == 1
    QuotaPolicy.objects.update(per="user")
    assert allowance(release, ann, team).used == 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("states", "cancelled", "counts"),
    [
        (["queued", "running"], False, True),
        (["done", "failed"], False, True),
        (["failed", "failed"], False, False),
        (["failed", "incomplete"], False, False),
        (["failed", "queued"], False, True),
        (["cancelled", "cancelled"], True, False),
        (["cancelled", "done"], True, True),
    ],
)
def test_what_counts(
    submit: Submit, release: Release, ann: User, states: list[str], cancelled: bool, counts: bool
) -> None:
    """Accepted ones; not those that failed on our side or were cancelled before any score."""
    made = submit()
    for run, state in zip(made.runs.all(), states, strict=True):
        Run.objects.filter(pk=run.pk).update(state=state)
    if cancelled:
        Submission.objects.update(cancelled_at=timezone.now())
    policy(release, limit=1)
    assert allowance(release, ann).used == counts


@pytest.mark.django_db
def test_refused_files_and_dry_runs_cost_nothing(
    submit: Submit, release: Release, ann: User
) -> None:
    """And a spent quota is said before the file is read."""
    policy(release, limit=1)
    with pytest.raises(InvalidUpload):
        submit(texts={"c9": "Unknown."})
    check(release=release, data=b'{"c1": "x"}', filename="p.json")
    assert allowance(release, ann).left == 1
    submit()
    with pytest.raises(QuotaSpent):
        submit(texts={"c9": "Unknown."})
    assert Submission.objects.count() == 1


@pytest.mark.django_db
def test_so_many_at_the_same_time(submit: Submit, release: Release, ann: User) -> None:
    """The next one is taken when one is through; no clock says when."""
    policy(release, at_once=1)
    submit()
    with pytest.raises(QuotaSpent, match="at the same time") as refused:
        submit()
    assert refused.value.next_at is None
    Run.objects.update(state="done")
    submit()


@pytest.mark.django_db
def test_a_release_takes_submissions_at_its_time(submit: Submit, release: Release) -> None:
    """Not before, not after; importers are not asked."""
    release.opens_at = timezone.now() + timedelta(hours=1)
    with pytest.raises(NotOpen, match="taken from") as refused:
        submit()
    assert refused.value.next_at == release.opens_at
    release.opens_at, release.closes_at = None, timezone.now()
    with pytest.raises(NotOpen, match="were taken until"):
        submit()
    submit(user=None)


# A process of its own: a test database in memory does not make its writers wait for each other.
EIGHT_AT_ONCE = """
import json, threading
import django
django.setup()
from django.contrib.auth.models import User
from django.core.management import call_command
from django.utils import timezone
from leaderboard.intake import QuotaSpent, receive
from leaderboard.models import Benchmark, Clip, QuotaPolicy, Release, Submission, System, Track

call_command("migrate", verbosity=0)
ann = User.objects.create_user("ann")
benchmark = Benchmark.objects.create(slug="small", name="Small", summary="One clip.")
QuotaPolicy.objects.create(benchmark=benchmark, limit=3)
release = Release.objects.create(benchmark=benchmark, version="1", published_at=timezone.now())
Clip.objects.create(release=release, key="c1", position=0)
Track.objects.create(release=release, slug="main", name="Main", judges=["char-tfidf"])
systems = [System.objects.create(name=f"S{n}", slug=f"s{n}", owner=ann) for n in range(8)]
barrier, outcomes = threading.Barrier(len(systems)), []

def upload(system):
    barrier.wait()
    try:
        receive(
            release=release, user=ann, system=system, data=b'{"c1": "A man."}', filename="p.json"
        )
        outcomes.append("stored")
    except QuotaSpent:
        outcomes.append("refused")
    finally:
        connection.close()

threads = [threading.Thread(target=upload, args=(system,)) for system in systems]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(json.dumps([sorted(outcomes), Submission.objects.count()]))
"""


def test_ap_03_uploads_at_the_same_time_cannot_pass_the_limit(tmp_path: Path) -> None:
    """Eight connections, three places, each asked while the others are being stored."""
    done = subprocess.run(
        [sys.executable, "-c", EIGHT_AT_ONCE],
        cwd=ROOT,
        env=os.environ
        | {
            "DATA_DIR": str(tmp_path),
            "DATABASE_URL": f"sqlite:///{tmp_path}/db.sqlite3",
            "CELERY_BROKER_URL": "filesystem://",
            "DJANGO_SETTINGS_MODULE": "leaderboard.settings",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [["refused"] * 5 + ["stored"] * 3, 3]
