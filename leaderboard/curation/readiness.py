"""What keeps a draft from being published."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, OuterRef

from leaderboard.models import Reference, Release, Track
from leaderboard.pipeline import bridge, bridge_keypoints, options

COMPARES = frozenset(
    {
        Track.Protocol.SEMANTIC,
        Track.Protocol.FACTS,
        Track.Protocol.NGRAM,
        Track.Protocol.EMBEDDING_MATCH,
    }
)
"""Protocols that read references."""
NAMED = 5


def obstacles(release: Release) -> list[str]:
    """Sentences, each saying what to mend; none when the release can be published."""
    scored = release.clips.scored().count()
    if not scored:
        return ["The release has no clip that counts: bring data in first."]
    tracks = list(release.tracks.open())
    if not tracks:
        return ["No track scores uploads: choose judges for one."]
    return [fault for track in tracks for fault in _faults(track)]


def _faults(track: Track) -> Iterator[str]:
    for fault in options.faults(track.protocol, track.settings):
        yield f"Track {track.name}: {fault}"
    strangers = set(track.judges) - set(options.judges_for(track.protocol))
    if strangers or not track.judges:
        named = ", ".join(sorted(strangers)) or "nobody"
        yield f"Track {track.name}: {named} cannot judge here; choose its judges."
    if track.protocol in COMPARES:
        yield from _unreferenced(track)
    elif track.protocol == Track.Protocol.PAIRS and not track.release.caption_pairs.exists():
        yield f"Track {track.name}: the release has no caption pairs."
    elif track.protocol == Track.Protocol.KEYPOINTS and not len(bridge.counted(track)):
        name = bridge_keypoints.annotation_name(track)
        yield f"Track {track.name}: no clip has keypoints of the annotation {name}."


def _unreferenced(track: Track) -> Iterator[str]:
    texts = Reference.objects.read_by(track).filter(clip=OuterRef("pk")).order_by()
    bare = track.release.clips.scored().exclude(Exists(texts))
    missing = list(bare.values_list("key", flat=True)[: NAMED + 1])
    if missing:
        more = " and more" if len(missing) > NAMED else ""
        named = ", ".join(missing[:NAMED]) + more
        yield (
            f"Track {track.name}: clips without a reference that it reads ({named}); "
            "add references, leave the clips out, or close the track to uploads."
        )
