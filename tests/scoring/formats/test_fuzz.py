"""Whatever the bytes: no exception, only strings, and messages that can be stored and shown."""

from __future__ import annotations

import csv
import io
import json
import os
from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.formats import ReferencesError, check_clips, read_references, read_upload
from scoring.formats.strict_json import JsonFault, Number, Pairs, document
from scoring.types import Problem, Reference, Upload

# ``make fuzz`` asks for more.
SOME = settings(
    max_examples=int(os.environ.get("CLIPRANK_FUZZ_CASES", "0")) * 5 or 200, deadline=None
)

names = st.sampled_from(
    ["p.json", "p.jsonl", "p.csv", "p.tsv", "p.txt", "p", "", "a/../b.JSON", "\0"]
)
wild_text = st.text(st.characters(), max_size=30)
storable = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
clip_ids = storable.filter(lambda text: any(c.isalnum() for c in text))
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | wild_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(wild_text, inner, max_size=4),
    max_leaves=12,
)
fields = st.sampled_from(["clip_id", "video_id", "id", "caption", "description", "text", "x"])
records = st.dictionaries(fields, json_values, max_size=4)


def assert_sound(upload: Upload) -> None:
    for clip, text in upload.descriptions.items():
        assert type(clip) is str
        assert type(text) is str
        assert clip in upload.positions
        f"{clip}{text}".encode()
        assert "\0" not in clip + text
    if not upload.descriptions:
        assert upload.errors
    for problem in upload.problems:
        assert problem.code
        assert problem.message.isprintable()
        assert len(problem.message) < 1_000
        f"{problem}{problem.clip}{problem.where}".encode()
    assert len(upload.problems) < 300


def assert_all_readers_hold(data: bytes, name: str) -> None:
    upload = read_upload(data, name)
    assert_sound(upload)
    checked = check_clips(upload, ["c1", "c2", "c3"], ignored=["c4"])
    assert checked.descriptions.keys() <= {"c1", "c2", "c3"}
    assert not (checked.ok and checked.descriptions.keys() != {"c1", "c2", "c3"})
    references, problems = outcome_of_references(data, name)
    assert bool(references) != bool(problems)
    assert all(texts for texts in references.values())


def outcome_of_references(
    data: bytes, name: str
) -> tuple[dict[str, tuple[Reference, ...]], tuple[Problem, ...]]:
    try:
        return read_references(data, name), ()
    except ReferencesError as error:
        return {}, error.problems


@SOME
@given(st.binary(max_size=300), names)
@example(b"\xff\xfe", "p.json")
@example(b"{", "p.jsonl")
@example(b'{"\\ud800": "x"}', "p.json")
def test_any_bytes(data: bytes, name: str) -> None:
    assert_all_readers_hold(data, name)


@SOME
@given(st.text(st.sampled_from('{}[]",:\\ \n\r\t\0aé\ufeff;|1-.entulrs'), max_size=120), names)
def test_any_text_that_looks_like_a_format(text: str, name: str) -> None:
    assert_all_readers_hold(text.encode(), name)
    assert_all_readers_hold(b"clip_id,caption\n" + text.encode(), name)
    assert_all_readers_hold(b'{"clip_id":"c1","caption":"' + text.encode(), name)


@SOME
@given(json_values | st.lists(records, max_size=4) | st.dictionaries(wild_text, wild_text), names)
def test_any_json(value: Any, name: str) -> None:
    assert_all_readers_hold(json.dumps(value).encode(), name)
    assert_all_readers_hold(json.dumps(value, indent=1).encode(), name)


@SOME
@given(st.lists(records | json_values, max_size=5), names)
def test_any_json_lines(values: list[Any], name: str) -> None:
    assert_all_readers_hold("\n".join(map(json.dumps, values)).encode(), name)


@SOME
@given(
    st.lists(st.lists(storable | fields, max_size=4), max_size=5),
    st.sampled_from(",;\t|"),
    st.booleans(),
    names,
)
def test_any_csv(rows: list[list[str]], delimiter: str, headed: bool, name: str) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter)
    if headed:
        writer.writerow(["clip_id", "caption"])
    writer.writerows(rows)
    assert_all_readers_hold(out.getvalue().encode(), name)


@SOME
@given(st.dictionaries(clip_ids, storable, min_size=1, max_size=5))
def test_what_was_written_is_what_is_read(texts: dict[str, str]) -> None:
    rows = [{"clip_id": clip, "caption": text} for clip, text in texts.items()]
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, ["clip_id", "caption"], lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
    files = {
        "json-map": json.dumps(texts, ensure_ascii=False),
        "json-list": json.dumps(rows, indent=2),
        "jsonl": "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows),
        "csv": out.getvalue(),
    }
    for form, text in files.items():
        upload = read_upload(text.encode(), "preds")
        if any(problem.code == "ambiguous-id" for problem in upload.problems):
            continue
        # The one documented change: a CRLF inside a CSV cell reads as a line feed.
        folds = form == "csv"
        expected = {
            clip.replace("\r\n", "\n") if folds else clip: text.replace("\r\n", "\n")
            if folds
            else text
            for clip, text in texts.items()
        }
        assert upload.descriptions == expected, form
        assert upload.format == form


@SOME
@given(json_values)
def test_strict_json_agrees_with_the_standard_library(value: Any) -> None:
    def plain(read: object) -> object:
        if isinstance(read, Pairs):
            return {key: plain(item) for key, item in read}
        if isinstance(read, list):
            return [plain(item) for item in read]
        return read.token if isinstance(read, Number) else read

    text = json.dumps(value)
    expected = json.loads(text, parse_int=str, parse_float=str, parse_constant=str)
    assert plain(document(text)) == expected


@SOME
@given(st.text(st.sampled_from('{}[]",:\\ \n1e.-ntrue'), max_size=40))
def test_strict_json_accepts_what_the_standard_library_does(text: str) -> None:
    fault = fault_of(text)
    try:
        json.loads(text)
    except ValueError:
        accepted = False
    else:
        accepted = True
    assert accepted == (fault is None)
    assert fault is None or 0 <= fault.offset <= len(text)


def fault_of(text: str) -> JsonFault | None:
    try:
        document(text)
    except JsonFault as fault:
        return fault
    return None
