"""The tracks that a release starts with, by what its data allows."""

from __future__ import annotations

from leaderboard.importers.rows import put_track
from leaderboard.models import Keypoint, Reference, Release, Track
from leaderboard.pipeline.bridge_keypoints import MAIN
from leaderboard.pipeline.pairs import EXACT
from scoring.judges import catalogue
from scoring.protocols.keypoint_baseline import KeypointBaseline


def put_usual_tracks(release: Release) -> None:
    """A track for each language of long references, each annotation of keypoints, and pair tests.

    Their judges come with the site; curators choose others.
    """
    _put_semantic(release)
    points = Keypoint.objects.filter(clip__release=release)
    for name in sorted(set(points.values_list("annotation", flat=True))):
        put_track(
            release,
            "keypoints" if name == MAIN else f"keypoints-{name}",
            name="Keypoints" if name == MAIN else f"Keypoints: {name}",
            protocol=Track.Protocol.KEYPOINTS,
            settings={"annotation": name},
            judges=[KeypointBaseline.name],
            primary_metric="acc",
            position=10,
        )
    if release.caption_pairs.exists():
        put_track(
            release,
            "pairs",
            name="Caption pairs",
            protocol=Track.Protocol.PAIRS,
            judges=[EXACT],
            primary_metric="classic",
            position=20,
        )


def _put_semantic(release: Release) -> None:
    texts = Reference.objects.filter(clip__release=release, kind=Reference.Kind.LONG)
    languages = sorted(set(texts.values_list("language", flat=True)), key=lambda one: one != "en")
    for position, language in enumerate(languages):
        first = position == 0
        put_track(
            release,
            "embedded" if first else f"embedded-{language}",
            name="Embedded judges" if len(languages) == 1 else f"Embedded judges: {language}",
            settings={"language": language, "kind": Reference.Kind.LONG.value},
            judges=list(catalogue.EMBEDDED_PANEL),
            primary_metric="hm_cf",
            position=position,
        )
