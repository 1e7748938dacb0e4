"""Keypoints and caption pairs for a small release, their tracks, and answers to the pairs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from leaderboard.importers.keypoint_rows import AnnotationFile, put_keypoints
from leaderboard.importers.pair_rows import put_pairs
from leaderboard.models import Clip, Release, Track
from scoring.protocols.keypoint_types import Annotation, Keypoint, subjects_in
from scoring.protocols.pair_tests import CaptionPair

TESTS = ("agent_iden", "chrono", "control_v2t", "ivat")
DURATIONS = {"c1": 60.0, "c2": 200.0, "c3": 300.0, "c4": 500.0}
Row = dict[str, Any]


def annotations() -> dict[str, Annotation]:
    """Four clips: two keypoints of one subject, one of the background; c4 has no subject twice."""
    made = {}
    for clip, seconds in DURATIONS.items():
        texts = [f"<s1> enters {clip}.", f"<s1> leaves {clip}.", f"<s2> waves in {clip}."]
        texts = texts[1:] if clip == "c4" else texts
        points = [Keypoint("main_sbj_evts", text, subjects_in(text)) for text in texts]
        points.append(Keypoint("bg_desc", f"A room of {clip}."))
        made[clip] = Annotation(clip, seconds, tuple(points), "odd" if clip in "c1c3" else "even")
    return made


def keypoints_track(
    release: Release, judges: Sequence[str] = ("keypoint-baseline",), **more: Any
) -> Track:
    """The release with keypoints on its first four clips, and a track of them."""
    for clip, one in annotations().items():
        Clip.objects.filter(release=release, key=clip).update(
            duration=one.duration, category=one.category
        )
    put_keypoints(release, "main", AnnotationFile("k.json", annotations(), {}))
    return Track.objects.create(
        release=release,
        slug="keypoints",
        name="Keypoints",
        protocol=Track.Protocol.KEYPOINTS,
        primary_metric="acc",
        judges=list(judges),
        bootstrap_replicates=50,
        **more,
    )


def pairs_track(release: Release, clips: Sequence[str] = ("c1", "c2", "c3", "c4")) -> Track:
    """The release with four tests of one pair a clip, and a track of them."""
    put_pairs(
        release,
        {
            test: tuple(CaptionPair(test, clip, "", f"{test} {clip} yes", "no") for clip in clips)
            for test in TESTS
        },
    )
    return Track.objects.create(
        release=release,
        slug="pairs",
        name="Pairs",
        protocol=Track.Protocol.PAIRS,
        primary_metric="classic",
        judges=["exact"],
        bootstrap_replicates=50,
    )


def answers(
    wrong: Mapping[str, Sequence[str]] | None = None,
    clips: Sequence[str] = ("c1", "c2", "c3", "c4"),
    tests: Sequence[str] = TESTS,
) -> list[Row]:
    """Rows that answer every pair, right but for ``wrong``: test to clips."""
    found: list[Row] = []
    for test in tests:
        for clip in clips:
            good = clip not in (wrong or {}).get(test, ())
            row: Row = {"test_name": test, "video_id": clip, "event": ""}
            if test == "ivat":
                row["scores"] = [[0.9, 0.1], [0.2, 0.8]] if good else [[0.1, 0.9], [0.8, 0.2]]
            else:
                row |= {"pos_score": 0.9 if good else 0.2, "neg_score": 0.3}
            found.append(row)
    return found


def as_jsonl(rows: Sequence[Row]) -> bytes:
    """As a file."""
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def as_csv(rows: Sequence[Row]) -> bytes:
    """As a file of one test's scores."""
    lines = ["video_id,event,pos_score,neg_score"]
    lines += [f"{r['video_id']},,{r['pos_score']},{r['neg_score']}" for r in rows]
    return "\n".join(lines).encode()
