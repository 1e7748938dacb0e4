"""What a script says is what stands on the stage at a time."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from leaderboard.scenes.script import Script
from leaderboard.scenes.stage import Timeline

CAST = {"girl": {"wear": ["helmet:#ffffff"]}, "ball": {"figure": "ball", "size": 20}}
BEATS: list[dict[str, Any]] = [
    {"at": 0, "tells": "She stands.", "place": "park", "do": {"girl": {"x": 100, "y": 240}}},
    {
        "at": 10,
        "tells": "She walks over and takes off her helmet.",
        "move": 4,
        "do": {"girl": {"x": 300, "off": ["helmet"], "hold": "apple"}, "ball": {"x": 50, "y": 250}},
    },
    {"at": 20, "tells": "The ball is gone.", "do": {"ball": {"show": False}}},
    {"at": 25, "tells": "A kitchen.", "place": "kitchen", "do": {"ball": {"x": 10, "y": 10}}},
]


def script(*, beats: list[dict[str, Any]] = BEATS, duration: float = 30) -> Script:
    """A script in its file's own words."""
    return Script.model_validate({"duration": duration, "cast": CAST, "beats": beats})


def test_a_figure_walks_during_the_move_and_stays_where_it_came() -> None:
    """Half of the way after half of the time; its limbs swing, and then hang."""
    timeline = Timeline(script())
    (before,) = timeline.at(9.9).actors
    walking, _ = timeline.at(12).actors
    there, ball = timeline.at(15).actors
    assert (before.x, walking.x, there.x) == (100, 200, 300)
    assert walking.joints != before.joints
    assert there.joints == before.joints
    assert (ball.x, ball.y, ball.size) == (50, 250, 20)


def test_clothes_and_hands_change_at_once_and_stay_changed() -> None:
    """Until another beat says otherwise."""
    timeline = Timeline(script())
    assert timeline.at(9).actors[0].wear == ("helmet:#ffffff",)
    for seconds in (10.5, 19, 24):
        assert timeline.at(seconds).actors[0].wear == ()
        assert timeline.at(seconds).actors[0].hold == "apple"


def test_a_figure_leaves_and_a_new_place_clears_the_stage() -> None:
    """Nobody is left over."""
    timeline = Timeline(script())
    assert len(timeline.at(21).actors) == 1
    stage = timeline.at(26)
    assert stage.place == "kitchen"
    assert [actor.look.figure for actor in stage.actors] == ["ball"]


def test_what_does_not_change_is_one_and_the_same_stage() -> None:
    """So that it is drawn once."""
    timeline = Timeline(script())
    assert timeline.at(16) == timeline.at(18.5)
    assert timeline.at(11) != timeline.at(12)


@pytest.mark.parametrize(
    ("beats", "fault"),
    [
        (BEATS[1:], "begin at 0"),
        ([BEATS[0], BEATS[2], BEATS[1]], "follow each other"),
        ([BEATS[0], BEATS[1] | {"do": {"boy": {"x": 1}}}], "boy not in the cast"),
        ([BEATS[0], BEATS[1] | {"do": {"girl": {"pose": "fly"}}}], "no pose 'fly'"),
        ([BEATS[0], BEATS[1] | {"do": {"girl": {"colour": "red"}}}], "colour"),
        ([BEATS[0], BEATS[1] | {"at": 30}], "before the scene ends"),
    ],
)
def test_a_script_that_does_not_fit_is_refused(beats: list[dict[str, Any]], fault: str) -> None:
    """With the word that is wrong."""
    with pytest.raises(ValidationError, match=fault):
        script(beats=beats)
