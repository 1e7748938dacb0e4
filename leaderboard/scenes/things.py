"""Things that lie about or are held, by name.

Each draws itself one unit high, standing at the origin, in two colours ``a`` and ``b``. What is
held is drawn in the hand, ``IN_HAND`` times the height of the person; its origin lies in the hand.
"""

from __future__ import annotations

from collections.abc import Callable

from leaderboard.scenes import belongings, fixtures
from leaderboard.scenes.pen import Pen

Thing = Callable[[Pen, str, str], None]

THINGS: dict[str, Thing] = {
    "apple": belongings.apple,
    "ball": belongings.ball,
    "balloon": belongings.balloon,
    "bass": fixtures.bass,
    "bench": fixtures.bench,
    "boat": belongings.boat,
    "bowl": fixtures.bowl,
    "box": fixtures.box,
    "bread": fixtures.bread,
    "bucket": fixtures.bucket,
    "candle": belongings.candle,
    "case": belongings.case,
    "chair": fixtures.chair,
    "crate": fixtures.crate,
    "crushed boat": belongings.crushed,
    "cup": belongings.cup,
    "dock": fixtures.dock,
    "drum bucket": fixtures.drum_bucket,
    "full crate": fixtures.full_crate,
    "full pan": fixtures.full_pan,
    "helmet": belongings.helmet,
    "jug": fixtures.jug,
    "keyboard": fixtures.keyboard,
    "kiosk": fixtures.kiosk,
    "knife": belongings.knife,
    "ladder": fixtures.ladder,
    "loaf peel": belongings.peel_loaf,
    "microphone": belongings.microphone,
    "needles": belongings.needles,
    "open case": belongings.open_case,
    "pan": fixtures.pan,
    "pancake": fixtures.pancake,
    "paper": belongings.paper,
    "parasol": fixtures.parasol,
    "peel": belongings.peel,
    "pillar": fixtures.pillar,
    "plate": fixtures.plate,
    "ring": fixtures.ring,
    "rod": belongings.flat_stick,
    "rubble": fixtures.rubble,
    "sack": fixtures.sack,
    "scrap": belongings.scrap,
    "shield": belongings.shield,
    "sock": belongings.sock,
    "spade": belongings.spade,
    "splat": fixtures.splat,
    "square": fixtures.square,
    "stick": belongings.stick,
    "stool": fixtures.stool,
    "suitcase": belongings.held_case,
    "tambourine": belongings.tambourine,
    "torch": belongings.torch,
    "tower": fixtures.tower,
    "trumpet": belongings.trumpet,
    "twig": belongings.twig,
    "umbrella": belongings.umbrella,
    "vase": fixtures.vase,
    "veil": belongings.veil,
    "violin": belongings.violin,
    "wheel": fixtures.wheel,
    "wool": belongings.wool,
}

IN_HAND: dict[str, tuple[float, str, str]] = {
    "boat": (0.12, "#ffffff", "#999999"), "crushed boat": (0.1, "#e8e8e8", "#999999"),
    "umbrella": (0.62, "#1d1d22", "#5a3d2a"), "shield": (0.62, "#1d1d22", "#5a3d2a"),
    "paper": (0.2, belongings.PAPER, "#777777"), "jug": (0.24, "#4f93a8", "#ffffff"),
    "pan": (0.14, "#26282b", "#000000"), "full pan": (0.14, "#26282b", "#000000"),
    "plate": (0.13, "#ffffff", "#ffffff"), "trumpet": (0.24, "#e0b23a", "#b98d22"),
    "balloon": (1.0, "#d8262c", "#ffffff"), "scrap": (0.1, "#d8262c", "#ffffff"),
    "apple": (0.09, "#c9352b", "#ffffff"), "sock": (0.16, "#f2d23a", "#ffffff"),
    "needles": (0.22, "#c8ccd2", "#3a66c4"), "stick": (0.75, belongings.WOOD, belongings.WOOD),
    "rod": (0.24, "#2f7fd0", "#ffffff"), "key": (0.1, "#777f88", "#777f88"),
    "letters": (0.1, belongings.PAPER, "#8899aa"), "banknote": (0.09, "#7fb58a", "#3d6b48"),
    "postcard": (0.09, "#f6e3b0", "#c0504a"), "suitcase": (0.3, "#8a5a2c", "#5d3a1a"),
    "cup": (0.11, "#ffffff", "#7a4a2a"), "veil": (0.4, "#ffffff", "#ffffff"),
    "violin": (0.36, "#a5592a", "#e8d8b8"), "spade": (0.42, "#d23a32", "#ffffff"),
    "saucepan": (0.12, "#8d949c", "#8d949c"), "bucket": (0.2, "#2f7fd0", "#ffffff"),
    "microphone": (0.12, "#555c66", "#222222"), "tambourine": (0.2, "#b5402f", "#e0c04a"),
    "torch": (0.22, "#ffcf4d", "#ffffff"), "bread": (0.14, "#c98a45", "#efd09a"),
    "burnt bread": (0.14, "#2a2320", "#4a3d35"), "knife": (0.2, "#d5dade", "#ffffff"),
    "candle": (0.16, belongings.PAPER, "#ffb52e"), "peel": (0.62, belongings.WOOD, "#c98a45"),
    "loaf peel": (0.62, belongings.WOOD, "#d8a050"),
    "burnt peel": (0.62, belongings.WOOD, "#241c18"),
    "twig": (0.28, "#c9352b", "#ffffff"), "sword": (0.5, "#c8ccd2", "#c8ccd2"),
    "needle": (0.9, "#c8ccd2", "#c8ccd2"), "helmet": (0.2, "#e8e8ee", "#333333"),
    "spoon": (0.22, "#b9bec5", "#b9bec5"), "egg": (0.07, "#f4e3c8", "#ffffff"),
    "spoke": (0.3, "#aab0b8", "#aab0b8"), "wheel": (0.5, "#333333", "#999fa6"),
    "bell": (0.1, "#e0c04a", "#ffffff"), "leash": (0.16, "#7a2f2a", "#7a2f2a"),
}  # fmt: skip
"""How large a thing is in a hand, and its colours there."""

SHAPES = {
    "key": "rod", "letters": "paper", "banknote": "paper", "postcard": "paper",
    "saucepan": "pan", "burnt bread": "bread", "burnt peel": "loaf peel", "sword": "stick",
    "needle": "stick", "spoon": "rod", "egg": "ball", "spoke": "stick", "bell": "ball",
    "leash": "rod",
}  # fmt: skip
"""What is held and looks like something else."""


def held(pen: Pen, name: str, phase: float) -> None:
    """Draw what a hand holds; the pen's origin is the hand."""
    scale, a, b = IN_HAND[name]
    THINGS[SHAPES.get(name, name)](pen.at(0, 0, unit=scale), a, b)
