"""Which format a file is read as, and what is refused before any row is read."""

from __future__ import annotations

import json
import time

import pytest

from scoring.formats import collector, read_upload, too_large
from scoring.formats.registry import FORMATS
from scoring.types import Upload

RECORD = '{"clip_id": "c1", "caption": "a dog"}'
TWO = {"c1": "a dog", "c2": "a cat"}
ROWS = [{"clip_id": clip, "caption": text} for clip, text in TWO.items()]
LINES = "\n".join(map(json.dumps, ROWS))


def only(upload: Upload) -> tuple[str, str, str]:
    (problem,) = upload.problems
    return problem.code, problem.where, problem.message


@pytest.mark.parametrize(
    ("text", "filename", "form"),
    [
        (json.dumps(TWO), "preds.json", "json-map"),
        (json.dumps(TWO), "preds.jsonl", "json-map"),
        (json.dumps(TWO, indent=2), "preds.jsonl", "json-map"),
        (json.dumps(TWO, indent=2), "", "json-map"),
        (json.dumps(ROWS), "preds.json", "json-list"),
        (json.dumps(ROWS, indent=2), "preds.csv", "json-list"),
        (LINES, "preds.jsonl", "jsonl"),
        (LINES, "preds.json", "jsonl"),
        ("\n\n" + LINES.replace("\n", "\r\n\r\n") + "\n", "preds.txt", "jsonl"),
        ("clip_id,caption\nc1,a dog\nc2,a cat", "preds.csv", "csv"),
        ("clip_id,caption\nc1,a dog\nc2,a cat\n", "preds.json", "csv"),
        ("\nCaption, Video_ID \na dog,c1\n\na cat,c2\n,\n", "", "csv"),
        ("id\ttext\nc1\ta dog\nc2\ta cat\n", "preds.csv", "tsv"),
        ("id\ttext\r\nc1\ta dog\r\nc2\ta cat\r\n", "preds.tsv", "tsv"),
        ("id,text\rc1,a dog\rc2,a cat\r", "old-mac.csv", "csv"),
    ],
)
def test_the_content_tells_the_format(text: str, filename: str, form: str) -> None:
    upload = read_upload(text.encode(), filename)
    assert upload.problems == ()
    assert upload.format == form
    assert upload.descriptions == TWO


@pytest.mark.parametrize("id_field", ["clip_id", "video_id", "id", "ID"])
@pytest.mark.parametrize("text_field", ["caption", "description", "text", "summary", " Text"])
def test_every_field_name(id_field: str, text_field: str) -> None:
    row = {id_field: "c1", text_field: "a dog", "score": 1.5, "tags": ["x", {"y": None}]}
    for data in (json.dumps(row), json.dumps([row]), json.dumps(row, indent=1)):
        assert read_upload(data.encode(), "x.json").descriptions == {"c1": "a dog"}
    csv = f"{id_field},score,{text_field}\nc1,2,a dog\n"
    assert read_upload(csv.encode(), "x.csv").descriptions == {"c1": "a dog"}


def test_positions_say_where_each_clip_stands() -> None:
    assert read_upload(json.dumps(TWO, indent=2).encode(), "a.json").positions == {
        "c1": "line 2, column 3",
        "c2": "line 3, column 3",
    }
    assert read_upload(json.dumps(ROWS, indent=2).encode(), "a.json").positions == {
        "c1": "item 1 (line 2)",
        "c2": "item 2 (line 6)",
    }
    assert read_upload(LINES.encode(), "a").positions == {"c1": "line 1", "c2": "line 2"}


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n" + bytes(20), "a PNG image"),
        (b"\xff\xd8\xff\xe0" + bytes(20), "a JPEG image"),
        (b"%PDF-1.7\n", "a PDF document"),
        (b"\x28\xb5\x2f\xfd1234", "a Zstandard archive"),
        (b"\x00\x00\x00\x20ftypisom", "a binary file, such as an MP4 video"),
        (b"PAR1\x15\x04", "a Parquet file"),
        (b"\xef\xbb\xbf \n<!DOCTYPE html><html>", "an HTML or XML page"),
        (b"<?xml version='1.0'?>", "an HTML or XML page"),
    ],
)
def test_other_kinds_of_file_are_named(data: bytes, kind: str) -> None:
    code, _, message = only(read_upload(data, "preds.json"))
    assert code == "wrong-type"
    assert message.startswith(f"this is {kind}; upload JSON")


def test_a_word_that_ends_like_a_tar_header_is_no_archive() -> None:
    start = '{"c1": "'
    text = "x" * (256 - len(start)) + "mustard"
    upload = read_upload(f'{start}{text}"}}'.encode(), "preds.json")
    assert upload.descriptions == {"c1": text}


