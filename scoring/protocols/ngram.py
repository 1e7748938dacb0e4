"""`ngram`: how many of its words a description shares with the references.

Per clip, over the lower-case words of the PTB tokenizer without punctuation (`scoring.java.ptb`):

- ``bleu_1`` ... ``bleu_4`` (Papineni et al., 2002): geometric mean of the clipped precisions of
  1- to n-grams times the brevity penalty against the closest reference length. No smoothing: 0
  when an order has no match. A description of fewer than n words is measured up to its own
  length (effective order), so that it scores 1 against itself.
- ``meteor`` (version 1.5, English only): see `scoring.java.meteor`.
- ``rouge_l`` (Lin, 2004; beta 1.2): over the whole text as one sequence of words, with the best
  precision and the best recall over the references. Not the summary-level variant.
- ``cider`` (CIDEr-D; Vedantam et al., 2015; sigma 6): tf-idf of 1- to 4-grams, with document
  frequencies from the references of all clips of the release. Not defined for a single clip.

All are those of `pycocoevalcap` 1.2 but for the two rules of BLEU above. They lie in [0, 1], CIDEr
in [0, 10]; higher is better. All references of the chosen kind and language count together. A
description without words scores exactly 0 everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from scoring.java import meteor, ptb
from scoring.protocols.reference_choice import choose, statement
from scoring.signature import digest, signature
from scoring.text import LANGUAGES, is_blank
from scoring.types import FloatArray, JudgeResult, Progress, References, ScoringError

METRICS = ("bleu_1", "bleu_2", "bleu_3", "bleu_4", "meteor", "rouge_l", "cider")
PROTOCOL = "ngram.1"
JUDGE = "pycocoevalcap"

_PACKAGE = "pycocoevalcap-1.2"
_ORDERS = 4
_EDGE = "\n"
"""Between the texts that the digest of the reference set is made of; no tokenized text has it."""

Words = list[str]
Texts = Mapping[str, list[str]]
"""Clip id -> tokenized texts joined by spaces, as `pycocoevalcap` wants them."""


class NotDefined(ScoringError):  # noqa: N818 - named as the fault is spoken of
    """A metric that is not defined for the texts at hand."""

    code = "not-defined"


def score(
    descriptions: Mapping[str, str],
    references: References,
    *,
    language: str = "en",
    kind: str | None = None,
    progress: Progress | None = None,
) -> JudgeResult:
    """Score one submission by shared words.

    Args:
        descriptions: clip id -> text; a missing one counts as blank, an unknown one is ignored.
        references: clip id -> references of the whole release; its order is that of the result.
        language: `en` or `de`; the references in this language are read.
        kind: `long` or `short`; every reference of the language when None.
        progress: called with the number of clips done and to do.

    Returns:
        Per-clip values of `METRICS`, less those in `undefined`. Evidence per clip: `words` of the
        description, `reference_words` (one count per reference) and `references_used` (places).
        Counts: `empty` descriptions (without words), `references_min` and `references_max` a clip.

    Raises:
        JudgeUnavailable: no Java on this machine.
        NotDefined: another language.
        ScoringError: a clip without a reference to read, or whose references hold no word.
        JudgeFailed: one of the Java tools broke twice.
    """
    if language not in LANGUAGES:
        raise NotDefined(f"n-gram metrics are not defined for language {language!r}")
    chosen = choose(references, language=language, kind=kind)
    tokens = _tokens([descriptions.get(c, "") for c in chosen], [f.texts for f in chosen.values()])
    hypotheses = {clip: words for clip, (words, _) in zip(chosen, tokens, strict=True)}
    known = {clip: words for clip, (_, words) in zip(chosen, tokens, strict=True)}
    wordless = [clip for clip, texts in known.items() if not any(texts)]
    if wordless:
        raise ScoringError(f"clip {wordless[0]}: its references hold no word")
    metrics, undefined = _metrics(hypotheses, known, language, progress)
    sizes = [len(texts) for texts in known.values()]
    return JudgeResult(
        judge=JUDGE,
        signature=_signature(known, language, kind),
        clips=tuple(chosen),
        metrics=metrics,
        evidence={
            clip: {
                "words": len(hypotheses[clip]),
                "reference_words": [len(words) for words in known[clip]],
                "references_used": list(chosen[clip].places),
            }
            for clip in chosen
        },
        counts={
            "empty": sum(not words for words in hypotheses.values()),
            "references_min": min(sizes, default=0),
            "references_max": max(sizes, default=0),
        },
        undefined=undefined,
    )


def _tokens(
    descriptions: Sequence[str], references: Sequence[Sequence[str]]
) -> list[tuple[Words, list[Words]]]:
    """Words of each description and of each of its references, all in one run."""
    texts = ["" if is_blank(text) else text for text in descriptions]
    words = iter(ptb.tokenize([*texts, *(text for group in references for text in group)]))
    first = [next(words) for _ in texts]
    return [
        (own, [next(words) for _ in group]) for own, group in zip(first, references, strict=True)
    ]


def _metrics(
    hypotheses: Mapping[str, Words],
    known: Mapping[str, list[Words]],
    language: str,
    progress: Progress | None,
) -> tuple[dict[str, FloatArray], dict[str, str]]:
    # A reference without words can match nothing; the packages trip over it.
    gts = {clip: [" ".join(w) for w in texts if w] for clip, texts in known.items()}
    res = {clip: [" ".join(words)] for clip, words in hypotheses.items()}
    metrics: dict[str, FloatArray] = dict(zip(METRICS[:_ORDERS], _bleu(gts, res), strict=True))
    undefined: dict[str, str] = {}
    if language == "en":
        metrics["meteor"] = _each_clip(
            lambda clip: meteor.shared().score(hypotheses[clip], known[clip]), known, progress
        )
    else:
        undefined["meteor"] = (
            f"not defined for {LANGUAGES[language].title()}: its stems, synonyms and paraphrases "
            "are English"
        )
    metrics["rouge_l"] = _rouge_l(gts, res)
    if len(known) > 1:
        metrics["cider"] = _cider(gts, res)
    else:
        undefined["cider"] = "not defined for one clip: its weights come from the other clips"
    return metrics, undefined


def _bleu(gts: Texts, res: Texts) -> FloatArray:
    """BLEU-1 to BLEU-4, shape (4, clips), by the two rules of the module's docstring."""
    from pycocoevalcap.bleu.bleu_scorer import BleuScorer  # noqa: PLC0415

    scorer = BleuScorer(n=_ORDERS)
    for clip in gts:
        scorer += (res[clip][0], gts[clip])
    if not gts:
        return np.zeros((_ORDERS, 0))
    raw: FloatArray = np.array(scorer.compute_score(option="closest", verbose=0)[1])
    for column, parts in enumerate(scorer.ctest):
        orders = min(_ORDERS, parts["testlen"])
        matched = next((n for n in range(orders) if not parts["correct"][n]), orders)
        raw[matched:, column] = raw[orders - 1, column] if matched == orders > 0 else 0.0
    np.clip(raw, 0.0, 1.0, out=raw)
    return raw


