"""The table of reported numbers: typed in from papers, or from judgements made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from leaderboard.models import ReportedResult, System, Track
from leaderboard.pipeline import bridge, bridge_keypoints, rank_pairs
from leaderboard.pipeline.entries import Entry, judged_elsewhere
from leaderboard.pipeline.rank_rows import Row, Table
from scoring.ranking import rank_means

Numbers = dict[str, dict[str, float]]
"""Judge and metric to a mean."""


@dataclass(slots=True)
class Reported:
    """All that is reported of one system. ``parts``: judge, part, metric to a mean."""

    name: str
    reference: bool = False
    numbers: Numbers = field(default_factory=dict)
    parts: dict[str, Numbers] = field(default_factory=dict)
    judged: Entry | None = None

    def to_json(self, slug: str) -> dict[str, Any]:
        """What a ranking keeps of it."""
        # Copies: the numbers of judgements are added later, when the table is made.
        kept: dict[str, Any] = {"system": slug, "name": self.name, "reported": {**self.numbers}}
        more = {"parts": {**self.parts}, "reference": self.reference}
        kept |= {key: value for key, value in more.items() if value}
        if self.judged is not None:
            kept |= {"submission": self.judged.submission, "runs": self.judged.runs}
            if self.judged.revisions:
                kept["revisions"] = self.judged.revisions
        return kept


def inputs(track: Track) -> tuple[dict[str, Any], dict[str, Reported]]:
    """What the table follows from, as a ranking keeps it and as it is computed with."""
    systems = _typed_in(track)
    for entry in judged_elsewhere(track):
        found = systems.setdefault(entry.slug, Reported(entry.name, entry.reference))
        found.judged = entry
    kept: dict[str, Any] = {
        "judges": track.judges,
        "primary": track.primary_metric,
        "entries": [systems[slug].to_json(slug) for slug in sorted(systems)],
    }
    if any(one.judged for one in systems.values()):
        kept["clips"] = list(bridge.counted_clips(track).values_list("key", flat=True))
    return kept, systems


def table(track: Track, systems: Mapping[str, Reported]) -> Table:
    """Ranked by the panel's judges; numbers of other judges are shown and not ranked by."""
    _take_judged(track, systems)
    placed = {slug: one for slug, one in systems.items() if not one.reference}
    beside = {slug: one for slug, one in systems.items() if one.reference}
    return _table(track, placed).beside(_table(track, beside).rows)


def _typed_in(track: Track) -> dict[str, Reported]:
    rows = ReportedResult.objects.filter(track=track).order_by(
        "system__slug", "judge", "metric", "part"
    )
    cards = System.objects.filter(reported__track=track).distinct()
    systems = {
        slug: Reported(name, reference)
        for slug, name, reference in cards.values_list("slug", "name", "reference")
    }
    for slug, judge, metric, part, mean in rows.values_list(
        "system__slug", "judge", "metric", "part", "mean"
    ):
        numbers = systems[slug].numbers
        if part:
            numbers = systems[slug].parts.setdefault(judge, {})
            numbers.setdefault(part, {})[metric] = mean
        else:
            numbers.setdefault(judge, {})[metric] = mean
    return systems


def _take_judged(track: Track, systems: Mapping[str, Reported]) -> None:
    """Numbers of judgements, where no paper gives that judge's numbers for that system."""
    wanted = {
        run: (one, judge)
        for one in systems.values()
        if one.judged is not None
        for judge, run in one.judged.runs.items()
        if judge not in one.numbers
    }
    if not wanted:
        return
    means = bridge.means_of(track, wanted)
    breakdowns = bridge_keypoints.breakdowns(track, wanted)
    for run, (one, judge) in wanted.items():
        one.numbers[judge] = means[run]
        one.parts[judge] = {
            f"{dimension}:{name}": values
            for dimension, of in breakdowns[run].items()
            for name, values in of.items()
        }


def _table(track: Track, systems: Mapping[str, Reported]) -> Table:
    if track.protocol == Track.Protocol.PAIRS:
        return rank_pairs.reported(track, {slug: _cells(one) for slug, one in systems.items()})
    slugs = sorted(systems)
    rows = [
        (slug, judge, metric, mean)
        for slug in slugs
        for judge, metrics in systems[slug].numbers.items()
        for metric, mean in metrics.items()
    ]
    arrays = bridge.reported_arrays(track, rows, slugs)
    # What stands in a paper has no signature of its own: the numbers themselves stand for it.
    numbers = ["|".join(("reported", *names, repr(mean))) for *names, mean in rows]
    made = rank_means(
        slugs, track.judges, arrays, primary=track.primary_metric, signatures=numbers
    ).to_json()
    found = [row | _more(systems[row["system"]], track.judges) for row in made["rows"]]
    return Table(found, made["signature"], made["agreement"])


def _cells(one: Reported) -> rank_pairs.Cells:
    """Of pair tests: the average under "", and each test."""
    cells: dict[str, dict[str, float]] = {"": {}}
    for metrics in one.numbers.values():
        cells[""] |= metrics
    for parts in one.parts.values():
        for part, metrics in parts.items():
            cells.setdefault(part.removeprefix("test:"), {}).update(metrics)
    return cells


def _more(one: Reported, panel: Sequence[str]) -> Row:
    """Breakdowns by judge and dimension, and what judges outside the panel gave."""
    parts: dict[str, dict[str, Numbers]] = {}
    for judge, of in one.parts.items():
        for part, metrics in of.items():
            dimension, _, name = part.partition(":")
            parts.setdefault(judge, {}).setdefault(dimension, {})[name] = metrics
    others = {judge: metrics for judge, metrics in one.numbers.items() if judge not in panel}
    return {key: value for key, value in {"parts": parts, "other_judges": others}.items() if value}