@pytest.mark.parametrize("data", [b"", b" \r\n\t", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_an_empty_file(data: bytes) -> None:
    assert only(read_upload(data, "preds.json")) == ("empty-file", "", "the file is empty")


@pytest.mark.parametrize("data", [b"{}", b"[]", b"clip_id,caption\n", b" [ ] ", b"{ \n}"])
def test_a_file_without_descriptions(data: bytes) -> None:
    assert only(read_upload(data, "preds"))[0] == "no-descriptions"


def test_not_utf8_names_offset_and_line() -> None:
    data = "clip_id,caption\nc1,caf\u00e9\n"
    for mark in (b"", b"\xef\xbb\xbf"):
        code, _, message = only(read_upload(mark + data.encode("latin-1"), "preds.csv"))
        assert code == "not-utf8"
        offset = len(mark) + data.index("\u00e9")
        assert f"byte 0xE9 at offset {offset} (line 2); save it as UTF-8" in message


def test_too_large_gives_both_numbers() -> None:
    upload = read_upload(b"x" * 1_001, "preds.json", max_bytes=1_000)
    assert upload.problems == (too_large(1_001, 1_000),)
    assert only(upload)[2] == "the file has 1,001 bytes; at most 1,000 are accepted"
    assert read_upload(b'{"a":"b"}', "x", max_bytes=9).ok


@pytest.mark.parametrize(
    "data", [b"null", b'"text"', b"42", b"once upon a time\nthere was", b"\x01"]
)
def test_no_known_format(data: bytes) -> None:
    code, _, message = only(read_upload(data, "preds.json"))
    assert code == "unknown-format"
    assert "clip_id, video_id, id" in message


@pytest.mark.parametrize(
    ("text", "where", "says"),
    [
        ('{"c1": "x",}', "line 1, column 12", "a key in double quotes is missing"),
        ('{"c1": "x"\n "c2": "y"}', "line 2, column 2", "a comma is missing"),
        ('{"c1": "x"', "line 1, column 11", "the file ends before the closing }"),
        ('{"c1": "x', "line 1, column 8", "not closed by a quote"),
        ('{"c1": "a\nb"}', "line 1, column 10", "raw line break"),
        ('{"c1" "x"}', "line 1, column 7", "a colon is missing"),
        ('{c1: "x"}', "line 1, column 2", "a key in double quotes is missing"),
        ('{"c1": }', "line 1, column 8", "a value is missing"),
        ('{"c1": "x"} {"c2": "y"}', "line 1, column 13", "more text follows"),
        ('[{"id": "c1", "text": "x"},]', "line 1, column 28", "a value is missing"),
        ('[{"id": "c1", "text": "x"}\n', "line 2, column 1", "before the closing ]"),
        ('[{"id": "c1" "text": "x"}]', "line 1, column 14", "a comma is missing"),
        ('["c1"] "', "line 1, column 8", "more text follows"),
    ],
)
def test_broken_json_names_line_and_column(text: str, where: str, says: str) -> None:
    upload = read_upload(text.encode(), "preds.json")
    problem = upload.errors[-1]
    assert (problem.code, problem.where) == ("invalid-json", where)
    assert says in problem.message
    assert upload.descriptions == {}


def test_broken_lines_do_not_hide_the_others() -> None:
    lines = [
        RECORD,
        '{"clip_id": "c2", "caption": "b"',
        "[1]",
        '{"clip_id": "c3"}',
        '{"c4": "x"}',
        '{"clip_id": "c5", "caption": null}',
        '{"clip_id": "c6", "caption": "good"}',
        '{"clip_id": "c7", "caption": "a", "text": "b"}',
        '{"clip_id": " ", "caption": "a"}',
        '{"clip_id": "%s", "caption": "a"}' % ("x" * 121),
    ]
    upload = read_upload("\n".join(lines).encode(), "preds.jsonl")
    assert [(p.where, p.code, p.clip) for p in upload.errors] == [
        ("line 2", "invalid-json", ""),
        ("line 3", "not-a-record", ""),
        ("line 4", "missing-field", "c3"),
        ("line 5", "missing-field", ""),
        ("line 6", "text-not-string", "c5"),
        ("line 8", "ambiguous-field", "c7"),
        ("line 9", "empty-id", ""),
        ("line 10", "long-id", ""),
    ]
    assert upload.descriptions == {"c1": "a dog", "c6": "good"}


def test_a_map_of_anything_but_texts_names_each_clip() -> None:
    data = {"c1": {"caption": "x"}, "c2": ["x"], "c3": 7, "c4": None, "c5": True, "c6": "fine"}
    upload = read_upload(json.dumps(data).encode(), "preds.json")
    said = [p.message.removeprefix(f"the text of {p.clip} ") for p in upload.errors]
    assert said == [
        f"must be a string, not {kind}"
        for kind in ("an object", "a list", "the number 7", "null", "true")
    ]
    assert upload.descriptions == {"c6": "fine"}


def test_several_id_fields_use_the_first_and_say_so_once() -> None:
    rows = [{"id": number, "video_id": f"c{number}", "text": f"t{number}"} for number in range(3)]
    upload = read_upload(json.dumps(rows).encode(), "preds.json")
    assert upload.descriptions == {"c0": "t0", "c1": "t1", "c2": "t2"}
    (warning,) = upload.warnings
    assert warning.message == 'the clip id is read from "video_id", not from "id"'


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("c1,a dog runs", "no-header"),
        ("clip_id,score", "missing-field"),
        ("name,caption", "missing-field"),
        ("clip_id,caption,caption", "duplicate-field"),
        ("clip_id,caption,text", "ambiguous-field"),
    ],
)
def test_a_csv_header_that_does_not_do(header: str, code: str) -> None:
    upload = read_upload(f"{header}\nc1,a\nc2,b\n".encode(), "preds.csv")
    problem_code, where, _ = only(upload)
    assert (problem_code, where) == (code, "line 1")


