"""`embedding_match`: CosPar and CosSent, the embedding metrics that FM-V2T reports beside facts.

Per clip and embedding judge:

- ``cos_par``: cosine of the embeddings of the two whole texts;
- ``cos_sent``: sentences of the two texts are matched one to one, always the two with the highest
  cosine that are both still free; the value is the *median* cosine of the matched pairs. Sentences
  of the longer text that find no partner do not count.

Both lie in [-1, 1]; higher is better. FM-V2T published them with
`paraphrase-multilingual-MiniLM-L12-v2` and its mean pooling. A blank description is shown to no
judge and scores exactly 0. Where a clip has several references of the chosen kind, each metric is
that of the reference it is highest with (the first of equals).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.judges.base import EmbeddingJudge
from scoring.protocols.reference_choice import Chosen, choose, statement
from scoring.signature import signature
from scoring.text import SPLITTER, is_blank, split_sentences
from scoring.types import FloatArray, JudgeResult, Progress, References, Vectors

if TYPE_CHECKING:
    from scoring.cache import EmbeddingCache

METRICS = ("cos_par", "cos_sent")
PROTOCOL = "embedding_match.1"

Pair = tuple[int, int, float]


@dataclass(frozen=True, slots=True)
class _Text:
    """A text, its sentences, and the places of both in the job's list of texts."""

    places: list[int]
    sentences: tuple[str, ...]


def score(
    judge: EmbeddingJudge,
    descriptions: Mapping[str, str],
    references: References,
    *,
    language: str = "en",
    kind: str | None = "long",
    cache: EmbeddingCache | None = None,
    progress: Progress | None = None,
) -> JudgeResult:
    """Score one submission with one embedding judge, by its own rule for long texts.

    Args:
        judge: fitted here on the reference sentences if it needs that.
        descriptions: clip id -> text; a missing one counts as blank, an unknown one is ignored.
        references: clip id -> references; its order is the order of the result.
        language, kind: which references are read: `en` or `de`; `long`, `short`, or all when None.
        cache: looked up before encoding and filled after.
        progress: called with the number of distinct texts done and to do.

    Returns:
        Per-clip values of `METRICS`. Evidence per clip: `candidate` and `reference` (sentences),
        `pairs` ([candidate place, reference place, cosine], best first) and `references_used` (by
        metric). Counts: `empty`, `cut`, `texts`, `encoded` as in `semantic`.

    Raises:
        ScoringError: a clip without a reference to read, or a judge that failed.
    """
    chosen = choose(references, language=language, kind=kind)
    texts: dict[str, int] = {}
    known = {c: [_placed(t, language, texts) for t in one.texts] for c, one in chosen.items()}
    if judge.entry.needs_fit:
        judge = judge.fit([s for group in known.values() for text in group for s in text.sentences])
    own = {
        clip: _placed(descriptions[clip], language, texts)
        for clip in chosen
        if not is_blank(descriptions.get(clip, ""))
    }
    vectors = judge.encode(list(texts), progress, cache=cache)
    values = np.zeros((len(METRICS), len(chosen)))
    evidence: dict[str, Mapping[str, Any]] = {}
    for column, clip in enumerate(chosen):
        values[:, column], evidence[clip] = _best(own.get(clip), known[clip], chosen[clip], vectors)
    parts = {"refs": statement(language, kind), "split": f"{SPLITTER}-{language}"}
    return JudgeResult(
        judge=judge.entry.name,
        signature=signature(PROTOCOL, parts, judge.signature()),
        clips=tuple(chosen),
        metrics=dict(zip(METRICS, values, strict=True)),
        evidence=evidence,
        counts={
            "empty": len(chosen) - len(own),
            "cut": vectors.cut,
            "texts": len(texts),
            "encoded": vectors.encoded,
        },
    )


def greedy_pairs(cosines: FloatArray) -> list[Pair]:
    """One-to-one pairs of rows and columns, always the highest cosine still free, best first.

    Of equal cosines the one with the lower row, then the lower column comes first. There are as
    many pairs as the shorter side has places.
    """
    rows, columns = cosines.shape
    pairs: list[Pair] = []
    free = np.ones((rows, columns), dtype=bool)
    for place in np.argsort(-cosines, axis=None, kind="stable"):
        row, column = divmod(int(place), columns)
        if free[row, column]:
            pairs.append((row, column, float(cosines[row, column])))
            free[row, :] = free[:, column] = False
        if len(pairs) == min(rows, columns):
            break
    return pairs


def cos_sent(cosines: FloatArray) -> float:
    """CosSent of one clip from the cosines of its sentences: median over `greedy_pairs`."""
    return float(np.median([cosine for _, _, cosine in greedy_pairs(cosines)]))


def _placed(text: str, language: str, texts: dict[str, int]) -> _Text:
    sentences = tuple(split_sentences(text, language))
    places = [texts.setdefault(part, len(texts)) for part in (text.strip(), *sentences)]
    return _Text(places, sentences)


def _best(
    own: _Text | None, known: Sequence[_Text], chosen: Chosen, vectors: Vectors
) -> tuple[FloatArray, Mapping[str, Any]]:
    """The highest of each metric over the references; sentences and pairs of CosSent's."""
    if own is None:
        nothing: list[str] = []
        return np.zeros(len(METRICS)), {"candidate": nothing, "pairs": nothing}
    cosines = [vectors.cosines(own.places, text.places) for text in known]
    values = np.array([[float(c[0, 0]), cos_sent(c[1:, 1:])] for c in cosines])
    used = values.argmax(axis=0)
    reference = int(used[1])
    return values.max(axis=0), {
        "candidate": list(own.sentences),
        "reference": list(known[reference].sentences),
        "pairs": [
            [row, column, round(cosine, 6)]
            for row, column, cosine in greedy_pairs(cosines[reference][1:, 1:])
        ],
        "references_used": {
            metric: chosen.places[int(place)] for metric, place in zip(METRICS, used, strict=True)
        },
    }