def _rouge_l(gts: Texts, res: Texts) -> FloatArray:
    from pycocoevalcap.rouge.rouge import Rouge  # noqa: PLC0415

    rouge = Rouge()
    return _each_clip(
        lambda clip: float(rouge.calc_score(res[clip], gts[clip])) if res[clip][0] else 0.0, gts
    )


def _cider(gts: Texts, res: Texts) -> FloatArray:
    from pycocoevalcap.cider.cider import Cider  # noqa: PLC0415

    values: FloatArray = np.asarray(Cider().compute_score(gts, res)[1], dtype=np.float64)
    return values


def _each_clip(
    value: Callable[[str], float], clips: Mapping[str, object], progress: Progress | None = None
) -> FloatArray:
    values = np.zeros(len(clips))
    for place, clip in enumerate(clips):
        values[place] = value(clip)
        if progress is not None:
            progress(place + 1, len(clips))
    return values


def _signature(known: Mapping[str, list[Words]], language: str, kind: str | None) -> str:
    # CIDEr's weights come from all references of the release, so these are part of its name.
    release = digest(_EDGE.join(" ".join(words) for texts in known.values() for words in texts))
    parts = {
        "refs": statement(language, kind),
        "tok": ptb.NAME,
        "bleu": "closest-effective-order",
        "meteor": meteor.NAME if language == "en" else "none",
        "rouge": "l-whole-text-beta1.2",
        "cider": f"d-n4-sigma6-idf-{release}",
    }
    return signature(PROTOCOL, parts, f"judge:{_PACKAGE}")
