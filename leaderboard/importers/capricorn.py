"""CapRiCorn-1K: videos of up to ten minutes, judged keypoint by keypoint, with and without sound.

Its annotations come as two JSON Lines files, which may be used for research and not be passed on:
one of what is seen and heard (CapRiCorn-1K), one of what is seen (CapRiCorn-1K-V). Each makes a
track of its own. Published tables come in without them, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from django.db import transaction

from leaderboard.importers.capricorn_published import JUDGE, put_tables, read_tables
from leaderboard.importers.keypoint_rows import (
    AnnotationFile,
    put_keypoints,
    read_annotation_file,
)
from leaderboard.importers.rows import ClipData, ImportReport, put_release, put_track
from leaderboard.importers.source import AT_MOST, InvalidSource
from leaderboard.models import Release, System, Track
from leaderboard.pipeline.rank import rank_reported
from scoring.protocols.keypoint_baseline import KeypointBaseline

VERSION = "1.0"
AUDIOVISUAL, VISUAL = "audiovisual", "visual"
BENCHMARK = {
    "slug": "capricorn-1k",
    "name": "CapRiCorn-1K",
    "summary": "Long videos described with sound or without, judged by keypoints told and by how"
    " steadily people are named.",
    "description": (
        "A thousand videos of 15 seconds to 10 minutes. Each has keypoints of five kinds: what its"
        " subjects do, what they do to each other, where it happens, what changes between scenes,"
        " and minor events. A judge says of each whether a description tells it correctly, in part"
        " or not at all (accuracy, coverage), and which of its words a reader would take for the"
        " same person (referential consistency)."
    ),
    "licence": "Research use only; annotations and videos are not passed on here",
    "licence_url": "https://huggingface.co/datasets/XinlongChen/CapRiCorn-1K",
    "homepage": "https://github.com/xlchen0205/CapRiCorn-1K",
    "citation": """@misc{capricorn1k,
  title  = {{CapRiCorn-1K}: A Comprehensive Benchmark for Video Captioning and Subject Referential Consistency Across Temporal Scales},
  author = {Chen, Xinlong and Tang, Jiafu and Ding, Yue and Jia, Yizhuo and Li, Bozhou and Zeng, Bohan and Shi, Yang and Li, Shihao and Ji, Yiyan and Liu, Qiang and Lin, Weihong and Zhang, Yuanxing and Wan, Pengfei and Wang, Liang and Tan, Tieniu},
  year   = {2026},
  eprint = {2606.21949},
  archivePrefix = {arXiv}
}""",  # noqa: E501 - one author list
}
NAMES = {AUDIOVISUAL: "With sound", VISUAL: "Vision only"}
OF_STAFF = frozenset({"judges", "scores_uploads"})
BY_PAPER = (
    "Judged by GPT-4.1, as in the paper. New descriptions are scored when staff open the track on a"
    " site that runs this judge; judgements made elsewhere are always taken."
)
BY_RULES = "Judged by rules and a small encoder: a baseline, not comparable with published numbers."


def import_capricorn(
    *,
    audiovisual: Path | None = None,
    visual: Path | None = None,
    published: Path | None = None,
) -> ImportReport:
    """Bring the benchmark in, as much of it as is given; the same again changes nothing.

    ``audiovisual`` and ``visual`` are the annotation files, ``published`` the tables of the paper.
    Annotations may follow later, both at once. Raises InvalidSource before anything is stored.
    """
    given = {AUDIOVISUAL: audiovisual, VISUAL: visual}
    files = {name: read_annotation_file(path) for name, path in given.items() if path}
    tables = read_tables(published) if published else None
    if not files and tables is None:
        raise InvalidSource(["give an annotation file, the published tables, or both"])
    with transaction.atomic():
        release = put_release(
            benchmark=BENCHMARK,
            version=VERSION,
            notes="The annotations as published with the benchmark.",
            clips=clips_of(files),
        )
        tracks = put_tracks(release, files)
        for name, file in files.items():
            put_keypoints(release, name, file)
        rows = put_tables(tables, _settings(tracks)) if tables else []
    for name in NAMES if tables else ():
        rank_reported(tracks[name].pk)
    return ImportReport(
        release=release,
        clips=release.clips.count(),
        excluded=release.clips.filter(excluded=True).count(),
        systems=System.objects.filter(reported__track__in=tracks.values()).distinct().count(),
        reported=len(rows),
    )


def clips_of(files: Mapping[str, AnnotationFile]) -> list[ClipData]:
    """The clips of both files: those of the first in its order, then what the other one adds."""
    clips: dict[str, ClipData] = {}
    faults = []
    for file in files.values():
        for key, one in file.annotations.items():
            new = ClipData(key, (), duration=one.duration, category=one.category)
            known = clips.setdefault(key, new)
            if (known.duration, known.category) != (new.duration, new.category):
                faults.append(
                    f"{file.filename}: clip {key} has another duration or category than in the "
                    "other file"
                )
    if faults:
        raise InvalidSource(faults[:AT_MOST])
    return list(clips.values())


def put_tracks(release: Release, files: Mapping[str, AnnotationFile]) -> dict[str, Track]:
    """A track of each setting, and a baseline of those whose annotation is here."""
    tracks = {}
    for position, name in enumerate(NAMES):
        tracks[name] = _put_track(
            release,
            name,
            position=position,
            annotation=name,
            judge=JUDGE,
            name=NAMES[name],
            summary=BY_PAPER,
            scores_uploads=False,
        )
        if name in files:
            slug = f"{name}-baseline"
            tracks[slug] = _put_track(
                release,
                slug,
                position=len(NAMES) + position,
                annotation=name,
                judge=KeypointBaseline.name,
                name=f"{NAMES[name]}, baseline",
                summary=BY_RULES,
            )
    return tracks


def _put_track(
    release: Release, slug: str, *, annotation: str, judge: str, **values: object
) -> Track:
    """A track of keypoints; what staff have opened or given other judges stays so."""
    new = {"judges": [judge], **values}
    if release.tracks.filter(slug=slug).exists():
        new = {name: value for name, value in new.items() if name not in OF_STAFF}
    return put_track(
        release,
        slug,
        protocol=Track.Protocol.KEYPOINTS,
        settings={"annotation": annotation},
        primary_metric="acc",
        **new,
    )


def _settings(tracks: Mapping[str, Track]) -> dict[str, Track]:
    """The paper's two settings by their names in the results file."""
    return {"audiovisual": tracks[AUDIOVISUAL], "visual_only": tracks[VISUAL]}
