"""The sample's scene files: one TOML a clip, from which all else about the clip is made.

A scene holds the reference, keypoints and caption pairs that protocols read, and the script from
which its video is drawn, so that what is told and what is seen come from one place.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from leaderboard.importers.rows import ClipData
from leaderboard.importers.source import InvalidSource, read_bytes
from leaderboard.scenes.figures import known
from leaderboard.scenes.garments import GARMENTS
from leaderboard.scenes.places import PLACES
from leaderboard.scenes.script import Beat, Look, Script
from leaderboard.scenes.things import IN_HAND
from scoring.types import Reference

FOLDER = Path(__file__).with_name("sample")
ANIMALS_HOLD = {"flat ears", "paw", "pancake", "bent", "no wheel"}
"""What animals and vehicles are said to hold, and draw themselves."""


class Named(BaseModel):
    """Whom a mark of the keypoints stands for: a figure of the cast, and its name for readers."""

    model_config = ConfigDict(extra="forbid")

    cast: str
    name: str


class Scene(BaseModel):
    """A scene file: what is told of the clip, and the script that is drawn."""

    model_config = ConfigDict(extra="forbid")

    id: str
    title: str
    category: str
    duration: Annotated[float, Field(gt=0)]
    reference: str
    subjects: dict[str, Named]
    keypoints: dict[str, list[str]]
    pairs: dict[str, tuple[str, str]]
    cast: dict[str, Look]
    beats: tuple[Beat, ...]

    def clip(self) -> ClipData:
        """The clip that it becomes."""
        return ClipData(
            key=self.id,
            references=[Reference(text=self.reference)],
            title=self.title,
            category=self.category,
            duration=self.duration,
        )

    def script(self) -> Script:
        """What is drawn."""
        return Script(duration=self.duration, cast=self.cast, beats=self.beats)

    def digest(self) -> str:
        """Names the script's content: changed texts of a scene leave its video as it is."""
        content = self.script().model_dump_json().encode()
        return hashlib.sha256(content).hexdigest()[:16]


def read_scenes(names: Sequence[str]) -> list[Scene]:
    """The scenes of those ids, in that order; InvalidSource with every fault."""
    scenes, faults = [], []
    for name in names:
        path = FOLDER / "scenes" / f"{name}.toml"
        try:
            scene = Scene.model_validate(tomllib.loads(read_bytes(path).decode()))
            scene.script()
        except ValidationError as error:
            faults += [f"{path.name}: {_fault(one)}" for one in error.errors()]
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            faults.append(f"{path.name}: not TOML that can be read: {error}")
        else:
            faults += [f"{path.name}: {fault}" for fault in _unknown(scene, name)]
            scenes.append(scene)
    if faults:
        raise InvalidSource(faults)
    return scenes


def keypoint_records(scenes: Sequence[Scene]) -> bytes:
    """All keypoints as an annotation file (see ``importers.keypoint_rows``)."""
    records = [
        {
            "video_id": scene.id,
            "duration": scene.duration,
            "category": scene.category,
            "subjects": {mark: named.name for mark, named in scene.subjects.items()},
            "events": scene.keypoints,
        }
        for scene in scenes
    ]
    return (json.dumps(records, indent=2, ensure_ascii=False) + "\n").encode()


def pair_records(scenes: Sequence[Scene]) -> bytes:
    """All pairs as a file of pair tests (see ``importers.pair_rows``), test by test."""
    tests = dict.fromkeys(test for scene in scenes for test in scene.pairs)
    rows = [
        {
            "test_name": test,
            "video_id": scene.id,
            "event": "",
            "pos": scene.pairs[test][0],
            "neg": scene.pairs[test][1],
        }
        for test in tests
        for scene in scenes
        if test in scene.pairs
    ]
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def reference_records(scenes: Sequence[Scene]) -> bytes:
    """All references as a map of clip id to text, as `cliprank score --references` reads it."""
    texts = {scene.id: scene.reference for scene in scenes}
    return (json.dumps(texts, indent=2, ensure_ascii=False) + "\n").encode()


def write_files(scenes: Sequence[Scene], folder: Path) -> Mapping[str, Path]:
    """Write those three files; their paths by name."""
    folder.mkdir(parents=True, exist_ok=True)
    contents = {
        "references.json": reference_records(scenes),
        "keypoints.json": keypoint_records(scenes),
        "pair_tests.jsonl": pair_records(scenes),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    return {name: folder / name for name in contents}


def _unknown(scene: Scene, name: str) -> Iterator[str]:
    """Words of the script that nothing draws, and subjects that are not in the cast."""
    if scene.id != name:
        yield f"its id is {scene.id}"
    for mark, named in scene.subjects.items():
        if named.cast not in scene.cast:
            yield f"{mark} is {named.cast}, who is not in the cast"
    for who, look in scene.cast.items():
        if not known(look.figure):
            yield f"{who} is a {look.figure}, which nobody can draw"
        yield from _strange_clothes(who, look.wear if look.figure == "person" else ())
    for beat in scene.beats:
        if beat.place and beat.place not in PLACES:
            yield f"the beat at {beat.at:g}: no place {beat.place}"
        for who, change in beat.do.items():
            held = {change.hold, change.other} - {None, ""} - set(IN_HAND) - ANIMALS_HOLD
            if held and scene.cast[who].figure != "dog":
                yield f"the beat at {beat.at:g}: {who} cannot hold {held.pop()}"
            yield from _strange_clothes(who, change.on)


def _strange_clothes(who: str, garments: Sequence[str]) -> Iterator[str]:
    for garment in garments:
        if garment.split(":")[0] not in GARMENTS:
            yield f"{who} wears {garment}, which nobody can draw"


def _fault(error: Any) -> str:
    place = ".".join(str(part) for part in error["loc"])
    return f"{place}: {error['msg']}" if place else str(error["msg"])
