"""Places under a roof."""

from __future__ import annotations

from collections.abc import Callable

from leaderboard.scenes.pen import Pen

LEFT, RIGHT, TOP, BOTTOM = -60, 540, -40, 310


def _room(pen: Pen, wall: str, floor: str, line: float) -> None:
    pen.box(LEFT, TOP, RIGHT, line, wall)
    pen.box(LEFT, line, RIGHT, BOTTOM, floor)
    pen.box(LEFT, line - 5, RIGHT, line, "#00000022")


def _clock(pen: Pen, x: float, y: float, radius: float) -> None:
    pen.disc(x, y, radius, "#4a3a2c")
    pen.disc(x, y, radius * 0.86, "#fbf7ea")
    pen.line([(x, y - radius * 0.6), (x, y), (x + radius * 0.45, y + radius * 0.2)], 1.8, "#222222")


def kitchen(pen: Pen) -> None:
    """A small sunlit kitchen: window, tiles, work top, stove, lamp."""
    _room(pen, "#f7e3b0", "#c98f5a", 214)
    pen.box(40, 40, 130, 120, "#bfe3f5")
    pen.disc(108, 62, 14, "#fff0a0")
    pen.line([(85, 40), (85, 120)], 4, "#ffffff")
    pen.line([(40, 40), (130, 40), (130, 120), (40, 120), (40, 40)], 5, "#ffffff")
    pen.poly([(60, 128), (150, 128), (250, 270), (90, 270)], "#fff6c844")
    for row in range(3):
        for n in range(17):
            pen.box(150 + n * 20, 104 + row * 20, 168 + n * 20, 122 + row * 20, "#dfeef0")
    pen.box(120, 164, 500, 174, "#8a6a4a")
    pen.box(124, 174, 340, 222, "#e8ddc8")
    for x in (128, 182, 236, 290):
        pen.box(x, 180, x + 46, 216, "#d4c5aa")
    pen.box(340, 164, 440, 222, "#4d5258")
    pen.box(350, 184, 430, 214, "#2b2f34")
    pen.line([(356, 162), (424, 162)], 4, "#222222")
    pen.line([(300, TOP), (300, 26)], 2, "#555555")
    pen.poly([(276, 42), (324, 42), (310, 24), (290, 24)], "#d8553f")
    pen.oval(300, 43, 14, 5, "#fff6c8")


def living(pen: Pen) -> None:
    """A living room: bookshelf, sofa, armchair, carpet, a door to the corridor."""
    _room(pen, "#d9e2d2", "#b88a5c", 186)
    pen.oval(220, 236, 190, 30, "#a8485a")
    pen.oval(220, 236, 168, 24, "#c4687a")
    pen.box(16, 84, 86, 190, "#7a5230")
    for row in range(3):
        top = 90 + row * 32
        pen.box(20, top, 82, top + 27, "#4a3019")
        for n in range(9):
            colour = ("#b5523f", "#4f7d9a", "#d9a53a", "#5f8a57")[(n + row) % 4]
            pen.box(22 + n * 6.6, top + 4 + (n * 7 + row) % 6, 27 + n * 6.6, top + 27, colour)
    pen.box(120, 136, 236, 192, "#5a7fa5")
    pen.box(112, 150, 130, 200, "#4a6f95")
    pen.box(226, 150, 244, 200, "#4a6f95")
    pen.box(130, 168, 226, 184, "#6a8fb5")
    pen.box(296, 132, 356, 196, "#b58a4a")
    pen.box(288, 160, 302, 204, "#a57a3a")
    pen.box(350, 160, 364, 204, "#a57a3a")
    pen.box(404, 66, 466, 200, "#6b5a4a")
    pen.box(410, 72, 460, 200, "#8f8478")
    pen.poly([(410, 200), (460, 200), (448, 168), (422, 168)], "#b89a78")
    pen.box(150, 56, 206, 100, "#8a6a4a")
    pen.box(155, 61, 201, 95, "#9cc4a8")


def workshop(pen: Pen) -> None:
    """A cluttered workshop: bench, drawers, a clock above the door, an old pram on the wall."""
    _room(pen, "#a8775a", "#7d7268", 206)
    for row in range(14):
        for n in range(16):
            x = LEFT + n * 40 + (row % 2) * 20
            pen.line([(x, TOP + row * 18), (x, TOP + row * 18 + 18)], 0.8, "#8f6248")
        pen.line([(LEFT, TOP + row * 18), (RIGHT, TOP + row * 18)], 0.8, "#8f6248")
    pen.box(20, 84, 76, 210, "#5d4630")
    pen.box(26, 92, 70, 140, "#bcd2da")
    _clock(pen, 48, 60, 16)
    pen.line([(240, TOP), (240, 60)], 2, "#444444")
    pen.arc(240, 66, 7, (270, 90), 3, "#444444")
    pen.box(306, 160, 470, 170, "#8a5a2c")
    for x in (312, 456):
        pen.box(x, 170, x + 10, 224, "#6b4420")
    for n in range(3):
        pen.box(340, 174 + n * 15, 440, 187 + n * 15, "#a5774a")
        pen.disc(390, 180 + n * 15, 2.5, "#e0c878")
    for n in range(6):
        pen.line([(130 + n * 14, 70), (130 + n * 14, 92 + (n % 3) * 8)], 3.5, "#5a6068")
    pen.line([(120, 68), (212, 68)], 3, "#5d4630")
    pen.poly([(384, 60), (450, 60), (436, 92), (398, 92)], "#4a5f80")
    pen.arc(384, 60, 24, (180, 270), 3, "#4a5f80")
    for x in (402, 434):
        pen.arc(x, 100, 15, (0, 360), 2.5, "#333333")
        for turn in (0, 45, 90, 135):
            pen.at(x, 100, turn=turn).line([(-14, 0), (14, 0)], 0.8, "#c8ccd2")


