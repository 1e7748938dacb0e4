"""Who sees a submission, and how boards follow when that changes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone

from leaderboard import access
from leaderboard.intake.visibility import NotAllowed, set_visibility, withdraw
from leaderboard.models import AuditEntry, Membership, Ranking, Submission, Team, Track
from leaderboard.pipeline import rank, score

Submit = Callable[..., Submission]
pytestmark = pytest.mark.django_db
NOBODY = AnonymousUser()
WORSE = {"c1": "zzz.", "c2": "qqq."}


@pytest.fixture
def scored(submit: Submit, judges: Any, track: Track) -> Submit:
    """An upload with all its runs done, and the table that follows."""

    def made(*args: Any, **more: Any) -> Submission:
        submission = submit(*args, **more)
        for run in submission.runs.all():
            score.score_run(run.pk)
        rank.rank_track(track.pk)
        return submission

    return made


def _rows(track: Track) -> dict[str, Any]:
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    return {row["name"]: row for row in ranking.rows}


def _visible(user: Any) -> int:
    return Submission.objects.visible_to(user).count()


@pytest.mark.parametrize(
    ("given", "others"),
    [
        ({}, 1),
        ({"visibility": "anonymous"}, 1),
        ({"visibility": "private"}, 0),
        ({"standing": "held"}, 0),
        ({"standing": "hidden"}, 0),
        ({"withdrawn_at": timezone.now()}, 0),
    ],
)
def test_who_sees_what(
    submit: Submit, ann: User, ben: User, given: dict[str, Any], others: int
) -> None:
    """The owner always; others only what is open to all."""
    made = submit()
    Submission.objects.filter(pk=made.pk).update(**given)
    assert (_visible(ann), _visible(ben), _visible(NOBODY)) == (1, others, others)
    assert Submission.objects.on_the_board().count() == others


def test_a_team_sees_what_is_its_own(submit: Submit, ben: User) -> None:
    """Those who have joined; not those who are invited."""
    team = Team.objects.create(name="Lab", slug="lab")
    made = submit(visibility="private")
    Submission.objects.filter(pk=made.pk).update(team=team)
    membership = Membership.objects.create(team=team, user=ben)
    assert _visible(ben) == 0
    membership.joined_at = timezone.now()
    membership.save()
    assert _visible(ben) == 1
    assert access.own_submission(ben, made.pk) == made


def test_curators_see_what_waits_for_them_and_nothing_private(submit: Submit, ben: User) -> None:
    """Held, hidden or withdrawn, once each."""
    made = submit()
    made.release.benchmark.curators.add(ben, User.objects.create_user("cyd"))
    Submission.objects.filter(pk=made.pk).update(standing="held")
    assert _visible(ben) == 1
    Submission.objects.filter(pk=made.pk).update(visibility="private")
    assert _visible(ben) == 0


def test_an_anonymous_one_stands_on_the_board_without_names(
    scored: Submit, track: Track, ann: User, ben: User
) -> None:
    """Its pseudonym is stable, tells nothing, and leaves the system's own row alone."""
    scored("Secret-7B", WORSE)
    made = scored("Secret-7B", visibility="anonymous")
    rows = _rows(track)
    (name,) = set(rows) - {"Secret-7B"}
    assert len(rows) == 2
    assert name.startswith("Anonymous ")
    row = rows[name]
    assert row["submission"] == str(made.pk)
    assert "secret" not in str(row).lower()
    ranking = Ranking.objects.latest_of(track, "verified")
    assert ranking is not None
    entry = next(e for e in ranking.inputs["entries"] if e["submission"] == str(made.pk))
    assert "secret" not in str(entry).lower()
    again = scored("Secret-7B", visibility="anonymous")
    assert _rows(track)[name]["submission"] == str(again.pk)
    for reader in (NOBODY, ben):
        assert access.names(reader, again).name == name
    for reader in (ann, User.objects.create_user("boss", is_staff=True)):
        assert access.names(reader, again).name == "Secret-7B"


def test_versions_tell_nobody_whose_an_anonymous_one_is(
    scored: Submit, ann: User, ben: User
) -> None:
    """The named and the nameless are listed apart, except to their owner."""
    named, nameless = scored("Secret-7B"), scored("Secret-7B", visibility="anonymous")
    for reader in (NOBODY, ben):
        assert list(access.versions(reader, named)) == [named]
        assert list(access.versions(reader, nameless)) == [nameless]
    assert list(access.versions(ann, named)) == [nameless, named]
    Submission.objects.filter(pk=nameless.pk).update(kind="pairs")
    assert list(access.versions(ann, named)) == [named]


