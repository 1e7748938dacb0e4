"""The embedded baseline judge of facts: sentences, an encoder and word lists; no language model.

Facts are the sentences of a text. The sentence of the other text that is closest to a fact, by
cosine of an embedding judge and content words shared, decides on it. With ``s`` the mean of that
cosine (0 when negative) and the share of the fact's content words that the whole text has:

- *contradiction* when ``s >= RELATED`` and fact and sentence differ in a negation, a number, a
  colour or an opposite of something they share (`scoring.judges.lexicon`);
- *entailment* when ``s >= ENTAILED`` and they do not;
- *neutral* otherwise.

`ENTAILED` was chosen on 70 clips of FM-V2T with 420 short captions as facts: with the multilingual
encoder 80% of them are entailed by the long description of their clip, and 1% by that of another.

It runs anywhere in no time and makes the whole site work without a model server. Its numbers are
a baseline: they are not comparable with those of language models, and `baseline` says so.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scoring.judges import lexicon
from scoring.judges.base import EmbeddingJudge
from scoring.judges.fact_judge import Answer, Answers, Facts, Question, Verdicts
from scoring.judges.verdicts import Verdict
from scoring.signature import joined
from scoring.text import SPLITTER, split_sentences
from scoring.types import FloatArray

RELATED = 0.4
ENTAILED = 0.5
RULES = "1"
"""Version of the rules: goes up whenever the same texts would get another verdict."""


class RuleFacts:
    """See the module. `encoder` must be fitted already if it needs that."""

    name = "facts-baseline"
    baseline = True

    def __init__(self, encoder: EmbeddingJudge) -> None:
        self._encoder = encoder

    def signature(self, language: str) -> str:
        """See `FactJudge.signature`."""
        parts = {
            "judge": self.name,
            "rules": RULES,
            "related": str(RELATED),
            "entailed": str(ENTAILED),
            "lexicon": lexicon.fingerprint(),
            "split": f"{SPLITTER}-{language}",
            "encoder": self._encoder.signature(),
        }
        return joined(parts)

    def extract(self, texts: Sequence[str], language: str) -> Answers[Facts]:
        """See `FactJudge.extract`; literal repeats are one fact, as with other judges."""
        for place, text in enumerate(texts):
            yield place, Answer(tuple(dict.fromkeys(_sentences(text, language))))

    def check(self, questions: Sequence[Question], language: str) -> Answers[Verdicts]:
        """See `FactJudge.check`; all sentences are encoded at once."""
        words = lexicon.load(language)
        sides = [(q.facts, tuple(_sentences(q.text, language))) for q in questions]
        places: dict[str, int] = {}
        for text in (text for facts, sentences in sides for text in (*facts, *sentences)):
            places.setdefault(text, len(places))
        vectors = self._encoder.encode(list(places))
        for number, (facts, sentences) in enumerate(sides):
            if sentences:
                cosines = vectors.cosines(
                    [places[f] for f in facts], [places[s] for s in sentences]
                )
            else:
                cosines = np.zeros((len(facts), 0))
            verdicts = tuple(
                judged(fact, sentences, cosines[row], words) for row, fact in enumerate(facts)
            )
            yield number, Answer(verdicts)


def judged(
    fact: str, sentences: Sequence[str], cosines: FloatArray, words: lexicon.Lexicon
) -> Verdict:
    """The verdict on one fact, from its cosines with the sentences of the other text."""
    if not len(sentences):
        return Verdict("neutral", "the other text has no sentence")
    overlaps = np.array([words.overlap(fact, sentence) for sentence in sentences])
    best = int((np.maximum(cosines, 0) + overlaps).argmax())
    shared = words.overlap(fact, " ".join(sentences))
    likeness = (max(float(cosines[best]), 0.0) + shared) / 2
    conflicts = words.conflicts(fact, sentences[best])
    found = (
        f'closest sentence: "{sentences[best]}" (cosine {cosines[best]:.2f}, '
        f"words found {shared:.2f})"
    )
    if likeness >= RELATED and conflicts:
        return Verdict("contradiction", f"{found}; {'; '.join(map(str, conflicts))}")
    if likeness >= ENTAILED:
        return Verdict("entailment", found)
    return Verdict("neutral", found)


def _sentences(text: str, language: str) -> list[str]:
    return [" ".join(sentence.split()) for sentence in split_sentences(text, language)]
