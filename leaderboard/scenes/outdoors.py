"""Places under the sky. They reach a little beyond the frame, for a view that moves aside."""

from __future__ import annotations

from collections.abc import Callable

from leaderboard.scenes.pen import Pen

LEFT, RIGHT, TOP, BOTTOM = -60, 540, -40, 310


def _sky(pen: Pen, high: str, low: str, horizon: float) -> None:
    bands = 18
    for n in range(bands):
        part = n / (bands - 1)
        mixed = "#" + "".join(
            f"{round(int(high[i : i + 2], 16) * (1 - part) + int(low[i : i + 2], 16) * part):02x}"
            for i in (1, 3, 5)
        )
        top = TOP + (horizon - TOP) * n / bands
        pen.box(LEFT, top, RIGHT, horizon, mixed)


def _tree(pen: Pen, x: float, y: float, high: float, leaf: str, apples: bool = False) -> None:
    pen.poly(
        [
            (x - high * 0.05, y),
            (x + high * 0.05, y),
            (x + high * 0.03, y - high * 0.6),
            (x - high * 0.03, y - high * 0.6),
        ],
        "#6b4a2c",
    )
    for u, v, r in ((0, 0.75, 0.24), (-0.2, 0.62, 0.19), (0.2, 0.62, 0.19), (0, 0.55, 0.2)):
        pen.disc(x + u * high, y - v * high, r * high, leaf)
    if apples:
        for u, v in (
            (-0.2, 0.6),
            (-0.05, 0.8),
            (0.1, 0.62),
            (0.22, 0.66),
            (-0.1, 0.5),
            (0.08, 0.9),
        ):
            pen.disc(x + u * high, y - v * high, 0.03 * high, "#c9352b")


