"""Reading references: the same strictness, and one more shape."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scoring.formats import ReferencesError, read_references, read_upload
from scoring.types import Reference, ScoringError


def test_a_dataset_list() -> None:
    rows = [{"id": "001", "file_link": "https://example.org/1", "summary": " A dog. "}]
    assert read_references(json.dumps(rows).encode(), "clip_cc_dataset.json") == {
        "001": (Reference(" A dog. "),)
    }


def test_a_map_of_a_text_or_several() -> None:
    data = {"b": "A dog.", "a": ["A cat.", "Ein Kater."]}
    references = read_references(json.dumps(data).encode(), "refs.json", language="de")
    assert list(references.items()) == [
        ("b", (Reference("A dog.", "de"),)),
        ("a", (Reference("A cat.", "de"), Reference("Ein Kater.", "de"))),
    ]


@pytest.mark.parametrize(
    ("data", "codes"),
    [
        (b"", ["empty-file"]),
        (b"{}", ["no-descriptions"]),
        (b'{"a": []}', ["text-not-string"]),
        (b'{"a": [["x"]], "b": ["y", 1, null]}', ["text-not-string"] * 3),
        (b'{"a": {"summary": "x"}}', ["text-not-string"]),
        (b'{"a": "x", "a": "y"}', ["duplicate-clip"]),
        (b'{"a": "x", "b": " \\u200b", "c": ["y", ""]}', ["blank-reference"] * 2),
        (b'[{"id": 1, "summary": "x"}, {"id": "2"}]', ["id-not-string", "missing-field"]),
        (b'{"a": "\\ud800"}', ["forbidden-character"]),
        (b'{"a": "x"', ["invalid-json"]),
        ('{"a": "\u00e9"}'.encode("latin-1"), ["not-utf8"]),
    ],
)
def test_every_problem_of_the_references(data: bytes, codes: list[str]) -> None:
    with pytest.raises(ReferencesError) as raised:
        read_references(data, "refs.json")
    assert [problem.code for problem in raised.value.problems] == codes
    assert isinstance(raised.value, ScoringError)
    assert str(raised.value.problems[0]) in str(raised.value)


def test_lists_of_texts_are_for_references_only() -> None:
    (problem,) = read_upload(b'{"a": ["x"]}', "preds.json").problems
    assert problem.code == "text-not-string"


def test_clip_cc_references(clip_cc_dir: Path) -> None:
    path = clip_cc_dir / "clip_cc_dataset.json"
    rows = json.loads(path.read_text(encoding="utf-8"))
    references = read_references(path.read_bytes(), path.name)
    assert len(references) == 200
    assert {clip: texts[0].text for clip, texts in references.items()} == {
        row["id"]: row["summary"] for row in rows
    }
