"""A table as a reader sees it, with what must stand beside its numbers wherever they go."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from leaderboard.exports.stored import permalink, site_address
from leaderboard.models import Ranking
from leaderboard.tables import Board, Family, Matrix


@dataclass(frozen=True)
class Shown:
    """``words`` is what the reader has chosen, ``query`` the same as it stands in the address.

    ``part`` is set for a table that stands below the ranking, as that by duration of the clip.
    """

    board: Board
    words: str = ""
    query: str = ""
    part: Matrix | Family | None = None

    @property
    def ranking(self) -> Ranking:
        """The ranking, stored or computed for the choice."""
        return self.board.ranking

    @property
    def address(self) -> str:
        """The page that shows the same table."""
        page = site_address(self.ranking.track.get_absolute_url())
        return f"{page}?{self.query}" if self.query else page

    @property
    def date(self) -> str:
        """The day on which the ranking was computed."""
        return f"{self.ranking.computed_at:%Y-%m-%d}"

    @property
    def name(self) -> str:
        """A file's name without its suffix: benchmark, release, track and day."""
        track = self.ranking.track
        release = track.release
        part = f"-{self.part.key}" if self.part else ""
        return f"{release.benchmark.slug}-{release.version}-{track.slug}{part}-{self.date}"

    @cached_property
    def notes(self) -> tuple[tuple[str, str], ...]:
        """(key, text) of what every export says of itself; what has no text is left out."""
        track = self.ranking.track
        found = (
            ("benchmark", track.release.benchmark.slug),
            ("release", track.release.version),
            ("track", track.slug),
            ("part", self.part.title if self.part else ""),
            ("provenance", self.ranking.provenance),
            ("computed_at", self.ranking.computed_at.isoformat()),
            ("choice", self.words),
            ("address", self.address),
            ("permalink", permalink(self.ranking)),
        )
        return tuple((key, text) for key, text in found if text)

    @cached_property
    def signatures(self) -> dict[str, dict[str, str]]:
        """System to judge to the signature of the run that its numbers come from."""
        entries = (self.ranking.inputs or {}).get("entries", ())
        return {entry["system"]: entry.get("signatures", {}) for entry in entries}
