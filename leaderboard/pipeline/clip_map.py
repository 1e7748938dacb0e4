"""The map of a track's clips, made when a judge has their references' vectors at hand."""

from __future__ import annotations

from leaderboard.models import ClipMap, Track
from leaderboard.pipeline import bridge
from scoring.cache import EmbeddingCache
from scoring.judges.base import EmbeddingJudge
from scoring.projection import principal_coordinates

MOST_CLIPS = 3000  # the time grows with the third power, the memory with the second


def keep_map(track: Track, judge: EmbeddingJudge, cache: EmbeddingCache) -> None:
    """Store the track's map by ``judge`` unless it is there; the first reference of a clip counts.

    A judge that learns its weights from the texts of a job has no map: its space is another one
    each time.
    """
    name = judge.entry.name
    if judge.entry.needs_fit or ClipMap.objects.filter(track=track, judge=name).exists():
        return
    texts = {key: of[0].text for key, of in bridge.references_of(track).items() if of}
    if not 2 < len(texts) <= MOST_CLIPS:
        return
    # By the same rule for long texts as the run, whose vectors are then at hand.
    rule = track.settings.get("long_text")
    vectors = judge.encode(list(texts.values()), long_text=rule, cache=cache)
    everything = range(len(texts))
    points, share = principal_coordinates(vectors.cosines(everything, everything))
    places = {key: [round(float(v), 4) for v in at] for key, at in zip(texts, points, strict=True)}
    ClipMap.objects.get_or_create(
        track=track, judge=name, defaults={"points": places, "share": share}
    )
