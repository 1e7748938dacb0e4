"""Scenes of the sample are whole, and what is drawn of them is what is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from leaderboard.importers import sample_scenes
from leaderboard.importers.sample import sample_scenes as all_scenes
from leaderboard.importers.sample_scenes import FOLDER, Scene, read_scenes
from leaderboard.importers.source import InvalidSource
from leaderboard.scenes.frames import picture
from leaderboard.scenes.stage import PERIOD, Timeline

SCENES = {scene.id: scene for scene in all_scenes()}


def test_every_scene_file_belongs_to_the_sample() -> None:
    assert {path.stem for path in (FOLDER / "scenes").glob("*.toml")} == set(SCENES)


@pytest.mark.parametrize("scene", SCENES.values(), ids=lambda scene: scene.id)
def test_every_subject_is_seen(scene: Scene) -> None:
    """Each is on the stage at some time, and its mark stands in a keypoint."""
    seen = {name for beat in scene.beats for name, change in beat.do.items() if change.show}
    told = {mark for texts in scene.keypoints.values() for t in texts for mark in MARK.findall(t)}
    assert told == set(scene.subjects)
    assert {named.cast for named in scene.subjects.values()} <= seen


MARK = re.compile(r"<s\d>")


@pytest.mark.parametrize("scene", SCENES.values(), ids=lambda scene: scene.id)
def test_beats_cover_the_scene_and_each_shows_something_new(scene: Scene) -> None:
    """Of what goes round and round, the same moment is compared."""
    timeline = Timeline(scene.script())
    assert scene.beats[0].at == 0
    assert len(scene.beats) >= 12
    ends = [*(beat.at for beat in scene.beats[2:]), scene.duration]
    for beat, end in zip(scene.beats[1:], ends, strict=True):
        before = picture(timeline.at(beat.at - PERIOD / 4)).tobytes()
        later = [beat.at + turns * PERIOD - PERIOD / 4 for turns in (1, 2, 4)]
        shown = (picture(timeline.at(moment)).tobytes() for moment in later if moment < end)
        assert any(frame != before for frame in shown), beat.tells


def test_clothes_change_where_the_story_says_so() -> None:
    """A helmet comes off, an apron goes on, the goalkeeper gets muddy."""

    def worn(scene: str, who: str, seconds: float) -> set[str]:
        script = SCENES[scene].script()
        look = script.cast[who]
        (actor,) = (a for a in Timeline(script).at(seconds).actors if a.look == look)
        return {item.split(":")[0] for item in actor.wear}

    assert "helmet" in worn("red-balloon", "girl", 37)
    assert "helmet" not in worn("red-balloon", "girl", 60)
    assert "apron" not in worn("night-bakery", "baker", 50)
    assert "apron" in worn("night-bakery", "baker", 140)
    assert "mud" in worn("penalty-kick", "keeper", 75)


def test_a_change_of_texts_leaves_the_video_and_a_change_of_the_script_does_not() -> None:
    scene = SCENES["puddle-bus"]
    assert scene.model_copy(update={"reference": "Other."}).digest() == scene.digest()
    beats = (scene.beats[0].model_copy(update={"light": "#000000"}), *scene.beats[1:])
    assert scene.model_copy(update={"beats": beats}).digest() != scene.digest()


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('pose = "kneel"', 'pose = "fly"', "no pose 'fly'"),
        ('hold = "boat"', 'hold = "whale"', "girl cannot hold whale"),
        ('place = "street"', 'place = "moon"', "no place moon"),
        ('figure = "bus"', 'figure = "ship"', "bus is a ship"),
        ('"hood:#f2c81d"', '"crown:#f2c81d"', "girl wears crown"),
        ('cast = "man"', 'cast = "nobody"', "<s2> is nobody"),
        ("duration = 64.0", "duration = 'long'", "duration: "),
        ("title =", "title", "not TOML"),
    ],
)
def test_a_wrong_word_in_a_scene_is_named(
    old: str, new: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (FOLDER / "scenes" / "puddle-bus.toml").read_text()
    assert old in text
    (tmp_path / "scenes").mkdir()
    (tmp_path / "scenes" / "puddle-bus.toml").write_text(text.replace(old, new))
    monkeypatch.setattr(sample_scenes, "FOLDER", tmp_path)
    with pytest.raises(InvalidSource, match=re.escape(fault)) as caught:
        read_scenes(["puddle-bus"])
    assert "puddle-bus.toml" in str(caught.value)