def carriage(pen: Pen) -> None:
    """The inside of a train: window, seats, luggage rack, emergency brake."""
    _room(pen, "#cdbf9f", "#7a6a5a", 216)
    pen.box(110, 50, 330, 150, "#8a7a60")
    pen.box(118, 58, 322, 142, "#bfe0ee")
    pen.box(118, 116, 322, 142, "#a8a29a")
    pen.line([(60, 34), (420, 34)], 4, "#7a6a50")
    for n in range(12):
        pen.line([(66 + n * 32, 34), (66 + n * 32, 20)], 2, "#7a6a50")
    pen.box(0, 110, 30, 226, "#7a3f4a")
    pen.box(0, 176, 80, 200, "#8f4f5a")
    pen.box(430, 110, 490, 226, "#7a3f4a")
    pen.box(384, 176, 440, 200, "#8f4f5a")
    pen.box(352, 66, 384, 96, "#e8e0d0")
    pen.line([(360, 80), (376, 80)], 6, "#d8262c")
    pen.line([(368, 80), (368, 90)], 4, "#d8262c")


def hall(pen: Pen) -> None:
    """A village hall with a small theatre."""
    _room(pen, "#d8c8a8", "#a5794a", 180)
    for x in (10, 84, 376, 440):
        pen.box(x, 40, x + 34, 120, "#a8c8d8")
    pen.box(150, 60, 330, 206, "#8a5a2c")
    pen.poly([(140, 62), (340, 62), (300, 30), (180, 30)], "#a5402f")
    pen.box(166, 76, 314, 146, "#3a2a44")
    pen.box(158, 150, 322, 202, "#b07a3f")


def puppet_stage(pen: Pen) -> None:
    """The little stage seen closely, its curtain open on a castle of cardboard."""
    pen.box(LEFT, TOP, RIGHT, BOTTOM, "#8fb8d8")
    for x, high in ((120, 120), (300, 140), (210, 96)):
        pen.box(x, 240 - high, x + 70, 250, "#c9b48a")
        for n in range(4):
            pen.box(x + n * 19, 228 - high, x + 12 + n * 19, 241 - high, "#c9b48a")
        pen.box(x + 28, 254 - high, x + 42, 280 - high, "#5a4a34")
    pen.box(100, 210, 390, 250, "#b8a276")
    pen.poly([(210, 250), (210, 216), (245, 196), (280, 216), (280, 250)], "#5a4a34")
    for side in (0, 1):
        for n in range(4):
            left = -20 + n * 22 if side == 0 else 414 + n * 22
            pen.box(left, 0, left + 22, 250, "#7a2f8a" if n % 2 else "#8f3fa0")
    pen.box(LEFT, TOP, RIGHT, 26, "#6a2578")
    pen.box(LEFT, 246, RIGHT, BOTTOM, "#8a5a2c")


def behind_stage(pen: Pen) -> None:
    """Behind the theatre: bare boards, ropes, a low board to kneel behind."""
    _room(pen, "#6b5644", "#54402f", 216)
    for x in range(LEFT, RIGHT, 48):
        pen.line([(x, TOP), (x, 216)], 1.5, "#59463a")
    for n in range(4):
        pen.box(LEFT + n * 22, TOP, LEFT + 22 + n * 22, 240, "#7a2f8a" if n % 2 else "#8f3fa0")
        pen.box(452 + n * 22, TOP, 474 + n * 22, 240, "#7a2f8a" if n % 2 else "#8f3fa0")
    pen.line([(60, TOP), (420, 30)], 3, "#c9b48a")


def bakery(pen: Pen) -> None:
    """A bakehouse: oven with a door, wooden table, clock, window, sacks of flour."""
    _room(pen, "#c8a680", "#86695a", 210)
    pen.box(24, 60, 84, 120, "#1d2740")
    pen.line([(54, 60), (54, 120)], 3, "#6b4a2c")
    pen.line([(24, 60), (84, 60), (84, 120), (24, 120), (24, 60)], 4, "#6b4a2c")
    _clock(pen, 150, 62, 18)
    pen.box(350, 40, 490, 222, "#9a5a44")
    for row in range(9):
        pen.line([(350, 44 + row * 20), (490, 44 + row * 20)], 1, "#7d4434")
    pen.poly(
        [(384, 170), (384, 130), (398, 112), (420, 106), (442, 112), (456, 130), (456, 170)],
        "#241714",
    )
    pen.box(378, 168, 462, 176, "#4a4a4a")
    pen.box(150, 178, 310, 190, "#a5743f")
    for x in (158, 290):
        pen.box(x, 190, x + 12, 232, "#86592c")


INDOORS: dict[str, Callable[[Pen], None]] = {
    "kitchen": kitchen,
    "living room": living,
    "workshop": workshop,
    "carriage": carriage,
    "hall": hall,
    "puppet stage": puppet_stage,
    "behind the stage": behind_stage,
    "bakery": bakery,
}
