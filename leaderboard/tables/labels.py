"""What judges and metrics are called where people read them."""

from __future__ import annotations

from collections.abc import Iterable

from leaderboard.pipeline.chat_judges import chat_entries
from scoring.judges import catalogue
from scoring.judges.base import UnknownJudge

METRICS = {
    "hm_cf": "HM-CF",
    "coarse": "Coarse",
    "fine_f1": "Fine F1",
    "fine_precision": "Fine precision",
    "fine_recall": "Fine recall",
}
MEANINGS = {
    "hm_cf": "Harmonic mean of Coarse and Fine F1",
    "coarse": "Cosine of the whole descriptions",
    "fine_f1": "Harmonic mean of Fine precision and Fine recall",
    "fine_precision": "Mean over the system's sentences of the best cosine to a reference sentence",
    "fine_recall": "Mean over reference sentences of the best cosine to a sentence of the system",
}


def in_order(names: Iterable[str]) -> tuple[str, ...]:
    """Each metric once, in the order in which they are shown; those without a title last."""
    known = set(names)
    return tuple(m for m in METRICS if m in known) + tuple(sorted(known - METRICS.keys()))


def metric_title(name: str) -> str:
    """``hm_cf`` -> HM-CF; a metric without a title keeps its name."""
    return METRICS.get(name, name)


def judge_title(name: str) -> str:
    """The catalogue's title of a judge; one that the catalogue does not know keeps its name."""
    try:
        return catalogue.entry(name).title
    except UnknownJudge:
        titles = {entry.name: entry.title for entry in chat_entries()}
        return titles.get(name, name)
