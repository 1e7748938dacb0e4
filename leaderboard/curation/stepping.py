"""Working a batch off: some submissions at a time, so that other work gets its turn between."""

from __future__ import annotations

import logging
import uuid
from collections.abc import Callable, Mapping
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from leaderboard import tasks
from leaderboard.curation import again, panels, rescoring
from leaderboard.curation.batches import Declined
from leaderboard.intake.flags import look_again
from leaderboard.models import Batch, Kind, Submission
from leaderboard.pipeline import dispatch

logger = logging.getLogger(__name__)

AT_ONCE = 20
"""Submissions of one message; the next message waits behind whatever came meanwhile."""
INTERNAL = "Something broke on the site's side (error {reference}); ask again for this one."
WORK: Mapping[str, Callable[[Batch, Submission], int]] = {
    Batch.Kind.RESCORE: rescoring.take_in,
    Batch.Kind.LACKING: panels.queue_runs,
    Batch.Kind.AGAIN: again.queue_runs,
}
"""What is done with one submission; how many runs it has queued. Raises Declined."""


def step(batch_id: int) -> bool:
    """Do the next ``AT_ONCE`` submissions; True as long as there are more.

    A worker claims the batch: a message that is delivered twice finds it taken. When the worker
    dies, another one takes the batch once it has been silent for ``RUN_SILENCE_SECONDS``, and goes
    on where it was; what is done with a submission may be done twice without harm.
    """
    batch = _claimed(batch_id)
    if batch is None:
        return False
    left = all(_one(batch) for _ in range(AT_ONCE))
    Batch.objects.filter(pk=batch.pk, claim=batch.claim).update(claim=None)
    tasks.send_runs(dispatch.idle_runs())
    return left


def work_off(batch: Batch) -> Batch:
    """To its end, here and now: for scripts and tests."""
    while step(batch.pk):
        pass
    batch.refresh_from_db()
    return batch


def _claimed(batch_id: int) -> Batch | None:
    claim, now = uuid.uuid4(), timezone.now()
    moment = now - timedelta(seconds=settings.RUN_SILENCE_SECONDS)
    free = Batch.objects.free(moment).filter(pk=batch_id)
    if not free.update(claim=claim, heard_at=now):
        return None
    rows = Batch.objects.select_related("release__benchmark", "track", "user")
    return rows.filter(pk=batch_id, claim=claim).first()


def _one(batch: Batch) -> bool:
    """Do one submission, whatever comes of it; False when nothing is left, or the claim is gone."""
    try:
        if batch.todo:
            _take(batch, batch.todo[0])
        elif batch.to_look:
            _look(batch.to_look[0])
    except Declined as declined:
        _set_aside(batch, declined.reasons)
    except Exception:
        reference = uuid.uuid4().hex[:8]
        logger.exception("batch %s: internal error %s", batch.pk, reference)
        _set_aside(batch, [INTERNAL.format(reference=reference)])
    return _advanced(batch)


def _take(batch: Batch, pk: str) -> None:
    """What became of a submission that was deleted meanwhile is nobody's concern."""
    for one in Submission.objects.filter(pk=pk):
        batch.runs += WORK[batch.kind](batch, one)


def _look(pk: str) -> None:
    """Of copies sent in again, newest first, it is known only now whose text was there before."""
    for copy in Submission.objects.filter(pk=pk, kind=Kind.DESCRIPTIONS):
        look_again(copy)


def _set_aside(batch: Batch, reasons: list[str]) -> None:
    """A submission that was not taken, so that the others go on."""
    if not batch.todo:
        return
    one = Submission.objects.select_related("system").filter(pk=batch.todo[0]).first()
    name = one.system.name if one else ""
    batch.refused.append({"submission": batch.todo[0], "system": name, "reasons": reasons})


def _advanced(batch: Batch) -> bool:
    """Store how far it is; False when that was the last, or when another worker has taken it."""
    if batch.todo:
        batch.todo = batch.todo[1:]
    else:
        batch.to_look = batch.to_look[1:]
    now = timezone.now()
    over = not batch.todo and not batch.to_look
    stored = Batch.objects.filter(pk=batch.pk, claim=batch.claim).update(
        runs=batch.runs,
        todo=batch.todo,
        to_look=batch.to_look,
        refused=batch.refused,
        heard_at=now,
        finished_at=now if over else None,
    )
    return bool(stored) and not over
