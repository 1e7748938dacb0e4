"""Videos of the sample's clips: drawn from its scenes, kept in the default storage.

A published clip's data is frozen; its video is how the clip is shown, and may come later.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from django.core.files import File

from leaderboard.importers.sample import read_head
from leaderboard.importers.sample_scenes import Scene, read_scenes
from leaderboard.importers.source import InvalidSource
from leaderboard.models import Clip
from leaderboard.scenes.frames import renderer
from leaderboard.scenes.video import encoder, write_video


@dataclass(frozen=True, slots=True)
class Rendered:
    """A clip that has its video now; ``new`` unless it was drawn before."""

    clip: str
    new: bool
    size: int


def render_sample(only: Sequence[str] = (), *, force: bool = False) -> Iterator[Rendered]:
    """Give the sample's clips (or ``only`` those) their videos, one after another.

    What is there and was drawn from the same script by the same code is kept, unless ``force``.
    Raises InvalidSource, and NoEncoder or EncodingFailed of ``scenes.video``.
    """
    head = read_head()
    strangers = sorted(set(only) - set(head.scenes))
    if strangers:
        raise InvalidSource([f"the sample has no clip {', '.join(strangers)}"])
    scenes = read_scenes(only or head.scenes)
    clips = Clip.objects.filter(
        release__benchmark__slug=head.benchmark["slug"], release__version=head.version
    )
    rows = {clip.key: clip for clip in clips}
    missing = [scene.id for scene in scenes if scene.id not in rows]
    if missing:
        raise InvalidSource(
            [f"release {head.version} is not here: run manage.py load_sample first"]
        )
    for scene in scenes:
        yield _render(rows[scene.id], scene, force)


def video_name(scene: Scene) -> str:
    """Where the scene's video is stored: another script, or other drawing code, is another name."""
    content = hashlib.sha256(renderer() + scene.digest().encode()).hexdigest()[:16]
    return f"clips/sample/{scene.id}-{content}.mp4"


def _render(clip: Clip, scene: Scene, force: bool) -> Rendered:
    storage, name, before = clip.media.storage, video_name(scene), clip.media.name or ""
    there = storage.exists(name)
    new = force or not there
    if new:
        with TemporaryDirectory() as folder:
            path = Path(folder) / "video.mp4"
            write_video(scene.script(), path, ffmpeg=encoder())
            if there:
                storage.delete(name)
            with path.open("rb") as file:
                name = storage.save(name, File(file))
    if before != name:
        Clip.objects.filter(pk=clip.pk).update(media=name)
        if before and not Clip.objects.filter(media=before).exists():
            storage.delete(before)
    return Rendered(clip=clip.key, new=new, size=storage.size(name))
