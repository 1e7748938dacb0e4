"""Everything of ours that reads what somebody sent: whatever the bytes, an answer and no exception.

Descriptions have laws of their own in ``tests/scoring/formats/test_fuzz.py``.
"""

from __future__ import annotations

import io
import json
import os
import time
import zipfile
from collections.abc import Callable

import pytest
from django.http import QueryDict
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from leaderboard.curation import sources
from leaderboard.importers.clip_table import read_clip_table
from leaderboard.markdown import html_of
from leaderboard.tables import Choice, Layout, SystemChoice
from leaderboard.tables.ranking_history import moment_of
from scoring.formats.archive import members
from scoring.formats.keypoint_annotations import AnnotationsError, read_annotations
from scoring.formats.pairs import read_pairs
from scoring.formats.released_judgements import read_judgements
from scoring.judges.verdicts import UnreadableReply, read_facts, read_object, read_verdicts
from tests.scoring.formats.test_fuzz import json_values, names, wild_text

CASES = int(os.environ.get("CLIPRANK_FUZZ_CASES", "0")) * 5 or 25

WORDS = [
    *("clip_id", "video_id", "clip", "reference", "caption", "test_name", "event", "pos_score"),
    *("neg_score", "scores", "events", "keypoint", "kind", "subjects", "relationship", "facts"),
    *("verdicts", "number", "label", "entailment", "duration", "language", "<s1>", "null", "NaN"),
    *('{"facts": ["', '{"verdicts": [{', "<think>", "```", "1e999", "-1", "[[1, 2], [3]]"),
]
rows = st.dictionaries(st.sampled_from(WORDS) | wild_text, json_values, max_size=5)
lines = st.lists(rows, max_size=4).map(lambda found: "\n".join(map(json.dumps, found)))
tables = st.lists(st.lists(st.sampled_from(WORDS) | wild_text, max_size=5), max_size=5).map(
    lambda found: "\n".join(",".join(row) for row in found)
)
texts = lines | tables | st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join)
files = st.binary(max_size=200) | texts.map(lambda text: text.encode(errors="replace"))


@st.composite
def archives(draw: st.DrawFn) -> bytes:
    """A ZIP of odd members, some with a piece of it broken."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", draw(st.sampled_from([zipfile.ZIP_STORED, 8]))) as archive:
        for name in draw(st.lists(names | st.sampled_from(["../x", "/x", "a\\..\\b", "p.zip"]))):
            archive.writestr(name.replace("\0", "0") or "x", draw(files))
    data = bytearray(out.getvalue())
    for place in draw(st.lists(st.integers(0, max(0, len(data) - 1)), max_size=3)):
        data[place] = draw(st.integers(0, 255))
    return bytes(data)


def _annotations(data: bytes, name: str) -> object:
    try:
        return read_annotations(data, name)
    except AnnotationsError as error:
        return error.problems


def _reply(data: bytes, name: str) -> None:
    text = data.decode(errors="replace")
    for read in (read_facts, read_object, lambda raw: read_verdicts(raw, 2)):
        try:
            read(text)
        except UnreadableReply:
            continue


def _query(data: bytes, name: str) -> None:
    text = data.decode("latin-1")
    keys = "judge category shortest longest interval family until since smallest sort page metric"
    for key in keys.split():
        query = QueryDict(mutable=True)
        query.setlist(key, [text, name])
        Choice.parse(query, ["left"], ["sport"])
        SystemChoice.parse(query)
        Layout.parse(query)
    moment_of(text)


READERS: dict[str, Callable[[bytes, str], object]] = {
    "pairs": read_pairs,
    "judgements": lambda data, name: read_judgements([(name, data)]),
    "annotations": _annotations,
    "table of clips": read_clip_table,
    "archive": members,
    "markdown": lambda data, _: html_of(data.decode(errors="replace")),
    "replies of language models": _reply,
    "queries": _query,
    **{
        f"data of {kind}": lambda data, name, kind=kind: sources.read(data, name, kind)  # type: ignore[misc]
        for kind in sources.FORMATS
    },
}


@pytest.mark.parametrize("reader", READERS)
def test_any_bytes(reader: str) -> None:
    """No exception but those that say what is wrong. One that hangs ends the run (pyproject.toml);
    how long the slowest took is told, and decides nothing.
    """
    read, count, slowest = READERS[reader], 0, 0.0

    @settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
    @given(files | archives(), names)
    def ask(data: bytes, name: str) -> None:
        nonlocal count, slowest
        started = time.monotonic()
        read(data, name)
        slowest = max(slowest, time.monotonic() - started)
        count += 1

    ask()
    print(f"{reader}: {count} inputs, the slowest {slowest * 1000:.0f} ms")  # noqa: T201
    assert count >= CASES // 2
