"""Comparing an upload with the clips of a release."""

from __future__ import annotations

import json
import time

import pytest

from scoring.formats import check_clips, read_upload
from scoring.types import Upload


def upload_of(texts: dict[str, str]) -> Upload:
    return read_upload(json.dumps(texts).encode(), "preds.json")


def texts_for(*clips: str) -> dict[str, str]:
    return {clip: f"The video of {clip} shows a dog." for clip in clips}


def test_descriptions_come_back_in_the_releases_order() -> None:
    upload = check_clips(upload_of(texts_for("b", "c", "a")), ["a", "b", "c"])
    assert upload.ok
    assert list(upload.descriptions) == ["a", "b", "c"]


def test_an_unreadable_file_is_not_also_incomplete() -> None:
    broken = read_upload(b'{"a": "x", "b"', "preds.json")
    assert check_clips(broken, ["a", "b"]) is broken


def test_many_missing_clips_are_one_problem() -> None:
    expected = [f"c{number}" for number in range(30)]
    upload = check_clips(upload_of(texts_for(*expected[:3])), expected)
    (problem,) = upload.errors
    assert problem.code == "missing-clip"
    assert problem.clip == ""
    assert problem.message == (
        "27 of 30 clips have no description: c3, c4, c5, c6, c7, c8, c9, c10, c11, c12 "
        'and 17 more; add them (an empty text "" is accepted and scores 0)'
    )


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("7", "0007"),
        ("0007.mp4", "0007"),
        (" 0007", "0007"),
        ("CLIP-A", "clip-a"),
        ("clip_a", "clip-a"),
        ("cafe\u0301", "caf\u00e9"),
        ("zzzzzz", None),
    ],
)
def test_an_unknown_clip_names_what_was_meant(given: str, meant: str | None) -> None:
    expected = ["0001", "0007", "clip-a", "caf\u00e9"]
    mine = [clip for clip in expected if clip != meant]
    upload = check_clips(upload_of(texts_for(*mine, given)), expected)
    (problem,) = [p for p in upload.errors if p.code == "unknown-clip"]
    assert problem.clip == given
    assert problem.where.startswith("line 1, column ")
    assert ("did you mean" in problem.message) == (meant is not None)
    if meant:
        assert problem.message.endswith(f'did you mean "{meant}"?')
    assert given not in upload.descriptions


def test_two_ids_that_look_alike_are_not_guessed_between() -> None:
    upload = check_clips(upload_of(texts_for("a", "7")), ["a", "07", "007"])
    (problem,) = [p for p in upload.errors if p.code == "unknown-clip"]
    assert "007" not in problem.message


def test_unknown_clips_are_listed_up_to_a_number() -> None:
    known = [f"c{number}" for number in range(3)]
    upload = check_clips(upload_of(texts_for(*known, *(f"x{n}" for n in range(80)))), known)
    assert len(upload.errors) == 51
    assert upload.errors[-1].message == "and 30 more unknown clips"


def test_excluded_clips_are_dropped_with_a_warning() -> None:
    upload = check_clips(upload_of(texts_for("a", "b", "126")), ["a", "b"], ignored=["126", "127"])
    assert upload.ok
    assert list(upload.descriptions) == ["a", "b"]
    (warning,) = upload.warnings
    assert warning.code == "ignored-clip"
    assert warning.message == "1 description ignored, of clips that are excluded: 126"


def test_a_file_of_excluded_clips_only_misses_all_others() -> None:
    upload = check_clips(upload_of(texts_for("126")), ["a", "b"], ignored=["126"])
    assert [p.code for p in upload.problems] == ["missing-clip", "ignored-clip"]


def test_the_count_of_problems_found_before_stays() -> None:
    upload = check_clips(upload_of({"a": "x", "b": "ok\x00"}), ["a", "b", "c"])
    assert [p.code for p in upload.errors] == ["forbidden-character", "missing-clip"]
    assert "1 of 3 clips has no description: c" in upload.errors[1].message


@pytest.mark.parametrize(
    "text",
    [
        "Error code: 429 - {'error': {'message': 'Rate limit reached'}}",
        "error code 500",
        "HTTP Error 503: Service Unavailable",
        "429 Client Error: Too Many Requests for url",
        "openai.RateLimitError: Error code: 429",
        "ERROR: the model did not answer",
        "Traceback (most recent call last):\n  File ...",
        '{"error": "timeout"}',
        "<!DOCTYPE html><title>502</title>",
        "Internal Server Error",
        "Request timed out.",
        "\nCUDA out of memory. Tried to allocate 2.00 GiB",
    ],
)
def test_api_errors_are_recognised(text: str) -> None:
    upload = check_clips(upload_of({"a": text, "b": "A dog."}), ["a", "b"])
    (warning,) = upload.warnings
    assert warning.code == "api-error"
    assert warning.message.startswith("1 description looks like an API error (a): ")


@pytest.mark.parametrize(
    "text",
    [
        "Error messages flicker on the screen while a man types.",
        "The screen reads: Error code: 429.",
        "500 people stand in a square.",
        "A server error appears on the laptop.",
        "Htmlish letters float by.",
    ],
)
def test_descriptions_that_speak_of_errors_are_not(text: str) -> None:
    assert check_clips(upload_of({"a": text}), ["a"]).problems == ()


@pytest.mark.parametrize(("same", "remarked"), [(1, False), (2, False), (3, True), (9, True)])
def test_one_text_for_many_clips(same: int, remarked: bool) -> None:
    clips = [f"c{number}" for number in range(10)]
    texts = texts_for(*clips) | dict.fromkeys(clips[:same], "I cannot help with that. ")
    upload = check_clips(upload_of(texts), clips)
    said = [p.message for p in upload.warnings]
    expected = f'one description is used for {same} of 10 clips: "I cannot help with that."'
    assert said == ([expected] if remarked else [])


def test_two_clips_with_one_text_are_all_of_them() -> None:
    upload = check_clips(upload_of({"a": "A dog.", "b": "A dog."}), ["a", "b"])
    assert upload.warnings[0].message.startswith("one description is used for all 2 clips")


def test_a_single_clip_is_no_repetition() -> None:
    assert check_clips(upload_of({"a": "A dog."}), ["a"]).problems == ()


def test_the_search_for_near_matches_is_bounded() -> None:
    expected = [f"video-{number:06}-of-the-set" for number in range(10_000)]
    given = [
        "video-000001-of-the-set",
        *(f"clip-{number:06}-of-the-set" for number in range(10_000)),
    ]
    upload = upload_of(texts_for(*given))
    start = time.process_time()
    checked = check_clips(upload, expected)
    assert time.process_time() - start < 3
    assert len(checked.errors) == 52
