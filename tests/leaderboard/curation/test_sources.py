"""Data as curators drag it in: released files of benchmarks, and the site's own table."""

from __future__ import annotations

import json
import os
import struct
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from leaderboard.curation import sources, unpacking
from scoring.formats.archive import Limits

Zipped = Callable[[Mapping[str, bytes]], bytes]
TABLE = b"clip,reference\nc1,A man.\nc2,A car.\n"
POINTS = {
    "video_id": "c1",
    "duration": 60,
    "events": {"main_sbj_evts": ["<s1> enters."], "bg_desc": ["A room."]},
}
PAIR = {"test_name": "agent_iden", "video_id": "c1", "event": "", "pos": "yes", "neg": "no"}


def lines(*rows: object) -> bytes:
    """As JSON Lines."""
    return "\n".join(map(json.dumps, rows)).encode()


def test_a_table_alone() -> None:
    """Not packed."""
    data = sources.read(TABLE, "clips.csv", "table")
    assert data.ok
    assert [clip.key for clip in data.clips] == ["c1", "c2"]
    assert (data.references, data.keypoints, data.pairs) == (2, 0, 0)


def test_a_table_with_keypoints_and_pairs(zipped: Zipped) -> None:
    """In one archive, in a folder or not."""
    files = {
        "my/clips.csv": TABLE,
        "my/keypoints.jsonl": lines(POINTS),
        "my/keypoints-vision.jsonl": lines(POINTS),
        "my/pairs.jsonl": lines(PAIR),
        "__MACOSX/my/._clips.csv": b"x",
    }
    data = sources.read(zipped(files), "my.zip", "table")
    assert data.problems == ()
    assert set(data.annotations) == {"main", "vision"}
    assert (data.references, data.keypoints, data.pairs) == (2, 4, 1)


def test_keypoints_and_pairs_need_no_table(zipped: Zipped) -> None:
    """The clips are theirs then."""
    other = lines(PAIR | {"video_id": "c9"})
    data = sources.read(
        zipped({"keypoints.jsonl": lines(POINTS), "pairs.jsonl": other}), "z.zip", "table"
    )
    assert data.ok
    assert [(clip.key, clip.duration) for clip in data.clips] == [("c1", 60), ("c9", None)]


def test_faults_of_all_files_are_told_together(zipped: Zipped) -> None:
    """Each with its file and line, also where two files contradict each other."""
    files = {
        "clips.csv": b"clip,duration,reference\nc1,-1,A man.\nc2,5,A car.\n",
        "keypoints.jsonl": lines(POINTS | {"video_id": "c2"}, {"video_id": "c3"}),
        "pairs.jsonl": lines(PAIR | {"video_id": "c9"}),
    }
    data = sources.read(zipped(files), "z.zip", "table")
    told = [str(problem) for problem in data.errors]
    assert any("clips.csv, line 2: duration" in one for one in told)
    assert any("keypoints.jsonl: line 2: the duration of c3" in one for one in told)
    assert any("c9" in one for one in told)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("../clips.csv", "leads out of the archive"),
        ("/etc/clips.csv", "leads out of the archive"),
        ("clips.txt", "holds no file"),
        ("inner.zip", "archive inside the archive"),
    ],
)
def test_an_unsafe_or_empty_archive_is_refused(zipped: Zipped, name: str, said: str) -> None:
    """Whole."""
    data = sources.read(zipped({name: TABLE}), "z.zip", "table")
    assert said in str(data.errors[0])


