"""Pair tests from the stored file to the table: no judge, one run, a test in a judge's place."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone

from leaderboard import tasks
from leaderboard.intake import Contents, receive
from leaderboard.models import (
    Clip,
    Evidence,
    Kind,
    Provenance,
    Ranking,
    Release,
    ReportedResult,
    Run,
    ScoreVector,
    Submission,
    System,
    Track,
)
from leaderboard.pipeline import bridge_pairs, rank, score
from scoring.formats.pair_check import check_pairs
from scoring.formats.pairs import read_pairs
from scoring.protocols import pairs
from tests.support import stored
from tests.support.small_tests import Row, answers, as_jsonl, pairs_track

pytestmark = pytest.mark.django_db
Send = Callable[..., Submission]


@pytest.fixture
def track(release: Release) -> Track:
    """Four tests of four pairs."""
    return pairs_track(release)


@pytest.fixture
def answered(track: Track, ann: User, sent: list[Any]) -> Send:
    """``answered("Name", rows)``: an upload that has been scored."""

    def made(name: str, rows: Sequence[Row]) -> Submission:
        system, _ = System.objects.get_or_create(name=name, slug=name.lower())
        submission = receive(
            release=track.release,
            user=ann,
            system=system,
            data=as_jsonl(rows),
            filename="answers.jsonl",
            contents=Contents(Kind.PAIRS),
        )
        for run in submission.runs.all():
            score.score_run(run.pk)
        return submission

    return made


def test_a_run_holds_right_and_wrong_per_pair_and_the_accuracies(answered: Send) -> None:
    run = answered("A", answers({"chrono": ["c2", "c3"], "ivat": ["c1"]})).runs.get()
    assert (run.state, run.judge, run.error) == (Run.State.DONE, "exact", "")
    assert (run.done, run.total) == (16, 16)
    assert run.counts == {"answers": 16, "unanswered": 0}
    vectors = {vector.metric: vector for vector in run.vectors.all()}
    assert {vector.unit for vector in vectors.values()} == {ScoreVector.Unit.PAIR}
    classic = vectors["classic"]
    # agent_iden, chrono, control_v2t; the last four positions are IVAT's, which has no classic.
    assert classic.values[:12].tolist() == [1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 1, 1]
    assert bool((classic.values[12:] != classic.values[12:]).all())
    assert (classic.clips, classic.mean) == (12, 0.75)
    assert vectors["group"].mean == 0.75
    assert not Evidence.objects.exists()
    by_test = {one["test"]: one for one in run.summary["tests"]}
    assert by_test["chrono"]["accuracy"]["classic"]["value"] == 0.5
    assert by_test["chrono"]["accuracy"]["classic"]["wilson"][0] > 0.1
    assert run.summary["averages"]["classic"]["tests"] == ["agent_iden", "chrono"]
    assert "protocol:pairs.1" in run.signature
    json.dumps(run.summary, allow_nan=False)


def test_a_missing_test_leaves_no_mean(answered: Send, track: Track) -> None:
    run = answered("A", answers(tests=["agent_iden", "control_v2t"])).runs.get()
    assert run.state == Run.State.DONE
    assert run.vectors.get(metric="classic").mean is None
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    (row,) = ranking.rows
    assert (row["rank"], row["missing"], row["mean"]["classic"]) == (None, ["chrono"], None)


def test_unanswered_pairs_are_remembered(answered: Send) -> None:
    rows = [
        {"test_name": "chrono", "video_id": clip, "gt_A": "A", "gt_B": said}
        for clip, said in (("c1", "B"), ("c2", "neither"), ("c3", "A"), ("c4", "B"))
    ]
    run = answered("A", rows).runs.get()
    assert run.counts == {"answers": 4, "unanswered": 1}
    assert run.summary["unanswered"] == {"mcq": [5]}
    assert run.vectors.get(metric="mcq").values[4:8].tolist() == [1, 0, 0, 1]


def test_the_table_has_places_tests_and_intervals(answered: Send, track: Track) -> None:
    best = answered("Best", answers())
    answered("Worse", answers({"chrono": ["c1", "c2"], "agent_iden": ["c4"]}))
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    first, second = ranking.rows
    assert [(r["name"], r["rank"]) for r in (first, second)] == [("Best", 1), ("Worse", 2)]
    assert first["submission"] == str(best.pk)
    assert second["mean"]["classic"] == pytest.approx((0.75 + 0.5) / 2)
    assert second["judges"]["chrono"] == {"classic": 0.5, "strict": 0.5}
    assert second["tests"]["chrono"]["classic"]["chance"] == 0.5
    assert second["pairs"] == {"agent_iden": 4, "chrono": 4, "control_v2t": 4, "ivat": 4}
    assert second["rank_low"] <= 2 <= second["rank_high"]
    assert "ranking:pairs.1" in ranking.signature
    json.dumps([ranking.rows, ranking.inputs], allow_nan=False)
    assert rank.rank_track(track.pk) == ranking
    assert rank.stale_tracks() == []


def test_the_page_of_a_submission_and_the_table_show_the_same_numbers(
    answered: Send, track: Track
) -> None:
    run = answered("A", answers({"chrono": ["c2"], "agent_iden": ["c1", "c3"]})).runs.get()
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    tests = ranking.rows[0]["tests"]
    for one in run.summary["tests"]:
        for metric, accuracy in one["accuracy"].items():
            assert tests[one["test"]][metric] == accuracy
    assert ranking.rows[0]["averages"]["classic"] == run.summary["averages"]["classic"]


def test_a_clip_that_is_left_out_later_takes_its_pairs_with_it(
    answered: Send, track: Track
) -> None:
    answered("A", answers({"chrono": ["c1"]}))
    before = rank.rank_track(track.pk)
    Clip.objects.filter(key="c1").update(excluded=True, exclusion_reason="broken video")
    after = rank.rank_track(track.pk)
    assert before is not None
    assert after is not None
    assert before.rows[0]["judges"]["chrono"]["classic"] == 0.75
    assert after.rows[0]["judges"]["chrono"]["classic"] == 1.0
    assert after.rows[0]["pairs"]["chrono"] == 3


def test_answers_to_pairs_of_a_clip_left_out_are_still_taken(answered: Send) -> None:
    """Files of the released scripts have them."""
    Clip.objects.filter(key="c1").update(excluded=True, exclusion_reason="broken video")
    assert answered("A", answers()).runs.get().state == Run.State.DONE


def test_a_changed_file_is_not_scored(answered: Send, track: Track) -> None:
    submission = answered("A", answers())
    run = submission.runs.get()
    stored.put(submission.file.name, as_jsonl(answers({"ivat": ["c1"]})))
    Run.objects.filter(pk=run.pk).update(state=Run.State.QUEUED, queued_at=timezone.now())
    score.score_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error_code) == (Run.State.FAILED, "file-changed")


def test_any_worker_takes_the_run(
    answered: Send, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
) -> None:
    run = answered("A", answers()).runs.get()
    queues: list[str] = []
    monkeypatch.setattr(
        tasks.score_run, "apply_async", lambda _, queue, **more: queues.append(queue)
    )
    with django_capture_on_commit_callbacks(execute=True):
        tasks.send_runs([run])
    assert queues == [settings.CELERY_TASK_DEFAULT_QUEUE]


def test_the_library_alone_gives_the_same(answered: Send, track: Track) -> None:
    """The command line and the site call the same function on the same bytes."""
    rows = answers({"chrono": ["c2"]})
    run = answered("A", rows).runs.get()
    tests = bridge_pairs.pair_tests_of(track.release)
    upload = check_pairs(read_pairs(as_jsonl(rows), "answers.jsonl"), tests)
    alone = pairs.score(upload, tests, replicates=50)
    assert run.summary == {**json.loads(json.dumps(alone.to_json())), "unanswered": {}}


def test_ranking_reads_as_much_for_ten_systems_as_for_two(
    answered: Send, track: Track, django_assert_max_num_queries: Any
) -> None:
    for number in range(10):
        answered(f"System{number}", answers({"chrono": ["c1"]} if number % 2 else None))
    with django_assert_max_num_queries(22):
        rank.rank_track(track.pk)


def test_reported_averages_are_ranked_and_references_stand_beside(track: Track) -> None:
    numbers = {
        "Gem": {"": 0.7, "test:agent_iden": 0.8, "test:chrono": 0.6},
        "Clip": {"": 0.5, "test:agent_iden": 0.5, "test:chrono": 0.5},
        "Part": {"test:chrono": 0.9},
        "Human": {"": 0.95, "test:chrono": 0.95},
    }
    for name, parts in numbers.items():
        system = System.objects.create(name=name, slug=name.lower(), reference=name == "Human")
        for part, mean in parts.items():
            ReportedResult.objects.create(
                track=track,
                system=system,
                judge="exact",
                metric="classic",
                part=part,
                mean=mean,
                source="a paper",
            )
    ranking = rank.rank_reported(track.pk)
    assert ranking is not None
    assert [(row["name"], row["rank"]) for row in ranking.rows] == [
        ("Gem", 1),
        ("Clip", 2),
        ("Part", None),
        ("Human", None),
    ]
    gem, _, part, human = ranking.rows
    assert gem["judges"] == {"agent_iden": {"classic": 0.8}, "chrono": {"classic": 0.6}}
    assert gem["tests"]["chrono"]["classic"]["wilson"] is None
    assert part["mean"]["classic"] is None
    assert human["reference"] is True
    assert "reference" not in gem
    json.dumps(ranking.rows, allow_nan=False)
    assert Ranking.objects.latest_of(track, Provenance.VERIFIED) is None


def test_people_who_answered_stand_beside_the_places(answered: Send, track: Track) -> None:
    answered("Model", answers({"chrono": ["c1"]}))
    answered("People", answers())
    System.objects.filter(slug="people").update(reference=True)
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    assert [(row["name"], row["rank"]) for row in ranking.rows] == [("Model", 1), ("People", None)]
    assert ranking.rows[1]["mean"]["classic"] == 1.0
