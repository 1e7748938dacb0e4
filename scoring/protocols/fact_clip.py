"""One clip of the `facts` protocol: what is asked about it, and what the answers come to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, astuple, dataclass
from typing import Any, TypeVar

from scoring.judges.base import JudgeFailed
from scoring.judges.fact_judge import Answer, Facts, Question, Verdicts
from scoring.judges.verdicts import LABELS
from scoring.protocols.fact_scores import FactsScores, facts_scores
from scoring.protocols.reference_choice import Chosen
from scoring.signature import digest
from scoring.text import is_blank
from scoring.text_flags import instruction_like

NO_FACTS = "its reference states no facts"

FactsOf = Mapping[str, Answer[Facts]]
VerdictsOn = Mapping[Question, Answer[Verdicts]]
Evidence = dict[str, Any]
Value = TypeVar("Value", Facts, Verdicts)

_NOTHING = facts_scores((0, 0, 0), (0, 0, 0))
_UNKNOWN = FactsScores(*[math.nan] * len(astuple(_NOTHING)))


@dataclass(frozen=True, slots=True)
class Outcome:
    """Values and evidence of one clip; `failure` says why the values are NaN."""

    scores: FactsScores
    evidence: Mapping[str, Any]
    failure: str = ""


@dataclass(frozen=True, slots=True)
class FactClip:
    """A description beside the references that are read."""

    name: str
    description: str
    chosen: Chosen

    @property
    def blank(self) -> bool:
        """True when no judge is to see the description."""
        return is_blank(self.description)

    @property
    def texts(self) -> tuple[str, ...]:
        """What is taken apart."""
        return (self.description, *self.chosen.texts)

    @property
    def digests(self) -> list[str]:
        """Fingerprints of the texts, by which an earlier outcome is known to be of the same."""
        return [digest(text) for text in self.texts]

    def questions(self, facts: FactsOf) -> list[Question]:
        """Both directions for each reference; none when a text could not be taken apart."""
        try:
            return [q for text in self.chosen.texts for q in self._directions(text, facts)]
        except _StepError:
            return []

    def outcome(self, facts: FactsOf, verdicts: VerdictsOn) -> Outcome:
        """What the answers come to: the reference with the highest LLMFactsF1 counts."""
        about = {
            "texts": self.digests,
            "references_read": list(self.chosen.places),
            "flags": [asdict(flag) for flag in instruction_like(self.description)],
        }
        if self.blank:
            return Outcome(_NOTHING, about | _both_sides((), (), (), ()) | asdict(_NOTHING))
        try:
            outcomes = [
                self._against(place, text, facts, verdicts)
                for place, text in zip(self.chosen.places, self.chosen.texts, strict=True)
            ]
        except _StepError as failed:
            return Outcome(
                _UNKNOWN, about | {"failed": failed.step, "raw": failed.raw}, str(failed)
            )
        best = max(outcomes, key=lambda outcome: outcome.scores.llm_facts_f1)
        return Outcome(best.scores, about | dict(best.evidence))

    def _directions(self, reference: str, facts: FactsOf) -> tuple[Question, Question]:
        """The reference's facts against the description, and the reverse."""
        stated = _value(facts[reference], "taking the reference apart")
        if not stated:
            raise _StepError("taking the reference apart", NO_FACTS, facts[reference].raw)
        claimed = _value(facts[self.description], "taking the description apart")
        return Question(stated, self.description), Question(claimed, reference)

    def _against(self, place: int, reference: str, facts: FactsOf, verdicts: VerdictsOn) -> Outcome:
        recall, precision = self._directions(reference, facts)
        of_reference = _value(verdicts[recall], "checking the reference's facts")
        of_description = _value(verdicts[precision], "checking the description's facts")
        scores = facts_scores(_counts(of_reference), _counts(of_description))
        sides = _both_sides(recall.facts, of_reference, precision.facts, of_description)
        return Outcome(scores, sides | asdict(scores) | {"reference_used": place})


class _StepError(Exception):
    """A step of the clip that the judge failed on."""

    def __init__(self, step: str, reason: str, raw: str) -> None:
        self.step = step
        self.raw = raw
        super().__init__(f"{step}: {reason}")


def _value(answer: Answer[Value], step: str) -> Value:
    if isinstance(answer.value, JudgeFailed):
        raise _StepError(step, str(answer.value), answer.raw)
    return answer.value


def _counts(verdicts: Verdicts) -> tuple[int, int, int]:
    given = Counter(verdict.label for verdict in verdicts)
    return given["entailment"], given["contradiction"], len(verdicts)


def _both_sides(
    stated: Facts, of_reference: Verdicts, claimed: Facts, of_description: Verdicts
) -> Evidence:
    """Both lists of facts with their verdicts, and the counts that the arithmetic starts from."""
    return {
        "reference_facts": _listed(stated, of_reference),
        "description_facts": _listed(claimed, of_description),
        "counts": {
            "ref_to_pred": _tally(of_reference),
            "pred_to_ref": _tally(of_description),
        },
    }


def _listed(facts: Facts, verdicts: Verdicts) -> list[dict[str, str]]:
    return [
        {"fact": fact, "label": verdict.label, "reason": verdict.reason}
        for fact, verdict in zip(facts, verdicts, strict=True)
    ]


def _tally(verdicts: Sequence[Any]) -> dict[str, int]:
    given = Counter(verdict.label for verdict in verdicts)
    return {label: given[label] for label in LABELS} | {"facts": len(verdicts)}
