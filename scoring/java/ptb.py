"""Words as the published n-gram metrics see them: the Penn Treebank tokenizer of Stanford CoreNLP.

Version 3.4.1, lower-cased, punctuation removed as `pycocoevalcap` does it (brackets stay as the
words `-lrb-` and `-rrb-`: its list has them in capitals). Before it, a text is
brought to Unicode form NFC and every run of white space and control characters becomes a space,
so that a text is one line whatever it holds.
"""

from __future__ import annotations

import re
import subprocess
import unicodedata
from collections.abc import Sequence

from scoring.java import jar, java
from scoring.judges.base import JudgeFailed

NAME = "ptb-3.4.1-nfc"
"""Name and version of the tokenizer, for signatures."""

_JAR = "tokenizer/stanford-corenlp-3.4.1.jar"
# The tokenizer looks ahead over line ends: "No." before a line that begins with "The" is another
# token than before "the". A line of this one word between any two texts shields them from each
# other, gives each what it gives alone, and shows on the way back that no line was lost.
_FENCE = "x"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def one_line(text: str) -> str:
    """`text` in NFC on one line: runs of white space and control characters become one space."""
    return " ".join(_CONTROL.sub(" ", unicodedata.normalize("NFC", text)).split())


def tokenize(texts: Sequence[str], *, timeout: float = 300.0) -> list[list[str]]:
    """The words of each text, lower case, without punctuation; a blank text has none.

    What a text gives depends on this text alone, not on its neighbours.

    Args:
        texts: any number of texts with whatever characters.
        timeout: seconds that the tokenizer, one Java process, may take for all of them.

    Raises:
        JudgeUnavailable: no Java on this machine.
        JudgeFailed: it broke, took too long or lost a line.
    """
    if not texts:
        return []
    lines = [line for text in texts for line in (one_line(text), _FENCE)]
    printed = _run("".join(f"{line}\n" for line in lines), timeout).split("\n")
    if len(printed) != len(lines) + 1 or any(fence.strip() != _FENCE for fence in printed[1::2]):
        raise JudgeFailed("the PTB tokenizer lost count of the texts")
    punctuation = _punctuation()
    return [[w for w in line.split() if w not in punctuation] for line in printed[:-1:2]]


def _run(text: str, timeout: float) -> str:
    command = [java(), "-Dfile.encoding=UTF-8", "-cp", str(jar(_JAR))]
    command += ["edu.stanford.nlp.process.PTBTokenizer", "-preserveLines", "-lowerCase"]
    command += ["-encoding", "UTF-8"]
    try:
        done = subprocess.run(  # noqa: S603 - the launcher and the jar are ours, texts go by stdin
            command, input=text.encode(), capture_output=True, timeout=timeout, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise JudgeFailed(f"the PTB tokenizer took longer than {timeout:g} seconds") from error
    if done.returncode:
        raise JudgeFailed(f"the PTB tokenizer ended with code {done.returncode}")
    return done.stdout.decode()


def _punctuation() -> frozenset[str]:
    from pycocoevalcap.tokenizer.ptbtokenizer import PUNCTUATIONS  # noqa: PLC0415 - late, with jars

    return frozenset(PUNCTUATIONS)
