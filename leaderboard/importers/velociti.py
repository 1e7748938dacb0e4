"""VELOCITI: film clips with pairs of captions, one true and one not, in ten tests.

Its pairs come as one file or one a test (see ``pair_rows``), under a licence that forbids to train
on them. Published tables come in without them, too.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.db import transaction

from leaderboard.importers.pair_rows import clips_of, put_pairs, read_pair_files
from leaderboard.importers.rows import ClipData, ImportReport, put_release, put_track
from leaderboard.importers.source import InvalidSource
from leaderboard.importers.velociti_published import put_tables, read_tables
from leaderboard.models import Release, System, Track
from leaderboard.pipeline.pairs import EXACT
from leaderboard.pipeline.rank import rank_reported
from scoring.protocols.pair_tests import TITLES

VERSION = "1.0"
TRACK = "pairs"
BENCHMARK = {
    "slug": "velociti",
    "name": "VELOCITI",
    "summary": "Which of two captions is true of a film clip: who does what to whom, how, and in"
    " which order.",
    "description": (
        "Film clips of ten seconds with pairs of captions that differ in who acts, what is done,"
        " how or in which order. A system scores both captions, answers Yes and No, or chooses one."
        " Classic accuracy wants the true caption to score strictly higher, strict accuracy wants"
        " it over 0.5 and the false one under 0.5, and MCQ wants the right choice in both orders."
        " The average is over seven tests; control tests and association within a video (IVAT)"
        " stand beside it."
    ),
    "licence": "CC BY-NC-SA 4.0; never to be trained on",
    "licence_url": "https://creativecommons.org/licenses/by-nc-sa/4.0/",
    "homepage": "https://katha-ai.github.io/projects/velociti/",
    "citation": """@inproceedings{velociti,
  title     = {{VELOCITI: Benchmarking Video-Language Compositional Reasoning with Strict Entailment}},
  author    = {Saravanan, Darshana and Gupta, Varun and Singh, Darshan and Khan, Zeeshan and Gandhi, Vineet and Tapaswi, Makarand},
  booktitle = {Computer Vision and Pattern Recognition (CVPR)},
  year      = {2025}
}""",  # noqa: E501 - as its authors ask to be cited
}


def import_velociti(paths: Sequence[Path] = (), *, published: Path | None = None) -> ImportReport:
    """Bring the benchmark in, as much of it as is given; the same again changes nothing.

    ``paths`` are the files of pairs, ``published`` the tables of the paper. Pairs may follow later,
    all at once. Raises InvalidSource before anything is stored.
    """
    tests = read_pair_files(paths)
    tables = read_tables(published) if published else None
    if not tests and tables is None:
        raise InvalidSource(["give files of pairs, the published tables, or both"])
    with transaction.atomic():
        release = put_release(
            benchmark=BENCHMARK,
            version=VERSION,
            notes="The pairs as published with the benchmark.",
            clips=[ClipData(key, ()) for key in clips_of(tests)],
        )
        if tests:
            put_pairs(release, tests)
        track = put_track_of_pairs(release)
        rows = put_tables(tables, track) if tables else []
    if tables:
        rank_reported(track.pk)
    absent = [title for test, title in TITLES.items() if test not in tests] if tests else []
    return ImportReport(
        release=release,
        clips=release.clips.count(),
        excluded=release.clips.filter(excluded=True).count(),
        systems=System.objects.filter(reported__track=track).distinct().count(),
        reported=len(rows),
        remarks=(f"The files hold no pairs of: {', '.join(absent)}.",) if absent else (),
    )


def put_track_of_pairs(release: Release) -> Track:
    """The track, open once there are pairs; the metric that staff have chosen stays."""
    values = {
        "name": "Caption pairs",
        "summary": "Accuracy over seven tests of who, what, how and when.",
        "protocol": Track.Protocol.PAIRS,
        "judges": [EXACT],
        "primary_metric": "classic",
        "scores_uploads": release.caption_pairs.exists(),
    }
    if release.tracks.filter(slug=TRACK).exists():
        del values["primary_metric"]
    return put_track(release, TRACK, **values)
