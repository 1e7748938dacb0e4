"""Run: one judge on one submission on one track."""

from __future__ import annotations

from datetime import datetime
from typing import Self

from django.db import models
from django.db.models.functions import Coalesce

from leaderboard.models.submission import Submission
from leaderboard.models.track import Track


class RunQuerySet(models.QuerySet["Run"]):
    """Words for runs."""

    def silent_since(self, moment: datetime) -> Self:
        """Claimed by a worker that has not been heard of since ``moment``."""
        return self.filter(state=Run.State.RUNNING, heartbeat_at__lt=moment)

    def unclaimed_since(self, moment: datetime) -> Self:
        """Queued and sent before ``moment`` and not begun: its message may be lost.

        Those of low priority are not sent until nothing else waits for their judge.
        """
        sent = Coalesce("sent_at", "queued_at")
        waiting = self.filter(state=Run.State.QUEUED, low_priority=False)
        return waiting.annotate(sent=sent).filter(sent__lt=moment)

    def done(self) -> Self:
        """Those with numbers: done, or being scored again while their numbers stand."""
        standing = models.Q(state__in=Run.OPEN, stands=True)
        return self.filter(models.Q(state=Run.State.DONE) | standing)


class Run(models.Model):
    """One judge on one submission on one track: the truth of what is to be done and what was.

    A worker claims it (``claim`` is a token of its own), works outside any transaction, and
    finishes it only if the claim still stands.
    """

    class State(models.TextChoices):
        """``queued -> running -> done | incomplete | failed | cancelled``; a silent run is queued
        again. A cancelled one has no score; it may be queued anew.

        An incomplete run has values and evidence on the clips that its judge did not fail on, and
        counts on no board. Tried again, it goes on from there.

        A done run that is scored again (``stands``) keeps its numbers, and its submission its place
        on the board, until the new ones are stored; when they cannot be had it is done as before.
        """

        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        INCOMPLETE = "incomplete"
        FAILED = "failed"
        CANCELLED = "cancelled"

    OPEN = (State.QUEUED, State.RUNNING)
    FINAL = (State.DONE, State.INCOMPLETE, State.FAILED, State.CANCELLED)
    RESUMABLE = (State.INCOMPLETE, State.FAILED, State.CANCELLED)
    AGAIN = (State.DONE, State.INCOMPLETE, State.FAILED)

    track = models.ForeignKey(Track, on_delete=models.CASCADE, related_name="runs")
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="runs")
    judge = models.CharField(max_length=80)
    state = models.CharField(max_length=12, choices=State.choices, default=State.QUEUED)
    attempts = models.PositiveSmallIntegerField(default=0)
    claim = models.UUIDField(null=True, blank=True)
    worker = models.CharField(max_length=200, blank=True)
    done = models.PositiveIntegerField(default=0, help_text="Texts encoded so far.")
    total = models.PositiveIntegerField(default=0, help_text="Texts to encode.")
    queued_at = models.DateTimeField()
    sent_at = models.DateTimeField(
        null=True, blank=True, help_text="When its message was last sent again."
    )
    started_at = models.DateTimeField(null=True, blank=True)
    heartbeat_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    error_code = models.CharField(max_length=60, blank=True)
    error = models.TextField(
        blank=True, help_text="Why it failed or is incomplete, fit for the submitter."
    )
    signature = models.CharField(max_length=1000, blank=True)
    counts = models.JSONField(default=dict, blank=True)
    low_priority = models.BooleanField(
        default=False, help_text="Is sent only while nothing else waits for its judge."
    )
    stands = models.BooleanField(
        default=False, help_text="Is being scored again; the numbers it has count meanwhile."
    )
    revision = models.PositiveSmallIntegerField(
        default=0, help_text="How often its numbers were replaced by scoring it again."
    )
    log = models.JSONField(
        default=list, blank=True, help_text="What its workers did, as (time, sentence)."
    )
    failures = models.JSONField(
        default=dict, blank=True, help_text="Clips that the judge failed on, each with the reason."
    )
    summary = models.JSONField(
        default=dict, blank=True, help_text="What the protocol says of the submission as a whole."
    )

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["track", "submission", "judge"]
        constraints = [
            models.UniqueConstraint(fields=["track", "submission", "judge"], name="run_once")
        ]
        indexes = [models.Index(fields=["state", "heartbeat_at"], name="run_state_heartbeat")]

    def __str__(self) -> str:
        return f"{self.judge} on {self.submission_id}"

    @property
    def is_final(self) -> bool:
        """True when nothing more will happen by itself."""
        return self.state in self.FINAL

    @property
    def given_up(self) -> Run.State:
        """The state it takes when a try comes to nothing: an incomplete run stays incomplete, and
        one that was being scored again is done with the numbers it had.
        """
        if self.stands:
            return self.State.DONE
        return self.State.INCOMPLETE if self.failures else self.State.FAILED

    @property
    def percent(self) -> int:
        """Progress in whole percent; 100 only when done."""
        if self.state == self.State.DONE:
            return 100
        return min(99, 100 * self.done // self.total) if self.total else 0
