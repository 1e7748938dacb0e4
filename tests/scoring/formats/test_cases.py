"""The upload rows of the case collection (UP-*, VA-*), each by its id.

Those of archives (UP-12 to UP-14) and of ties (PR-01) stand with what they test.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.formats import check_clips, read_upload
from scoring.text import is_blank, split_sentences
from scoring.types import Upload

NAMED = re.compile(r"(?im)^(?:def test_|    def test_|class Test)(up|va|pr)_?(\d\d)")


def jsonl(*rows: tuple[str, str]) -> bytes:
    return b"".join(
        json.dumps({"clip_id": clip, "caption": text}).encode() + b"\n" for clip, text in rows
    )


def codes(upload: Upload) -> list[str]:
    return [problem.code for problem in upload.problems]


def test_every_upload_case_has_a_test(clip_cc_dir: Path) -> None:
    path = clip_cc_dir.parents[1] / "cases" / "cases.jsonl"
    if not path.exists():
        pytest.skip("case collection not at hand")
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line]
    wanted = {row["id"] for row in rows if row["id"].startswith(("UP-", "VA-", "PR-"))}
    tests = Path(__file__).parents[2].rglob("test_*.py")
    tested = {
        f"{kind.upper()}-{number}"
        for file in tests
        for kind, number in NAMED.findall(file.read_text(encoding="utf-8"))
    }
    assert {"UP-12", "UP-13", "UP-14", "PR-01"} <= wanted
    assert wanted <= tested


def test_up_01_words_that_look_like_missing_values_stay_words() -> None:
    data = b"clip_id,caption\nc1,None\nc2,NA\nc3,null\nc4,\nc5,a dog runs\n"
    upload = read_upload(data, "preds.csv")
    assert upload.ok
    assert upload.descriptions == {
        "c1": "None",
        "c2": "NA",
        "c3": "null",
        "c4": "",
        "c5": "a dog runs",
    }
    assert [clip for clip, text in upload.descriptions.items() if is_blank(text)] == ["c4"]


def test_up_02_ids_that_look_like_numbers_stay_strings() -> None:
    ids = ["0007", "1e5", "12345678901234567890"]
    a = read_upload(b"clip_id,caption\n0007,x\n1e5,y\n12345678901234567890,z\n", "preds.csv")
    b = read_upload(jsonl(*zip(ids, "xyz", strict=True)), "preds.jsonl")
    for upload in (a, b):
        assert list(upload.descriptions) == ids
        assert check_clips(upload, ids).problems == ()


@pytest.mark.parametrize("bare", ["7", "7.0", "1e5", "true", "null", "NaN"])
def test_up_02_a_bare_number_is_no_id(bare: str) -> None:
    upload = read_upload(b'{"clip_id":%s,"caption":"x"}\n' % bare.encode(), "preds.jsonl")
    assert upload.descriptions == {}
    (problem,) = upload.errors
    assert problem.code == "id-not-string"
    assert "must be a string" in problem.message
    assert bare in problem.message
    assert problem.where == "line 1"


@pytest.mark.parametrize(
    ("body", "filename"),
    [
        (b"clip_id,caption\nc1,a dog\n", "preds.csv"),
        (b'{"clip_id":"c1","caption":"a dog"}\n', "preds.jsonl"),
        (b'{"c1":"a dog"}', "preds.json"),
        (b'[{"id":"c1","text":"a dog"}]', "preds.json"),
    ],
)
def test_up_03_a_byte_order_mark_changes_nothing(body: bytes, filename: str) -> None:
    with_mark = read_upload(b"\xef\xbb\xbf" + body, filename)
    plain = read_upload(body, filename)
    assert with_mark == replace(plain, encoding=with_mark.encoding)
    assert with_mark.descriptions == {"c1": "a dog"}


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_up_03_utf_16_is_refused_with_the_remedy(encoding: str) -> None:
    data = '{"clip_id":"c1","caption":"a dog"}\n'.encode(encoding)
    (problem,) = read_upload(data, "preds.jsonl").problems
    assert problem.code == "not-utf8"
    assert "save it as UTF-8" in problem.message


def test_up_04_only_line_feeds_end_a_line() -> None:
    data = (
        '{"clip_id":"c1","caption":"A man walks.\u2028He sits."}\n'
        '{"clip_id":"c2","caption":"x\u0085y\u2029\\u001ez"}\r\n'
    )
    upload = read_upload(data.encode(), "preds.jsonl")
    assert upload.problems == ()
    assert upload.descriptions == {
        "c1": "A man walks.\u2028He sits.",
        "c2": "x\u0085y\u2029\x1ez",
    }


def test_up_04_nor_do_they_end_a_csv_row() -> None:
    data = "clip_id,caption\nc1,A man walks.\u2028He sits.\nc2,x\u0085y\x0bz\n".encode()
    upload = read_upload(data, "preds.csv")
    assert upload.problems == ()
    assert upload.descriptions == {"c1": "A man walks.\u2028He sits.", "c2": "x\u0085y\x0bz"}


def test_up_05_a_repeated_key_of_a_map_names_both_positions() -> None:
    upload = read_upload(b'{"c1":"a dog runs","c1":"a cat sleeps","c2":"x"}', "preds.json")
    (problem,) = upload.errors
    assert problem.code == "duplicate-clip"
    assert problem.clip == "c1"
    assert problem.where == "line 1, column 20"
    assert "line 1, column 2" in problem.message
    assert "c1" not in upload.descriptions


def test_up_05_a_clip_with_two_texts_names_both_lines() -> None:
    upload = read_upload(jsonl(("c1", "a dog"), ("c2", "x"), ("c1", "a cat")), "preds.jsonl")
    (problem,) = upload.errors
    assert (problem.code, problem.clip, problem.where) == ("duplicate-clip", "c1", "line 3")
    assert "line 1" in problem.message
    assert "c1" not in upload.descriptions


def test_up_05_the_same_text_again_is_ignored_with_a_warning() -> None:
    upload = read_upload(jsonl(("c1", "a dog"), ("c1", "a dog")), "preds.jsonl")
    assert upload.ok
    assert upload.descriptions == {"c1": "a dog"}
    (warning,) = upload.warnings
    assert warning.message == "1 duplicate row ignored (same clip, identical text): c1"


@pytest.mark.parametrize(("one", "two"), [("cafe\u0301_1", "caf\u00e9_1"), ("c1", "c1 ")])
def test_up_05_ids_that_look_alike_are_ambiguous(one: str, two: str) -> None:
    upload = read_upload(jsonl((one, "x"), (two, "y")), "preds.jsonl")
    (problem,) = upload.errors
    assert problem.code == "ambiguous-id"
    assert ascii(one) in problem.message
    assert ascii(two) in problem.message
    assert problem.where == "line 2"
    assert "line 1" in problem.message


def test_up_05_a_repeated_field_of_a_record_is_an_error() -> None:
    data = b'{"clip_id":"c1","caption":"x","caption":"y"}\n'
    (problem,) = read_upload(data, "preds.jsonl").errors
    assert problem.code == "duplicate-field"
    assert problem.clip == "c1"


def test_up_06_padding_rows_are_ignored_and_counted() -> None:
    rows = [(f"c{number}", f"text {number}") for number in range(1, 6)]
    padded = read_upload(jsonl(*rows, *rows[:3]), "preds.jsonl")
    assert padded.ok
    assert padded.descriptions == read_upload(jsonl(*rows), "preds.jsonl").descriptions
    (warning,) = padded.warnings
    assert warning.message.startswith("3 duplicate rows ignored")
    assert check_clips(padded, [clip for clip, _ in rows]).ok


def test_up_08_what_cannot_be_stored_is_refused_with_its_clip() -> None:
    data = (
        rb'{"clip_id":"c1","caption":"A man \ud83d waves"}' + b"\n"
        rb'{"clip_id":"c2","caption":"A man\u0000 waves"}' + b"\n"
        rb'{"clip_id":"c3","caption":"the sign shows \\u0000"}' + b"\n"
        rb'{"clip_id":"c4","caption":"A man \ud83d\ude00 waves"}' + b"\n"
    )
    upload = read_upload(data, "preds.jsonl")
    assert [(p.code, p.clip, p.where) for p in upload.errors] == [
        ("forbidden-character", "c1", "line 1"),
        ("forbidden-character", "c2", "line 2"),
    ]
    assert "surrogate (U+D83D) at character 7" in upload.errors[0].message
    assert "NUL at character 6" in upload.errors[1].message
    assert upload.descriptions == {
        "c3": "the sign shows \\u0000",
        "c4": "A man \U0001f600 waves",
    }
    # A refused text is not reported a second time as missing.
    assert check_clips(upload, ["c1", "c2", "c3", "c4"]).errors == upload.errors


def test_up_08_in_ids_too_and_messages_stay_printable() -> None:
    upload = read_upload(b'{"\\ud83dx":"a","b\\u0000":"c"}', "preds.json")
    assert codes(upload) == ["forbidden-character", "forbidden-character"]
    for problem in upload.problems:
        assert f"{problem.message}{problem.clip}".isprintable()
        f"{problem.message}{problem.clip}".encode()


def test_up_08_nul_in_csv() -> None:
    upload = read_upload(b"clip_id,caption\nc1,a\x00b\nc2,fine\n", "preds.csv")
    assert [(p.code, p.clip, p.where) for p in upload.errors] == [
        ("forbidden-character", "c1", "line 2")
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
        b'{"clip_id":"c1","caption":"x","more":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'[{"clip_id":"c1","caption":"x","more":' + b"[" * 33 + b"]" * 33 + b"}]",
    ],
)
def test_up_09_nesting_has_a_limit_of_its_own(data: bytes) -> None:
    (problem,) = read_upload(data, "preds.json").problems
    assert problem.code == "too-deep"
    assert "more than 32 levels" in problem.message


def test_up_09_brackets_inside_texts_are_no_nesting() -> None:
    text = '["{\\' * 1000
    upload = read_upload(jsonl(("c1", text)), "preds.jsonl")
    assert upload.descriptions == {"c1": text}
    assert read_upload(json.dumps([{"id": "c1", "text": text}]).encode(), "x").ok


@pytest.mark.parametrize("caption", ["", ',"caption":"x"'])
def test_up_09_a_huge_integer_is_refused_by_its_length(caption: str) -> None:
    data = f'{{"clip_id":"c1","score":{"9" * 4301}{caption}}}\n'.encode()
    (problem,) = read_upload(data, "preds.jsonl").problems
    assert problem.code == "long-number"
    assert "4,301 characters" in problem.message
    assert problem.where == "line 1"


def test_up_09_a_long_csv_field_is_accepted_up_to_the_limit_of_all_formats() -> None:
    text = "a " * 70_000
    upload = read_upload(f"clip_id,caption\nc1,{text}\n".encode(), "preds.csv")
    assert upload.descriptions == {"c1": text}
    for data, filename in [
        (f"clip_id,caption\nc1,{text * 2}\n".encode(), "preds.csv"),
        (jsonl(("c1", text * 2)), "preds.jsonl"),
    ]:
        (problem,) = read_upload(data, filename).problems
        assert problem.code == "long-text"
        assert "280,000" in problem.message
        assert "200,000" in problem.message


def test_up_10_an_unclosed_quote_names_its_line() -> None:
    data = b'clip_id,caption\nc1,"He says hi\nc2,b\nc3,c\n'
    upload = read_upload(data, "preds.csv")
    (problem,) = upload.problems
    assert (problem.code, problem.where) == ("unclosed-quote", "line 2")
    assert upload.descriptions == {}


def test_up_10_a_quote_that_closes_too_early_names_its_line() -> None:
    data = b'clip_id,caption\nc1,"He says "hi" loudly"\nc2,b\n'
    upload = read_upload(data, "preds.csv")
    assert [(p.code, p.where) for p in upload.errors] == [("bad-quote", "line 2")]
    assert upload.descriptions == {"c2": "b"}


def test_up_10_rows_of_the_wrong_width_are_all_named() -> None:
    upload = read_upload(b"clip_id,caption\nc1,A man, in red, waves\nc2\nc3,fine\n", "preds.csv")
    assert [(p.code, p.where, p.clip) for p in upload.errors] == [
        ("field-count", "line 2", "c1"),
        ("field-count", "line 3", "c2"),
    ]
    assert upload.errors[0].message.startswith("4 fields, expected 2")
    assert upload.errors[1].message.startswith("1 field, expected 2")
    assert upload.descriptions == {"c3": "fine"}


@pytest.mark.parametrize(("delimiter", "word"), [(";", "semicolons"), ("|", "vertical bars")])
def test_up_10_another_delimiter_is_found_and_shown(delimiter: str, word: str) -> None:
    data = f"clip_id{delimiter}caption\nc1{delimiter}a man, in red\n".encode()
    upload = read_upload(data, "preds.csv")
    assert upload.ok
    assert upload.descriptions == {"c1": "a man, in red"}
    assert [p.message for p in upload.warnings] == [f"the fields are read as separated by {word}"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_up_11_line_breaks_inside_quotes_stay(newline: str) -> None:
    data = 'clip_id,caption\nc1,"A man walks.\nHe sits."\nc2,"a ""red"" ball"\n'
    upload = read_upload(data.replace("\n", newline).encode(), "preds.csv")
    assert upload.problems == ()
    assert upload.descriptions == {"c1": "A man walks.\nHe sits.", "c2": 'a "red" ball'}
    assert len(split_sentences(upload.descriptions["c1"])) == 2
    assert upload.positions == {"c1": "line 2", "c2": "line 4"}


def test_va_01_an_incomplete_file_is_refused_with_the_missing_ids() -> None:
    upload = check_clips(read_upload(jsonl(("c1", "x")), "a.jsonl"), ["c1", "c2"])
    (problem,) = upload.errors
    assert (problem.code, problem.clip) == ("missing-clip", "c2")
    assert problem.message.startswith("1 of 2 clips has no description: c2")


def test_va_01_a_complete_file_is_fine() -> None:
    data = jsonl(("c2", "y"), ("c1", "x"))
    upload = check_clips(read_upload(data, "b.jsonl"), ["c1", "c2"])
    assert upload.problems == ()
    assert list(upload.descriptions.items()) == [("c1", "x"), ("c2", "y")]


def test_va_01_a_file_for_another_split_says_so_once() -> None:
    data = jsonl(*((f"other{number}", "x") for number in range(9)))
    upload = check_clips(read_upload(data, "c.jsonl"), ["c1", "c2"])
    (problem,) = upload.errors
    assert problem.code == "no-clip-matches"
    assert problem.message.startswith(
        "0 of 2 ids matched; first unknown ids: other0, other1, other2, other3, other4 and 4 more"
    )


@pytest.mark.parametrize(
    ("text_of", "code", "message"),
    [
        (lambda clip: clip, "text-is-id", "4 descriptions equal their clip id"),
        (lambda _: "A video.", "repeated-text", "one description is used for all 4 clips"),
        (
            lambda clip: f"Error code: 429 - rate limit ({clip})",
            "api-error",
            "4 descriptions look like API errors",
        ),
    ],
)
def test_va_02_placeholders_are_counted_and_shown(
    text_of: Callable[[str], str], code: str, message: str
) -> None:
    clips = ["560222", "560223", "560224", "560225"]
    data = jsonl(*((clip, text_of(clip)) for clip in clips))
    upload = check_clips(read_upload(data, "preds.jsonl"), clips)
    assert upload.ok
    (warning,) = upload.warnings
    assert warning.code == code
    assert warning.message.startswith(message)


def test_va_03_blank_texts_are_counted_and_others_are_not() -> None:
    texts = ["", "   ", "\n\t", "\u200b", "\u2060\ufeff", "...", "\u2603\u2603\u2603"]
    clips = [f"c{number}" for number in range(len(texts))]
    upload = check_clips(read_upload(jsonl(*zip(clips, texts, strict=True)), "p"), clips)
    assert upload.ok
    (warning,) = upload.warnings
    assert warning.code == "blank-text"
    assert warning.message.startswith("5 descriptions are blank: they score 0 (c0, c1,")
    assert list(upload.descriptions.values()) == texts
