"""One run: claim it in a short transaction, work outside any, finish if the claim still stands."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from leaderboard import audit, logs
from leaderboard.models import Evidence, Kind, Run, ScoreVector, Track
from leaderboard.pipeline import (
    bridge,
    clock,
    dispatch,
    facts,
    keypoints,
    limits,
    ngram,
    pairs,
    run_log,
)
from leaderboard.pipeline.claim import (
    ClaimLost,
    Heartbeat,
    Stopping,
    claim,
    claimed,
    fail,
    logged,
)
from leaderboard.pipeline.clip_map import lacks_map
from leaderboard.pipeline.judges import embedding_cache, ready_judge
from leaderboard.pipeline.scored import Scored
from leaderboard.pipeline.stored_file import StorageFailing, check_file
from scoring.protocols import embedding_match, semantic
from scoring.types import Progress, ScoringError

logger = logging.getLogger(__name__)

INTERNAL = (
    "Scoring stopped with an internal error; the file is not the cause. Staff find it in the "
    "site's log under {reference} and mend it; then it can be tried again."
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What comes next: tracks to rank, runs to send after ``delay`` seconds, the submission that
    is through with this run, and runs whose track and judge have no map of the clips yet.
    """

    tracks: tuple[int, ...] = ()
    again: tuple[Run, ...] = ()
    delay: float = 0
    ended: tuple[uuid.UUID, ...] = ()
    unmapped: tuple[Run, ...] = ()


def score_run(run_id: int, *, worker: str = "") -> Outcome:
    """Score a queued run to its end; a run in any other state is left alone.

    A fault of the input or of the judge's set-up fails the run with its message. Any other
    exception is logged; the run is tried again, later each time, until its attempts are used up.
    Where the judge failed on some clips only, the run is incomplete and keeps the others. One that
    takes too long or too much memory has failed; nothing of it counts.
    """
    with logs.about_run(run_id):
        return _to_its_end(run_id, worker)


def _to_its_end(run_id: int, worker: str) -> Outcome:
    run = claim(run_id, worker)
    if run is None:
        return Outcome()
    try:
        with Heartbeat(run) as heartbeat:
            scored = _work(run, heartbeat)
        _finish(run, scored)
    except ClaimLost:
        logger.info("run %s: the claim is gone, work dropped", run_id)
        return Outcome()
    except StorageFailing as error:
        return _again_later(run, error.code, str(error), run_log.NO_FILE)
    except ScoringError as error:
        logger.warning("run %s failed: %s", run_id, error)
        fail(run, error.code, str(error))
    except Stopping:
        return _handed_back(run)
    except Exception as error:
        if not limits.is_out_of_memory(error):
            return _after_exception(run)
        logger.exception("run %s: out of memory", run_id)
        fail(run, limits.OutOfMemory.code, str(limits.OutOfMemory()))
    return _after_final(run)


def _work(run: Run, heartbeat: Heartbeat) -> Scored:
    check_file(run.submission)
    return SCORERS[run.submission.kind, run.track.protocol](run, heartbeat)


def _semantic(run: Run, progress: Progress) -> Scored:
    result = semantic.score(
        ready_judge(run.judge),
        bridge.descriptions_of(run.submission),
        bridge.references_of(run.track),
        cache=embedding_cache(),
        progress=progress,
        long_text=run.track.settings.get("long_text"),
    )
    return bridge.scored(run, result)


def _embedding_match(run: Run, progress: Progress) -> Scored:
    result = embedding_match.score(
        ready_judge(run.judge),
        bridge.descriptions_of(run.submission),
        bridge.references_of(run.track),
        language=run.track.language or "en",
        kind=run.track.settings.get("kind"),
        cache=embedding_cache(),
        progress=progress,
    )
    return bridge.scored(run, result)


SCORERS: Mapping[tuple[str, str], Callable[[Run, Progress], Scored]] = {
    (Kind.DESCRIPTIONS, Track.Protocol.SEMANTIC): _semantic,
    (Kind.DESCRIPTIONS, Track.Protocol.FACTS): facts.score_descriptions,
    (Kind.DESCRIPTIONS, Track.Protocol.NGRAM): ngram.score_descriptions,
    (Kind.DESCRIPTIONS, Track.Protocol.EMBEDDING_MATCH): _embedding_match,
    (Kind.DESCRIPTIONS, Track.Protocol.KEYPOINTS): keypoints.score_descriptions,
    (Kind.JUDGEMENTS, Track.Protocol.KEYPOINTS): keypoints.score_judgements,
    (Kind.PAIRS, Track.Protocol.PAIRS): pairs.score_answers,
}
"""What an upload of a kind means under a protocol: one function each."""


