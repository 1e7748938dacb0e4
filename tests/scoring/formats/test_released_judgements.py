"""The two files of CapRiCorn-1K's released scripts, good and bad."""

from __future__ import annotations

import copy
import io
import json
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from scoring.formats.released_judgements import (
    JudgementsUpload,
    check_judgements,
    read_judgements,
)
from scoring.protocols.keypoint_types import Annotation, Keypoint
from scoring.protocols.keypoints import from_released_judgements

FIRST = {
    "video_id": "0001",
    "duration": 30.0,
    "main_sbj_info": {
        "<s1>": [
            {
                "event": "<s1> runs",
                "judgement": "correctly mentioned",
                "reason": "r",
                "subject_description_in_caption": "a man",
            },
            {
                "event": "<s1> sits",
                "judgement": "mentioned but with errors",
                "reason": None,
                "subject_description_in_caption": "the man",
            },
        ]
    },
    "other_event_judge": [{"event": "rain", "judgement": "failed", "reason": None}],
}
SECOND = {
    "video_id": "0001",
    "categorization_info": {
        "<s1>": {
            "sbj_captions": ["a man", "the man"],
            "gpt_categorization": {"category_1": ["a man", "the man"]},
        }
    },
}


def lines(*rows: Any) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def read(first: Any, second: Any) -> JudgementsUpload:
    return read_judgements([("1.jsonl", lines(first)), ("2.jsonl", lines(second))])


def test_golden_through_an_archive(golden_keypoints: dict[str, Any]) -> None:
    first, second = golden_keypoints["stage1_rows"], golden_keypoints["stage2_rows"]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("out/2_judge_referential_consistency.jsonl", lines(*second))
        archive.writestr("out/1_judge_accuracy_coverage.jsonl", lines(*first))
        archive.writestr("out/1_accuracy_coverage_metrics.json", "{}")
        archive.writestr("__MACOSX/out/._x", b"\x00")
    upload = read_judgements([("judged.zip", buffer.getvalue())])
    assert upload.ok
    assert [problem.code for problem in upload.warnings] == ["ignored-file"]
    result = from_released_judgements(upload.stage1, upload.stage2)
    assert result["accuracy"] == golden_keypoints["accuracy_coverage"]["accuracy"]
    expected = golden_keypoints["referential_consistency"]["referential_consistency"]
    assert result["referential_consistency"] == expected


def test_two_files_in_any_order() -> None:
    upload = read_judgements([("b", lines(SECOND)), ("a", lines(FIRST))])
    assert not upload.problems
    assert from_released_judgements(upload.stage1, upload.stage2)["referential_consistency"] == 1


