"""What follows from a correction and from another panel."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils import timezone

from leaderboard.curation import corrections, diff, panels, releases, rescoring, sources
from leaderboard.curation.refusals import Refused
from leaderboard.curation.stepping import work_off
from leaderboard.intake import allowance
from leaderboard.models import (
    AuditEntry,
    Kind,
    QuotaPolicy,
    Ranking,
    Release,
    Run,
    Submission,
    System,
    Track,
)
from leaderboard.pipeline import options
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run
from leaderboard.tables import cards

Submit = Callable[..., Submission]


@pytest.fixture(autouse=True)
def catalogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """The judges of the small site can be chosen."""
    names = {"left": "Left", "right": "Right", "third": "Third"}
    monkeypatch.setattr(options, "judges_for", lambda _: names)


@pytest.fixture
def corrected(release: Release, cora: User) -> Release:
    """A draft from the small release: one clip left out, one rewritten, one new, one dropped."""
    made = corrections.correct(release=release, version="1.1", notes="", actor=cora)
    texts = {c.key: c.references.get().text for c in made.clips.filter(excluded=False)}
    texts["c2"] = texts["c2"].replace("red car", "blue van")
    del texts["c4"]
    texts["c6"] = "A new clip."
    rows = "".join(f'{key},"{text}"\n' for key, text in texts.items())
    data = sources.read(f"clip,reference\n{rows}".encode(), "c.csv", "table")
    assert data.ok
    releases.replace_data(release=made, data=data, actor=cora)
    releases.exclude_clip(clip=made.clips.get(key="c3"), reason="Broken.", actor=cora)
    return made


def test_a_diff_is_readable(release: Release, corrected: Release) -> None:
    """Clips added, dropped and left out; references word by word."""
    found = diff.compare(release, corrected)
    assert found.added == ("c6",)
    assert found.dropped == ("c4", "c5")
    assert found.excluded == (("c3", "Broken."),)
    (change,) = found.changed
    assert change.key == "c2"
    (text,) = change.texts
    assert text.what == "reference, en, long"
    assert [piece for piece in text.pieces if piece[0] != "same"] == [
        ("out", "red"),
        ("in", "blue"),
        ("out", "car"),
        ("in", "van"),
    ]
    assert "".join(words for kind, words in text.pieces if kind != "in") == text.before
    assert "".join(words for kind, words in text.pieces if kind != "out") == text.after


def test_the_same_data_has_no_diff(release: Release, cora: User) -> None:
    """A copy that nobody has touched."""
    copy = corrections.correct(release=release, version="1.1", notes="", actor=cora)
    assert diff.compare(release, copy).is_empty


def done(run: Run, seconds: float) -> None:
    """As if it had taken so long."""
    now = timezone.now()
    Run.objects.filter(pk=run.pk).update(
        state=Run.State.DONE, started_at=now - timedelta(seconds=seconds), finished_at=now
    )


def test_what_must_be_rescored_is_counted(
    release: Release, corrected: Release, submit: Submit
) -> None:
    """Of each system the newest public one; hours from past runs, unknown where there are none."""
    submit("One")
    newest = submit("One", {"c1": "Other."})
    submit("Two")
    submit("Three", visibility="private")
    hidden = submit("Four")
    Submission.objects.filter(pk=hidden.pk).update(standing="hidden")
    done(newest.runs.get(judge="left"), 1800)
    plan = rescoring.plan(release, corrected)
    assert {one.system.name for one in plan.submissions} == {"One", "Two"}
    assert newest in plan.submissions
    left, right = plan.cost.judges
    assert (left.runs, left.hours, right.hours) == (2, pytest.approx(1.0, rel=0.01), None)
    assert (plan.cost.runs, plan.cost.unknown) == (4, 2)


def test_rescoring_takes_stored_files_in_again(
    release: Release, cora: User, submit: Submit, ann: User
) -> None:
    """At low priority, as the same person's and as old; numbers of the releases never mix."""
    first = submit("One")
    Submission.objects.filter(pk=first.pk).update(created_at=timezone.now() - timedelta(days=9))
    first.refresh_from_db()
    new = corrections.correct(release=release, version="1.1", notes="", actor=cora)
    releases.exclude_clip(clip=new.clips.get(key="c3"), reason="Broken.", actor=cora)
    with pytest.raises(Refused, match="draft"):
        rescoring.rescore(old=release, new=new, actor=cora)
    new = releases.publish(release=new, actor=cora)
    batch = rescoring.rescore(old=release, new=new, actor=cora)
    assert not new.submissions.exists()  # the page does not wait for it
    batch = work_off(batch)
    (copy,) = new.submissions.all()
    assert (batch.done, batch.runs, batch.refused) == (1, 2, [])
    assert batch.finished_at
    assert (copy.user, copy.created_at, copy.sha256) == (ann, first.created_at, first.sha256)
    assert copy.taken_from == first
    assert copy.descriptions.count() == 3
    assert [(run.low_priority, run.track.release) for run in copy.runs.all()] == [(True, new)] * 2
    assert AuditEntry.objects.get(action="submission.rescore").after["release"] == "1.1"
    assert AuditEntry.objects.get(action="release.rescore").after["submissions"] == 1
    again = rescoring.rescore(old=release, new=new, actor=cora)
    assert (again.total, rescoring.plan(release, new).done) == (0, 1)