def test_at_most_200_problems_are_listed_and_the_rest_counted() -> None:
    data = "\n".join(["{"] * 1_234)
    upload = read_upload(data.encode(), "preds.jsonl")
    assert len(upload.problems) == 201
    assert upload.problems[-1].message == "and 1,034 more errors"


def test_hopeless_files_are_given_up() -> None:
    upload = read_upload(b"[" + b"1," * 100_000 + b"1]", "preds.json")
    assert upload.problems[-1].message == "and 9,800 more errors; reading stopped there"


def test_more_rows_than_any_benchmark_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collector, "MAX_ROWS", 2_000)
    data = b"id,text\n" + b"".join(b"%d,x\n" % number for number in range(2_001))
    upload = read_upload(data, "preds.csv")
    code, where, message = only(upload)
    assert (code, where) == ("too-many-rows", "line 2002")
    assert "2,000 rows" in message
    assert upload.descriptions == {}


def test_messages_quote_little_of_the_file() -> None:
    long = "word " * 2_000
    for data in (
        json.dumps({"clip_id": long, "caption": "x"}),
        json.dumps({long: 1}),
        json.dumps({"x": [{long: long}]}),
        f"{long},b\n1,2\n",
    ):
        for problem in read_upload(data.encode(), "preds.csv").problems:
            assert len(problem.message) < 400
            assert len(problem.clip) <= 120


@pytest.mark.parametrize(
    ("form", "megabytes"), [("jsonl", 19.5), ("json-list", 5), ("json-map", 5), ("csv", 5)]
)
def test_twenty_megabytes_are_read_in_seconds(form: str, megabytes: float) -> None:
    count = int(megabytes * 700)
    rows = [{"clip_id": f"c{n}", "caption": "A man, a dog. " * 100} for n in range(count)]
    data = {
        "jsonl": "\n".join(map(json.dumps, rows)),
        "json-list": json.dumps(rows),
        "json-map": json.dumps({row["clip_id"]: row["caption"] for row in rows}),
        "csv": "clip_id,caption\n"
        + "".join(f'{row["clip_id"]},"{row["caption"]}"\n' for row in rows),
    }[form].encode()
    assert megabytes * 0.97e6 < len(data) < 20_000_000
    start = time.process_time()
    upload = read_upload(data, "preds")
    assert time.process_time() - start < megabytes * 0.2
    assert upload.format == form
    assert len(upload.descriptions) == count


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 2_000_000,
        b'{"a":' * 1_000_000,
        b'{"a":{"' + b'\\"' * 1_000_000,
        b'{"a":[{},' + b'"\\' * 1_000_000,
        b"{" + b"\n" * 2_000_000,
        b"{" + b" " * 2_000_000,
        b"clip_id,caption\n" + b'"\n' * 1_000_000,
        b'clip_id,caption\n"' + b"a\n" * 1_000_000,
        b'{"c":"x"}\n' * 200_000,
        b"{" + b",".join(b'"a":"%d"' % number for number in range(100_000)) + b"}",
    ],
    ids=[f"hostile-{number}" for number in range(10)],
)
def test_hostile_files_cost_little(data: bytes) -> None:
    start = time.process_time()
    upload = read_upload(data, "preds")
    assert time.process_time() - start < 2
    assert not upload.ok


def test_formats_have_distinct_names_that_fit_the_table() -> None:
    names = [form.name for form in FORMATS]
    assert len(set(names)) == len(names)
    assert all(0 < len(name) <= 20 for name in names)
    assert all(form.title for form in FORMATS)
