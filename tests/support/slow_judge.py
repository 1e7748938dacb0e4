"""The catalogue's own judge, taking its time: the numbers are the same, and there is a middle to be
disturbed in. A real worker imports it (``celery worker --include``, ``CELERY_IMPORTS``).

``JUDGE_STEPS`` in the environment says how many twentieths of a second it takes; of a text with the
word poison its process dies.
"""

from __future__ import annotations

import os
import select
import signal
from typing import Any

from leaderboard.pipeline import claim, score

STEPS = int(os.environ.get("JUDGE_STEPS", "0"))
ready_judge = score.ready_judge


class Slow:
    """A judge around a judge."""

    def __init__(self, judge: Any) -> None:
        self.judge = judge
        self.entry = judge.entry
        self.signature = judge.signature

    def fit(self, texts: Any) -> Slow:
        """As slow when fitted."""
        return Slow(self.judge.fit(texts))

    def encode(self, texts: Any, progress: Any = None, **more: Any) -> Any:
        """The judge's own vectors, after a while."""
        if any("poison" in text for text in texts):
            os.kill(os.getpid(), signal.SIGKILL)
        for done in range(1, STEPS + 1):
            progress(done, STEPS)
            select.select([], [], [], 0.05)  # time.sleep fails where a faked clock jumps
        return self.judge.encode(texts, progress, **more)


claim.SECONDS_BETWEEN_WRITES = 0.1
score.ready_judge = lambda name: Slow(ready_judge(name))
