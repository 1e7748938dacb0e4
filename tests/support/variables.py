"""Which variables of the environment are read, and by whom."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
READ_BY_LIBRARIES = frozenset(
    {
        "AWS_ENDPOINT_URL",
        "AWS_ACCESS_KEY_ID",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_DEFAULT_REGION",
        "HF_HOME",
        "HF_MODULES_CACHE",
        "HOME",
    }
)
"""By boto, the hub's client and transformers, and Python itself."""


def settings_read() -> set[str]:
    """Those that the settings read, themselves or by a module of theirs."""
    sources = [
        ROOT / "leaderboard" / "settings.py",
        *(ROOT / "leaderboard").glob("*/configuration.py"),
    ]
    text = "".join(path.read_text() for path in sources)
    return set(re.findall(r'env\.\w+\(\s*"(\w+)"', text))