def test_names_show_from_the_moment_that_was_chosen(scored: Submit, track: Track) -> None:
    """The sweep finds that the table is behind, and ranks again."""
    soon = timezone.now() + timedelta(hours=1)
    made = scored("Secret-7B", visibility="anonymous", named_from=soon)
    assert "Secret-7B" not in _rows(track)
    assert track.pk not in rank.stale_tracks()
    Submission.objects.filter(pk=made.pk).update(named_from=timezone.now())
    assert track.pk in rank.stale_tracks()
    assert set(_rows(track)) == {"Secret-7B"}


def test_a_change_is_told_and_the_boards_follow_at_once(
    scored: Submit, ann: User, track: Track, sent: Any, django_capture_on_commit_callbacks: Any
) -> None:
    """One audit entry with what changed; one message after the commit."""
    made = scored("Model", visibility="private")
    sent.clear()
    with django_capture_on_commit_callbacks(execute=True):
        set_visibility(made, actor=ann, visibility="public")
    assert sent == [("rank", track.pk)]
    entry = AuditEntry.objects.exclude(action="submission.create").get()
    assert (entry.user, entry.actor, entry.action) == (ann, "ann", "submission.publish")
    assert entry.benchmark == made.release.benchmark
    assert entry.before == {"visibility": "private", "published_at": None}
    assert entry.after["visibility"] == "public"
    assert set(_rows(track)) == {"Model"}
    with django_capture_on_commit_callbacks(execute=True):
        set_visibility(made, actor=ann, visibility="public")
    assert AuditEntry.objects.exclude(action="submission.create").count() == 1


def test_what_was_published_can_be_hidden_within_the_benchmarks_days(
    scored: Submit, ann: User, track: Track
) -> None:
    """Wholly or its names; more can be shown at any time."""
    made = scored("Model")
    made.release.benchmark.unpublish_days = 7
    made.release.benchmark.save()
    set_visibility(made, actor=ann, visibility="private")
    assert not _rows(track)
    set_visibility(made, actor=ann, visibility="anonymous")
    Submission.objects.update(published_at=timezone.now() - timedelta(days=8))
    with pytest.raises(NotAllowed, match="7 days"):
        set_visibility(made, actor=ann, visibility="private")
    set_visibility(made, actor=ann, visibility="public")
    for less in ("private", "anonymous"):
        with pytest.raises(NotAllowed, match="7 days"):
            set_visibility(made, actor=ann, visibility=less)
    withdraw(made, actor=ann)


def test_a_moment_that_has_passed_hides_nothing(submit: Submit, ann: User) -> None:
    """It must lie ahead."""
    with pytest.raises(NotAllowed, match="lie ahead"):
        set_visibility(submit(), actor=ann, visibility="anonymous", named_from=timezone.now())


@pytest.mark.parametrize("shows", [True, False])
def test_a_withdrawn_one_loses_its_place(
    scored: Submit, ann: User, track: Track, shows: bool
) -> None:
    """Its row stays, marked, where the benchmark shows it; the others move up either way."""
    track.release.benchmark.shows_withdrawn = shows
    track.release.benchmark.save()
    best, other = scored("Best"), scored("Other", WORSE)
    withdraw(best, actor=ann, reason="Wrong file")
    rows = _rows(track)
    assert rows["Other"]["rank"] == 1
    assert ("Best" in rows) is shows
    if shows:
        assert rows["Best"]["withdrawn"] is True
        assert rows["Best"]["rank"] is None
        assert rows["Best"]["mean"]["hm_cf"] > 0.9
    assert _visible(NOBODY) == (2 if shows else 1)
    entry = AuditEntry.objects.exclude(action="submission.create").get()
    assert (entry.action, entry.reason) == ("submission.withdraw", "Wrong file")
    for change in (
        withdraw,
        lambda one, actor: set_visibility(one, actor=actor, visibility="public"),
    ):
        with pytest.raises(NotAllowed, match="withdrawn"):
            change(best, actor=ann)
    assert other.pk != best.pk


def test_an_older_version_stands_again_when_the_newest_is_withdrawn(
    scored: Submit, ann: User, track: Track
) -> None:
    """A withdrawn row is shown only where no other of the system is."""
    track.release.benchmark.shows_withdrawn = True
    track.release.benchmark.save()
    older, newer = scored("Model", WORSE), scored("Model")
    withdraw(newer, actor=ann)
    row = _rows(track)["Model"]
    assert (row["submission"], row["rank"]) == (str(older.pk), 1)
