"""Known troubles of splitting into sentences (cases SS-*), and what holds of them here.

The splitter is Punkt as the benchmarks use it, since another one gives other numbers. So some texts
are split less, or more, than a reader would: then on both sides alike, and seen on a clip's page.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import punkt
import pytest

from scoring.diagnostics.diagnose import diagnose
from scoring.judges import catalogue
from scoring.protocols import semantic
from scoring.text import SPLITTER, UnknownLanguage, split_sentences
from scoring.types import Reference

UNDER = {
    "A man sits.He waves.": ["A man sits.He waves."],
    "He wears size S. Then he leaves.": ["He wears size S. Then he leaves."],
    "- a man walks\n- a dog runs": ["- a man walks\n- a dog runs"],
    "\u72d7\u5728\u8dd1\u3002\u4eba\u5728\u8d70\u3002": [
        "\u72d7\u5728\u8dd1\u3002\u4eba\u5728\u8d70\u3002"
    ],
}
OVER = {
    "He picks no. 5 (e.g. the red one). Then he leaves.": [
        "He picks no.",
        "5 (e.g.",
        "the red one).",
        "Then he leaves.",
    ],
    "1. A man walks in.\n2. He sits down.": ["1.", "A man walks in.", "2.", "He sits down."],
    "**Scene 1:** A man walks.": ["**Scene 1:** A man walks."],
}


@pytest.mark.parametrize("text", UNDER)
def test_ss_01_what_is_not_split_is_whole_on_both_sides(text: str) -> None:
    """Nothing of it is lost: it equals itself, and the sentences used are told with the score."""
    assert split_sentences(text) == UNDER[text] == punkt.sent_tokenize(text)
    _equals_itself(text)


def test_ss_01_numbers_are_not_taken_apart() -> None:
    """A stop within a number or a version ends nothing."""
    assert split_sentences("The v1.5 rover is 3.5 m long. It stops.") == [
        "The v1.5 rover is 3.5 m long.",
        "It stops.",
    ]


def test_ss_01_languages_without_a_splitter_are_said() -> None:
    """Asked for, they are refused; a text in another one than its benchmark's is flagged."""
    with pytest.raises(UnknownLanguage):
        split_sentences("\u72d7\u5728\u8dd1\u3002", "zh")
    flags = diagnose({"c1": "\u72d7\u5728\u8dd1\u3002\u4eba\u5728\u8d70\u3002" * 5}).flags
    assert "wrong-language" in [flag.code for flag in flags]


@pytest.mark.parametrize("text", OVER)
def test_ss_02_what_is_split_too_far_is_so_on_both_sides(text: str) -> None:
    """Pieces meet the same pieces, so that they cost a text nothing against its equal."""
    assert split_sentences(text) == OVER[text] == punkt.sent_tokenize(text)
    _equals_itself(text)


def test_ss_02_a_piece_in_which_nothing_can_be_seen_is_no_sentence() -> None:
    """Blank ones are never scored; a mark that can be seen is content, as in the benchmarks."""
    assert split_sentences("A man. \u200b. \u2060") == ["A man.", "\u200b."]
    assert split_sentences("\u2060 \u200b\n") == []


def _equals_itself(text: str) -> None:
    judge = catalogue.load("all-minilm-l6-v2")
    result = semantic.score(judge, {"c1": text}, {"c1": [Reference(text)]})
    for metric in ("fine_precision", "fine_recall", "fine_f1"):
        assert result.metrics[metric][0] == pytest.approx(1)
    seen = result.evidence["c1"]
    assert seen["candidate"] == seen["reference"] == split_sentences(text)


def test_ss_03_the_models_come_with_the_package(tmp_path: Path) -> None:
    """No network, no folder of data: the same sentences, and the same name in the signature."""
    code = """
import json, socket
def refuse(*_, **__):
    raise OSError("no network")
socket.socket.connect = socket.getaddrinfo = refuse
from scoring.text import SPLITTER, split_sentences
print(json.dumps([SPLITTER, split_sentences("Dr. Smith walks in. He waves.")]))
"""
    environment = {"HOME": str(tmp_path), "NLTK_DATA": str(tmp_path / "empty")}
    done = _python(code, environment)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [SPLITTER, ["Dr. Smith walks in.", "He waves."]]


def test_ss_03_without_it_nothing_is_split_otherwise() -> None:
    """No other splitter stands in: a worker without Punkt does not start."""
    done = _python("import sys; sys.modules['punkt'] = None; import scoring.text", {})
    assert done.returncode != 0
    assert "punkt" in done.stderr


def test_ss_03_its_name_and_version_stand_in_the_signature() -> None:
    """Beside the judge's own: two splitters never share a table."""
    judge = catalogue.load("all-minilm-l6-v2")
    result = semantic.score(judge, {"c1": "A man."}, {"c1": [Reference("A man.")]})
    assert f"split:{SPLITTER}-en" in result.signature.split("|")


def _python(code: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).resolve().parents[2],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
