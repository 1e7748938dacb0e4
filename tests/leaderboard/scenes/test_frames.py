"""Frames show what the script says, where it says so."""

from __future__ import annotations

from typing import Any

from PIL import Image, ImageColor

from leaderboard.scenes.frames import RATE, count, frames, picture
from leaderboard.scenes.pen import HEIGHT, WIDTH
from leaderboard.scenes.people import skeleton
from leaderboard.scenes.poses import POSES, angles
from leaderboard.scenes.script import Script
from leaderboard.scenes.stage import Timeline

CAST = {
    "man": {"size": 120, "top": "#ff00ff", "bottom": "#00ffff", "skin": "#102030"},
    "ball": {"figure": "ball", "size": 40, "top": "#ffee00", "bottom": "#ffee00"},
    "rain": {"figure": "rain"},
}
BEATS: list[dict[str, Any]] = [
    {
        "at": 0,
        "tells": "A man stands beside a ball.",
        "place": "park",
        "do": {"man": {"x": 100, "y": 250}, "ball": {"x": 300, "y": 220}},
    },
    {"at": 2, "tells": "The ball rolls.", "move": 2, "do": {"ball": {"x": 400}}},
]


def script(beats: list[dict[str, Any]] = BEATS, duration: float = 6) -> Script:
    """A script in its file's own words."""
    return Script.model_validate({"duration": duration, "cast": CAST, "beats": beats})


def shown(made: Script, seconds: float) -> Image.Image:
    """The frame at that time."""
    return picture(Timeline(made).at(seconds))


def test_figures_are_where_geometry_has_them_in_their_colours() -> None:
    """A ball's middle, and the middles of a standing man's back, thigh and head."""
    frame = shown(script(), 1)
    assert frame.size == (WIDTH, HEIGHT)
    colour = ImageColor.getrgb
    assert frame.getpixel((300, 220 - 20)) == colour("#ffee00")
    body = skeleton(POSES["stand"][0])
    for (u, v), wanted in (
        (body.along(0.5), "#ff00ff"),
        (body.knees(0.7)[0], "#00ffff"),
        ((body.head[0], body.head[1] - 0.02), "#102030"),
    ):
        assert frame.getpixel((round(100 + 120 * u), round(250 - 120 * v))) == colour(wanted)
    assert frame.getpixel((400, 200)) != colour("#ffee00")
    assert shown(script(), 5).getpixel((400, 200)) == colour("#ffee00")


def test_who_faces_the_other_way_is_mirrored() -> None:
    """The hand that points right points left."""
    pose = {"x": 240, "y": 250, "pose": "point"}
    u, v = skeleton(POSES["point"][0]).near[2]
    for face in (1, -1):
        beat = BEATS[0] | {"do": {"man": pose | {"face": face}}}
        frame = shown(script([beat]), 5)
        hand = (round(240 + face * 120 * u), round(250 - 120 * v))
        other = (round(240 - face * 120 * u), round(250 - 120 * v))
        assert frame.getpixel(hand) == (0x10, 0x20, 0x30)
        assert frame.getpixel(other) != (0x10, 0x20, 0x30)


def test_a_view_brings_its_middle_nearer() -> None:
    """Twice as large around the ball: it is in the middle, and reaches twice as far."""
    beat = BEATS[0] | {"view": (300, 200, 2)}
    frame = shown(script([beat]), 1)
    for x in (240 - 35, 240, 240 + 35):
        assert frame.getpixel((x, 135)) == (0xFF, 0xEE, 0)


def test_light_tints_everything_but_what_shines() -> None:
    """Black at half strength halves the ball's colour; a flame stays."""
    cast = CAST | {"fire": {"figure": "glow", "size": 30, "top": "#ffffff"}}
    do = BEATS[0]["do"] | {"fire": {"x": 200, "y": 100}}
    beat = BEATS[0] | {"light": "#00000080", "do": do}
    made = Script.model_validate({"duration": 4, "cast": cast, "beats": [beat]})
    frame = shown(made, 1)
    red, green, blue = frame.getpixel((300, 200))
    assert abs(red - 127) < 3
    assert abs(green - 118) < 3
    assert blue == 0
    assert frame.getpixel((200, 100)) == (255, 255, 255)


def test_frames_change_where_something_happens_and_hold_otherwise() -> None:
    """As many as the duration has; drawn twice, they are the same."""
    made = script()
    all_frames = list(frames(made))
    assert len(all_frames) == count(made) == 6 * RATE
    assert len(set(all_frames[: 2 * RATE])) == 1
    assert len(set(all_frames[2 * RATE : 4 * RATE])) == 2 * RATE
    assert len(set(all_frames[4 * RATE :])) == 1
    assert list(frames(made)) == all_frames


def test_rain_falls_all_the_time() -> None:
    """A second's frames differ, and come again in the next."""
    made = script([BEATS[0] | {"do": {"rain": {"level": 1}}}], 3)
    all_frames = list(frames(made))
    assert len(set(all_frames)) == RATE
    assert all_frames[:RATE] == all_frames[RATE : 2 * RATE]


def test_the_lowest_joint_of_every_pose_is_on_the_ground() -> None:
    """Nobody floats, however a pose is written."""
    for pose, steps in POSES.items():
        for n in range(len(steps)):
            body = skeleton(angles(pose, n / len(steps)))
            lowest = min(v for leg in (body.near_leg, body.far_leg) for _, v in leg)
            assert lowest >= -1e-9, pose
            assert lowest < 0.08, pose
