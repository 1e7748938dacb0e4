"""`facts`: which facts of the reference a description states or denies, and the reverse.

A judge takes both texts apart into facts and says of each fact whether the *other* text entails or
contradicts it (FM-V2T). Per clip and direction, with rates over the facts of that direction:

- ``ent_ref``, ``cont_ref``: facts of the reference that the description entails, contradicts;
- ``ent_pred``, ``cont_pred``: facts of the description that the reference entails, contradicts;
- ``ent_f1``, ``cont_f1``: harmonic means of the two directions, 0 unless both are > 0;
- ``llm_facts_f1``: harmonic mean of ``ent_f1`` and ``1 - cont_f1``.

All lie in [0, 1]; higher is better but for ``cont_*``. A submission's number is the mean over its
clips of these per-clip values, everywhere. No facts in a direction give rates of 0, so a
description that states nothing scores 0, and so does a blank one, which no judge sees. A reference
that states nothing is a fault of the release: `prepare` finds it when the release is built, and
here the clip fails. Where a clip has several references of the chosen kind, the one with the
highest ``llm_facts_f1`` (the first of equals) gives all values.

A clip that the judge fails on has no values (NaN) and stands in `failures`; scored again with the
same cache, or with the previous result, only what failed is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, astuple

import numpy as np

from scoring.judges.asking import Asking
from scoring.judges.base import JudgeFailed
from scoring.judges.fact_judge import FactJudge
from scoring.judges.reply_cache import Replies, ReplyCache
from scoring.protocols.countdown import Countdown
from scoring.protocols.fact_clip import NO_FACTS, FactClip, Outcome
from scoring.protocols.fact_scores import METRICS, FactsScores, facts_scores, llm_facts_f1
from scoring.protocols.reference_choice import choose, statement
from scoring.signature import signature
from scoring.types import JudgeResult, Progress, References

__all__ = ["METRICS", "PROTOCOL", "facts_scores", "llm_facts_f1", "prepare", "score"]

PROTOCOL = "facts.1"


def score(
    judge: FactJudge,
    descriptions: Mapping[str, str],
    references: References,
    *,
    cache: Replies | None = None,
    language: str = "en",
    kind: str | None = "long",
    progress: Progress | None = None,
    previous: JudgeResult | None = None,
) -> JudgeResult:
    """Score one submission with one judge.

    Args:
        judge: who takes texts apart and checks facts.
        descriptions: clip id -> text; a missing one counts as blank, an unknown one is ignored.
        references: clip id -> references; its order is the order of the result.
        cache: answers given before, the facts of references among them: with a cache these are
            extracted once per judge, not once per submission.
        language, kind: which references are read: `en` or `de`; `long`, `short`, or all when None.
        progress: called with the number of questions answered and to be answered.
        previous: an earlier, incomplete result: its clips are taken over where the texts and the
            signature are the same and the judge did not fail.

    Returns:
        Per-clip values of `METRICS`, NaN for the clips in `failures`. `_counts` and
        `scoring.protocols.fact_clip` say what counts and evidence hold.

    Raises:
        ScoringError: a clip without a reference to read.
    """
    chosen = choose(references, language=language, kind=kind)
    parts = {"refs": statement(language, kind)}
    name = signature(PROTOCOL, parts, judge.signature(language))
    clips = [FactClip(clip, descriptions.get(clip, ""), chosen[clip]) for clip in chosen]
    outcomes = _taken_over(previous, name, clips)
    reused = len(outcomes)
    asking = Asking(judge, language, ReplyCache() if cache is None else cache)
    outcomes |= _asked([clip for clip in clips if clip.name not in outcomes], asking, progress)
    values = np.array([astuple(outcomes[clip.name].scores) for clip in clips])
    return JudgeResult(
        judge=judge.name,
        signature=name,
        clips=tuple(chosen),
        metrics=dict(zip(METRICS, values.reshape(-1, len(METRICS)).T, strict=True)),
        evidence={
            clip.name: {**outcomes[clip.name].evidence, "baseline": judge.baseline}
            for clip in clips
        },
        counts={"reused": reused, **_counts(clips, outcomes), **_cost(asking)},
        failures={c.name: outcomes[c.name].failure for c in clips if outcomes[c.name].failure},
    )


def prepare(
    judge: FactJudge,
    references: References,
    *,
    cache: Replies,
    language: str = "en",
    kind: str | None = "long",
    progress: Progress | None = None,
) -> dict[str, str]:
    """Take the references of a release apart, once, into the cache.

    Returns:
        Clip id -> what is wrong, for the clips that no submission can be scored on with this judge:
        a reference that states no facts, or that the judge failed on. Empty when all is well.
    """
    chosen = choose(references, language=language, kind=kind)
    asking = Asking(judge, language, cache)
    asking.answered = Countdown(sum(len(c.references) for c in chosen.values()), progress).tick
    facts = asking.facts(text for one in chosen.values() for text in one.texts)
    problems = {}
    for clip, one in chosen.items():
        for text in one.texts:
            found = facts[text].value
            if isinstance(found, JudgeFailed):
                problems[clip] = str(found)
            elif not found:
                problems[clip] = NO_FACTS
    return problems


def _asked(
    clips: Iterable[FactClip], asking: Asking, progress: Progress | None
) -> dict[str, Outcome]:
    """Outcomes of clips by asking: all texts apart first, then all facts against all texts."""
    clips = list(clips)
    seen = [clip for clip in clips if not clip.blank]
    texts = list(dict.fromkeys(text for clip in seen for text in clip.texts))
    pairs = sum(len(clip.chosen.references) for clip in seen)
    countdown = Countdown(len(texts) + 2 * pairs, progress)
    asking.answered = countdown.tick
    facts = asking.facts(texts)
    verdicts = asking.verdicts(question for clip in seen for question in clip.questions(facts))
    countdown.finish()
    return {clip.name: clip.outcome(facts, verdicts) for clip in clips}


def _taken_over(
    previous: JudgeResult | None, name: str, clips: Iterable[FactClip]
) -> dict[str, Outcome]:
    """The outcomes of an earlier result that still hold."""
    if previous is None or previous.signature != name:
        return {}
    held = {}
    places = {clip: place for place, clip in enumerate(previous.clips)}
    for clip in clips:
        evidence = previous.evidence.get(clip.name, {})
        if clip.name in previous.failures or evidence.get("texts") != clip.digests:
            continue
        values = {m: float(previous.metrics[m][places[clip.name]]) for m in METRICS}
        held[clip.name] = Outcome(FactsScores(**values), evidence)
    return held


def _counts(clips: Iterable[FactClip], outcomes: Mapping[str, Outcome]) -> dict[str, int]:
    """Clips: failed ones, blank descriptions, flagged ones, and those that state no facts."""
    evidence = [outcomes[clip.name].evidence for clip in clips]
    return {
        "failed": sum("failed" in one for one in evidence),
        "empty": sum(clip.blank for clip in clips),
        "flagged": sum(bool(one["flags"]) for one in evidence),
        "without_facts": sum(one.get("description_facts") == [] for one in evidence),
    }


def _cost(asking: Asking) -> dict[str, int]:
    """Answers from the cache, and what the others cost; see `Usage`."""
    return {"cached": asking.cached, **asdict(asking.usage)}
