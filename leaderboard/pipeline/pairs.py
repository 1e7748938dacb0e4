"""Runs of pair tests: answers are read again from the stored file, and no judge is asked."""

from __future__ import annotations

from django.conf import settings

from leaderboard.models import Run
from leaderboard.pipeline import bridge_pairs, stored_file
from leaderboard.pipeline.scored import Scored
from scoring.formats.pair_check import check_pairs
from scoring.formats.pairs import read_pairs
from scoring.protocols import pairs
from scoring.types import Progress

EXACT = "exact"
"""The name that stands in the judge's place: the rule is in the protocol."""


def score_answers(run: Run, progress: Progress) -> Scored:
    """Accuracies per test, their averages, and right or wrong per pair."""
    release = run.submission.release
    tests = bridge_pairs.pair_tests_of(release)
    data, filename = stored_file.file_of(run.submission)
    upload = check_pairs(read_pairs(data, filename, max_bytes=settings.UPLOAD_MAX_BYTES), tests)
    total = sum(len(answers.keys) for answers in upload.answers)
    progress(0, total)
    result = pairs.score(
        upload,
        tests,
        replicates=run.track.bootstrap_replicates or 1,
        seed=run.track.bootstrap_seed,
    )
    progress(total, total)
    return Scored(
        signature=result.signature,
        vectors=bridge_pairs.pair_vectors(run, result),
        counts={
            "answers": sum(len(one.items) for one in result.tests),
            "unanswered": sum(one.unanswered for one in result.tests),
        },
        summary=bridge_pairs.pair_summary(release, result),
    )
