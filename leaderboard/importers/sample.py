"""The sample benchmark: its data files lie in ``sample/``, whose README explains its order."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from django.db import transaction
from pydantic import BaseModel, ConfigDict, Field

from leaderboard.importers.rows import (
    ClipData,
    ImportReport,
    put_release,
    put_system,
    put_track,
    submit_once,
)
from leaderboard.importers.source import read_bytes, read_json
from scoring.judges import catalogue
from scoring.types import Reference

FOLDER = Path(__file__).with_name("sample")
NOTE = "Written for the sample; see the benchmark's description."


class Head(BaseModel):
    """``benchmark.json``: what the benchmark is, its release, and how its track is called."""

    benchmark: dict[str, str]
    version: str
    notes: str
    track: dict[str, str]


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
        put_track(release, judges=list(catalogue.EMBEDDED_PANEL), **head.track)
        systems = {
            slug: put_system(slug, name=card.name, card=card.model_dump())
            for slug, card in cards.items()
        }
    new = [
        submit_once(
            release=release,
            system=system,
            data=read_bytes(FOLDER / "descriptions" / f"{slug}.json"),
            filename=f"{slug}.json",
            note=NOTE,
        )
        for slug, system in systems.items()
        if submit
    ]
    return ImportReport(
        release=release,
        clips=len(scenes),
        excluded=0,
        systems=len(systems),
        submitted=sum(new),
        unchanged=len(new) - sum(new),
    )
