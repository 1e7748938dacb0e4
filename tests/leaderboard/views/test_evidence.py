"""The page of a clip on tracks of facts and of keypoints: verdicts, reasons, arithmetic, groups."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from leaderboard.models import Evidence, Release, Run, Subject, Submission, Track
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run
from tests.support.small_tests import keypoints_track

ONE = "/b/small/1.0/clips/c2/"
Text = Callable[[Any], str]


def scored(submission: Submission, track: Track) -> Run:
    """The submission's run on the track, scored and ranked."""
    run = submission.runs.get(track=track)
    score_run(run.pk)
    rank_track(track.pk)
    run.refresh_from_db()
    assert run.state == Run.State.DONE, run.error
    return run


class TestFacts:
    """Both lists of facts, and how the score comes about."""

    @pytest.fixture
    def track(self, release: Release) -> Track:
        """Scored by the baseline, in place of the track of embeddings."""
        release.tracks.all().delete()
        return Track.objects.create(
            release=release,
            slug="facts",
            name="Facts",
            protocol=Track.Protocol.FACTS,
            primary_metric="llm_facts_f1",
            judges=["facts-baseline"],
            settings={"language": "en", "kind": "long"},
            bootstrap_replicates=20,
        )

    @pytest.fixture
    def run(self, track: Track, submit: Callable[..., Submission]) -> Run:
        """A description that is wrong in one place."""
        told = "A blue car stops at the light. The driver waves at a child."
        return scored(submit("Model", {"c2": told, "c3": " "}), track)

    def test_facts_with_verdicts_reasons_and_arithmetic(
        self, run: Run, client: Client, text: Text
    ) -> None:
        """Every fact of the evidence stands there with its label in words."""
        response = client.get(ONE)
        said = text(response)
        data = run.evidence.get(clip__key="c2").data
        words = {"entailment": "entailed", "contradiction": "contradicted", "neutral": "neutral"}
        for fact in (*data["reference_facts"], *data["description_facts"]):
            reason = fact["reason"].replace('"', "&quot;")
            assert f"{fact['fact']} {words[fact['label']]} {reason}".strip() in said
        assert b'class="verdict bad">contradicted' in response.content
        entailed = data["counts"]["ref_to_pred"]["entailment"]
        assert f"ENT, reference {entailed} / 2 {data['ent_ref']:.4f}" in said
        cont, ent = data["cont_f1"], data["ent_f1"]
        formula = f"2 × {ent:.4f} × (1 − {cont:.4f}) / ({ent:.4f} + (1 − {cont:.4f}))"
        assert f"LLMFactsF1 {formula} {data['llm_facts_f1']:.4f}" in said
        assert "Baseline judge" in said

    def test_a_blank_description_has_no_facts(self, run: Run, client: Client, text: Text) -> None:
        """It scores 0, and no judge has seen it."""
        said = text(client.get("/b/small/1.0/clips/c3/"))
        assert "The description is empty" in said
        assert "Fact by fact" not in said

    def test_a_judge_that_failed_is_shown_with_its_reason(
        self, run: Run, as_ann: Client, text: Text
    ) -> None:
        """To whoever may see the submission: an incomplete run is on no board."""
        failed = {"failed": "checking facts", "raw": "I <cannot> say.", "baseline": False}
        Evidence.objects.filter(run=run, clip__key="c2").update(data=failed)
        Run.objects.update(state=Run.State.INCOMPLETE, failures={"c2": "checking facts: no JSON"})
        response = as_ann.get(ONE, {"submission": str(run.submission_id)})
        said = text(response)
        assert "Judge failed checking facts: no JSON" in said
        assert "I &lt;cannot&gt; say." in said
        assert "How the score comes about" not in said

    def test_the_best_of_several_references_is_named(
        self, run: Run, client: Client, text: Text
    ) -> None:
        """Counted from 1."""
        found = Evidence.objects.get(run=run, clip__key="c2")
        found.data |= {"references_read": [0, 2], "reference_used": 2}
        found.save()
        assert "2 references were read; number 2" in text(client.get(ONE))


