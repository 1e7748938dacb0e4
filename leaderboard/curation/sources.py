"""Data that a curator drags in, read and checked whole; nothing is stored here.

The released files of the four benchmarks go through their importers; ``table`` is the format of the
site's own (``importers.clip_table``), alone or in a ZIP with ``keypoints.jsonl``,
``keypoints-NAME.jsonl`` for further annotations, and ``pairs.jsonl``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from django.utils.text import slugify

from leaderboard.curation import tracks
from leaderboard.curation.unpacking import Held, unpacked
from leaderboard.importers import capricorn, clip_cc_bench, fm_v2t, fm_v2t_tracks, velociti
from leaderboard.importers.clip_table import read_clip_table
from leaderboard.importers.keypoint_rows import AnnotationFile, misfits, read_annotation_file
from leaderboard.importers.pair_rows import clips_of, read_pair_files
from leaderboard.importers.rows import ClipData
from leaderboard.importers.source import InvalidSource, read_bytes
from leaderboard.models import Release
from leaderboard.pipeline.bridge_keypoints import MAIN
from scoring.protocols.pair_tests import PairTests
from scoring.types import Checked, Problem

NAME_LENGTH = 40


@dataclass(frozen=True, slots=True)
class Data(Checked):
    """All that a release is made of. ``put_tracks`` gives one without tracks its first ones."""

    clips: tuple[ClipData, ...] = ()
    annotations: Mapping[str, AnnotationFile] = field(default_factory=dict)
    tests: PairTests = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    remarks: tuple[str, ...] = ()
    put_tracks: Callable[[Release], object] = tracks.put_usual_tracks

    @property
    def references(self) -> int:
        """How many there are over all clips."""
        return sum(len(clip.references) for clip in self.clips)

    @property
    def keypoints(self) -> int:
        """How many there are over all clips and annotations."""
        return sum(
            len(one.keypoints)
            for file in self.annotations.values()
            for one in file.annotations.values()
        )

    @property
    def pairs(self) -> int:
        """How many there are over all tests."""
        return sum(map(len, self.tests.values()))


@dataclass(frozen=True, slots=True)
class Format:
    """One way to hand data in: its name, what the page says of it, and its reader."""

    title: str
    wants: str
    read: Callable[[Sequence[Held]], Data]


def read(data: bytes, filename: str, kind: str) -> Data:
    """What the file holds, with every problem of it; never raises for bad content.

    ``kind`` is a key of ``FORMATS``.
    """
    try:
        return FORMATS[kind].read(unpacked(data, filename))
    except InvalidSource as invalid:
        return Data(problems=_problems(invalid))


def _problems(invalid: InvalidSource) -> tuple[Problem, ...]:
    """Sentences that name their file as problems that name it as their place."""
    found = []
    for sentence in invalid.problems:
        where, _, message = sentence.partition(": ")
        file = PurePath(where).name if message else ""
        found.append(Problem("invalid-data", message or sentence, where=file))
    return tuple(found)


def _table(files: Sequence[Held]) -> Data:
    points = {_annotation(f): f for f in files if f.stem.lower().startswith("keypoints")}
    pairs = [file for file in files if file.stem.lower().startswith("pairs")]
    tables = [file for file in files if file not in pairs and file not in points.values()]
    if len(tables) > 1:
        named = ", ".join(file.name for file in tables)
        message = f"the archive holds {len(tables)} files that could be the table of clips: {named}"
        return Data(problems=(Problem("ambiguous-table", f"{message}; keep one"),))
    problems: list[Problem] = []
    clips: tuple[ClipData, ...] = ()
    for table in tables:
        clips, found = read_clip_table(read_bytes(table), table.name)
        problems += found
    annotations = {}
    for name, file in points.items():
        try:
            annotations[name] = read_annotation_file(file)
        except InvalidSource as invalid:
            problems += _problems(invalid)
    try:
        tests = read_pair_files(pairs)
    except InvalidSource as invalid:
        tests = {}
        problems += _problems(invalid)
    return _assembled(clips, annotations, tests, problems, has_table=bool(tables))


def _assembled(
    clips: tuple[ClipData, ...],
    annotations: Mapping[str, AnnotationFile],
    tests: PairTests,
    problems: Sequence[Problem],
    *,
    has_table: bool,
) -> Data:
    """The parts together; without a table the clips are those of keypoints, then of pairs."""
    faults = list(problems)
    if not has_table:
        try:
            clips = tuple(capricorn.clips_of(annotations))
        except InvalidSource as invalid:
            faults += _problems(invalid)
        there = {clip.key for clip in clips}
        clips += tuple(ClipData(key, ()) for key in clips_of(tests) if key not in there)
    by_key = {clip.key: clip for clip in clips}
    for file in annotations.values():
        faults += _problems(InvalidSource(misfits(by_key, file)))
    strangers = [key for key in clips_of(tests) if key not in by_key]
    if strangers:
        named = ", ".join(strangers[:10])
        faults.append(Problem("unknown-clip", f"pairs are about clips that are not there: {named}"))
    return Data(clips, annotations, tests, tuple(faults))


def _annotation(file: Held) -> str:
    """``keypoints-vision.jsonl`` holds the annotation ``vision``, ``keypoints.jsonl`` the main."""
    return slugify(file.stem.lower().removeprefix("keypoints"))[:NAME_LENGTH] or MAIN


def _clip_cc_bench(files: Sequence[Held]) -> Data:
    clips = clip_cc_bench.read_clips(_named(files, clip_cc_bench.DATASET))
    return Data(clips, put_tracks=clip_cc_bench.put_tracks)


def _fm_v2t(files: Sequence[Held]) -> Data:
    place = _named(files, fm_v2t.ENGLISH).place.parent
    beside = {file.name: file for file in files if file.place.parent == place}
    found = fm_v2t.read_files(beside, place.name or "the archive")
    return Data(found.clips, remarks=found.remarks, put_tracks=fm_v2t_tracks.put_tracks)


def _capricorn(files: Sequence[Held]) -> Data:
    known: dict[str, Held] = {}
    for file in files:
        stem = file.stem.lower()
        seen_only = stem.endswith(("_v", "-v", "visual")) and "audiovisual" not in stem
        name = capricorn.VISUAL if seen_only else capricorn.AUDIOVISUAL
        if name in known:
            raise InvalidSource([f"{file.name}: {known[name].name} is the file {name} already"])
        known[name] = file
    annotations = {name: read_annotation_file(known[name]) for name in sorted(known)}
    return Data(
        tuple(capricorn.clips_of(annotations)),
        annotations=annotations,
        put_tracks=lambda release: capricorn.put_tracks(release, annotations),
    )


def _velociti(files: Sequence[Held]) -> Data:
    tests = read_pair_files(files)
    clips = tuple(ClipData(key, ()) for key in clips_of(tests))
    return Data(clips, tests=tests, put_tracks=velociti.put_track_of_pairs)


def _named(files: Sequence[Held], name: str) -> Held:
    """The file of that name, however deep in the archive."""
    found = [file for file in files if file.name == name]
    if len(found) != 1:
        there = ", ".join(file.name for file in files[:10])
        many = "is not there" if not found else f"is there {len(found)} times"
        raise InvalidSource([f"{name}: {many}; the upload holds {there}"])
    return found[0]


FORMATS: Mapping[str, Format] = {
    "table": Format(
        "A table of clips and references",
        "CSV, TSV, JSON Lines or a JSON list; or a ZIP of it with keypoints.jsonl and pairs.jsonl",
        _table,
    ),
    "clip-cc-bench": Format(
        "CLIP-CC-Bench", f"{clip_cc_bench.DATASET}, or a ZIP of its folder", _clip_cc_bench
    ),
    "fm-v2t": Format(
        "FM-V2T",
        f"a ZIP of the folder with {fm_v2t.ENGLISH}, {fm_v2t.GERMAN} and {fm_v2t.CAPTIONS}",
        _fm_v2t,
    ),
    "capricorn": Format(
        "CapRiCorn-1K",
        "its annotation file, or a ZIP of both (the one without sound ends in _v)",
        _capricorn,
    ),
    "velociti": Format("VELOCITI", "its file of pairs, or a ZIP of one file a test", _velociti),
}
