"""Annotations as the benchmark releases them and as a curator writes them by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.formats.keypoint_annotations import AnnotationsError, read_annotations
from scoring.protocols.keypoint_types import KINDS, Annotation, Keypoint

EVENTS = {
    "main_sbj_evts": ["<s1> laces her boots.", "<s1> runs."],
    "main_sbj_ints": ["<s1> calls <s2>."],
    "bg_desc": ["A muddy field."],
    "trans_desc": [],
    "minor_evts": ["A dog barks."],
}


def row(**changes: Any) -> dict[str, Any]:
    return {"video_id": "0001", "duration": 93.5, "category": "sport", "events": EVENTS} | changes


def read(*rows: Any) -> dict[str, Annotation]:
    return read_annotations("\n".join(map(json.dumps, rows)).encode(), "annotations.jsonl")


def problems(*rows: Any) -> list[tuple[str, str]]:
    with pytest.raises(AnnotationsError) as caught:
        read(*rows)
    return [(problem.code, problem.where) for problem in caught.value.problems]


def test_a_clip_with_all_five_kinds() -> None:
    expected = Annotation(
        "0001",
        93.5,
        (
            Keypoint("main_sbj_evts", "<s1> laces her boots.", ("<s1>",)),
            Keypoint("main_sbj_evts", "<s1> runs.", ("<s1>",)),
            Keypoint("main_sbj_ints", "<s1> calls <s2>.", ("<s1>", "<s2>")),
            Keypoint("bg_desc", "A muddy field."),
            Keypoint("minor_evts", "A dog barks."),
        ),
        "sport",
    )
    assert read(row()) == {"0001": expected}
    assert read_annotations(json.dumps([row()], indent=2).encode(), "a.json") == {"0001": expected}
    assert expected.subjects == {"<s1>": 3, "<s2>": 1}


def test_what_may_be_left_out() -> None:
    events = {"main_sbj_evts": ["<s1> runs."], "bg_desc": None}
    found = read({"video_path": "videos/0007.mp4", "duration": 15, "events": events})
    assert list(found) == ["0007"]
    assert found["0007"].category == ""
    assert len(found["0007"].keypoints) == 1


def test_clips_keep_their_order() -> None:
    assert list(read(row(video_id="b"), row(video_id="a"))) == ["b", "a"]


def test_every_problem_at_once() -> None:
    rows = [
        row(video_id=7),
        row(video_id="b", duration="93"),
        row(video_id="c", duration=-1, events={"bg_desc": [""]}),
        row(video_id="d", events={"main_sbj_evts": ["Somebody runs."]}),
        row(video_id="e", events={"fg_desc": ["A field."], "bg_desc": ["x"]}),
        row(video_id="f", events={"bg_desc": ["A field."], "minor_evts": ["A field."]}),
        row(video_id="g", events={}),
        row(video_id="h", events={"bg_desc": "A field."}),
        row(video_id="i", category=3),
        row(video_id="j", events=None),
        row(video_id="k"),
        row(video_id="k"),
    ]
    assert problems(*rows) == [
        ("bad-video-id", "line 1"),
        ("bad-duration", "line 2"),
        ("bad-duration", "line 3"),
        ("bad-keypoint", "line 3"),
        ("unmarked-subject", "line 4"),
        ("unknown-kind", "line 5"),
        ("duplicate-keypoint", "line 6"),
        ("no-keypoints", "line 7"),
        ("bad-events", "line 8"),
        ("bad-category", "line 9"),
        ("bad-events", "line 10"),
        ("duplicate-clip", "line 12"),
    ]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b"[]", "no-rows"),
        (b"{", "invalid-json"),
        (b'{"a": 1}\n{"b"', "bad-video-id"),
        (b"\x89PNG", "wrong-type"),
        (b"a,b\n1,2\n", "no-header"),
        (b'{"video_id": "v", "duration": NaN, "events": {"bg_desc": ["x"]}}', "bad-duration"),
        (b'{"video_id": "v", "events": {"bg_desc": ["\\u0000"]}}', "forbidden-character"),
    ],
)
def test_files_that_hold_no_annotations(data: bytes, code: str) -> None:
    with pytest.raises(AnnotationsError) as caught:
        read_annotations(data, "a.jsonl")
    assert caught.value.problems[0].code == code
    assert code == "empty-file" or "annotations" in str(caught.value)


@given(
    st.dictionaries(
        st.sampled_from([*KINDS, "video_id", "duration", "events", "x"]),
        st.recursive(
            st.none() | st.booleans() | st.floats() | st.text(max_size=5),
            lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*KINDS]), inner),
        ),
    )
)
def test_any_object_is_read_or_explained(value: dict[str, Any]) -> None:
    problems_of: tuple[object, ...] = ()
    found = {}
    try:
        found = read(value)
    except AnnotationsError as error:
        problems_of = error.problems
    assert found or problems_of
