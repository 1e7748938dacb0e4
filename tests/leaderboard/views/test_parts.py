"""Tracks of keypoints part by part, and of pair tests by family, on the ranking's page."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from leaderboard.intake import Contents, receive
from leaderboard.models import (
    Keypoint,
    Kind,
    Provenance,
    Ranking,
    Release,
    ReportedResult,
    System,
    Track,
)
from leaderboard.pipeline import keypoints as keypoint_runs
from leaderboard.pipeline.rank import rank_reported, rank_track
from leaderboard.pipeline.score import score_run
from leaderboard.tables import Choice, chosen_ranking, pair_families
from tests.support.judgements import LiteralJudge
from tests.support.small_tests import (
    annotations,
    answers,
    as_jsonl,
    keypoints_track,
    pairs_track,
)

Text = Callable[[Any], str]


def ranked_row(name: str, parts: dict[str, Any], rank: int = 1) -> dict[str, Any]:
    """A row as the worker stores it."""
    mean = {"acc": 0.5, "cov": 0.75, "ref": 0.25}
    return {
        "system": name.lower(), "name": name, "rank": rank, "borda": 0.0, "mean": mean,
        "judges": {"keypoint-baseline": mean}, "missing": [], "rank_low": None, "rank_high": None,
        "p_first": None, "parts": {"keypoint-baseline": parts},
    }  # fmt: skip


class TestKeypoints:
    """By duration, category and kind of keypoint."""

    @pytest.fixture
    def track(self, release: Release) -> Track:
        """With a ranking whose parts are known."""
        release.tracks.all().delete()
        track = keypoints_track(release)
        parts = {
            "duration": {
                "(480,601]": {"clips": 1, "acc": 0.625, "cov": 1.0, "ref": None},
                "(0,120]": {"clips": 1, "acc": 0.125, "cov": 1.0, "ref": 0.0},
            },
            "category": {"even": {"clips": 2, "acc": 0.375, "cov": 0.5}},
            "kind": {"bg_desc": {"count": 4, "accuracy": 0.875, "coverage": 0.9375, "failed": 0}},
        }
        Ranking.objects.create(
            track=track, provenance=Provenance.VERIFIED, fingerprint="f", signature="s",
            inputs={"entries": [], "clips": [], "judges": track.judges},
            rows=[ranked_row("Good", parts)],
        )  # fmt: skip
        return track

    def test_the_parts_of_the_shown_metric(self, track: Track, client: Client, text: Text) -> None:
        """Durations in their order; every part is a table first."""
        response = client.get(track.get_absolute_url())
        said = text(response)
        assert "(0, 120] s (480, 601] s Good 0.125 0.625" in said
        assert "Acc by category of the clip" in said
        assert "Background Good 0.875" in said
        page = response.content.decode()
        assert page.count('<figure class="chart" data-chart="multiples">') == 3
        assert "js/charts.js" in page

    def test_another_metric(self, track: Track, client: Client, text: Text) -> None:
        """Coverage has its own name among kinds; consistency is not defined for them."""
        said = text(client.get(track.get_absolute_url(), {"metric": "cov"}))
        assert "Background Good 0.938" in said
        said = text(client.get(track.get_absolute_url(), {"metric": "ref"}))
        assert "by kind of keypoint" not in said
        assert "Good 0.000 – none" in said

    def test_a_part_of_the_clips_has_no_parts(
        self, release: Release, submit: Any, client: Client, text: Text
    ) -> None:
        """What is computed for a choice is not broken down again."""
        release.tracks.all().delete()
        track = keypoints_track(release)
        for run in submit("Model").runs.all():
            score_run(run.pk)
        rank_track(track.pk)
        assert "Part by part" in text(client.get(track.get_absolute_url()))
        chosen = client.get(track.get_absolute_url(), {"category": "odd"})
        assert "Part by part" not in text(chosen)


class TestChoices:
    """A table computed again for a choice: the same rules as the table that is kept."""

    @pytest.fixture
    def ranking(self, release: Release, submit: Any, monkeypatch: pytest.MonkeyPatch) -> Ranking:
        """Two systems and people; clip c4 has nobody to follow, so it has no Ref."""
        release.tracks.all().delete()
        track = keypoints_track(release, judges=["literal"])
        monkeypatch.setattr(keypoint_runs, "keypoint_judge", lambda _: LiteralJudge())
        told = {
            clip: " ".join(
                point.text.replace("<s1>", "Ann").replace("<s2>", "Bob") for point in one.keypoints
            )
            for clip, one in annotations().items()
        }
        for name, texts in (
            ("Good", told),
            ("Poor", told | {"c1": "Nothing."}),
            ("People", told),
        ):
            for run in submit(name, texts).runs.all():
                score_run(run.pk)
        System.objects.filter(name="People").update(reference=True)
        made = rank_track(track.pk)
        assert made is not None
        return made

    def test_everything_chosen_gives_the_same_rows(self, ranking: Ranking) -> None:
        """References stay beside the places, gaps are filled, and parts stay."""
        made = chosen_ranking(ranking, Choice(longest=1e6))
        assert made.rows == ranking.rows
        assert [row["name"] for row in made.rows if row.get("reference")] == ["People"]

    def test_part_of_the_clips(self, ranking: Ranking, client: Client, text: Text) -> None:
        """People have numbers and no place; Ref is over the chosen clips that have it."""
        made = chosen_ranking(ranking, Choice(categories=("even",)))
        good, poor, people = made.rows
        assert [row["rank"] for row in made.rows] == [1, 1, None]
        assert people["reference"]
        assert people["mean"] == {"acc": 1.0, "cov": 1.0, "ref": 1.0}
        assert people["rank_low"] is None
        assert good["mean"]["ref"] == poor["mean"]["ref"] == 1.0
        assert "parts" not in good
        address = ranking.track.get_absolute_url()
        said = text(client.get(address, {"category": "even", "metric": "ref"}))
        assert "2 ranked" in said
        assert "2 of 4 clips" in said

    def test_confidence_sets_are_of_the_systems_that_take_part(self, ranking: Ranking) -> None:
        """People change nobody's set."""
        made = chosen_ranking(ranking, Choice(interval="simultaneous"))
        assert [row.get("mean_rank") for row in made.rows] == [1, 2, None]
        assert made.rows[0]["parts"] == ranking.rows[0]["parts"]

    def test_people_take_no_part_in_what_is_said_of_the_ranking(
        self, ranking: Ranking, client: Client, text: Text
    ) -> None:
        """Nor in its statistics."""
        page = client.get(f"{ranking.track.get_absolute_url()}reliability/")
        assert page.status_code == 200
        assert "People" not in text(page)

    def test_only_clips_that_the_annotation_has_are_counted(self, ranking: Ranking) -> None:
        """A clip without keypoints counts for nobody, so it is none of the chosen ones either."""
        Keypoint.objects.filter(clip__key="c4").delete()
        made = chosen_ranking(ranking, Choice(categories=("even",)))
        assert (made.inputs["clips_chosen"], made.inputs["clips_all"]) == (1, 3)


