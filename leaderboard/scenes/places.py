"""Where scenes play: each place draws itself over the frame, x to the right and y down."""

from __future__ import annotations

from collections.abc import Callable

from leaderboard.scenes.indoors import INDOORS
from leaderboard.scenes.outdoors import OUTDOORS
from leaderboard.scenes.pen import Pen

PLACES: dict[str, Callable[[Pen], None]] = {**OUTDOORS, **INDOORS}
