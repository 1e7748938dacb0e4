"""Keypoints: descriptions judged here, judgements made elsewhere, and the tables of both."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from leaderboard.intake import Contents, packed, receive
from leaderboard.models import (
    Clip,
    Keypoint,
    Kind,
    Provenance,
    Ranking,
    Release,
    ReportedResult,
    Run,
    Subject,
    Submission,
    System,
    Track,
)
from leaderboard.pipeline import bridge, bridge_keypoints, dispatch, rank, score
from leaderboard.pipeline import keypoints as runs
from leaderboard.tables import report
from scoring.protocols import keypoints
from scoring.protocols.keypoint_types import KINDS, subjects_in
from tests.support.judgements import MISSED, PARTIAL, LiteralJudge, judgement_files
from tests.support.openai_server import Asked, OpenAIServer, Reaction, error, reply
from tests.support.small_tests import annotations, keypoints_track

pytestmark = pytest.mark.django_db
Submit = Callable[..., Submission]
BLOCK = re.compile(r"^BEGIN (\w+) data-\w+\n(.*?)\nEND", re.DOTALL | re.MULTILINE)
TOLD = {
    clip: " ".join(point.text.replace("<s1>", "Ann").replace("<s2>", "Bob") for point in points)
    for clip, points in ((clip, one.keypoints) for clip, one in annotations().items())
}


@pytest.fixture
def track(release: Release) -> Track:
    """Three clips with somebody to follow and one without, judged by the literal judge."""
    release.tracks.all().delete()
    return keypoints_track(release, judges=["literal"])


@pytest.fixture
def judged(
    submit: Submit, track: Track, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Submission]:
    """An upload with its run done."""
    monkeypatch.setattr(runs, "keypoint_judge", lambda _: LiteralJudge())

    def made(name: str = "Model", texts: dict[str, str] | None = None) -> Submission:
        submission = submit(name, TOLD | (texts or {}))
        for run in submission.runs.all():
            score.score_run(run.pk)
        return submission

    return made


@pytest.fixture
def elsewhere(release: Release, track: Track, ann: User, sent: list[Any]) -> Submit:
    """Judgements of elsewhere, with their run done."""

    def made(name: str, verdict: Any = None, judge: str = "literal") -> Submission:
        system, _ = System.objects.get_or_create(name=name, slug=name.lower())
        data, filename = packed(
            judgement_files(annotations(), verdict) if verdict else judgement_files(annotations())
        )
        submission = receive(
            release=release,
            user=ann,
            system=system,
            data=data,
            filename=filename,
            contents=Contents(Kind.JUDGEMENTS, track, judge),
        )
        for run in submission.runs.all():
            score.score_run(run.pk)
        return submission

    return made


def test_the_kinds_are_those_of_the_scoring_library() -> None:
    assert dict(Keypoint.Kind.choices) == dict(KINDS)


def test_annotations_come_back_as_they_went_in(track: Track) -> None:
    assert bridge_keypoints.annotations_of(track) == annotations()
    subject = Subject.objects.get(clip__key="c1", key="<s1>")
    assert [k.text for k in subject.keypoints.order_by("position")] == [
        "<s1> enters c1.",
        "<s1> leaves c1.",
    ]


def test_a_run_has_values_evidence_and_shares_by_kind(judged: Submit) -> None:
    run = judged(texts={"c2": "Ann enters c2."}).runs.get()
    assert (run.state, run.error) == (Run.State.DONE, "")
    vectors = {vector.metric: vector for vector in run.vectors.all()}
    assert vectors["acc"].values[:4].tolist() == [1.0, 0.25, 1.0, 1.0]
    assert vectors["acc"].mean == pytest.approx(3.25 / 4)
    # c4 has nobody to follow: Ref is a mean over three clips.
    assert np.isnan(vectors["ref"].values[3])
    assert (vectors["ref"].clips, vectors["ref"].mean) == (3, pytest.approx(2 / 3))
    evidence = run.evidence.get(clip__key="c2").data
    assert [point["verdict"] for point in evidence["keypoints"]] == [
        "correct",
        "not mentioned",
        "not mentioned",
        "not mentioned",
    ]
    assert run.summary["baseline"] is True
    assert run.summary["kinds"]["bg_desc"] == {
        "count": 4,
        "accuracy": 0.75,
        "coverage": 0.75,
        "failed": 0,
    }
    assert "keypoints.1" in run.signature


def test_the_table_has_means_over_the_clips_that_have_a_metric(
    judged: Submit, track: Track
) -> None:
    judged("Good")
    judged("Poor", {"c1": "Nothing.", "c4": "Bob waves in c4."})
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    good, poor = ranking.rows
    assert [(r["name"], r["rank"], r["missing"]) for r in (good, poor)] == [
        ("Good", 1, []),
        ("Poor", 2, []),
    ]
    assert good["mean"] == {"acc": 1.0, "cov": 1.0, "ref": 1.0}
    assert poor["judges"]["literal"]["ref"] == pytest.approx(2 / 3)
    assert poor["rank_low"] is not None
    json.dumps(ranking.rows, allow_nan=False)


def test_the_table_breaks_down_by_duration_category_and_kind(judged: Submit, track: Track) -> None:
    judged("Good")
    judged("Poor", {"c1": "Nothing.", "c3": "Nothing."})
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    parts = ranking.rows[1]["parts"]["literal"]
    assert list(parts["duration"]) == ["(0,120]", "(120,300]", "(480,601]"]
    assert parts["duration"]["(120,300]"] == {"clips": 2, "acc": 0.5, "cov": 0.5, "ref": 0.5}
    assert parts["duration"]["(480,601]"] == {"clips": 1, "acc": 1.0, "cov": 1.0, "ref": None}
    assert {name: part["acc"] for name, part in parts["category"].items()} == {
        "even": 1.0,
        "odd": 0.0,
    }
    assert parts["kind"]["bg_desc"]["accuracy"] == 0.5


def test_a_track_can_be_ranked_by_a_metric_with_gaps(judged: Submit, track: Track) -> None:
    Track.objects.filter(pk=track.pk).update(primary_metric="ref")
    judged("Good")
    judged("Poor", {"c1": "Nothing."})
    ranking = rank.rank_track(track.pk)
    assert ranking is not None
    assert [(row["name"], row["rank"]) for row in ranking.rows] == [("Good", 1), ("Poor", 2)]
    assert ranking.rows[1]["mean"]["ref"] == pytest.approx(2 / 3)


def test_another_annotation_of_the_release_is_another_track(
    judged: Submit, track: Track, release: Release
) -> None:
    """Its keypoints may be of fewer clips; the others do not count there."""
    clip = Clip.objects.get(key="c2")
    Keypoint.objects.create(
        clip=clip, annotation="visual", position=0, kind="bg_desc", text="A room of c2."
    )
    visual = Track.objects.create(
        release=release,
        slug="visual",
        name="Vision",
        protocol=Track.Protocol.KEYPOINTS,
        settings={"annotation": "visual"},
        judges=["literal"],
        primary_metric="acc",
    )
    judged("Good")
    judged("Poor", {"c2": "Nothing."})
    ranking = rank.rank_track(visual.pk)
    assert ranking is not None
    assert [(row["name"], row["mean"]["acc"]) for row in ranking.rows] == [
        ("Good", 1.0),
        ("Poor", 0.0),
    ]
    assert bridge.counted(visual).tolist() == [1]
    assert bridge.counted(track).tolist() == [0, 1, 2, 3]
    assert ranking.inputs["clips"] == ["c2"]
    runs_of = [entry["runs"] for entry in ranking.inputs["entries"]]
    assert bridge.score_arrays(visual, runs_of)["acc"].shape == (2, 1, 4)


def test_a_judge_that_the_site_does_not_run_fails_the_run_with_its_reason(
    submit: Submit, track: Track
) -> None:
    run = submit("Model", TOLD).runs.get()
    score.score_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.FAILED
    assert "'literal'" in run.error
    assert "Your file is not the cause" in run.error


class TestJudgementsMadeElsewhere:
    """Their numbers are reported, with the judge named."""

    def test_they_give_values_and_evidence_like_any_run(self, elsewhere: Submit) -> None:
        def verdict(point: Any) -> str:
            return PARTIAL if "room" in point.text else "correctly mentioned"

        run = elsewhere("Model", verdict, "GPT 4.1").runs.get()
        assert (run.state, run.judge, run.error) == (Run.State.DONE, "GPT 4.1", "")
        means = {vector.metric: vector.mean for vector in run.vectors.all()}
        assert means["cov"] == 1.0
        assert means["acc"] == pytest.approx((3 * 0.75 + 2 / 3) / 4)
        assert means["ref"] == 1.0
        assert "judged:elsewhere" in run.signature
        assert run.evidence.get(clip__key="c1").data["keypoints"][0]["kind"] == "main_sbj_evts"

    def test_they_are_the_numbers_of_the_benchmarks_own_code(
        self, elsewhere: Submit, track: Track
    ) -> None:
        """As ``from_released_judgements`` gives them, which is checked against golden values."""
        run = elsewhere("Model", lambda p: MISSED if "leaves" in p.text else PARTIAL).runs.get()
        first, second = (
            [json.loads(line) for line in data.decode().splitlines()]
            for _, data in judgement_files(
                annotations(), lambda p: MISSED if "leaves" in p.text else PARTIAL
            )
        )
        found = keypoints.from_released_judgements(first, second)
        means = {vector.metric: vector.mean for vector in run.vectors.all()}
        assert means == {
            "acc": found["accuracy"],
            "cov": found["coverage"],
            "ref": found["referential_consistency"],
        }

    def test_they_stand_in_the_reported_table_only(self, elsewhere: Submit, track: Track) -> None:
        submission = elsewhere("Model")
        assert rank.stale_tracks() == [track.pk]
        assert rank.rank_track(track.pk) is None
        ranking = Ranking.objects.latest_of(track, Provenance.REPORTED)
        assert ranking is not None
        (row,) = ranking.rows
        assert (row["name"], row["rank"], row["submission"]) == ("Model", 1, str(submission.pk))
        assert row["mean"] == {"acc": 1.0, "cov": 1.0, "ref": 1.0}
        assert row["parts"]["literal"]["duration"]["(0,120]"]["acc"] == 1.0
        assert rank.stale_tracks() == []

    def test_beside_what_was_judged_here_of_the_same_system(
        self, elsewhere: Submit, judged: Submit, track: Track
    ) -> None:
        judged("Model", {"c1": "Nothing."})
        elsewhere("Model")
        rank.rank_track(track.pk)
        means = {
            ranking.provenance: ranking.rows[0]["mean"]["acc"] for ranking in Ranking.objects.all()
        }
        assert means == {"verified": 0.75, "reported": 1.0}

    def test_another_judge_than_the_panel_s_gives_no_place(
        self, elsewhere: Submit, track: Track
    ) -> None:
        elsewhere("Model", None, "somebody")
        rank.rank_track(track.pk)
        (row,) = Ranking.objects.get(provenance=Provenance.REPORTED).rows
        assert (row["rank"], row["missing"]) == (None, ["literal"])
        assert row["other_judges"]["somebody"]["acc"] == 1.0

    def test_what_a_paper_says_of_the_same_judge_and_system_stays(
        self, elsewhere: Submit, track: Track
    ) -> None:
        elsewhere("Model")
        system = System.objects.get(slug="model")
        for metric in keypoints.METRICS:
            ReportedResult.objects.create(
                track=track, system=system, judge="literal", metric=metric, mean=0.5, source="paper"
            )
        rank.rank_track(track.pk)
        (row,) = Ranking.objects.get(provenance=Provenance.REPORTED).rows
        assert row["mean"]["acc"] == 0.5

    def test_private_ones_stay_off_the_table(self, elsewhere: Submit, track: Track) -> None:
        submission = elsewhere("Model")
        Submission.objects.filter(pk=submission.pk).update(visibility="private")
        rank.rank_track(track.pk)
        assert not Ranking.objects.exists()


def test_reported_parts_and_other_judges_are_shown_and_not_ranked_by(track: Track) -> None:
    for slug, mean in (("a", 0.4), ("b", 0.6)):
        system = System.objects.create(name=slug.upper(), slug=slug)
        for judge, part, value in (
            ("literal", "", mean),
            ("literal", "duration:(0,120]", 1 - mean),
            ("other", "", 1 - mean),
        ):
            ReportedResult.objects.create(
                track=track,
                system=system,
                judge=judge,
                metric="acc",
                part=part,
                mean=value,
                source="paper",
            )
    ranking = rank.rank_reported(track.pk)
    assert ranking is not None
    assert [row["name"] for row in ranking.rows] == ["B", "A"]
    best = ranking.rows[0]
    assert best["judges"] == {"literal": {"acc": 0.6}}
    assert best["parts"] == {"literal": {"duration": {"(0,120]": {"acc": 0.4}}}}
    assert best["other_judges"] == {"other": {"acc": 0.4}}


class TestChatJudge:
    """A language model behind a real server, asked by the site's settings."""

    @pytest.fixture
    def asked(self) -> list[str]:
        """The keypoints that the server was asked about, in order."""
        return []

    @pytest.fixture
    def down(self) -> set[str]:
        """Clips about which the server answers with an error."""
        return set()

    @pytest.fixture
    def run(
        self,
        release: Release,
        submit: Submit,
        asked: list[str],
        down: set[str],
        settings: Any,
        monkeypatch: pytest.MonkeyPatch,
    ) -> Iterator[Run]:
        """A queued run of descriptions that tell everything, and a server to judge it."""

        def react(question: Asked) -> Reaction | None:
            blocks = dict(BLOCK.findall(question.messages[-1]["content"]))
            if "REFERENCES" in blocks:
                return reply({"reason": "", "groups": [[1, 2]]})
            if "KEYPOINT" not in blocks:
                return None
            point = blocks["KEYPOINT"]
            if any(clip in point for clip in down):
                return error(400, "no")
            asked.append(point)
            marks = [{"subject": m, "description": "she"} for m in subjects_in(point)]
            return reply(
                {"reason": "", "verdict": "correct"} | ({"subjects": marks} if marks else {})
            )

        release.tracks.all().delete()
        keypoints_track(release, judges=["endpoint"])
        with OpenAIServer(react) as server:
            settings.CHAT_BASE_URL, settings.CHAT_MODEL = server.url, "test-model"
            monkeypatch.setenv("CHAT_API_KEY", "none")
            yield submit("Model", TOLD).runs.get()

    def test_every_keypoint_is_asked_about_once(self, run: Run, asked: list[str]) -> None:
        score.score_run(run.pk)
        run.refresh_from_db()
        assert (run.state, run.error) == (Run.State.DONE, "")
        assert len(asked) == len(set(asked)) == 15
        assert {v.metric: v.mean for v in run.vectors.all()} == {"acc": 1.0, "cov": 1.0, "ref": 1.0}
        assert run.summary["baseline"] is False
        assert run.counts["calls"] == 15 + 3
        assert "model:test-model" in run.signature

    def test_what_the_judge_failed_on_is_asked_again_and_nothing_else(
        self, run: Run, asked: list[str], down: set[str]
    ) -> None:
        down.add("c2")
        score.score_run(run.pk)
        run.refresh_from_db()
        assert run.state == Run.State.INCOMPLETE
        assert set(run.failures) == {"c2"}
        assert np.isnan(run.vectors.get(metric="acc").values[1])
        assert rank.rank_track(run.track_id) is None
        down.clear()
        asked.clear()
        assert dispatch.retry(run)
        score.score_run(run.pk)
        run.refresh_from_db()
        assert (run.state, run.failures) == (Run.State.DONE, {})
        assert len(asked) == 4
        assert all("c2" in point for point in asked)


def test_judgements_have_their_place_in_the_reported_table(
    elsewhere: Submit, judged: Submit, track: Track
) -> None:
    """The submission's page says which, as soon as it is there."""
    judged("Scored here")
    submission = elsewhere("Model")
    rank.rank_track(track.pk)
    found = report(submission, now=timezone.now())
    assert [(line.state, line.row and line.row.rank, line.places) for line in found.tracks] == [
        ("ranked", 1, 1)
    ]
    assert found.final