def test_an_archive_that_unpacks_to_too_much_is_refused(
    zipped: Zipped, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever its size while packed."""
    monkeypatch.setattr(unpacking, "LIMITS", Limits(entries=10, size=1000))
    data = sources.read(zipped({"clips.csv": TABLE + b" " * 5000}), "z.zip", "table")
    assert "unpacks to more than 1,000 bytes" in str(data.errors[0])


@pytest.mark.parametrize(
    "name",
    ["a/" * 30_000 + "clips.csv", "clips\n.csv", f"{'x' * 60_000}.csv", "./clips.csv", "CON.csv"],
)
def test_nothing_of_an_archive_is_written(
    zipped: Zipped, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names lead nowhere, so that those which no file system takes are names as others are."""

    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a file or folder was made")

    for maker in ("mkdir", "open", "write_bytes", "write_text", "touch"):
        monkeypatch.setattr(Path, maker, refused)
    monkeypatch.setattr(tempfile, "mkdtemp", refused)
    monkeypatch.setattr(os, "open", refused)
    assert [clip.key for clip in sources.read(zipped({name: TABLE}), "z.zip", "table").clips] == [
        "c1",
        "c2",
    ]
    both = sources.read(zipped({"a.csv": TABLE, "a.csv/b.csv": TABLE}), "z.zip", "table")
    assert "a.csv, b.csv" in str(both.errors[0])


def test_two_tables_are_not_guessed_between(zipped: Zipped) -> None:
    """Both are named."""
    data = sources.read(zipped({"a.csv": TABLE, "b.csv": TABLE}), "z.zip", "table")
    assert "a.csv, b.csv" in str(data.errors[0])


@pytest.mark.parametrize("kind", sources.FORMATS)
@pytest.mark.parametrize(
    "junk", [b"", b"\x00\x01\x02", b"PK\x03\x04junk", b"\x1f\x8bjunk", b"[]", b"{}", b"x" * 100]
)
def test_junk_is_a_problem_and_no_exception(kind: str, junk: bytes) -> None:
    """For every format."""
    data = sources.read(junk, "junk.json", kind)
    assert data.errors


def test_bytes_of_an_archive_damaged_anywhere(zipped: Zipped) -> None:
    """Read or refused, never an exception."""
    good = bytearray(zipped({"clips.csv": TABLE}))
    for at in range(0, len(good), 7):
        bad = bytearray(good)
        bad[at : at + 2] = struct.pack("<H", 0xFFFF)
        data = sources.read(bytes(bad), "z.zip", "table")
        assert data.errors or data.clips


def test_clip_cc_bench(zipped: Zipped, clip_cc_dir: Path) -> None:
    """The dataset file alone, and in a ZIP of its folder."""
    dataset = (clip_cc_dir / "clip_cc_dataset.json").read_bytes()
    data = sources.read(dataset, "clip_cc_dataset.json", "clip-cc-bench")
    assert data.ok
    assert len(data.clips) == 200
    folder = zipped({"clip-cc/clip_cc_dataset.json": dataset, "clip-cc/README.md": b"x"})
    assert sources.read(folder, "clip-cc.zip", "clip-cc-bench").clips == data.clips


def test_fm_v2t(zipped: Zipped, fm_v2t_dir: Path) -> None:
    """A ZIP of its folder; what its files disagree on is remarked on."""
    files = {f"fm/{path.name}": path.read_bytes() for path in fm_v2t_dir.iterdir()}
    data = sources.read(zipped(files), "fm.zip", "fm-v2t")
    assert data.ok
    assert data.clips
    assert data.remarks
    missing = sources.read(zipped({"fm/clips-wvr-annotations-eng.csv": b"x"}), "f.zip", "fm-v2t")
    assert "must hold" in str(missing.errors[0])


def test_capricorn_and_velociti(zipped: Zipped) -> None:
    """By the names of their files."""
    both = {"annotation.jsonl": lines(POINTS), "annotation_v.jsonl": lines(POINTS)}
    data = sources.read(zipped(both), "c.zip", "capricorn")
    assert data.ok
    assert set(data.annotations) == {"audiovisual", "visual"}
    pairs = sources.read(lines(PAIR), "pairs.jsonl", "velociti")
    assert [clip.key for clip in pairs.clips] == ["c1"]
    assert pairs.pairs == 1