def _finish(run: Run, scored: Scored) -> None:
    """Store the outcome in place of what an earlier try has left.

    A run that was being scored again, and is incomplete now, keeps what it had.
    """
    shortfall = scored.shortfall
    if run.stands and shortfall:
        fail(run, "judge-failed", shortfall)
        return
    with transaction.atomic():
        finished = claimed(run).update(
            state=Run.State.INCOMPLETE if shortfall else Run.State.DONE,
            finished_at=timezone.now(),
            done=F("total"),
            signature=scored.signature,
            counts=dict(scored.counts),
            summary=dict(scored.summary),
            failures=dict(scored.failures),
            error_code="judge-failed" if shortfall else "",
            error=shortfall,
            log=logged(run, _ending(scored)),
            stands=False,
            revision=F("revision") + int(run.stands),
        )
        if not finished:
            raise ClaimLost
        if run.stands:
            _record_change(run, scored)
        run.vectors.all().delete()
        run.evidence.all().delete()
        ScoreVector.objects.bulk_create(scored.vectors)
        Evidence.objects.bulk_create(scored.evidence, batch_size=500)


def _record_change(run: Run, scored: Scored) -> None:
    """Numbers that stood on a board are replaced by others."""
    audit.record(
        actor=None,
        action="submission.scored-again",
        target=run.submission,
        benchmark=run.submission.release.benchmark,
        before={"judge": run.judge, **dict(run.vectors.values_list("metric", "mean"))},
        after={"judge": run.judge, **{one.metric: one.mean for one in scored.vectors}},
        reason=f"Track {run.track.name}, {run.judge}"[: audit.REASON_LENGTH],
    )


def _ending(scored: Scored) -> str:
    clips = len(scored.failures)
    return run_log.INCOMPLETE.format(clips=clips) if clips else run_log.DONE


def _after_exception(run: Run) -> Outcome:
    """Try again later, or give up; the submitter reads an id and never a text of the exception,
    which could quote a reference.
    """
    reference = uuid.uuid4().hex[:8]
    logger.exception("run %s: internal error %s", run.pk, reference)
    message = INTERNAL.format(reference=reference)
    return _again_later(run, "internal-error", message, run_log.BROKE)


def _again_later(run: Run, code: str, message: str, line: str) -> Outcome:
    """Another attempt after a while that grows, or the failure when none is left."""
    if run.attempts >= settings.RUN_MAX_ATTEMPTS:
        fail(run, code, message)
        return _after_final(run)
    delay = 5.0 * 4 ** (run.attempts - 1)
    return Outcome(again=_queued(run, line.format(seconds=f"{delay:g}")), delay=delay)


def _queued(run: Run, line: str, **more: Any) -> tuple[Run, ...]:
    """The run, back in the queue with a line in its log; nothing when the claim is gone."""
    back = {"state": Run.State.QUEUED, "claim": None, "queued_at": clock.now(), "sent_at": None}
    return (run,) if claimed(run).update(log=logged(run, line), **back, **more) else ()


def _handed_back(run: Run) -> Outcome:
    """The run as if this worker had not touched it."""
    logger.info("run %s: handed back, this worker stops", run.pk)
    return Outcome(again=_queued(run, run_log.HANDED_BACK, attempts=F("attempts") - 1))


def _after_final(run: Run) -> Outcome:
    """Rank when this was the submission's last open run, and go on with runs of low priority.

    Asked after commit: of two runs that end together, at least the later one sees both.
    """
    others = Run.objects.filter(track=run.track, submission=run.submission)
    still_open = others.exclude(state__in=Run.FINAL).exists()
    idle = tuple(dispatch.idle_runs(run.judge)) if run.low_priority else ()
    over = not Run.objects.filter(submission=run.submission, state__in=Run.OPEN).exists()
    return Outcome(
        tracks=() if still_open else (run.track_id,),
        again=idle,
        ended=(run.submission_id,) if over else (),
        unmapped=(run,) if lacks_map(run) else (),
    )
