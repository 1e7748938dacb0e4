"""CLIP-CC-Bench: 200 film clips, a paragraph each, and the descriptions of 17 systems.

A folder holds ``clip_cc_dataset.json`` (a list of ``id``, ``file_link``, ``summary``) and
``models/*.json`` (clip id to text, one file a system). Durations and categories are not in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from django.db import transaction
from django.utils.text import slugify
from pydantic import BaseModel, Field

from leaderboard.importers.published import Published, put_reported, read_published
from leaderboard.importers.rows import (
    ClipData,
    ImportReport,
    put_release,
    put_system,
    put_track,
    submit_once,
)
from leaderboard.importers.source import InvalidSource, SourceFile, read_bytes, read_json
from leaderboard.intake import InvalidUpload
from leaderboard.intake.parse import parse
from leaderboard.intake.validate import validate
from leaderboard.models import Release, System, Track
from leaderboard.pipeline.rank import rank_reported
from scoring.benchmarks import CLIP_CC_EXCLUDED
from scoring.formats import ReferencesError, read_references
from scoring.judges import catalogue

DATASET = "clip_cc_dataset.json"
VERSION = "1.0"
PUBLISHED_JUDGES = ("gte-qwen2-7b", "kalm", "nemo", "nv-embed", "qwen3-8b")
NOTE = "Published output of the system, imported with the benchmark."
BENCHMARK = {
    "slug": "clip-cc-bench",
    "name": "CLIP-CC-Bench",
    "summary": "Paragraph-level descriptions of 200 film clips, judged by embedding models.",
    "description": (
        "Each clip is described in one paragraph by people. A system's description is compared "
        "with it as a whole (Coarse) and sentence by sentence (Fine); HM-CF is the harmonic mean "
        "of both, and Borda points over the judges order the systems. Clip 126 is excluded."
    ),
    "licence": "CC BY 4.0 (references; the videos belong to their owners)",
    "licence_url": "https://creativecommons.org/licenses/by/4.0/",
    "homepage": "https://github.com/Multimodal-Intelligence-Lab/CLIP-CC-Bench",
    "citation": """@inproceedings{ali2026clipcc,
  title     = {{CLIP-CC} Bench: Evaluating Paragraph-Level Video Descriptions in Video--Language Models},
  author    = {Ali, Mukhtiar and Dubey, Harsh and Mishra, Sugam and Pack, Chulwoo},
  booktitle = {Proceedings of the Second Workshop on Evaluation for Multi-Modal Generation (EvalMG), SIGIR},
  year      = {2026}
}""",  # noqa: E501 - as its authors ask to be cited
}


class DatasetEntry(BaseModel):
    """One clip of the dataset file; the text is read by ``scoring.formats``."""

    id: Annotated[str, Field(min_length=1, max_length=120)]
    file_link: Annotated[str, Field(pattern=r"^https?://\S+$", max_length=500)] | None = None
    summary: str


@dataclass(frozen=True, slots=True)
class Folder:
    """What a folder holds: the clips in their order, and each system's file by its stem."""

    clips: tuple[ClipData, ...]
    files: Mapping[str, bytes]


def import_clip_cc_bench(
    directory: Path, *, published: Path | None = None, submit: bool = False
) -> ImportReport:
    """Bring the benchmark in; importing the same again changes nothing.

    Makes benchmark, release, clips, references, tracks, systems and, from ``published``, reported
    results with their ranking. With ``submit`` each system's file goes through the intake like an
    upload. Raises InvalidSource, naming file and key, before anything is stored.
    """
    folder = read_folder(directory)
    results = read_published(published) if published else None
    with transaction.atomic():
        release = put_release(
            benchmark=BENCHMARK,
            version=VERSION,
            notes="The dataset as published with the benchmark.",
            clips=folder.clips,
        )
        track = put_tracks(release)
        systems = _put_systems(folder, results)
        _check_uploads(folder, release)
        reported = put_reported(track, results, systems) if results else 0
    if results:
        rank_reported(track.pk)
    new = [
        submit_once(
            release=release, system=systems[stem], data=data, filename=f"{stem}.json", note=NOTE
        )
        for stem, data in folder.files.items()
        if submit
    ]
    return ImportReport(
        release=release,
        clips=len(folder.clips),
        excluded=sum(bool(clip.exclusion_reason) for clip in folder.clips),
        systems=len(systems),
        reported=reported,
        submitted=sum(new),
        unchanged=len(new) - sum(new),
    )


def read_folder(directory: Path) -> Folder:
    """Clips and files of a folder; InvalidSource when it is not of the benchmark's shape."""
    dataset = directory / DATASET
    files = sorted((directory / "models").glob("*.json"))
    if not dataset.is_file() or not files:
        raise InvalidSource([f"{directory}: must hold {DATASET} and models/*.json"])
    return Folder(read_clips(dataset), files={path.stem: read_bytes(path) for path in files})


def read_clips(dataset: SourceFile) -> tuple[ClipData, ...]:
    """The clips of the dataset file; InvalidSource when it is not of the benchmark's shape."""
    links = {entry.id: entry.file_link or "" for entry in read_json(dataset, list[DatasetEntry])}
    try:
        references = read_references(read_bytes(dataset), dataset.name)
    except ReferencesError as error:
        raise InvalidSource([f"{DATASET}: {problem}" for problem in error.problems]) from error
    return tuple(
        ClipData(
            key=key,
            references=texts,
            link=links.get(key, ""),
            exclusion_reason=CLIP_CC_EXCLUDED.get(key, ""),
        )
        for key, texts in references.items()
    )


def slug_of(stem: str) -> str:
    """A system's slug: its published short name, in lower case and without dots."""
    return slugify(stem.replace(".", "-"))


def put_tracks(release: Release) -> Track:
    """The track of the paper's judges, which is returned, and the one that is scored here."""
    put_track(
        release,
        "embedded",
        name="Embedded judges",
        summary="Scored on this site by three small judges; agrees with the published order"
        " closely, not in every place.",
        position=1,
        judges=list(catalogue.EMBEDDED_PANEL),
        scores_uploads=True,
    )
    return put_track(
        release,
        "published",
        name="Published judges",
        summary="The five judges of the paper, 7 to 12 billion parameters each.",
        position=0,
        judges=[catalogue.entry(name).name for name in PUBLISHED_JUDGES],
        scores_uploads=False,
    )


def _put_systems(folder: Folder, results: Published | None) -> dict[str, System]:
    """Published short name to system; without a card a system is named by its file."""
    cards = {slug: system.card() for slug, system in results.systems.items()} if results else {}
    stems = [*folder.files, *(slug for slug in cards if slug not in folder.files)]
    slugs = {stem: slug_of(stem) for stem in stems}
    faults = [
        f"models/{stem}.json: the name makes no slug of its own ({slug or 'empty'}); rename it"
        for stem, slug in slugs.items()
        if not slug or list(slugs.values()).count(slug) > 1
    ]
    if faults:
        raise InvalidSource(faults)
    return {stem: put_system(slug, name=stem, card=cards.get(stem)) for stem, slug in slugs.items()}


def _check_uploads(folder: Folder, release: Release) -> None:
    """Every file as the intake will see it, so that a faulty one is known before any is stored."""
    faults: list[str] = []
    for stem, data in folder.files.items():
        try:
            validate(parse(data, f"{stem}.json"), release)
        except InvalidUpload as error:
            faults += [f"models/{stem}.json: {problem}" for problem in error.upload.errors]
    if faults:
        raise InvalidSource(faults)
