"""The benchmark of the engine runs on a small made-up benchmark and ends with its ratio."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "infra" / "bench" / "semantic.py"
CLIPS = {
    "01": "A man opens a door. He walks into a dark room and looks around.",
    "02": "Two dogs run along the beach. A woman calls them back.",
}


def test_a_small_run(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    dataset = [{"id": clip, "summary": text} for clip, text in CLIPS.items()]
    (tmp_path / "clip_cc_dataset.json").write_text(json.dumps(dataset))
    for system in ("one", "two"):
        texts = {clip: f"System {system}. {text.lower()}" for clip, text in CLIPS.items()}
        (tmp_path / "models" / f"{system}.json").write_text(json.dumps(texts))
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--data", str(tmp_path), "--judge", "char-tfidf"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "2 systems x 2 clips" in lines[1]
    assert any(line.startswith("largest difference of any value") for line in lines)
    assert re.fullmatch(r"ratio = \d+\.\d\d", lines[-1])
