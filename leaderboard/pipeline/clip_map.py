"""The map of a track's clips, made when a judge has their references' vectors at hand."""

from __future__ import annotations

from leaderboard.models import ClipMap, Run, Track
from leaderboard.pipeline import bridge
from leaderboard.pipeline.judges import embedding_cache, ready_judge
from scoring.projection import principal_coordinates

MOST_CLIPS = 3000  # the time grows with the third power, the memory with the second


def lacks_map(run: Run) -> bool:
    """Whether a map can be made of what the run's judge has read, and is not there."""
    if run.track.protocol != Track.Protocol.SEMANTIC:
        return False
    return not ClipMap.objects.filter(track=run.track_id, judge=run.judge).exists()


def draw_map(track_id: int, name: str) -> None:
    """Store the track's map by the judge ``name`` unless it is there.

    The first reference of a clip counts. A judge that learns its weights from the texts of a job
    has no map: its space is another one each time.
    """
    track = Track.objects.select_related("release").get(pk=track_id)
    judge = ready_judge(name)
    if judge.entry.needs_fit or ClipMap.objects.filter(track=track, judge=name).exists():
        return
    texts = {key: of[0].text for key, of in bridge.references_of(track).items() if of}
    if not 2 < len(texts) <= MOST_CLIPS:
        return
    # By the same rule for long texts as the runs, whose vectors are then at hand.
    rule = track.settings.get("long_text")
    vectors = judge.encode(list(texts.values()), long_text=rule, cache=embedding_cache())
    everything = range(len(texts))
    points, share = principal_coordinates(vectors.cosines(everything, everything))
    places = {key: [round(float(v), 4) for v in at] for key, at in zip(texts, points, strict=True)}
    ClipMap.objects.get_or_create(
        track=track, judge=name, defaults={"points": places, "share": share}
    )
