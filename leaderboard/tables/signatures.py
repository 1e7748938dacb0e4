"""How the numbers of a ranking were made, judge by judge, and whether all alike."""

from __future__ import annotations

from dataclasses import dataclass

from leaderboard.models import Ranking
from leaderboard.tables.labels import judge_title


@dataclass(frozen=True, slots=True)
class JudgeSignatures:
    """The distinct signatures of one judge's runs on a board; more than one calls for a remark."""

    judge: str
    title: str
    signatures: tuple[str, ...]

    @property
    def mixed(self) -> bool:
        """True when runs of different versions or settings stand in one column."""
        return len(self.signatures) > 1


def signatures(ranking: Ranking) -> tuple[JudgeSignatures, ...]:
    """Of each judge of the ranking, in the track's order; none for reported numbers."""
    found: dict[str, set[str]] = {}
    for entry in (ranking.inputs or {}).get("entries", ()):
        for judge, signature in entry.get("signatures", {}).items():
            found.setdefault(judge, set()).add(signature)
    panel = ranking.track.judges
    order = sorted(
        found, key=lambda name: (panel.index(name) if name in panel else len(panel), name)
    )
    return tuple(
        JudgeSignatures(name, judge_title(name), tuple(sorted(found[name]))) for name in order
    )
