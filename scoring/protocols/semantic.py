"""`semantic`: how close in meaning a description is to the reference, whole and by sentence.

Per clip and judge, with unit vectors of the two texts and of their sentences:

- ``coarse``: cosine of the two whole texts;
- ``fine_precision``: mean over the description's sentences of the best cosine to any reference
  sentence; ``fine_recall``: the reverse; ``fine_f1``: their harmonic mean, 0 unless both are > 0;
- ``hm_cf``: harmonic mean of ``coarse`` and ``fine_f1``, 0 unless both are > 0.

(CLIP-CC-Bench.) The first three lie in [-1, 1], ``fine_f1`` and ``hm_cf`` in [0, 1]; higher is
better. Whole texts are read as they are given, sentences stripped. A description that is blank
(`scoring.text.is_blank`) is shown to no judge and scores exactly 0 everywhere. Where a clip has
several references, the one with the highest ``hm_cf`` (the first of equals) gives all five values,
and ``evidence["reference_used"]`` is its index.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.judges.base import EmbeddingJudge
from scoring.signature import signature
from scoring.text import SPLITTER, is_blank, split_sentences
from scoring.types import (
    FloatArray,
    JudgeResult,
    Progress,
    Reference,
    References,
    ScoringError,
    Vectors,
)

if TYPE_CHECKING:
    from scoring.cache import EmbeddingCache

METRICS = ("coarse", "fine_precision", "fine_recall", "fine_f1", "hm_cf")
PROTOCOL = "semantic.1"
# Beyond so many pairs of sentences evidence names the nearest only, so that it stays small.
MOST_COSINES = 4096


@dataclass(frozen=True, slots=True)
class _Pair:
    """A description beside one reference: their sentences, and the places of all their texts
    (the whole one first) in the job's list of texts.
    """

    option: int
    candidate: tuple[str, ...]
    reference: tuple[str, ...]
    rows: Sequence[int]
    columns: Sequence[int]


def score(
    judge: EmbeddingJudge,
    descriptions: Mapping[str, str],
    references: References,
    *,
    long_text: str | None = None,
    cache: EmbeddingCache | None = None,
    progress: Progress | None = None,
) -> JudgeResult:
    """Score one submission with one judge.

    Args:
        judge: from `scoring.judges.catalogue.load`; fitted here on the reference sentences if it
            needs that.
        descriptions: clip id -> text; a missing one counts as blank, an unknown one is ignored.
        references: clip id -> references; its order is the order of the result.
        long_text: `truncate` or `windows`, the judge's own rule when None.
        cache: looked up before encoding and filled after.
        progress: called with the number of distinct texts done and to do.

    Returns:
        Per-clip values of `METRICS`. Evidence per clip: `candidate` and `reference` (sentences),
        `candidate_best` ([index of the best reference sentence, cosine] per candidate sentence),
        `reference_best` (the reverse), `reference_used`. Counts: `empty` descriptions, `cut` texts
        over the judge's limit, distinct `texts`, those newly `encoded`.

    Raises:
        ScoringError: a clip without any reference text, or a judge that failed.
    """
    for clip, options in references.items():
        if not any(not is_blank(option.text) for option in options):
            message = f"clip {clip}: it has no reference text"
            raise ScoringError(message)
    if judge.entry.needs_fit:
        judge = judge.fit(list(_reference_sentences(references)))
    texts: dict[str, int] = {}
    jobs = [_pairs(descriptions.get(clip, ""), references[clip], texts) for clip in references]
    vectors = judge.encode(list(texts), progress, long_text=long_text, cache=cache)
    values = np.zeros((len(METRICS), len(jobs)))
    evidence = {}
    for column, (clip, pairs) in enumerate(zip(references, jobs, strict=True)):
        values[:, column], evidence[clip] = _best(pairs, vectors, references[clip])
    languages = sorted({option.language for options in references.values() for option in options})
    return JudgeResult(
        judge=judge.entry.name,
        signature=signature(
            PROTOCOL, {"split": f"{SPLITTER}-{','.join(languages)}"}, judge.signature(long_text)
        ),
        clips=tuple(references),
        metrics=dict(zip(METRICS, values, strict=True)),
        evidence=evidence,
        counts={
            "empty": sum(not pairs for pairs in jobs),
            "cut": vectors.cut,
            "texts": len(texts),
            "encoded": vectors.encoded,
        },
    )


def harmonic_mean(first: float, second: float) -> float:
    """Harmonic mean of two numbers; 0 unless both are > 0."""
    if first <= 0 or second <= 0:
        return 0.0
    return 2 * first * second / (first + second)


def _values(cosines: FloatArray) -> FloatArray:
    coarse = float(cosines[0, 0])
    fine = cosines[1:, 1:]
    precision = float(fine.max(axis=1).mean())
    recall = float(fine.max(axis=0).mean())
    f1 = harmonic_mean(precision, recall)
    return np.array([coarse, precision, recall, f1, harmonic_mean(coarse, f1)])


def _pairs(description: str, options: Sequence[Reference], texts: dict[str, int]) -> list[_Pair]:
    """The description beside each reference, its texts entered into `texts`; none when blank."""
    if is_blank(description):
        return []
    pairs = []
    for place, option in enumerate(options):
        if is_blank(option.text):
            continue
        candidate = _sentences(description, option.language)
        reference = _sentences(option.text, option.language)
        rows = [texts.setdefault(text, len(texts)) for text in (description, *candidate)]
        columns = [texts.setdefault(text, len(texts)) for text in (option.text, *reference)]
        pairs.append(_Pair(place, candidate, reference, rows, columns))
    return pairs


def _best(
    pairs: Sequence[_Pair], vectors: Vectors, options: Sequence[Reference]
) -> tuple[FloatArray, dict[str, Any]]:
    if not pairs:
        first = next(place for place, option in enumerate(options) if not is_blank(option.text))
        shown = _sentences(options[first].text, options[first].language)
        return np.zeros(len(METRICS)), _nothing_matched(shown, first)
    best, evidence = np.zeros(0), {}
    for index, pair in enumerate(pairs):
        cosines = vectors.cosines(pair.rows, pair.columns)
        values = _values(cosines)
        if index == 0 or values[-1] > best[-1]:
            best = values
            evidence = _evidence(pair, cosines[1:, 1:])
    return best, evidence


def _evidence(pair: _Pair, fine: FloatArray) -> dict[str, Any]:
    """Which sentence matched which, JSON-ready; cosines to 6 decimals.

    ``cosines`` (description's sentences x reference's) are in thousandths, and are left out beyond
    ``MOST_COSINES``.
    """

    def matches(cosines: FloatArray) -> list[list[float]]:
        places = cosines.argmax(axis=1)
        found = np.round(cosines[np.arange(len(places)), places], 6)
        return [[int(p), float(c)] for p, c in zip(places, found, strict=True)]

    found = {
        "candidate": list(pair.candidate),
        "reference": list(pair.reference),
        "candidate_best": matches(fine),
        "reference_best": matches(fine.T),
        "reference_used": pair.option,
    }
    if fine.size <= MOST_COSINES:
        found["cosines"] = np.rint(1000 * fine).astype(int).tolist()
    return found


def _nothing_matched(reference: tuple[str, ...], option: int) -> dict[str, Any]:
    return {
        "candidate": [],
        "reference": list(reference),
        "candidate_best": [],
        "reference_best": [],
        "reference_used": option,
    }


def _reference_sentences(references: References) -> Iterator[str]:
    for options in references.values():
        for option in options:
            if not is_blank(option.text):
                yield from _sentences(option.text, option.language)


def forget_sentences() -> None:
    """Drop the sentences kept from earlier calls."""
    _sentences.cache_clear()


@lru_cache(maxsize=4_096)
def _sentences(text: str, language: str) -> tuple[str, ...]:
    """Sentences of one text; kept, because the same references stand beside every submission."""
    # What can be seen but holds no sentence is one.
    return tuple(split_sentences(text, language)) or (text.strip(),)
