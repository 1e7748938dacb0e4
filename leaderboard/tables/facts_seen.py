"""What the ``facts`` protocol saw on a clip: both lists of facts, and the way to LLMFactsF1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LABELS = {"entailment": "entailed", "contradiction": "contradicted", "neutral": "neutral"}
TONES = {"entailment": "good", "contradiction": "bad", "neutral": "plain"}


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact of one text, and what the judge found of it in the other. ``tone`` is a CSS class."""

    text: str
    label: str
    tone: str
    reason: str


@dataclass(frozen=True, slots=True)
class Side:
    """The facts of one text, with their numbers by label: ("entailed", "good", 3)."""

    facts: tuple[Fact, ...]
    counts: tuple[tuple[str, str, int], ...]


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the arithmetic: what is computed, from what, and what it gives."""

    title: str
    formula: str
    value: float


@dataclass(frozen=True, slots=True)
class FactsSeen:
    """All of a clip, or why there is nothing: ``failure`` names the step and the reason.

    ``reference_used`` counts from 1 and is given where the best of several references counts.
    """

    baseline: bool
    reference: Side | None = None
    description: Side | None = None
    steps: tuple[Step, ...] = ()
    references_read: int = 1
    reference_used: int | None = None
    failure: str = ""
    raw: str = ""


def facts_seen(data: Mapping[str, Any] | None, failure: str = "") -> FactsSeen | None:
    """Evidence to a view; None where no judge saw the description (it is blank).

    ``failure`` is the run's own word on the clip, if the judge failed on it.
    """
    if not data:
        return None
    baseline = bool(data.get("baseline"))
    if "failed" in data:
        return FactsSeen(baseline, failure=failure or data["failed"], raw=data.get("raw", ""))
    if not data.get("reference_facts") and not data.get("description_facts"):
        return None
    read, used = data.get("references_read", ()), data.get("reference_used")
    return FactsSeen(
        baseline=baseline,
        reference=_side(data["reference_facts"], data["counts"]["ref_to_pred"]),
        description=_side(data["description_facts"], data["counts"]["pred_to_ref"]),
        steps=_steps(data),
        references_read=len(read),
        reference_used=list(read).index(used) + 1 if len(read) > 1 and used in read else None,
    )


def _side(facts: Sequence[Mapping[str, str]], counts: Mapping[str, int]) -> Side:
    return Side(
        facts=tuple(
            Fact(one["fact"], LABELS[one["label"]], TONES[one["label"]], one["reason"])
            for one in facts
        ),
        counts=tuple((word, TONES[label], counts[label]) for label, word in LABELS.items()),
    )


def _steps(data: Mapping[str, Any]) -> tuple[Step, ...]:
    """From the counts to the score, every value as the run has stored it."""
    to_description, to_reference = data["counts"]["ref_to_pred"], data["counts"]["pred_to_ref"]
    ent_f1, cont_f1 = data["ent_f1"], data["cont_f1"]
    uncontradicted = f"(1 − {cont_f1:.4f})"
    return (
        Step("ENT, reference", _rate(to_description, "entailment"), data["ent_ref"]),
        Step("ENT, description", _rate(to_reference, "entailment"), data["ent_pred"]),
        Step("ENT F1", _harmonic(data["ent_ref"], data["ent_pred"]), ent_f1),
        Step("CONT, reference", _rate(to_description, "contradiction"), data["cont_ref"]),
        Step("CONT, description", _rate(to_reference, "contradiction"), data["cont_pred"]),
        Step("CONT F1", _harmonic(data["cont_ref"], data["cont_pred"]), cont_f1),
        Step("LLMFactsF1", _harmonic(ent_f1, 1 - cont_f1, uncontradicted), data["llm_facts_f1"]),
    )


def _rate(counts: Mapping[str, int], label: str) -> str:
    facts = counts["facts"]
    return f"{counts[label]} / {facts}" if facts else "no facts"


def _harmonic(first: float, second: float, second_words: str = "") -> str:
    """The harmonic mean written out, as it is defined: 0 unless both are above 0."""
    if first <= 0 or second <= 0:
        return "0 unless both are above 0"
    a, b = f"{first:.4f}", second_words or f"{second:.4f}"
    return f"2 × {a} × {b} / ({a} + {b})"
