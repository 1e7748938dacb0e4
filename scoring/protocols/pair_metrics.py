"""Metrics of pair tests: scores or answers about two captions of a video become accuracies.

Definitions follow VELOCITI (Saravanan et al., CVPR 2025) and its released code; values are in
[0, 1] and never rounded. Every comparison is strict, so a scorer that cannot tell the two captions
apart is wrong, not lucky. `..._correct` gives 1.0 or 0.0 per pair, the accuracies their means.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.types import FloatArray, ScoringError

BoolArray = NDArray[np.bool_]
Words = NDArray[np.str_]

THRESHOLD = 0.5
"""A score above it says that the video entails the caption, a score below that it does not."""
IVAT_METRICS = (
    "t2v_independent",
    "t2v_matching",
    "v2t_independent",
    "v2t_matching",
    "group",
)
CHANCE: Mapping[str, float] = {
    "classic": 1 / 2,
    "strict": 1 / 4,
    "mcq": 1 / 4,
    "t2v_independent": 1 / 2,
    "t2v_matching": 1 / 4,
    "v2t_independent": 1 / 2,
    "v2t_matching": 1 / 4,
    "group": 1 / 6,
}
"""What independent random scores or answers reach. `group` is 1/6, not 1/16: of the 24 orders of
four different scores, 4 put both scores of the diagonal above both of the others."""


@dataclass(frozen=True, slots=True)
class StrictAnalysis:
    """Where strict accuracy is lost: `accepted` positives, then negatives rejected after that."""

    rejected_given_accepted: float
    accepted: float
    count: int
    """How many positives were accepted."""


@dataclass(frozen=True, slots=True)
class McqAnalysis:
    """Accuracy over the pairs answered in both orders; `answered` of `total` pairs were."""

    first: float
    second: float
    both: float
    answered: int
    total: int


def classic_correct(pos: ArrayLike, neg: ArrayLike) -> FloatArray:
    """1.0 where the positive caption scores strictly higher than the negative one, else 0.0."""
    positive, negative = _scores(pos, neg)
    return (positive > negative).astype(np.float64)


def classic_accuracy(pos: ArrayLike, neg: ArrayLike) -> float:
    """Share of pairs whose positive caption scores strictly higher; a tie is wrong.

    Args:
        pos: scores of the positive captions, shape (n,), any unit; neg: of the negative ones.

    Raises:
        ScoringError: no pairs, lengths that differ, or a score that is not a finite number.
    """
    return float(classic_correct(pos, neg).mean())


def strict_correct(pos: ArrayLike, neg: ArrayLike) -> FloatArray:
    """1.0 where the positive is above 0.5 and the negative below it, else 0.0."""
    positive, negative = _scores(pos, neg)
    return ((positive > THRESHOLD) & (negative < THRESHOLD)).astype(np.float64)


def strict_accuracy(pos: ArrayLike, neg: ArrayLike) -> float:
    """Share of pairs with positive > 0.5 and negative < 0.5: exactly 0.5 is wrong on either side.

    Scores are probabilities of entailment; errors as in `classic_accuracy`.
    """
    return float(strict_correct(pos, neg).mean())


def strict_analysis(pos: ArrayLike, neg: ArrayLike) -> StrictAnalysis:
    """Share of positives accepted (> 0.5), and of those, share whose negative is below 0.5.

    Without an accepted positive the second share is 0.
    """
    positive, negative = _scores(pos, neg)
    accepted = positive > THRESHOLD
    both = accepted & (negative < THRESHOLD)
    return _analysis(both, accepted, len(positive))


def mcq_answered(first: Sequence[str], second: Sequence[str]) -> BoolArray:
    """Where both answers name an option: their first word is exactly `A` or `B`."""
    a, b = _options(first, second)
    return np.asarray((a != "") & (b != ""), np.bool_)


def mcq_correct(first: Sequence[str], second: Sequence[str]) -> FloatArray:
    """1.0 where the positive caption is chosen in both orders, else 0.0 (also when unanswered)."""
    a, b = _options(first, second)
    return np.asarray((a == "A") & (b == "B"), np.float64)


def mcq_accuracy(first: Sequence[str], second: Sequence[str]) -> float:
    """Share of pairs answered right in both orders, of those answered in both.

    Args:
        first: answers with the positive caption as option A, shape (n,); an answer counts by its
            first word, which must be exactly `A` or `B`.
        second: answers with the positive caption as option B.

    Pairs with an unreadable answer are left out, as the benchmark's code does; `mcq_analysis` says
    how many there are. With none answered the accuracy is 0.

    Raises:
        ScoringError: no pairs, or lengths that differ.
    """
    return mcq_analysis(first, second).both


def mcq_analysis(first: Sequence[str], second: Sequence[str]) -> McqAnalysis:
    """The parts of `mcq_accuracy`: right with the positive first, second, and both ways."""
    a, b = _options(first, second)
    answered = (a != "") & (b != "")
    count = int(answered.sum())
    right_first, right_second = (a == "A") & answered, (b == "B") & answered
    shares = [
        _share(right, count) for right in (right_first, right_second, right_first & right_second)
    ]
    return McqAnalysis(shares[0], shares[1], shares[2], answered=count, total=len(a))


def yes_no_answered(pos: Sequence[str], neg: Sequence[str]) -> BoolArray:
    """Where both answers are `Yes` or `No` (case and outer spaces do not matter)."""
    positive, negative = _verdicts(pos, neg)
    return np.asarray((positive != "") & (negative != ""), np.bool_)


def yes_no_correct(pos: Sequence[str], neg: Sequence[str]) -> FloatArray:
    """1.0 where the positive caption gets Yes and the negative No, else 0.0."""
    positive, negative = _verdicts(pos, neg)
    return np.asarray((positive == "yes") & (negative == "no"), np.float64)


def yes_no_accuracy(pos: Sequence[str], neg: Sequence[str]) -> float:
    """Strict accuracy of models that only say Yes or No, over the pairs answered both times."""
    answered = yes_no_answered(pos, neg)
    return _share(yes_no_correct(pos, neg) > 0, int(answered.sum()))


def yes_no_analysis(pos: Sequence[str], neg: Sequence[str]) -> StrictAnalysis:
    """`strict_analysis` of Yes and No, over the pairs answered both times."""
    positive, negative = _verdicts(pos, neg)
    answered = (positive != "") & (negative != "")
    accepted = answered & (positive == "yes")
    return _analysis(accepted & (negative == "no"), accepted, int(answered.sum()))


def ivat_correct(scores: ArrayLike) -> dict[str, FloatArray]:
    """The five IVAT metrics per sample, each (n,), from scores (n, 2, 2): video by caption.

    `t2v` asks for each caption which video it belongs to, `v2t` the reverse; `independent` is the
    mean of the two questions, `matching` wants both right, `group` both directions.
    """
    values = _matrices(scores)
    t2v = np.stack([values[:, 0, 0] > values[:, 1, 0], values[:, 1, 1] > values[:, 0, 1]], axis=1)
    v2t = np.stack([values[:, 0, 0] > values[:, 0, 1], values[:, 1, 1] > values[:, 1, 0]], axis=1)
    found = (
        t2v.mean(axis=1),
        t2v.all(axis=1),
        v2t.mean(axis=1),
        v2t.all(axis=1),
        t2v.all(axis=1) & v2t.all(axis=1),
    )
    return {
        name: np.asarray(value, np.float64) for name, value in zip(IVAT_METRICS, found, strict=True)
    }


def ivat_accuracy(scores: ArrayLike) -> dict[str, float]:
    """Mean of each IVAT metric over samples; `scores` is (n, 2, 2), the diagonal belongs together.

    Raises:
        ScoringError: no samples, another shape, or a score that is not a finite number.
    """
    return {name: float(values.mean()) for name, values in ivat_correct(scores).items()}


def _analysis(both: BoolArray, accepted: BoolArray, total: int) -> StrictAnalysis:
    count = int(accepted.sum())
    return StrictAnalysis(_share(both, count), _share(accepted, total), count)


def _share(right: BoolArray, total: int) -> float:
    return float(right.sum() / total) if total else 0.0


def _scores(pos: ArrayLike, neg: ArrayLike) -> tuple[FloatArray, FloatArray]:
    positive, negative = _numbers(pos, "pos"), _numbers(neg, "neg")
    _check_lengths(positive, negative)
    return positive, negative


def _numbers(values: ArrayLike, name: str) -> FloatArray:
    try:
        array = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise ScoringError(f"{name} holds something that is not a number") from None
    bad = np.argwhere(~np.isfinite(array))
    if len(bad):
        place, value = int(bad[0][0]) + 1, array[tuple(bad[0])]
        raise ScoringError(f"{name}: score {place} is {value}; every score must be a finite number")
    return array


def _check_lengths(one: NDArray[np.generic], other: NDArray[np.generic]) -> None:
    if one.ndim != 1 or other.ndim != 1:
        message = f"pairs are two flat lists; got shapes {one.shape} and {other.shape}"
        raise ScoringError(message)
    if len(one) != len(other):
        message = f"every pair needs two values; got {len(one)} positive and {len(other)} negative"
        raise ScoringError(message)
    if not len(one):
        raise ScoringError("there are no pairs to score")


def _matrices(scores: ArrayLike) -> FloatArray:
    try:
        values = _numbers(scores, "scores")
    except ScoringError as error:
        shape = "IVAT needs a 2x2 matrix per sample (videos by captions)"
        raise ScoringError(f"{shape}: {error}") from None
    if values.ndim != 3 or values.shape[1:] != (2, 2) or not len(values):
        message = f"IVAT needs a 2x2 matrix per sample (videos by captions); got {values.shape}"
        raise ScoringError(message)
    return values


def _options(first: Sequence[str], second: Sequence[str]) -> tuple[Words, Words]:
    a = np.array([_option(answer) for answer in first], "U1")
    b = np.array([_option(answer) for answer in second], "U1")
    _check_lengths(a, b)
    return a, b


def _option(answer: str) -> str:
    word = answer.split(maxsplit=1)[:1]
    return word[0] if word and word[0] in ("A", "B") else ""


def _verdicts(pos: Sequence[str], neg: Sequence[str]) -> tuple[Words, Words]:
    positive = np.array([_verdict(answer) for answer in pos], "U3")
    negative = np.array([_verdict(answer) for answer in neg], "U3")
    _check_lengths(positive, negative)
    return positive, negative


def _verdict(answer: str) -> str:
    word = answer.strip().casefold()
    return word if word in ("yes", "no") else ""