def _house(pen: Pen, x: float, wide: float, high: float, ground: float, wall: str) -> None:
    pen.box(x, ground - high, x + wide, ground, wall)
    pen.poly(
        [(x - 4, ground - high), (x + wide + 4, ground - high), (x + wide / 2, ground - high - 24)],
        "#7d4a3c",
    )
    for row in range(int(high // 40)):
        for n in range(int(wide // 30)):
            left, top = x + 10 + n * 30, ground - high + 12 + row * 38
            pen.box(left, top, left + 14, top + 20, "#3e4a58")


def street(pen: Pen) -> None:
    """A rainy street: houses, a stop, the kerb and a brown puddle."""
    _sky(pen, "#7d8894", "#b4bcc4", 150)
    for n, wall in enumerate(("#a58f80", "#8f9aa0", "#b09a7a", "#98868a", "#a3a08c", "#8c9690")):
        _house(pen, LEFT + n * 100, 92, 80 + 20 * (n % 3), 150, wall)
    pen.box(LEFT, 150, RIGHT, 162, "#aaa59c")
    pen.box(LEFT, 162, RIGHT, 214, "#55585e")
    for x in range(LEFT, RIGHT, 70):
        pen.box(x, 180, x + 34, 183, "#d8d4c4")
    pen.oval(255, 203, 118, 11, "#7a5d3e")
    pen.oval(248, 201, 88, 7, "#8d6e4c")
    pen.box(LEFT, 214, RIGHT, 221, "#d6d1c8")
    pen.box(LEFT, 221, RIGHT, BOTTOM, "#aaa59c")
    for x in range(LEFT, RIGHT, 40):
        pen.line([(x, 221), (x - 24, 270)], 1, "#948f86")
    pen.line([(96, 240), (96, 112)], 4, "#444a50")
    pen.box(78, 98, 114, 128, "#2f6fb0")
    pen.box(84, 106, 108, 120, "#ffffff")
    pen.line([(14, 240), (14, 130)], 4, "#6b7278")
    pen.poly([(0, 130), (76, 130), (76, 120), (0, 120)], "#6b7278")
    pen.box(14, 130, 72, 220, "#cfe0ea66")


def pitch(pen: Pen) -> None:
    """A village pitch in the evening, the goal to the right."""
    _sky(pen, "#6b7fb0", "#f4b56a", 130)
    pen.disc(90, 112, 24, "#ffe08a")
    pen.poly([(LEFT, 130), (60, 104), (180, 128), (320, 98), (RIGHT, 130)], "#5c7a54")
    pen.box(LEFT, 130, RIGHT, BOTTOM, "#6d9a4a")
    for x, y, r in ((150, 232, 60), (330, 214, 50), (420, 240, 46), (60, 200, 40)):
        pen.oval(x, y, r, r * 0.18, "#7a5b38")
    pen.line([(380, 130), (300, 262)], 3, "#f0f0e8")
    pen.disc(185, 226, 4, "#f4f4ee")
    for n in range(9):
        pen.line([(368 + n * 11, 96), (368 + n * 11, 196)], 0.8, "#ffffffaa")
    for n in range(8):
        pen.line([(368, 102 + n * 12), (462, 102 + n * 12)], 0.8, "#ffffffaa")
    pen.line([(345, 224), (345, 92), (466, 92), (466, 200)], 5, "#ffffff")
    pen.line([(466, 200), (345, 224)], 2, "#f0f0e8")
    pen.oval(362, 222, 26, 6, "#6a4c2c")


def park(pen: Pen) -> None:
    """A park with an old oak and a path."""
    _sky(pen, "#8cc4ee", "#d8eefa", 150)
    for x in (20, 110, 470):
        _tree(pen, x, 158, 70, "#7fb069")
    pen.box(LEFT, 150, RIGHT, BOTTOM, "#86bb5c")
    pen.poly([(LEFT, 236), (RIGHT, 222), (RIGHT, 258), (LEFT, 268)], "#d8c49a")
    pen.poly([(318, 226), (372, 226), (362, 120), (330, 120)], "#6b4a2c")
    pen.line([(344, 130), (292, 88)], 12, "#6b4a2c")
    pen.line([(346, 126), (398, 84)], 12, "#6b4a2c")
    for x, y, r in (
        (345, 40, 56),
        (290, 56, 44),
        (402, 54, 46),
        (330, 10, 46),
        (380, 12, 44),
        (262, 78, 24),
        (428, 78, 26),
    ):
        pen.disc(x, y, r, "#4f8a3f")
    for x, y in ((300, 40), (360, 30), (410, 60), (330, 70)):
        pen.disc(x, y, 16, "#5d9a4a")


def canal(pen: Pen) -> None:
    """A gravel path with a step beside a canal at dawn."""
    _sky(pen, "#8fa6cc", "#f6cfa8", 110)
    pen.disc(400, 100, 20, "#ffe6b0")
    pen.poly(
        [(LEFT, 112), (100, 96), (260, 110), (RIGHT, 92), (RIGHT, 130), (LEFT, 130)], "#6c8a6a"
    )
    pen.box(LEFT, 122, RIGHT, 150, "#7d9c60")
    pen.poly([(LEFT, 140), (150, 140), (150, 212), (LEFT, 212)], "#cdbb98")
    pen.poly([(150, 158), (RIGHT, 158), (RIGHT, 212), (150, 212)], "#d8c8a6")
    pen.box(146, 140, 156, 212, "#8f8a80")
    for n in range(60):
        x, y = (n * 97) % 600 - 60, 162 + (n * 31) % 48
        pen.disc(x, y, 1.3, "#b3a27e")
    pen.box(LEFT, 212, RIGHT, 220, "#8f8a80")
    pen.box(LEFT, 220, RIGHT, BOTTOM, "#5f8fae")
    for n in range(9):
        pen.line(
            [(n * 62 - 40, 232 + (n % 3) * 12), (n * 62 - 8, 232 + (n % 3) * 12)], 2, "#8db6cc"
        )
    for n in range(11):
        x = n * 6 - 14
        pen.line([(x, 214), (x + (n % 3 - 1) * 4, 132 - (n % 4) * 8)], 3, "#5f7d3c")
        pen.line(
            [(x + (n % 3 - 1) * 4, 142 - (n % 4) * 8), (x + (n % 3 - 1) * 4, 128 - (n % 4) * 8)],
            5,
            "#6b4a2c",
        )


def _station(pen: Pen) -> None:
    pen.box(LEFT, TOP, RIGHT, 190, "#c8d2da")
    pen.box(LEFT, 60, RIGHT, 190, "#b2b8bd")
    for x in range(LEFT, RIGHT, 80):
        pen.box(x, 70, x + 60, 130, "#d7e4ec")
    pen.box(LEFT, TOP, RIGHT, 34, "#6d5a4a")
    pen.box(LEFT, 34, RIGHT, 42, "#8a7360")
    pen.box(LEFT, 186, RIGHT, 196, "#3b3d42")


def platform(pen: Pen) -> None:
    """A station platform with a roof and a loudspeaker; pillar and kiosk stand before the train."""
    _station(pen)
    pen.box(LEFT, 196, RIGHT, 204, "#f0d24a")
    pen.box(LEFT, 204, RIGHT, BOTTOM, "#a8a29a")
    pen.poly([(400, 50), (420, 44), (420, 66), (400, 60)], "#444a50")


def track(pen: Pen) -> None:
    """A grass track with chalk lanes."""
    _sky(pen, "#8cc4ee", "#dcf0fa", 110)
    for x in range(-40, 540, 62):
        _tree(pen, x, 116, 54, "#5f9b4a")
    pen.box(LEFT, 110, RIGHT, BOTTOM, "#7fb556")
    for y in (150, 178, 206, 234, 262):
        pen.line([(LEFT, y), (RIGHT, y)], 2.5, "#f6f6f0")


def beach(pen: Pen) -> None:
    """A wide beach; the sea is a figure of its own."""
    _sky(pen, "#7fc0ee", "#dff2fb", 112)
    pen.disc(420, 40, 22, "#fff0a8")
    pen.box(LEFT, 112, RIGHT, BOTTOM, "#ecd49a")
    for n in range(50):
        pen.disc((n * 89) % 600 - 60, 150 + (n * 37) % 150, 1.2, "#d0b679")


def roof(pen: Pen) -> None:
    """A flat roof at sunset, houses with windows across the courtyard, a stairwell."""
    _sky(pen, "#5a5a9a", "#f79a5c", 150)
    pen.disc(250, 120, 22, "#ffd27a")
    for n, (wide, high) in enumerate(((90, 96), (70, 64), (64, 84), (80, 58), (96, 104))):
        x = LEFT + 60 + sum((90, 70, 64, 80, 96)[:n]) + n * 20
        pen.box(x, 172 - high, x + wide, 176, ("#7a5a5a", "#6a5668", "#84635a")[n % 3])
        for row in range(int(high // 32)):
            for at in range(int(wide // 28)):
                left, top = x + 8 + at * 28, 172 - high + 10 + row * 30
                pen.box(left, top, left + 14, top + 18, "#3a3246")
    for n in range(8):
        pen.line([(112 + n * 9, 138), (112 + n * 9, 150)], 1, "#2a2a2a")
    pen.line([(108, 138), (180, 138)], 2, "#2a2a2a")
    pen.box(LEFT, 172, RIGHT, 182, "#8f8078")
    pen.box(LEFT, 182, RIGHT, BOTTOM, "#a39488")
    for x in (118, 366):
        pen.box(x, 132, x + 24, 190, "#94503f")
        pen.box(x - 3, 126, x + 27, 134, "#7a3f32")
    pen.line([(142, 140), (366, 140)], 1.2, "#444444")
    for n, colour in enumerate(("#ffffff", "#9fc4e0", "#e0c49f", "#e3a0a0")):
        pen.box(166 + n * 46, 140, 188 + n * 46, 166, colour)
    pen.box(412, 96, 480, 220, "#b39c86")
    pen.box(424, 122, 462, 220, "#4a3d36")


def orchard(pen: Pen) -> None:
    """An orchard on a hillside in autumn mist."""
    _sky(pen, "#b9c6cf", "#efe3cf", 130)
    pen.poly(
        [(LEFT, 140), (120, 96), (300, 130), (RIGHT, 88), (RIGHT, 200), (LEFT, 200)], "#a8b48a"
    )
    for n in range(7):
        _tree(pen, n * 80 - 30, 158 - (n % 2) * 10, 56, "#b39a4a", apples=True)
    pen.poly([(LEFT, 176), (RIGHT, 150), (RIGHT, BOTTOM), (LEFT, BOTTOM)], "#90a85c")
    pen.box(LEFT, 120, RIGHT, 176, "#ffffff44")
    _tree(pen, 372, 226, 190, "#8a9a3e", apples=True)
    for x in (6, 60):
        pen.line([(x, 222), (x, 182)], 7, "#7a5a3c")
    pen.line([(0, 196), (70, 194)], 4, "#7a5a3c")


def shopfront(pen: Pen) -> None:
    """A narrow baker's shop from outside."""
    pen.box(LEFT, TOP, RIGHT, 226, "#8d7f76")
    pen.box(150, TOP, 330, 226, "#a5663f")
    pen.box(150, 66, 330, 90, "#5a2f22")
    for n in range(5):
        pen.oval(196 + n * 22, 78, 8, 5, "#e8b45c")
    pen.box(166, 110, 246, 190, "#f6d999")
    for n in range(4):
        pen.oval(180 + n * 18, 182, 9, 5, "#b9783a")
    pen.box(262, 106, 312, 226, "#4a2d20")
    pen.box(272, 116, 302, 156, "#f6d999")
    pen.disc(270, 176, 3, "#e8c86a")
    for x in (20, 84, 366, 430):
        pen.box(x, 60, x + 34, 116, "#3c424c")
    pen.box(LEFT, 226, RIGHT, BOTTOM, "#6b6762")


OUTDOORS: dict[str, Callable[[Pen], None]] = {
    "street": street,
    "pitch": pitch,
    "park": park,
    "canal": canal,
    "platform": platform,
    "track": track,
    "beach": beach,
    "roof": roof,
    "orchard": orchard,
    "shopfront": shopfront,
}
