"""What the scripts of this folder ask of a site, within a process of that site.

python inside.py set-up | upload N ... | settled SECONDS | twice N | again | ...
"""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import django

django.setup()

from django.contrib.auth.models import User  # noqa: E402
from django.core.files.storage import default_storage  # noqa: E402
from django.core.management import call_command  # noqa: E402
from django.db import connections  # noqa: E402
from django.db.models import Q, QuerySet  # noqa: E402
from django.utils import timezone  # noqa: E402

from leaderboard import tasks  # noqa: E402
from leaderboard.curation import again, stepping  # noqa: E402
from leaderboard.intake import quota, receive  # noqa: E402
from leaderboard.intake.steer import retry  # noqa: E402
from leaderboard.models import (  # noqa: E402
    ApiToken,
    Benchmark,
    Clip,
    Evidence,
    Provenance,
    QuotaPolicy,
    Ranking,
    Reference,
    Release,
    Run,
    ScoreVector,
    Submission,
    System,
    Track,
)
from leaderboard.operations import files  # noqa: E402
from leaderboard.pipeline import rank, score  # noqa: E402

PEOPLE = ("submitter", "second", "third", "fourth")
WHO = ("man", "woman", "dog", "cat", "driver", "child")
KINDS = 7
"""So many different files there are; the n-th upload is the file n % KINDS."""


def texts(number: int) -> dict[str, str]:
    """The file of that kind: clip to description, each a little off the reference."""
    words = ["It rains.", "The sun is out.", "Nobody else is there.", "A bell rings."]
    return {
        f"c{n}": f"A {WHO[(n + number) % len(WHO)]} walks over the road. "
        f"{words[(n + number) % len(words)]} The {who} looks about."
        for n, who in enumerate(WHO)
    }


def set_up() -> dict[str, int]:
    """One benchmark of six clips, one judge, its people, and the numbers to be met.

    They come from an undisturbed run of each kind of file, scored in this process. What is not sent
    with a token is the first one's.
    """
    call_command("migrate", verbosity=0)
    user, *_ = [User.objects.create_user(name) for name in PEOPLE]
    benchmark = Benchmark.objects.create(slug="small", name="Small", summary="Six clips.")
    release = Release.objects.create(benchmark=benchmark, version="1", published_at=timezone.now())
    for n, who in enumerate(WHO):
        clip = Clip.objects.create(release=release, key=f"c{n}", position=n)
        text = f"A {who} crosses the road. The {who} stops and looks around. Then it rains."
        Reference.objects.create(clip=clip, text=text)
    Track.objects.create(
        release=release, slug="main", name="Main", judges=["char-tfidf"], bootstrap_replicates=50
    )
    tasks.send_runs = lambda *_, **__: None
    for kind in range(KINDS):
        made = _receive(user, f"undisturbed-{kind}", kind)
        score.score_run(made.runs.get().pk)
    QuotaPolicy.objects.create(benchmark=benchmark, limit=10_000, at_once=10_000)
    return {"undisturbed": KINDS}


def _receive(user: User, name: str, kind: int, **other: str) -> Submission:
    system = System.objects.create(name=name, slug=name, owner=user)
    data = json.dumps(texts(kind % KINDS) | other).encode()
    return receive(
        release=Release.objects.get(), user=user, system=system, data=data, filename="p.json"
    )


def poison() -> dict[str, int]:
    """One file of which the judge's process dies."""
    _receive(_first(), "poison-0", 0, c0="A man drinks poison.")
    return {"accepted": 1}


def upload(count: str, *options: str) -> dict[str, int]:
    """So many files at once, from several threads; option: threads=N."""
    chosen = dict(option.split("=") for option in options)
    user = _first()
    first = System.objects.count()

    def one(number: int) -> str:
        try:
            _receive(user, f"system-{number}", number)
        except Exception as error:
            return f"refused_{getattr(error, 'code', type(error).__name__)}"
        finally:
            connections.close_all()
        return "accepted"

    with ThreadPoolExecutor(int(chosen.get("threads", 4))) as pool:
        return Counter(pool.map(one, range(first, first + int(count))))


def people(limit: str) -> dict[str, Any]:
    """A token of each who has sent nothing yet, for ``limit`` submissions; and uploads to send."""
    QuotaPolicy.objects.update(limit=int(limit))
    users = [User.objects.get(username=name) for name in PEOPLE[1:]]
    tokens = [ApiToken.objects.issue(user=user, name="faults")[1] for user in users]
    return {"tokens": tokens, "texts": [texts(kind) for kind in range(KINDS)]}


def orphans() -> dict[str, int]:
    """Delete stored files of no submission, as `manage.py doctor --fix` does a day later."""
    return {"deleted": len(files.delete_orphans(timezone.now() + timedelta(days=2)))}


def settled(seconds: str) -> dict[str, int]:
    """Wait until nothing is open and rankings are up to date; then count."""
    deadline = time.monotonic() + float(seconds)
    while time.monotonic() < deadline:
        try:
            if not Run.objects.filter(state__in=Run.OPEN).exists() and not rank.stale_tracks():
                break
        except django.db.Error:
            connections.close_all()
        time.sleep(0.3)
    return counted()


