"""What judges and metrics are called where people read them."""

from __future__ import annotations

from collections.abc import Iterable

from leaderboard.models import Track
from leaderboard.pipeline.chat_judges import chat_entries
from leaderboard.pipeline.pairs import EXACT
from scoring.judges import catalogue
from scoring.judges.base import UnknownJudge
from scoring.protocols import ngram
from scoring.protocols.keypoint_baseline import KeypointBaseline
from scoring.protocols.pair_tests import TITLES as PAIR_TESTS

METRICS = {
    # semantic
    "hm_cf": "HM-CF",
    "coarse": "Coarse",
    "fine_f1": "Fine F1",
    "fine_precision": "Fine precision",
    "fine_recall": "Fine recall",
    # facts and what is published beside them
    "llm_facts_f1": "LLMFactsF1",
    "ent_f1": "ENT F1",
    "ent_ref": "ENT, reference facts",
    "ent_pred": "ENT, stated facts",
    "cont_f1": "CONT F1",
    "cont_ref": "CONT, reference facts",
    "cont_pred": "CONT, stated facts",
    "cos_par": "CosPar",
    "cos_sent": "CosSent",
    # ngram
    "meteor": "METEOR",
    "rouge_l": "ROUGE-L",
    "cider": "CIDEr",
    "bleu_1": "BLEU-1",
    "bleu_2": "BLEU-2",
    "bleu_3": "BLEU-3",
    "bleu_4": "BLEU-4",
    # keypoints
    "acc": "Acc",
    "cov": "Cov",
    "ref": "Ref",
    # pairs
    "classic": "Classic",
    "strict": "Strict",
    "mcq": "MCQ",
    "t2v_independent": "Text to video, independent",
    "t2v_matching": "Text to video, matching",
    "v2t_independent": "Video to text, independent",
    "v2t_matching": "Video to text, matching",
    "group": "Group",
}
# Judges that stand in no catalogue, and tests, which stand in the place of judges.
OTHERS = {
    KeypointBaseline.name: "Rules over sentences (baseline)",
    ngram.JUDGE: "Shared words (pycocoevalcap)",
    EXACT: "Answers counted exactly",
    **PAIR_TESTS,
}
BASELINES = frozenset({KeypointBaseline.name})
# Rates of contradiction.
LOWER_IS_BETTER = frozenset({"cont_f1", "cont_ref", "cont_pred"})


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
        titles = OTHERS | {entry.name: entry.title for entry in chat_entries()}
        return titles.get(name, name)


def is_baseline(judge: str) -> bool:
    """True for a judge by rules: wherever its numbers stand, they are labelled as a baseline."""
    rules = {entry.name for entry in chat_entries() if entry.baseline}
    return judge in BASELINES | rules


def by_baseline(track: Track) -> bool:
    """True for a track of which a judge is a baseline."""
    return any(map(is_baseline, track.judges))
