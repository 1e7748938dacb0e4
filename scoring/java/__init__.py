"""The Java tools that `pycocoevalcap` carries: the PTB tokenizer and METEOR 1.5.

Their jars are run from here, not through that package's wrappers, for three reasons. Its tokenizer
lets the first word of one text change the last token of the text before it, and writes into the
package's folder; its METEOR wrapper waits for ever and mistakes an empty text for another; and
both read letters by the machine's locale. The jars, and the numbers on texts that meet none of
this, are the same.
"""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from pathlib import Path

from scoring.judges.base import JudgeUnavailable

JAVA_MISSING = "not available: needs Java (Debian: apt-get install default-jre-headless)"


def java() -> str:
    """Path of the Java launcher.

    Raises:
        JudgeUnavailable: there is none on this machine.
    """
    found = shutil.which("java")
    if found is None:
        raise JudgeUnavailable(JAVA_MISSING)
    return found


def available() -> bool:
    """True when the Java tools can run on this machine."""
    return shutil.which("java") is not None


def jar(part: str) -> Path:
    """Where `pycocoevalcap` keeps a jar: `jar("meteor/meteor-1.5.jar")`; nothing is imported."""
    spec = find_spec("pycocoevalcap")
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise JudgeUnavailable("not available: pip install pycocoevalcap==1.2")
    return Path(places[0]) / part