def counted() -> dict[str, int]:
    """What is the case. All but the first four are faults, and have to be 0."""
    rows = Run.objects.select_related("submission__system", "submission__user")
    runs = list(rows.order_by("pk"))
    expected = {kind: _vectors(run) for kind, run in enumerate(runs[:KINDS])}
    later = runs[KINDS:]
    done = [run for run in later if run.state == Run.State.DONE]
    failed = [run for run in later if run.state == Run.State.FAILED]
    ranked = _ranked()
    release = Release.objects.get()
    used = {one: quota.allowance(release, one).used for one in User.objects.all()}
    sent = Counter(run.submission.user for run in runs if run.state == Run.State.DONE)
    return {
        "accepted": Submission.objects.count() - KINDS,
        "done": len(done),
        "failed_with_reason": sum(bool(run.error) for run in failed),
        "attempts": sum(run.attempts for run in later),
        "stuck": sum(run.state in Run.OPEN for run in later),
        "failed_without_reason": sum(not run.error for run in failed),
        "without_run": Submission.objects.filter(runs=None).count(),
        "other_digits": sum(_vectors(run) != expected[_kind(run)] for run in done),
        "scored_twice": sum(run.evidence.count() != len(WHO) or run.revision > 0 for run in done),
        "score_of_failed": ScoreVector.objects.filter(run__in=failed).count()
        + Evidence.objects.filter(run__in=failed).count(),
        "not_ranked": sum(str(run.submission_id) not in ranked for run in done),
        "quota_off": sum(abs(count - sent[one]) for one, count in used.items()),
        "files_off": abs(_files() - Submission.objects.count()),
    }


def _kind(run: Run) -> int:
    return int(run.submission.system.name.rpartition("-")[2]) % KINDS


def _vectors(run: Run) -> dict[str, bytes]:
    return {vector.metric: bytes(vector.data) for vector in run.vectors.all()}


def _ranked() -> set[str]:
    newest = Ranking.objects.latest_of(Track.objects.get(), Provenance.VERIFIED)
    return {str(row["submission"]) for row in newest.rows} if newest else set()


def _files(folder: str = "") -> int:
    """Stored files, in all folders."""
    folders, files = default_storage.listdir(folder)
    return len(files) + sum(_files(f"{folder}/{one}".lstrip("/")) for one in folders)


def twice(times: str) -> dict[str, int]:
    """Send the message of every open run so many times more, whatever has been sent."""
    runs = list(Run.objects.filter(state__in=Run.OPEN).select_related("submission"))
    for _ in range(int(times)):
        tasks.send_runs(runs)
    return {"sent": len(runs) * int(times)}


def try_again() -> dict[str, int]:
    """What failed, tried again by its submitter."""
    failed = Submission.objects.filter(runs__state=Run.State.FAILED).select_related("user")
    return {"tried_again": sum(len(retry(one, actor=one.user)) for one in failed if one.user)}


def rescore(count: str) -> dict[str, int]:
    """So many files more, scored here; then all, by a curator's wish, to be scored again."""
    send, tasks.send_runs = tasks.send_runs, lambda *_, **__: None
    first = System.objects.count()
    for number in range(first, first + int(count)):
        score.score_run(_receive(_first(), f"system-{number}", number).runs.get().pk)
    tasks.send_runs = send
    stepping.work_off(again.score_again(track=Track.objects.get(), actor=_first()))
    return {"waiting": Run.objects.filter(state=Run.State.QUEUED, low_priority=True).count()}


def overtaken() -> dict[str, int]:
    """Of a file sent after ``rescore``: how many of the others were begun while it waited, and how
    many were not yet begun when it was scored.
    """
    sent = _scored(Run.objects.filter(low_priority=False))
    others = Run.objects.filter(low_priority=True)
    waited = others.filter(started_at__gt=sent.queued_at, started_at__lt=sent.started_at)
    later = others.filter(Q(started_at=None) | Q(started_at__gt=sent.finished_at))
    return {"begun before it": waited.count(), "left": later.count()}


def _scored(runs: QuerySet[Run]) -> Run:
    deadline = time.monotonic() + 60
    while (run := runs.get()).state != Run.State.DONE:
        if time.monotonic() > deadline:
            raise TimeoutError(f"a run is {run.state} and not done")
        time.sleep(0.3)
    return run


def judge(name: str) -> dict[str, str]:
    """Have files judged by another one from now on."""
    Track.objects.update(judges=[name])
    return {"judge": name}


def _first() -> User:
    return User.objects.get(username=PEOPLE[0])


COMMANDS: dict[str, Any] = {
    "set-up": set_up,
    "upload": upload,
    "poison": poison,
    "people": people,
    "orphans": orphans,
    "counted": counted,
    "settled": settled,
    "twice": twice,
    "again": try_again,
    "rescore": rescore,
    "overtaken": overtaken,
    "judge": judge,
}

if __name__ == "__main__":
    words = [*sys.argv[1:], "+"]
    while words:
        command, words = words[: words.index("+")], words[words.index("+") + 1 :]
        print(json.dumps(COMMANDS[command[0]](*command[1:])))