def changed(row: dict[str, Any], change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    copied = copy.deepcopy(row)
    change(copied)
    return copied


def first(change: Callable[[Any], Any]) -> tuple[Any, Any]:
    return changed(FIRST, change), SECOND


def second(change: Callable[[Any], Any]) -> tuple[Any, Any]:
    return FIRST, changed(SECOND, lambda row: change(row["categorization_info"]["<s1>"]))


CASES: list[tuple[tuple[Any, Any], str, str]] = [
    (first(lambda r: r.update(duration=0)), "bad-judgement", "seconds"),
    (first(lambda r: r.update(main_sbj_info=[])), "bad-judgement", "main_sbj_info"),
    (first(lambda r: r.update(other_event_judge={})), "bad-judgement", "list"),
    (first(lambda r: r.update(video_id=1)), "bad-video-id", "string"),
    (first(lambda r: r.pop("main_sbj_info")), "missing-field", "main_sbj_info"),
    (
        first(lambda r: r["other_event_judge"][0].update(judgement="not correct")),
        "bad-judgement",
        "one of correctly mentioned",
    ),
    (
        first(lambda r: r["other_event_judge"].append(r["other_event_judge"][0])),
        "bad-judgement",
        "twice",
    ),
    (
        first(lambda r: r["main_sbj_info"]["<s1>"][0].pop("subject_description_in_caption")),
        "bad-judgement",
        "subject_description_in_caption",
    ),
    (
        first(lambda r: r.update(main_sbj_info={}, other_event_judge=[])),
        "bad-judgement",
        "no keypoints",
    ),
    (first(lambda r: r.update(main_sbj_info={})), "stages-differ", "subjects"),
    (second(lambda e: e.update(sbj_captions=["a man"])), "bad-judgement", "exactly"),
    (second(lambda e: e.pop("gpt_categorization")), "bad-judgement", "gpt_categorization"),
    (second(lambda e: e.update(gpt_categorization=None)), "bad-judgement", "no clusters"),
    (second(lambda e: e.update(gpt_categorization=["a"])), "bad-judgement", "map categories"),
    (
        second(lambda e: e["gpt_categorization"].update(category_2=["a dog"])),
        "bad-judgement",
        "exactly",
    ),
    (
        second(lambda e: e["gpt_categorization"].update(category_2=["a man"])),
        "bad-judgement",
        "hold 3 descriptions of 2",
    ),
    (
        second(
            lambda e: e.update(
                sbj_captions=["he", "she"], gpt_categorization={"category_1": ["he", "she"]}
            )
        ),
        "stages-differ",
        "not those of stage 1",
    ),
]


@pytest.mark.parametrize(("rows", "code", "words"), CASES)
def test_bad_rows_are_explained(rows: tuple[Any, Any], code: str, words: str) -> None:
    upload = read(*rows)
    assert not upload.ok
    assert upload.errors[0].code == code
    assert words in upload.errors[0].message


def test_a_failed_clustering_is_no_fault() -> None:
    rows = second(lambda entry: entry.update(gpt_categorization="Judge Failed"))
    upload = read(*rows)
    assert upload.ok
    assert from_released_judgements(*rows_of(upload))["referential_consistency"] is None


def rows_of(upload: JudgementsUpload) -> tuple[Any, Any]:
    return upload.stage1, upload.stage2


def test_long_lists_may_be_miscounted_as_the_script_allows() -> None:
    said = [f"man {i}" for i in range(11)]
    items = [{**FIRST["main_sbj_info"]["<s1>"][0], "event": s} for s in said]  # type: ignore[index]
    for item, words in zip(items, said, strict=True):
        item["subject_description_in_caption"] = words
    long_first = changed(FIRST, lambda row: row["main_sbj_info"].update({"<s1>": items}))
    for extra, fits in ([said[0]], True), (said[:2], False):
        entry = {"sbj_captions": said, "gpt_categorization": {"category_1": said + extra}}
        row = {"video_id": "0001", "categorization_info": {"<s1>": entry}}
        assert read(long_first, row).ok is fits


def test_one_stage_alone_and_clips_of_one_stage_only() -> None:
    (problem,) = read_judgements([("1.jsonl", lines(FIRST))]).problems
    assert problem.code == "missing-stage"
    two = [FIRST, {**FIRST, "video_id": "0002"}]
    upload = read_judgements([("1.jsonl", lines(*two)), ("2.jsonl", lines(SECOND))])
    assert [problem.code for problem in upload.problems] == ["missing-clip"]
    assert "0002" in upload.problems[0].message
    upload = read_judgements([("1.jsonl", lines(FIRST, FIRST)), ("2.jsonl", lines(SECOND))])
    assert [(p.code, p.where) for p in upload.problems] == [("duplicate-clip", '"1.jsonl", line 2')]


def test_problems_of_both_files_come_together() -> None:
    bad = changed(FIRST, lambda row: row.update(duration=0))
    upload = read_judgements([("1.jsonl", lines(bad) + b"\n{"), ("2.jsonl", b"[1]")])
    assert [problem.code for problem in upload.problems] == [
        "bad-judgement",
        "invalid-json",
        "not-a-record",
    ]


class TestCheck:
    """`check_judgements`: against the annotations of a release."""

    POINTS = (
        Keypoint("main_sbj_evts", "<s1> runs", ("<s1>",)),
        Keypoint("main_sbj_evts", "<s1> sits", ("<s1>",)),
        Keypoint("bg_desc", "rain"),
    )

    def check(self, **annotations: Annotation) -> list[str]:
        upload = check_judgements(read(FIRST, SECOND), annotations)
        return [problem.code for problem in upload.problems]

    def test_what_fits(self) -> None:
        assert self.check(**{"0001": Annotation("0001", 30, self.POINTS)}) == []

    def test_clips_and_keypoints_that_differ(self) -> None:
        other = Annotation("0001", 30, self.POINTS[:2])
        assert self.check(**{"0001": other}) == ["keypoints-differ"]
        another = Annotation("x", 30, self.POINTS)
        assert self.check(x=another) == ["missing-clip", "unknown-clip"]