class TestAblation:
    """A judge outside the panel, beside it."""

    @pytest.fixture
    def track(self, release: Release) -> Track:
        """Four reported systems, three of them by another judge as well."""
        release.tracks.all().delete()
        track = Track.objects.create(
            release=release, slug="k", name="K", protocol=Track.Protocol.KEYPOINTS,
            primary_metric="acc", judges=["gpt-4.1"], scores_uploads=False,
        )  # fmt: skip
        numbers = {"A": (0.5, 0.25), "B": (0.375, 0.125), "C": (0.125, 0.0625), "D": (0.25, None)}
        for name, (panel, other) in numbers.items():
            system = System.objects.create(name=name, slug=name.lower())
            for judge, mean in (("gpt-4.1", panel), ("someone", other)):
                if mean is not None:
                    ReportedResult.objects.create(
                        track=track, system=system, judge=judge, metric="acc", mean=mean,
                        source="paper",
                    )  # fmt: skip
        rank_reported(track.pk)
        return track

    def test_two_judges_side_by_side(self, track: Track, client: Client, text: Text) -> None:
        """Only systems that both judged; correlations over them."""
        said = text(client.get(track.get_absolute_url()))
        assert "someone beside GPT-4.1" in said
        assert "A 0.5000 0.2500 B 0.3750 0.1250 C 0.1250 0.0625" in said
        wanted = np.corrcoef([0.5, 0.375, 0.125], [0.25, 0.125, 0.0625])[0, 1]
        assert f"Acc Pearson {wanted:.4f}, Spearman 1.0000" in said
        assert "over the 3 systems" in said


