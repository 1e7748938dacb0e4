"""The published descriptions of CLIP-CC-Bench are read whole and found clean."""

from __future__ import annotations

import json
from pathlib import Path

from scoring.formats import check_clips, read_references, read_upload

EXCLUDED = "126"


def test_all_published_files_are_clean(clip_cc_dir: Path) -> None:
    dataset = clip_cc_dir / "clip_cc_dataset.json"
    clips = list(read_references(dataset.read_bytes(), dataset.name))
    scored = [clip for clip in clips if clip != EXCLUDED]
    files = sorted((clip_cc_dir / "models").glob("*.json"))
    assert len(files) == 17
    for path in files:
        upload = read_upload(path.read_bytes(), path.name)
        assert upload.format == "json-map"
        assert upload.descriptions == json.loads(path.read_text(encoding="utf-8"))
        checked = check_clips(upload, scored, ignored=[EXCLUDED])
        assert checked.problems == ()
        assert list(checked.descriptions) == scored
        (error,) = check_clips(upload, clips).errors
        assert (error.code, error.clip) == ("missing-clip", EXCLUDED)
