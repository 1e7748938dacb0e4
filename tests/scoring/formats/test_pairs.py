"""Answers to pair tests as people send them, and all that is wrong with them at once."""

from __future__ import annotations

import csv
import gzip
import io
import json
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.formats.pair_check import check_pairs
from scoring.formats.pair_tests import PairTestsError, read_pair_tests
from scoring.formats.pairs import read_pairs
from scoring.protocols import pairs
from scoring.protocols.pair_tests import CaptionPair, PairsUpload
from scoring.types import ScoringError

SCORES = "test_name,video_id,event,pos_score,neg_score\n"


def zipped(files: Mapping[str, bytes | str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def read(text: str, name: str = "chrono.csv") -> PairsUpload:
    return read_pairs(text.encode(), name)


def codes(upload: PairsUpload) -> list[str]:
    return [problem.code for problem in upload.problems]


def as_pandas_writes(test: str, case: Mapping[str, Any], columns: tuple[str, str]) -> str:
    """The file that the released scripts write with pandas, index left out."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["test_name", "video_id", "event", *columns])
    for at, row in enumerate(zip(case[columns[0]], case[columns[1]], strict=True)):
        writer.writerow([test, f"v_{at}_seg_0_10", '["Ev1", "Ev2"]' if at % 2 else "Ev3", *row])
    return buffer.getvalue()


@pytest.fixture(scope="module")
def archive(golden_pairs: dict[str, Any]) -> bytes:
    files: dict[str, bytes | str] = {"__MACOSX/out/._chrono.csv": b"\x00\x05"}
    for test, case in golden_pairs["tests"].items():
        both = ("pos_score", "neg_score")
        files[f"out/model/{test}.csv"] = as_pandas_writes(test, case, both)
        choices = as_pandas_writes(test, case, ("gt_A", "gt_B"))
        files[f"out/mcq/{test}.csv"] = choices
    rows = [
        {"video_id": f"v{at}", "event": ["Ev1", "Ev5"], "scores": matrix}
        for at, matrix in enumerate(golden_pairs["ivat"]["scores_video_by_caption"])
    ]
    files["ivat.jsonl"] = "\n".join(map(json.dumps, rows))
    return zipped(dict(reversed(files.items())))


class TestGoldenThroughFiles:
    """The golden numbers come out of files, not only of lists."""

    def test_every_test_is_scored(self, golden_pairs: dict[str, Any], archive: bytes) -> None:
        upload = read_pairs(archive, "results.zip")
        assert not upload.problems
        result = pairs.score(upload)
        found = {(one.test, one.kind): one.accuracy for one in result.tests}
        for released, case in golden_pairs["tests"].items():
            test = pairs.paper_name(released)
            scores, choices = found[test, "scores"], found[test, "choices"]
            assert round(scores["classic"].value, 3) == case["classic"][0]
            assert round(scores["strict"].value, 3) == case["strict"][0]
            assert round(choices["mcq"].value, 3) == case["mcq"][2]
        ivat = {name: value.value for name, value in found["ivat", "matrices"].items()}
        assert ivat == pytest.approx(golden_pairs["ivat"]["mean"], abs=1e-15)

    def test_the_average_is_that_of_the_seven(
        self, golden_pairs: dict[str, Any], archive: bytes
    ) -> None:
        result = pairs.score(read_pairs(archive, "results.zip"))
        seven = [t for t in golden_pairs["tests"] if t != "control"]
        right = [golden_pairs["tests"][t]["classic"][1:] for t in seven]
        average = result.averages["classic"]
        assert average.value == pytest.approx(np.mean([count / n for count, n in right]))
        assert len(average.tests) == 7


def test_the_test_is_told_by_the_column_else_by_the_file() -> None:
    rows = "video_id,event,pos_score,neg_score\nv1,Ev1,0.5,0.25\n"
    for filename, test in [
        ("chrono.csv", "chrono"),
        ("a/coref_scores.csv", "agent_coref"),
        ("AGENT_RANDOM.csv", "agent_iden"),
        ("mine.csv", "mine"),
    ]:
        (answers,) = read(rows, filename).answers
        assert answers.test == test
    named = SCORES + "action_manner,v1,Ev1,0.5,0.25\n"
    assert read(named, "x.csv").answers[0].test == "action_modif"


def test_json_lines_lists_and_tables_say_the_same() -> None:
    rows = [
        {
            "test_name": "chrono",
            "video_id": "v1",
            "event": "Ev1",
            "pos_score": 1e-3,
            "neg_score": 0,
        },
        {
            "test_name": "chrono",
            "video_id": "v2",
            "event": "Ev2",
            "pos_score": "0.5",
            "neg_score": 1,
        },
    ]
    table = SCORES + "chrono,v1,Ev1,1e-3,0\nchrono,v2,Ev2,.5,1.\n"
    texts = {
        "x.jsonl": "\n".join(map(json.dumps, rows)),
        "x.json": json.dumps(rows, indent=1),
        "x.csv": table,
        "x.tsv": table.replace(",", "\t"),
        "y.csv": "\ufeff" + table.replace("\n", "\r\n"),
    }
    for name, text in texts.items():
        (answers,) = read(text, name).answers
        assert answers.keys == (("v1", "Ev1"), ("v2", "Ev2")), name
        assert answers.values is not None
        assert answers.values.tolist() == [[0.001, 0], [0.5, 1]], name


def test_gzip_is_read_too() -> None:
    text = SCORES + "chrono,v1,Ev1,1,0\n"
    assert read_pairs(gzip.compress(text.encode()), "chrono.csv.gz").answers[0].items == ("v1 Ev1",)


@pytest.mark.parametrize(
    "header",
    ["v1_c1_score,v1_c5_score,v5_c1_score,v5_c5_score", "va_ca,va_cb,vb_ca,vb_cb"],
)
def test_matrices_in_four_columns(header: str) -> None:
    text = f"video_id,event,{header}\nv1,\"('Ev1', 'Ev5')\",0.9,0.1,0.2,0.8\n"
    (answers,) = read(text, "vc_match.csv").answers
    assert (answers.test, answers.kind) == ("ivat", "matrices")
    assert answers.keys == (("v1", "Ev1 Ev5"),)
    assert answers.values is not None
    assert answers.values.tolist() == [[[0.9, 0.1], [0.2, 0.8]]]


def test_the_summary_that_older_scripts_append_is_not_a_row() -> None:
    text = (
        "video_id,ev,pos_score,neg_score,pos_cap,neg_cap\nv1,Ev1,0.9,0.1,a,b\n"
        "Total,Accuracy,,,,\n1,tensor(1.),,,,\n"
    )
    upload = read(text)
    assert codes(upload) == ["summary"]
    assert upload.ok
    assert upload.answers[0].items == ("v1 Ev1",)


def test_every_problem_is_told_at_once_with_its_line() -> None:
    text = SCORES + (
        "chrono,v1,Ev1,nan,0.1\n"
        "chrono,,Ev1,0.9,0.1\n"
        "chrono,v2,Ev1,0.9\n"
        "chrono,v3,Ev1,tensor(0.3),0.1\n"
        ",v4,Ev1,0.3,0.1\n"
        "chrono,v5,Ev1,1e999,0.1\n"
        ",,,,\n"
        "chrono,v6,Ev1,0.2,0.1\n"
    )
    upload = read(text)
    assert [(p.code, p.where) for p in upload.problems] == [
        ("not-a-number", "line 2"),
        ("bad-video-id", "line 3"),
        ("field-count", "line 4"),
        ("not-a-number", "line 5"),
        ("missing-test-name", "line 6"),
        ("not-a-number", "line 7"),
    ]
    assert '"tensor(0.3), 0.1"' in upload.problems[3].message
    assert upload.answers[0].items == ("v6 Ev1",)
    with pytest.raises(ScoringError, match="not scored"):
        pairs.score(upload)


def test_problems_in_an_archive_name_the_file() -> None:
    bad = SCORES + "chrono,v1,Ev1,x,0.1\n"
    data = zipped({"a/chrono.csv": bad, "b/coref.csv": "hello\n", "notes.txt": "hi"})
    upload = read_pairs(data, "x.zip")
    assert sorted((p.code, p.where) for p in upload.problems) == [
        ("ignored-file", ""),
        ("no-header", '"b/coref.csv", line 1'),
        ("not-a-number", '"a/chrono.csv", line 2'),
    ]


def test_one_test_in_two_files_is_refused() -> None:
    rows = SCORES + "chrono,v1,Ev1,1,0\n"
    upload = read_pairs(zipped({"a/chrono.csv": rows, "b/chrono.csv": rows}), "x.zip")
    (problem,) = upload.problems
    assert problem.code == "duplicate-test"
    assert '"a/chrono.csv"' in problem.message
    assert '"b/chrono.csv"' in problem.message


def test_scores_and_yes_no_of_one_test_are_refused() -> None:
    header = "video_id,event,pos_score,neg_score,pos_pred,neg_pred\n"
    assert codes(read(header + "v1,Ev1,1,0,Yes,No\n")) == ["two-kinds"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty-file"),
        (b"\xff\xfea\x00", "not-utf8"),
        (b"\x89PNG\r\n", "wrong-type"),
        (b"video_id,score\nv1,1\n", "missing-field"),
        (b"a,b\n1,2\n", "no-header"),
        (b"video_id,pos_score,neg_score\n", "no-rows"),
        (b'[{"video_id": "v1"}]', "missing-field"),
        (b"[1]", "not-a-record"),
        (b"[", "invalid-json"),
        (b'{"video_id": "v1", "video_id": "v2"}', "duplicate-field"),
        (b'{"video_id": "\\ud800", "pos_score": 1, "neg_score": 0}', "forbidden-character"),
        (b'{"video_id": 7, "pos_score": 1, "neg_score": 0}', "bad-video-id"),
        (b'{"video_id": "v", "pos_score": true, "neg_score": 0}', "not-a-number"),
        (b'{"video_id": "v", "pos_pred": 1, "neg_pred": "No"}', "answer-not-string"),
        (b'{"video_id": "v", "event": 3, "pos_score": 1, "neg_score": 0}', "bad-event"),
        (b'{"video_id": "v", "scores": [[1, 2], [3]]}', "not-a-number"),
        (b'video_id,pos_score,neg_score\n"v1,1,0\n', "unclosed-quote"),
        (b"video_id,video_id,pos_score,neg_score\nv,v,1,0\n", "duplicate-field"),
        (b"PK\x03\x04", "archive-damaged"),
    ],
)
def test_files_that_cannot_be_read_say_why(data: bytes, code: str) -> None:
    upload = read_pairs(data, "chrono.csv")
    assert codes(upload) == [code]
    assert not upload.ok


def test_too_large_and_hostile_archives_are_refused() -> None:
    assert codes(read_pairs(b"x" * 11, "x.csv", max_bytes=10)) == ["too-large"]
    assert codes(read_pairs(zipped({"../chrono.csv": ""}), "x.zip")) == ["archive-unsafe-name"]
    assert codes(read_pairs(zipped({"notes.txt": ""}), "x.zip")) == [
        "archive-empty",
        "ignored-file",
    ]


@given(st.binary(max_size=300))
def test_any_bytes_give_answers_or_problems(data: bytes) -> None:
    for prefix in (b"", SCORES.encode(), b'{"video_id": "v", ', b"["):
        upload = read_pairs(prefix + data, "chrono.csv")
        assert upload.problems or upload.answers


def release(*rows: tuple[str, str, str]) -> dict[str, list[CaptionPair]]:
    found: dict[str, list[CaptionPair]] = {}
    for test, clip, event in rows:
        found.setdefault(test, []).append(CaptionPair(test, clip, event, "yes", "no"))
    return found


class TestCheck:
    """`check_pairs`: the answers against the pairs of a release."""

    TESTS = release(
        ("chrono", "v1", "Ev1"),
        ("chrono", "v2", "Ev1"),
        ("chrono", "v2", "Ev1"),
        ("chrono", "v2", "Ev3"),
        ("agent_coref", "v1", "Ev1 Ev2"),
    )

    def test_rows_come_in_the_order_of_the_tests(self) -> None:
        text = SCORES + (
            "chrono,v2,Ev3,0.4,0\nchrono,v2.mp4,Ev1,0.2,0\nchrono,v2,Ev1,0.3,0\n"
            "chrono,v1,Ev1,0.1,0\ncoref,v1,,0.5,0\n"
        )
        upload = check_pairs(read(text), self.TESTS)
        assert not upload.problems
        first, second = upload.answers
        assert first.items == ("v1 Ev1", "v2 Ev1", "v2 Ev1 #2", "v2 Ev3")
        assert first.values is not None
        assert first.values[:, 0].tolist() == [0.1, 0.2, 0.3, 0.4]
        assert second.keys == (("v1", "Ev1 Ev2"),)
        pairs.score(upload, self.TESTS)

    def test_missing_unknown_and_repeated_rows(self) -> None:
        text = SCORES + (
            "chrono,v1,Ev1,0.1,0\n"
            "chrono,v1,Ev1,0.1,0\n"
            "chrono,v1,Ev1,0.2,0\n"
            "chrono,v2,Ev1,0.2,0\n"
            "chrono,v9,Ev1,0.2,0\n"
        )
        upload = check_pairs(read(text), self.TESTS)
        assert [(p.code, p.where) for p in upload.problems] == [
            ("missing-pair", ""),
            ("unknown-pair", "line 6"),
            ("duplicate-pair", "line 4"),
            ("duplicate-row", ""),
            ("missing-test", ""),
        ]
        assert "2 of 4 pairs" in upload.problems[0].message
        assert "line 2" in upload.problems[2].message
        assert [p.severity for p in upload.problems[3:]] == ["warning", "warning"]

    def test_padding_of_the_last_batch_changes_nothing(self) -> None:
        """UP-06: identical rows repeated by distributed inference."""
        rows = ["chrono,v1,Ev1,0.9,0", "chrono,v2,Ev1,0.2,0", "chrono,v2,Ev1,0.1,0.2"]
        rows += ["chrono,v2,Ev3,0.1,0.3", "coref,v1,Ev1 Ev2,0.1,0.3"]
        plain = check_pairs(read(SCORES + "\n".join(rows)), self.TESTS)
        padded = check_pairs(read(SCORES + "\n".join([*rows, *rows[:3]])), self.TESTS)
        assert not plain.problems
        assert padded.ok
        first, second = (pairs.score(one, self.TESTS) for one in (plain, padded))
        assert first.to_json() == second.to_json()

    def test_an_unknown_test_gets_a_suggestion(self) -> None:
        upload = check_pairs(read(SCORES + "chron,v1,Ev1,1,0\n"), self.TESTS)
        assert upload.problems[0].code == "unknown-test"
        assert "did you mean chrono?" in upload.problems[0].message

    def test_matrices_belong_to_ivat_alone(self) -> None:
        tests = release(("ivat", "v1", "Ev1 Ev5"), ("chrono", "v1", "Ev1"))
        text = '{"test_name": "chrono", "video_id": "v1", "scores": [[1, 0], [0, 1]]}\n'
        text += '{"test_name": "ivat", "video_id": "v1", "pos_score": 1, "neg_score": 0}\n'
        upload = check_pairs(read(text, "x.jsonl"), tests)
        assert [p.code for p in upload.errors] == ["wrong-kind", "wrong-kind"]

    def test_a_missing_test_is_no_error_but_said(self) -> None:
        upload = check_pairs(read(SCORES + "coref,v1,Ev1 Ev2,1,0\n"), self.TESTS)
        assert upload.ok
        (problem,) = upload.warnings
        assert "chrono" in problem.message
        assert "no rank" in problem.message


class TestDefinitions:
    """`read_pair_tests`."""

    def test_csv_json_and_json_lines(self) -> None:
        rows = [
            {
                "test_name": "coref",
                "video_id": "v1.mp4",
                "event": ["Ev1", "Ev2"],
                "pos": "a",
                "neg": "b",
            },
            {"test_name": "chrono", "video_id": "v1", "event": "", "pos": "c, d", "neg": "e"},
        ]
        table = (
            "test_name,video_id,event,pos,neg\n"
            "coref,v1.mp4,\"['Ev1', 'Ev2']\",a,b\nchrono,v1,,\"c, d\",e\n"
        )
        expected = {
            "agent_coref": (CaptionPair("agent_coref", "v1", "Ev1 Ev2", "a", "b"),),
            "chrono": (CaptionPair("chrono", "v1", "", "c, d", "e"),),
        }
        for text in (json.dumps(rows), "\n".join(map(json.dumps, rows)), table):
            assert read_pair_tests(text.encode(), "tests") == expected

    def test_every_problem_at_once(self) -> None:
        text = (
            "test_name,video_id,event,pos,neg\n"
            "chrono,v1,Ev1,,b\nchrono,v1,Ev1,a,a\n,v1,Ev1,a,b\nchrono,v1,Ev1,a\n"
        )
        with pytest.raises(PairTestsError) as caught:
            read_pair_tests(text.encode(), "tests.csv")
        assert [(p.code, p.where) for p in caught.value.problems] == [
            ("blank-field", "line 2"),
            ("same-captions", "line 3"),
            ("blank-field", "line 4"),
            ("field-count", "line 5"),
        ]

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("", "empty-file"),
            ("test_name,video_id,event,pos,neg\n", "no-rows"),
            ('[{"test_name": "a"}]', "missing-field"),
            ('[{"test_name": 1, "video_id": "v", "pos": "a", "neg": "b"}]', "not-a-text"),
        ],
    )
    def test_files_that_hold_no_pairs(self, text: str, code: str) -> None:
        with pytest.raises(PairTestsError) as caught:
            read_pair_tests(text.encode(), "tests.csv")
        assert [p.code for p in caught.value.problems] == [code]
