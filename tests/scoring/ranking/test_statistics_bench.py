"""The benchmark of the bootstrap runs, checks itself, and ends with its ratio."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[3] / "infra" / "bench" / "statistics.py"


def test_a_small_run() -> None:
    sizes = ["--systems", "4", "--judges", "2", "--clips", "20", "--replicates", "8"]
    done = subprocess.run(
        [sys.executable, str(SCRIPT), *sizes], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "places equal in all 8 replicates: yes" in lines
    assert re.fullmatch(r"ratio = \d+", lines[-1])