class TestKeypoints:
    """Keypoints in the order of the story, and whom the description is taken to speak of."""

    @pytest.fixture
    def track(self, release: Release) -> Track:
        """Scored by the baseline."""
        release.tracks.all().delete()
        return keypoints_track(release)

    @pytest.fixture
    def run(self, track: Track, submit: Callable[..., Submission]) -> Run:
        """One that is scored; what the page shows of c2 is set by hand."""
        Subject.objects.filter(key="<s1>").update(name="Ann <B>")
        run = scored(submit("Model", {"c2": "Ann enters. The woman leaves, and she waves."}), track)
        point = {"kind": "main_sbj_evts", "subjects": ["<s1>"], "verdict": "correct"}
        keypoints = [
            point | {"text": "<s1> enters c2.", "reason": "first", "descriptions": {"<s1>": "Ann"}},
            point
            | {
                "text": "<s1> leaves c2.",
                "reason": "second",
                "verdict": "partial",
                "descriptions": {"<s1>": "the woman"},
            },
            point
            | {
                "text": "<s2> waves in c2.",
                "reason": "third",
                "verdict": "failed",
                "subjects": ["<s2>"],
                "descriptions": {"<s2>": None},
            },
            point
            | {
                "text": "A room of c2.",
                "kind": "bg_desc",
                "reason": "fourth",
                "verdict": "not mentioned",
                "subjects": [],
                "descriptions": {},
            },
        ]
        data = {
            "keypoints": keypoints,
            "clusters": {"<s1>": [["Ann"], ["the woman"]]},
            "subjects": {"<s1>": 0.0},
            "unreadable": [{"about": "keypoint: x", "problem": "no JSON", "reply": "Hm <b>"}],
            "baseline": True,
        }
        Evidence.objects.filter(run=run, clip__key="c2").update(data=data)
        return run

    def test_verdicts_in_the_order_of_the_story(self, run: Run, client: Client, text: Text) -> None:
        """In words, with the reason, subjects by name; what could not be read is shown."""
        said = text(client.get(ONE))
        places = [said.index(reason) for reason in ("first", "second", "third", "fourth")]
        assert places == sorted(places)
        assert "Ann &lt;B&gt; enters c2." in said
        assert "correct Subject event · Ann &lt;B&gt;: “Ann”" in said
        for words in (
            "1 correct",
            "1 partial",
            "1 not mentioned",
            "1 judge failed",
            "Hm &lt;b&gt;",
        ):
            assert words in said

    def test_references_are_marked_by_group(self, run: Run, client: Client) -> None:
        """A letter and a colour for each group, where its words stand."""
        page = client.get(ONE).content.decode()
        assert re.search(r'<mark class="group0">Ann\s*<small>1A</small></mark> enters', page)
        assert re.search(r'<mark class="group1">The woman\s*<small>1B</small></mark> leaves', page)

    def test_one_subject_only(self, run: Run, client: Client, text: Text) -> None:
        """By a link; a subject that is not there narrows nothing."""
        page = client.get(ONE).content.decode()
        assert 'href="?subject=s1"' in page
        said = text(client.get(ONE, {"subject": "s1"}))
        assert "second" in said
        assert "third" not in said
        assert "of 2 keypoints with this subject" in said
        assert "third" in text(client.get(ONE, {"subject": "nobody"}))

    def test_a_grouping_that_failed_is_said(self, run: Run, client: Client, text: Text) -> None:
        """Its references stand there without a letter."""
        found = Evidence.objects.get(run=run, clip__key="c2")
        found.data |= {"clusters": {"<s1>": None}, "subjects": {}}
        found.save()
        assert "judge failed to group 1? “Ann”, “the woman”" in text(client.get(ONE))

    def test_what_the_judge_itself_gives_can_be_shown(
        self, run: Run, client: Client, text: Text
    ) -> None:
        """Evidence as the baseline leaves it, of a clip that was not touched."""
        said = text(client.get("/b/small/1.0/clips/c1/"))
        data = run.evidence.get(clip__key="c1").data
        assert f"of {len(data['keypoints'])} keypoints" in said
        assert "enters c1." in said
