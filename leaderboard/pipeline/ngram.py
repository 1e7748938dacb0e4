"""Runs of shared words: no judge is asked, but Java must be there."""

from __future__ import annotations

from leaderboard.models import Run
from leaderboard.pipeline import bridge
from leaderboard.pipeline.judges import JudgeNotReady
from leaderboard.pipeline.scored import Scored
from scoring.judges.base import JudgeUnavailable
from scoring.protocols import ngram
from scoring.types import Progress


def score_descriptions(run: Run, progress: Progress) -> Scored:
    """BLEU, METEOR, ROUGE-L and CIDEr; the summary says which of them are not defined here.

    Raises ``JudgeNotReady`` where there is no Java.
    """
    try:
        result = ngram.score(
            bridge.descriptions_of(run.submission),
            bridge.references_of(run.track),
            language=run.track.language or "en",
            kind=run.track.settings.get("kind"),
            progress=progress,
        )
    except JudgeUnavailable as error:
        raise JudgeNotReady(error) from error
    return bridge.scored(run, result, summary={"undefined": dict(result.undefined)})
