"""Keypoint metrics against the values of the benchmark's own code."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.protocols.keypoint_metrics import (
    accuracy_coverage,
    duration_bin,
    referential_consistency,
    score_clip,
    summary,
)
from scoring.protocols.keypoint_types import (
    Annotation,
    Judged,
    JudgedClip,
    Keypoint,
    descriptions_of,
    subjects_in,
)
from scoring.protocols.keypoints import from_released_judgements
from scoring.types import ScoringError


@pytest.fixture(scope="module")
def found(golden_keypoints: dict[str, Any]) -> dict[str, Any]:
    return from_released_judgements(
        golden_keypoints["stage1_rows"], golden_keypoints["stage2_rows"]
    )


class TestGolden:
    """`capricorn_keypoints.json`: every value, exactly."""

    def test_overall(self, found: dict[str, Any], golden_keypoints: dict[str, Any]) -> None:
        first = golden_keypoints["accuracy_coverage"]
        second = golden_keypoints["referential_consistency"]
        assert found["accuracy"] == first["accuracy"]
        assert found["coverage"] == first["coverage"]
        assert found["count"] == first["count"]
        assert found["referential_consistency"] == second["referential_consistency"]
        assert found["referential_count"] == second["count"]

    def test_duration_bins(self, found: dict[str, Any], golden_keypoints: dict[str, Any]) -> None:
        first = golden_keypoints["accuracy_coverage"]["duration_bins"]
        second = golden_keypoints["referential_consistency"]["duration_bins"]
        assert set(found["duration_bins"]) == set(first) == set(second)
        for name, values in found["duration_bins"].items():
            expected = {
                **first[name],
                "referential_count": second[name]["count"],
                "referential_consistency": second[name]["referential_consistency"],
            }
            assert values == expected, name

    def test_per_video(self, found: dict[str, Any], golden_keypoints: dict[str, Any]) -> None:
        values = {row["video_id"]: row for row in found["per_video"]}
        for part in ("accuracy_coverage", "referential_consistency"):
            for expected in golden_keypoints[part]["per_video"]:
                row = values[expected["video_id"]]
                assert {key: row[key] for key in expected} == expected
        assert list(values) == [row["video_id"] for row in golden_keypoints["stage1_rows"]]

    def test_a_failed_clustering_leaves_its_subject_out(
        self, golden_keypoints: dict[str, Any]
    ) -> None:
        rows = copy.deepcopy(golden_keypoints["stage2_rows"])
        info = next(row for row in rows if row["video_id"] == "0001")["categorization_info"]
        info["<s2>"]["gpt_categorization"] = "Judge Failed"
        result = from_released_judgements(golden_keypoints["stage1_rows"], rows)
        (video,) = (row for row in result["per_video"] if row["video_id"] == "0001")
        assert video["subject_referential_consistency"] == {"<s1>": 0, "<s3>": 2 / 3}
        assert video["referential_consistency"] == (0 + 2 / 3) / 2

    def test_stages_must_belong_together(self, golden_keypoints: dict[str, Any]) -> None:
        first, second = golden_keypoints["stage1_rows"], golden_keypoints["stage2_rows"]
        for one, other in [(first, second[1:]), (first[1:], second)]:
            with pytest.raises(ScoringError, match=r"lacks 1 clips.* 0000"):
                from_released_judgements(one, other)
        with pytest.raises(ScoringError, match="more than once"):
            from_released_judgements([*first, first[0]], second)

    @pytest.mark.parametrize(
        "row",
        [
            {},
            {"video_id": 7},
            {"video_id": "0000"},
            {"video_id": "0000", "duration": "x", "main_sbj_info": {}, "other_event_judge": []},
            {
                "video_id": "0000",
                "duration": 1,
                "main_sbj_info": {},
                "other_event_judge": [{"event": "e", "judgement": "maybe"}],
            },
        ],
    )
    def test_rows_of_another_form_are_an_error(
        self, golden_keypoints: dict[str, Any], row: dict[str, Any]
    ) -> None:
        with pytest.raises(ScoringError):
            from_released_judgements([row], golden_keypoints["stage2_rows"][:1])


@pytest.mark.parametrize(
    ("seconds", "name"),
    [
        (0, None),
        (0.1, "(0,120]"),
        (120, "(0,120]"),
        (120.1, "(120,300]"),
        (300, "(120,300]"),
        (480, "(300,480]"),
        (601, "(480,601]"),
        (601.1, None),
    ],
)
def test_duration_bins_are_open_below(seconds: float, name: str | None) -> None:
    assert duration_bin(seconds) == name


def test_a_failed_verdict_counts_as_not_mentioned() -> None:
    assert accuracy_coverage(["correct", "partial", "failed", "not mentioned"]) == (1 / 4, 2 / 4)
    with pytest.raises(ScoringError, match="without keypoints"):
        accuracy_coverage([])


def test_referential_consistency_by_hand() -> None:
    assert referential_consistency([2, 1], 3) == 1 / 3
    assert referential_consistency([3], 3) == 1
    assert referential_consistency([3], 4) == 3 / 6
    assert referential_consistency([], 2) == 0
    with pytest.raises(ScoringError):
        referential_consistency([1], 1)


@given(st.lists(st.integers(1, 9), max_size=6), st.integers(0, 9))
def test_ref_lies_between_0_and_1_and_splitting_never_helps(sizes: list[int], silent: int) -> None:
    keypoints = max(2, sum(sizes) + silent)
    value = referential_consistency(sizes, keypoints)
    assert 0 <= value <= 1
    assert referential_consistency([1] * sum(sizes), keypoints) == 0 <= value
    assert value <= referential_consistency([sum(sizes)], keypoints)


def judged(text: str, verdict: Any = "correct", **said: str | None) -> Judged:
    descriptions = {f"<{subject}>": words for subject, words in said.items()}
    return Judged(Keypoint("main_sbj_evts", text, subjects_in(text)), verdict, "", descriptions)


def test_a_keypoint_listed_twice_counts_once_but_is_two_mentions() -> None:
    clip = JudgedClip(
        "c",
        10,
        (judged("<s> sits", s="a man"), judged("<s> sits", s="he"), judged("<s> runs", "partial")),
        {"<s>": (("a man", "he"),)},
    )
    score = score_clip(clip)
    assert (score.acc, score.cov) == (1 / 2, 1)
    assert score.subjects == {"<s>": 1 / 3}


def test_a_clip_without_a_subject_to_score_has_no_ref() -> None:
    clip = JudgedClip("c", 10, (judged("<s> sits", s="a man"),))
    score = score_clip(clip)
    assert score.ref is None
    assert summary([score])["referential_consistency"] is None
    assert summary([score])["referential_count"] == 0
    assert summary([score])["accuracy"] == 1


def test_a_subject_never_described_scores_zero() -> None:
    clip = JudgedClip("c", 10, (judged("<s> sits", s=None), judged("<s> runs", "not mentioned")))
    assert score_clip(clip).ref == 0


def test_descriptions_of_what_is_not_mentioned_do_not_count() -> None:
    rows = (
        judged("<s> sits", s="a man"),
        judged("<s> runs", "not mentioned", s="a man"),
        judged("<s> eats", "failed", s="a man"),
        judged("<s> hums", "partial", s="the man"),
    )
    assert descriptions_of(rows, "<s>") == ["a man", "the man"]


def test_subjects_are_counted_over_all_their_keypoints() -> None:
    points = (
        Keypoint("main_sbj_evts", "<a> sits", ("<a>",)),
        Keypoint("main_sbj_ints", "<b> calls <a>", ("<b>", "<a>")),
        Keypoint("bg_desc", "a field"),
    )
    assert Annotation("c", 1, points).subjects == {"<a>": 2, "<b>": 1}
    assert subjects_in("<b> calls <a>, and <b> waves") == ("<b>", "<a>")