class TestPairs:
    """By family, against chance; what most get wrong."""

    @pytest.fixture
    def track(self, release: Release) -> Track:
        """Four tests of four pairs."""
        release.tracks.all().delete()
        return pairs_track(release)

    @pytest.fixture
    def answer(self, release: Release, track: Track, ann: User, sent: Any) -> Callable[..., None]:
        """``answer("name", {test: clips})``: right but for those, scored."""

        def made(name: str, wrong: dict[str, list[str]]) -> None:
            submission = receive(
                release=release,
                user=ann,
                system=System.objects.create(name=name, slug=name.lower()),
                data=as_jsonl(answers(wrong)),
                filename="answers.jsonl",
                contents=Contents(Kind.PAIRS),
            )
            score_run(submission.runs.get().pk)

        return made

    def test_families_with_chance_and_intervals(
        self, track: Track, answer: Any, client: Client, text: Text
    ) -> None:
        """A Wilson interval that reaches chance says so; association has chance of its own."""
        answer("Good", {})
        answer("Poor", {"agent_iden": ["c1", "c2"]})
        rank_track(track.pk)
        response = client.get(track.get_absolute_url())
        said = text(response)
        assert "System Agent identification Chance 50.0% Good 100.0% 51.0% to 100.0% Poor" in said
        assert "Poor 50.0% 15.0% to 85.0%, ≈ chance" in said
        assert "16.7%" in said
        page = response.content.decode()
        assert re.search(r'data-chance="0.166667">Group', page)

    def test_a_table_that_is_cut_says_so(
        self,
        track: Track,
        answer: Any,
        client: Client,
        text: Text,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """Nobody takes the first systems for all of them."""
        answer("Good", {})
        answer("Poor", {"agent_iden": ["c1", "c2"]})
        rank_track(track.pk)
        assert "of 2 systems" not in text(client.get(track.get_absolute_url()))
        monkeypatch.setattr(pair_families, "MOST_SYSTEMS", 1)
        cache.clear()
        said = text(client.get(track.get_absolute_url()))
        assert "the table has the first 1 of 2 systems" in said

    def test_what_most_systems_get_wrong(
        self, track: Track, answer: Any, client: Client, text: Text
    ) -> None:
        """More than half of them: a pair that one of two gets wrong is not there."""
        answer("One", {"chrono": ["c1", "c3"]})
        answer("Two", {"chrono": ["c3"]})
        rank_track(track.pk)
        said = text(client.get(track.get_absolute_url()))
        assert "chrono c3 yes no Chronology c3 2 of 2" in said
        assert "chrono c1 yes" not in said
        asked = client.get(track.get_absolute_url(), {"metric": "group"})
        assert "No pair is got wrong by more than half" in text(asked)

    def test_people_are_no_system_that_gets_pairs_wrong(
        self, track: Track, answer: Any, client: Client, text: Text
    ) -> None:
        """They are shown for comparison."""
        answer("One", {})
        answer("People", {"chrono": ["c3"]})
        System.objects.filter(name="People").update(reference=True)
        rank_track(track.pk)
        assert "No pair is got wrong by more" in text(client.get(track.get_absolute_url()))

    def test_reported_rows_of_people_stand_first_and_outside(
        self, track: Track, client: Client, text: Text
    ) -> None:
        """Their numbers have no interval, and no pair is known."""
        for name, mean, reference in (("Model", 0.625, False), ("Human", 0.9375, True)):
            system = System.objects.create(name=name, slug=name.lower(), reference=reference)
            for part in ("", "test:chrono"):
                ReportedResult.objects.create(
                    track=track, system=system, judge="exact", metric="classic",
                    part=part, mean=mean, source="paper",
                )  # fmt: skip
        rank_reported(track.pk)
        said = text(client.get(track.get_absolute_url()))
        assert "Chance 50.0% Human for comparison 93.8% Model 62.5%" in said
        assert "papers report accuracies of whole tests, not which pairs" in said
