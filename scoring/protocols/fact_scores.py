"""The arithmetic of LLMFactsF1: counts of facts in, rates and harmonic means out."""

from __future__ import annotations

from dataclasses import dataclass, fields

from scoring.protocols.semantic import harmonic_mean


@dataclass(frozen=True, slots=True)
class FactsScores:
    """The seven values of one clip, all in [0, 1]; see `scoring.protocols.facts`."""

    ent_ref: float
    cont_ref: float
    ent_pred: float
    cont_pred: float
    ent_f1: float
    cont_f1: float
    llm_facts_f1: float


METRICS = tuple(field.name for field in fields(FactsScores))


def facts_scores(
    ref_to_pred: tuple[int, int, int], pred_to_ref: tuple[int, int, int]
) -> FactsScores:
    """All values from the counts of both directions.

    Args:
        ref_to_pred: (entailed, contradicted, facts): the reference's facts, checked against the
            description.
        pred_to_ref: the same of the description's facts, checked against the reference.

    Raises:
        ValueError: a count is negative, or more facts are judged than there are.
    """
    ent_ref, cont_ref = _rates(*ref_to_pred)
    ent_pred, cont_pred = _rates(*pred_to_ref)
    ent_f1 = harmonic_mean(ent_ref, ent_pred)
    cont_f1 = harmonic_mean(cont_ref, cont_pred)
    return FactsScores(
        ent_ref=ent_ref,
        cont_ref=cont_ref,
        ent_pred=ent_pred,
        cont_pred=cont_pred,
        ent_f1=ent_f1,
        cont_f1=cont_f1,
        llm_facts_f1=harmonic_mean(ent_f1, 1 - cont_f1),
    )


def llm_facts_f1(ref_to_pred: tuple[int, int, int], pred_to_ref: tuple[int, int, int]) -> float:
    """LLMFactsF1 of one clip (FM-V2T), in [0, 1]; higher is better.

    The harmonic mean of ENT_F1 and 1 - CONT_F1, which are harmonic means of the rates of the two
    directions; each direction is a triple (entailed, contradicted, facts).

    >>> round(llm_facts_f1((2, 2, 4), (2, 1, 3)), 3)
    0.585
    """
    return facts_scores(ref_to_pred, pred_to_ref).llm_facts_f1


def _rates(entailed: int, contradicted: int, facts: int) -> tuple[float, float]:
    """Rates of entailed and contradicted facts; both 0 when there are no facts."""
    if min(entailed, contradicted, facts) < 0 or entailed + contradicted > facts:
        raise ValueError(
            f"{entailed} entailed and {contradicted} contradicted of {facts} facts cannot be"
        )
    if not facts:
        return 0.0, 0.0
    return entailed / facts, contradicted / facts
