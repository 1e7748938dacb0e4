"""FM-V2T: archive clips with a long description in English and German and 20 short captions each.

A folder holds two tables (``clips-wvr-annotations-eng.csv`` and ``-de.csv``, clip id and text) and
``clips-wvr-msr-vtt-format.json`` (a list of ``video_id`` and ``gold_caption``). Clips that all
three files have are brought in; where the files disagree, the report says so.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from django.db import transaction
from pydantic import AfterValidator, BaseModel, Field

from leaderboard.importers.fm_v2t_published import put_table_2, read_tables
from leaderboard.importers.fm_v2t_tracks import put_tracks
from leaderboard.importers.rows import ClipData, ImportReport, put_release
from leaderboard.importers.source import AT_MOST, InvalidSource, SourceFile, read_bytes, read_json
from leaderboard.pipeline.rank import rank_reported
from scoring.text import is_blank
from scoring.types import Reference

ENGLISH = "clips-wvr-annotations-eng.csv"
GERMAN = "clips-wvr-annotations-de.csv"
CAPTIONS = "clips-wvr-msr-vtt-format.json"
VERSION = "1.0"
KEY_LENGTH = 120
SHOWN = 10  # clips named in one remark
VIDEO = "https://www.mediathek.at/atom/{}"
ARCHIVED = re.compile(r"\d+_\d+_([0-9A-F]+(?:-[0-9A-F]+)+)")
"""A clip id: number of the clip, number of the shot, id of the whole video in the archive."""
BENCHMARK = {
    "slug": "fm-v2t",
    "name": "FM-V2T",
    "summary": "Archive clips described at length in English and German, scored by the facts that a"
    " description gets right.",
    "description": (
        "Clips of 5 to 35 seconds, without sound, from the Austrian Mediathek. The long"
        " descriptions were corrected by hand, in English and in German; about twenty short"
        " captions a clip tell the same in one sentence each. LLMFactsF1 takes description and"
        " reference apart into facts and asks which of them the other text entails or contradicts;"
        " the classic metrics of shared words stand beside it. Texts by Arzberger, Raith, Bailer"
        " and Jaks, JOANNEUM RESEARCH and Austrian Mediathek, under CC BY 4.0."
    ),
    "licence": "CC BY 4.0 (texts; the videos belong to their owners)",
    "licence_url": "https://creativecommons.org/licenses/by/4.0/",
    "homepage": "https://github.com/FAIRmedia-AT/FM-V2T",
    "citation": """@misc{fm-v2t,
  title        = {{FM-V2T}: {FAIRmedia} English and German Video-to-Text Annotations},
  author       = {Arzberger and Raith and Bailer and Jaks},
  howpublished = {JOANNEUM RESEARCH and Austrian Mediathek},
  url          = {https://github.com/FAIRmedia-AT/FM-V2T}
}""",
}


def _told(text: str) -> str:
    if is_blank(text):
        raise ValueError("it is blank")
    return text


Text = Annotated[str, AfterValidator(_told)]


class Captions(BaseModel):
    """One entry of the file of short captions."""

    video_id: Annotated[str, Field(min_length=1, max_length=KEY_LENGTH)]
    gold_caption: Annotated[list[Text], Field(min_length=1)]


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder holds: the clips in the order of the English table, and what was left out."""

    clips: tuple[ClipData, ...]
    remarks: tuple[str, ...]


def import_fm_v2t(directory: Path, *, published: Path | None = None) -> ImportReport:
    """Bring the benchmark in; importing the same again changes nothing.

    Makes benchmark, release, clips, references, tracks and, from ``published``, the systems and
    reported results of the paper's table 2 with their rankings. Raises InvalidSource, naming file
    and row, before anything is stored.
    """
    files = {path.name: path for path in directory.glob("*") if path.is_file()}
    folder = read_files(files, str(directory))
    tables = read_tables(published) if published else None
    with transaction.atomic():
        release = put_release(
            benchmark=BENCHMARK,
            version=VERSION,
            notes="The annotations as published. " + " ".join(folder.remarks),
            clips=folder.clips,
        )
        tracks = put_tracks(release)
        reported = put_table_2(tracks, tables) if tables else []
    for track_id in sorted({row.track_id for row in reported}):
        rank_reported(track_id)
    return ImportReport(
        release=release,
        clips=len(folder.clips),
        excluded=0,
        systems=len({row.system_id for row in reported}),
        reported=len(reported),
        remarks=folder.remarks,
    )


def read_files(files: Mapping[str, SourceFile], folder: str) -> Folder:
    """Clips of the files, by name, of a folder that is called ``folder``; each has its references
    in a fixed order: English, German, short ones.

    Raises InvalidSource with every faulty row of every file.
    """
    if not {ENGLISH, GERMAN, CAPTIONS} <= files.keys():
        raise InvalidSource([f"{folder}: must hold {ENGLISH}, {GERMAN} and {CAPTIONS}"])
    faults: list[str] = []
    english = _read_table(files[ENGLISH], faults)
    german = _read_table(files[GERMAN], faults)
    captions, twice = _read_captions(files[CAPTIONS], faults)
    if faults:
        raise InvalidSource(faults)
    everywhere = [key for key in english if key in german and key in captions]
    if not everywhere:
        raise InvalidSource([f"{folder}: no clip stands in all three files"])
    clips = tuple(
        ClipData(
            key=key,
            references=[
                Reference(english[key], "en", "long"),
                Reference(german[key], "de", "long"),
                *(Reference(text, "en", "short") for text in captions[key]),
            ],
            link=_link(key),
        )
        for key in everywhere
    )
    found: dict[str, Mapping[str, object]] = {
        ENGLISH: english,
        GERMAN: german,
        CAPTIONS: captions,
    }
    return Folder(clips, (*_left_out(found), *_repeated(twice)))


def _read_table(path: SourceFile, faults: list[str]) -> dict[str, str]:
    """Clip id to text, in the order of the file; what is wrong is added to ``faults``."""
    texts: dict[str, str] = {}
    first: dict[str, int] = {}
    found: list[str] = []
    try:
        for line, row in _rows(path):
            fault = _fault(row)
            if not fault and row[0] in first:
                fault = f"clip {row[0]} stands in line {first[row[0]]} already"
            if fault:
                found.append(f"{path.name}: line {line}: {fault}")
            else:
                first[row[0]] = line
                texts[row[0]] = row[1]
    except InvalidSource as error:
        found += error.problems
    faults += found[:AT_MOST]
    if len(found) > AT_MOST:
        faults.append(f"{path.name}: {len(found) - AT_MOST} more faults")
    return texts


def _rows(path: SourceFile) -> Iterator[tuple[int, Sequence[str]]]:
    """The rows under the header, each with the line it begins on; InvalidSource if not CSV."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise InvalidSource([f"{path.name}: line {line}: not UTF-8"]) from error
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    begins = 1
    try:
        for row in reader:
            if begins == 1 and (len(row) != 2 or row[0] != "Video-Filename"):
                raise InvalidSource(
                    [f"{path.name}: line 1: the header must be Video-Filename and one column more"]
                )
            if begins > 1 and row:
                yield begins, row
            begins = reader.line_num + 1
    except csv.Error as error:
        raise InvalidSource([f"{path.name}: line {reader.line_num}: {error}"]) from error


def _fault(row: Sequence[str]) -> str:
    """What is wrong with a row of a table by itself; empty when nothing is."""
    if len(row) != 2:
        return f"{len(row)} columns instead of 2"
    key, text = row
    if not key.strip() or len(key) > KEY_LENGTH:
        return f"the clip id must have 1 to {KEY_LENGTH} characters"
    return f"clip {key} has no text" if is_blank(text) else ""


def _read_captions(
    path: SourceFile, faults: list[str]
) -> tuple[dict[str, list[str]], dict[str, list[int]]]:
    """Clip id to captions, and the places of clips that stand there more than once.

    Of several entries for a clip the first one counts.
    """
    try:
        entries = read_json(path, list[Captions])
    except InvalidSource as error:
        faults += error.problems
        return {}, {}
    places: dict[str, list[int]] = {}
    for place, entry in enumerate(entries, 1):
        places.setdefault(entry.video_id, []).append(place)
    captions = {key: entries[found[0] - 1].gold_caption for key, found in places.items()}
    return captions, {key: found for key, found in places.items() if len(found) > 1}


def _link(key: str) -> str:
    """The page of the video that the clip was cut from."""
    found = ARCHIVED.fullmatch(key)
    return VIDEO.format(found[1]) if found else ""


def _left_out(files: Mapping[str, Mapping[str, object]]) -> Iterator[str]:
    """A sentence for each file that lacks clips which another one has."""
    everything = dict.fromkeys(key for keys in files.values() for key in keys)
    for name, keys in files.items():
        lacking = [key for key in everything if key not in keys]
        if lacking:
            yield f"Left out, for {name} does not have them: {_named(lacking)}."


def _repeated(twice: Mapping[str, Sequence[int]]) -> Iterator[str]:
    for key, places in twice.items():
        others = ", ".join(map(str, places[1:]))
        yield (
            f"{CAPTIONS} has clip {key} {len(places)} times: the captions of entry {places[0]} are"
            f" used, those of entry {others} are not."
        )


def _named(keys: Sequence[str]) -> str:
    more = f" and {len(keys) - SHOWN} more" if len(keys) > SHOWN else ""
    return ", ".join(keys[:SHOWN]) + more
