"""Runs of keypoints: descriptions judged here, or judgements made elsewhere."""

from __future__ import annotations

from django.conf import settings

from leaderboard.models import Run
from leaderboard.pipeline import bridge, bridge_keypoints, stored_file
from leaderboard.pipeline.judges import keypoint_judge, reply_cache
from leaderboard.pipeline.scored import Scored
from scoring.formats.released_judgements import check_judgements, read_judgements
from scoring.protocols import keypoints
from scoring.types import JudgeResult, Progress, ScoringError


def score_descriptions(run: Run, progress: Progress) -> Scored:
    """Ask the judge about every keypoint, then about every subject's references."""
    result = keypoints.score(
        keypoint_judge(run.judge),
        bridge.descriptions_of(run.submission),
        bridge_keypoints.annotations_of(run.track),
        cache=reply_cache(),
        progress=progress,
        language=run.track.settings.get("language", "en"),
        previous=bridge.previous_of(run),
    )
    return _scored(run, result)


def score_judgements(run: Run, progress: Progress) -> Scored:
    """The numbers that follow from what another site's judge said."""
    annotations = bridge_keypoints.annotations_of(run.track)
    data, filename = stored_file.file_of(run.submission)
    upload = read_judgements([(filename, data)], max_bytes=settings.UPLOAD_MAX_BYTES)
    upload = check_judgements(upload, annotations, bridge_keypoints.left_out(run.track))
    if not upload.ok:
        raise ScoringError("; ".join(map(str, upload.errors[:5])))
    progress(0, len(annotations))
    result = keypoints.judged_elsewhere(run.judge, upload.stage1, upload.stage2, annotations)
    progress(len(annotations), len(annotations))
    return _scored(run, result)


def _scored(run: Run, result: JudgeResult) -> Scored:
    return bridge.scored(run, result, summary=bridge_keypoints.keypoint_summary(result))
