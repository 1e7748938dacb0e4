"""The sample benchmark: its data files lie in ``sample/``, whose README explains its order."""

from __future__ import annotations

from collections.abc import Iterator

from django.db import transaction
from pydantic import BaseModel, ConfigDict

from leaderboard.importers.keypoint_rows import annotation_file, put_keypoints
from leaderboard.importers.pair_rows import pair_tests, put_pairs
from leaderboard.importers.rows import (
    ImportReport,
    put_release,
    put_system,
    put_track,
    submit_once,
)
from leaderboard.importers.sample_scenes import (
    FOLDER,
    Scene,
    keypoint_records,
    pair_records,
    read_scenes,
)
from leaderboard.importers.source import read_bytes, read_json
from leaderboard.intake import Contents
from leaderboard.models import Kind, Release, System, Track
from leaderboard.pipeline.bridge_keypoints import MAIN
from leaderboard.pipeline.pairs import EXACT
from scoring.judges import catalogue
from scoring.judges.rule_facts import RuleFacts
from scoring.protocols import ngram
from scoring.protocols.keypoint_baseline import KeypointBaseline

NOTE = "Written for the sample; see the benchmark's description."


class Head(BaseModel):
    """``benchmark.json``: what the benchmark is, its release, its scenes, and its tracks' names."""

    benchmark: dict[str, str]
    version: str
    notes: str
    scenes: list[str]
    tracks: dict[str, dict[str, str]]


class Card(BaseModel):
    """One entry of ``systems.json``."""

    model_config = ConfigDict(extra="forbid")

    name: str
    organisation: str
    parameters: str
    family: str
    frames: int
    open_weights: bool


def read_head() -> Head:
    """The benchmark's own file."""
    return read_json(FOLDER / "benchmark.json", Head)


def sample_scenes() -> list[Scene]:
    """All scenes of the sample, in its order."""
    return read_scenes(read_head().scenes)


def load_sample(*, submit: bool = True) -> ImportReport:
    """Make the sample benchmark, and submit its systems through the intake; twice is once."""
    head = read_head()
    scenes = read_scenes(head.scenes)
    cards = read_json(FOLDER / "systems.json", dict[str, Card])
    with transaction.atomic():
        release = put_release(
            benchmark=head.benchmark,
            version=head.version,
            notes=head.notes,
            clips=[scene.clip() for scene in scenes],
        )
        put_keypoints(release, MAIN, annotation_file(keypoint_records(scenes), "keypoints"))
        put_pairs(release, pair_tests([("pair tests", pair_records(scenes))]))
        _put_tracks(release, head.tracks)
        systems = {
            slug: put_system(slug, name=card.name, card=card.model_dump())
            for slug, card in cards.items()
        }
    new = [*_submitted(release, systems)] if submit else []
    return ImportReport(
        release=release,
        clips=len(scenes),
        excluded=0,
        systems=len(systems),
        submitted=sum(new),
        unchanged=len(new) - sum(new),
    )


def _put_tracks(release: Release, titles: dict[str, dict[str, str]]) -> None:
    put_track(
        release, "embedded", position=0, judges=list(catalogue.EMBEDDED_PANEL), **titles["embedded"]
    )
    put_track(
        release,
        "keypoints",
        position=1,
        protocol=Track.Protocol.KEYPOINTS,
        judges=[KeypointBaseline.name],
        primary_metric="acc",
        **titles["keypoints"],
    )
    put_track(
        release,
        "pairs",
        position=2,
        protocol=Track.Protocol.PAIRS,
        judges=[EXACT],
        primary_metric="classic",
        **titles["pairs"],
    )
    put_track(
        release,
        "facts",
        position=3,
        protocol=Track.Protocol.FACTS,
        judges=[RuleFacts.name],
        primary_metric="llm_facts_f1",
        **titles["facts"],
    )
    put_track(
        release,
        "ngram",
        position=4,
        protocol=Track.Protocol.NGRAM,
        judges=[ngram.JUDGE],
        primary_metric="meteor",
        **titles["ngram"],
    )


def _submitted(release: Release, systems: dict[str, System]) -> Iterator[bool]:
    """Every file of the systems, sent in; True for those that were not here yet."""
    for slug, system in systems.items():
        descriptions = FOLDER / "descriptions" / f"{slug}.json"
        answers = FOLDER / "pair_answers" / f"{slug}.jsonl"
        for path, kind in ((descriptions, Kind.DESCRIPTIONS), (answers, Kind.PAIRS)):
            if path.exists():
                yield submit_once(
                    release=release,
                    system=system,
                    data=read_bytes(path),
                    filename=path.name,
                    note=NOTE,
                    contents=Contents(kind),
                )