def test_what_curators_rescore_costs_nobody_an_attempt(
    release: Release, cora: User, submit: Submit, ann: User
) -> None:
    """Neither of the window nor of those at the same time, though the copies are the person's."""
    first = submit("One")
    QuotaPolicy.objects.create(benchmark=release.benchmark, limit=3, at_once=2)
    new = corrections.correct(release=release, version="1.1", notes="", actor=cora)
    new = releases.publish(release=new, actor=cora)
    work_off(rescoring.rescore(old=release, new=new, actor=cora))
    assert Submission.objects.filter(user=ann).count() == 2
    found = allowance(new, ann)
    assert (found.used, found.running) == (1, 1)
    first.runs.update(state=Run.State.DONE)
    assert allowance(new, ann).running == 0
    first.delete()
    assert allowance(new, ann).used == 1  # what is left of the two is the person's attempt


def test_two_attempts_at_one_moment_are_two(release: Release, submit: Submit, ann: User) -> None:
    """Copies are known by what they were taken from, not by their time."""
    QuotaPolicy.objects.create(benchmark=release.benchmark, limit=3)
    submit("One")
    submit("Two", {"c1": "Another text."})
    Submission.objects.update(created_at=timezone.now())
    assert allowance(release, ann).used == 2


def test_copies_of_earlier_releases_of_the_site_are_named(
    release: Release, cora: User, submit: Submit
) -> None:
    """By the migration, from the audit trail; twice is once, and what is not there is left."""
    first = submit("One")
    new = corrections.correct(release=release, version="1.1", notes="", actor=cora)
    new = releases.publish(release=new, actor=cora)
    work_off(rescoring.rescore(old=release, new=new, actor=cora))
    Submission.objects.update(taken_from=None)
    entry = AuditEntry.objects.get(action="submission.rescore")
    for before, after in (({}, {}), ({"submission": str(uuid4())}, entry.after)):
        AuditEntry.objects.create(action=entry.action, before=before, after=after)
    earlier = import_module("leaderboard.migrations.0021_taken_from_of_earlier_copies")
    for _ in range(2):
        earlier.name_originals(apps, None)
        assert new.submissions.get().taken_from == first
        assert Submission.objects.get(pk=first.pk).taken_from is None


def test_what_no_longer_fits_is_reported(
    release: Release, corrected: Release, cora: User, submit: Submit
) -> None:
    """A clip that is new has no text in an old file; one that was dropped does no harm."""
    submit("One")
    gone = submit("Two")
    gone.file.delete(save=False)
    new = releases.publish(release=corrected, actor=cora)
    batch = work_off(rescoring.rescore(old=release, new=new, actor=cora))
    said = {one["system"]: " ".join(one["reasons"]) for one in batch.refused}
    assert "c6" in said["One"]
    assert "c4" not in said["One"]
    assert "cannot be read" in said["Two"]
    assert not new.submissions.exists()


def test_an_unscored_track_changes_in_place(release: Release, track: Track, cora: User) -> None:
    """There is nothing to keep."""
    made = panels.change_panel(track=track, judges=["right"], actor=cora)
    assert (made.pk, made.judges, made.version) == (track.pk, ["right"], 1)
    assert AuditEntry.objects.get(action="track.judges").before["judges"] == ["left", "right"]


def test_another_panel_is_another_version(
    release: Release, track: Track, cora: User, submit: Submit, judges: Any
) -> None:
    """The old table keeps its rankings at an address of its own; what is lacking is counted."""
    submission = submit("One")
    narrowed = submit("Two")
    Submission.objects.filter(pk=narrowed.pk).update(track=track)
    for run in Run.objects.all():
        score_run(run.pk)
    ranking = rank_track(track.pk)
    new = panels.change_panel(track=track, judges=["right", "third"], actor=cora, reason="Third.")
    track.refresh_from_db()
    assert (track.slug, track.scores_uploads, track.judges) == ("main-v1", False, ["left", "right"])
    assert (new.name, track.name) == ("Main", "Main (version 1)")
    assert [table.track for table in cards(viewer=cora)[0].tables] == [new]
    assert (new.slug, new.version, new.replaces) == ("main", 2, track)
    assert Ranking.objects.get(track=track) == ranking
    assert not new.rankings.exists()
    found = panels.lacking(new)
    assert (len(found.submissions), found.cost.runs, found.cost.unknown) == (2, 4, 2)
    assert work_off(panels.queue_lacking(track=new, actor=cora)).runs == 4
    assert all(run.low_priority for run in submission.runs.filter(track=new))
    assert panels.lacking(new).cost.runs == 0
    assert panels.queue_lacking(track=new, actor=cora).total == 0


def test_older_versions_and_strange_judges_are_refused(
    release: Release, track: Track, cora: User, submit: Submit
) -> None:
    """Each with a reason."""
    submit("One")
    for panel in ([], ["nobody"], ["left", "right"]):
        with pytest.raises(ValidationError):
            panels.change_panel(track=track, judges=panel, actor=cora)
    panels.change_panel(track=track, judges=["left"], actor=cora)
    track.refresh_from_db()
    with pytest.raises(ValidationError, match="older version"):
        panels.change_panel(track=track, judges=["third"], actor=cora)


def test_judgements_stay_where_they_were_made(
    release: Release, track: Track, cora: User, submit: Submit
) -> None:
    """Only descriptions that were meant for the track go on to its next version."""
    one = submit("One")
    two = System.objects.create(name="Two", slug="two")
    Submission.objects.filter(pk=one.pk).update(track=track)
    other = Submission.objects.create(
        release=release, system=two, track=track, kind=Kind.JUDGEMENTS, size=1
    )
    new = panels.change_panel(track=track, judges=["left"], actor=cora)
    one.refresh_from_db()
    other.refresh_from_db()
    assert (one.track, other.track_id) == (new, track.pk)
