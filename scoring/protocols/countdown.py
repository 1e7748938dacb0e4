"""Progress of a run whose questions are counted before they are asked."""

from __future__ import annotations

from scoring.types import Progress


class Countdown:
    """Questions answered out of those expected; equal questions and failures make them fewer."""

    def __init__(self, total: int, progress: Progress | None) -> None:
        self.done = 0
        self.total = total
        self.progress = progress

    def tick(self) -> None:
        """One more is answered."""
        self.done += 1
        if self.progress is not None:
            self.progress(self.done, self.total)

    def finish(self) -> None:
        """None are left."""
        if self.progress is not None and self.done < self.total:
            self.progress(self.total, self.total)
