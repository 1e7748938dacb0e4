"""The sample benchmark: its data files lie in ``sample/``, whose README explains its order."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

from django.db import transaction
from pydantic import BaseModel, ConfigDict, Field

from leaderboard.importers.keypoint_rows import put_keypoints, read_annotation_file
from leaderboard.importers.pair_rows import put_pairs, read_pair_files
from leaderboard.importers.rows import (
    ClipData,
    ImportReport,
    put_release,
    put_system,
    put_track,
    submit_once,
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
from scoring.types import Reference

FOLDER = Path(__file__).with_name("sample")
NOTE = "Written for the sample; see the benchmark's description."


class Head(BaseModel):
    """``benchmark.json``: what the benchmark is, its release, and how its tracks are called."""

    benchmark: dict[str, str]
    version: str
    notes: str
    tracks: dict[str, dict[str, str]]


class Scene(BaseModel):
    """One entry of ``clips.json``."""

    id: str
    title: str
    category: str
    duration: Annotated[float, Field(gt=0)]
    reference: str

    def clip(self) -> ClipData:
        """The clip that it becomes."""
        return ClipData(
            key=self.id,
            references=[Reference(text=self.reference)],
            title=self.title,
            category=self.category,
            duration=self.duration,
        )


class Card(BaseModel):
    """One entry of ``systems.json``."""

    model_config = ConfigDict(extra="forbid")

    name: str
    organisation: str
    parameters: str
    family: str
    frames: int
    open_weights: bool


def load_sample(*, submit: bool = True) -> ImportReport:
    """Make the sample benchmark, and submit its systems through the intake; twice is once."""
    head = read_json(FOLDER / "benchmark.json", Head)
    scenes = read_json(FOLDER / "clips.json", list[Scene])
    cards = read_json(FOLDER / "systems.json", dict[str, Card])
    with transaction.atomic():
        release = put_release(
            benchmark=head.benchmark,
            version=head.version,
            notes=head.notes,
            clips=[scene.clip() for scene in scenes],
        )
        put_keypoints(release, MAIN, read_annotation_file(FOLDER / "keypoints.json"))
        put_pairs(release, read_pair_files([FOLDER / "pair_tests.jsonl"]))
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
