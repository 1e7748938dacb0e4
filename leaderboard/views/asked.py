"""What the address of a track's page asks for: the same for the page, its parts and its exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest

from leaderboard import access, exports, tables
from leaderboard.models import Ranking, Track


@dataclass(frozen=True)
class Asked:
    """A track's newest rankings, verified first; the one asked for, and how it is to be shown."""

    track: Track
    rankings: dict[str, Ranking]
    ranking: Ranking | None
    choice: tables.Choice
    systems: tables.SystemChoice
    layout: tables.Layout
    query: str
    categories: tuple[str, ...] | None = None
    embargo: bool = False
    references: bool = True

    @classmethod
    def of(cls, request: HttpRequest, track: Track, *, whole: bool = True) -> Asked:
        """Parse the address; what makes no sense in it leaves nothing out.

        Without ``whole`` the ranking's rows and inputs are read only when somebody asks for them.
        """
        embargo = not access.shows_scores(request.user, track.release)
        rankings = {} if embargo else tables.latest_rankings(track)
        wanted = request.GET.get("provenance", "")
        ranking = rankings.get(wanted) or next(iter(rankings.values()), None)
        choice, systems, categories = tables.Choice(), tables.SystemChoice(), None
        if tables.can_choose(track):
            if "category" in request.GET:
                categories = tuple(tables.categories_of(track.release))
            choice = tables.Choice.parse(request.GET, track.judges, categories or ())
            systems = tables.SystemChoice.parse(request.GET)
        if ranking is not None:
            if whole:
                tables.load(ranking)
            choice = tables.choose_systems(choice, ranking, systems)
        references = access.shows_references(request.user, track.release)
        return cls(
            track=track,
            rankings=rankings,
            ranking=ranking,
            choice=choice,
            systems=systems,
            layout=tables.Layout.parse(request.GET),
            query=request.GET.urlencode(),
            categories=categories,
            embargo=embargo,
            references=references,
        )

    @property
    def words(self) -> str:
        """What has been chosen, for a reader; empty for the whole table."""
        judges = " and ".join(map(tables.judge_title, self.choice.judges))
        systems = self.systems.words if self.choice.systems is not None else ""
        parts = (
            f"judges: {judges}" if judges else "",
            f"clips: {self.choice.words}" if self.choice.words else "",
            f"systems: {systems}; ranks computed again among these" if systems else "",
        )
        return "; ".join(filter(None, parts))

    def shown(self, ranking: Ranking, part: str = "") -> exports.Shown | None:
        """``ranking`` as the address wants it, all its rows at once, for an export.

        ``part`` names a table below it instead; None where there is none of that name.
        """
        layout = tables.Layout(self.layout.metrics, self.layout.columns, self.layout.sort)
        chosen = tables.chosen_ranking(ranking, self.choice)
        board = tables.board(chosen, layout)
        found = exports.part_of(chosen, board.metric, part) if part else None
        if part and found is None:
            return None
        return exports.Shown(board, self.words, self.query, found)

    def table(self, own: Mapping[str, str]) -> dict[str, Any]:
        """The table and what stands around it; ``own`` are the reader's own submissions."""
        assert self.ranking is not None  # noqa: S101 - asked for only where there is one
        chosen = tables.chosen_ranking(self.ranking, self.choice)
        tables.load(self.ranking)
        board = tables.board(chosen, self.layout, own=own)
        return self.choices() | {
            "board": board,
            "behind": chosen.computed_at != self.ranking.computed_at,
            "sort": board.sort,
            "agreement": tables.agreement(chosen),
            "breakdown": tables.breakdown(chosen, board.metric),
            "families": tables.families(chosen, board.metric),
            "ablations": tables.ablations(chosen),
            "spreads": tables.spreads(chosen, board.metric),
            "hardest": tables.hardest(chosen, board.metric) if self.references else (),
        }

    def summary(self, system: str) -> tables.Summary | None:
        """One row of the table; None where there is no such row."""
        if self.ranking is None:
            return None
        return tables.summary(tables.chosen_ranking(self.ranking, self.choice), system)

    def context(self) -> dict[str, Any]:
        """What every page of the track shows around its table."""
        track, shown = self.track, self.ranking
        return {
            "track": track,
            "release": track.release,
            "benchmark": track.release.benchmark,
            "embargo": self.embargo,
            "rankings": self.rankings.values(),
            "provenance": shown.provenance if shown else "",
            "can_choose": tables.can_choose(track),
            "choice": self.choice,
            "systems": self.systems,
            "formats": exports.FORMATS.values(),
            "site_url": settings.SITE_URL.rstrip("/"),
        }

    def choices(self, *, filters: bool = True) -> dict[str, Any]:
        """What the form of choices offers; ``filters`` of systems only where they are wanted."""
        track, chosen = self.track, tables.can_choose(self.track)
        rows = self.ranking.rows if self.ranking and chosen and filters else ()
        return {
            "judges": [(judge, tables.judge_title(judge)) for judge in track.judges],
            "categories": self._categories() if chosen else (),
            "has_durations": chosen and tables.has_durations(track.release),
            "intervals": tables.INTERVALS.items(),
            "weights": tables.WEIGHTS.items(),
            "filters": tables.values_of(rows) if rows else None,
            "of_systems": len(rows),
        }

    def _categories(self) -> Sequence[str]:
        known = self.categories
        return tables.categories_of(self.track.release) if known is None else known
