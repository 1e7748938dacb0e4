"""`cliprank judges`: the list, and the check of one judge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from scoring.cli import app
from scoring.judges import catalogue


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["judges", *arguments])


def test_the_list_says_what_is_here_and_how_to_get_the_rest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("huggingface_hub.try_to_load_from_cache", lambda *_, **__: None)
    done = run("--format", "json")
    assert done.exit_code == 0
    rows = {row["name"]: row for row in json.loads(done.stdout)}
    assert list(rows) == [entry.name for entry in catalogue.entries()]
    assert rows["all-minilm-l6-v2"]["installed"] is True
    assert rows["all-minilm-l6-v2"]["get"] == ""
    published = rows["nv-embed-v2"]
    assert published["installed"] is False
    assert published["licence"] == "CC-BY-NC-4.0"
    assert published["size"] == 15_700_000_000
    assert "--download" in published["get"]


def test_the_table_names_every_judge() -> None:
    done = run()
    assert done.exit_code == 0
    for entry in catalogue.entries():
        assert entry.name in done.stdout


def test_a_judge_that_gives_its_golden_numbers() -> None:
    done = run("check", "use-multilingual-v3")
    assert done.exit_code == 0, done.output
    assert "judge:use-multilingual-v3|" in done.stdout
    assert "4 golden pairs" in done.stdout
    assert 'first = "a man opens a door"' in done.stdout, "as the catalogue file would have it"


def test_a_drifted_judge_ends_with_1(tmp_path: Path) -> None:
    """EM-03."""
    extra = tmp_path / "mine.toml"
    extra.write_text(
        "[judge.char-tfidf]\n"
        'golden = [{ first = "a cat", second = "a cat sits", cosine = 0.1234 }]\n'
    )
    done = run("check", "char-tfidf", "--catalogue", str(extra))
    assert done.exit_code == 1
    assert "has drifted" in done.stderr


def test_a_judge_without_golden_pairs_prints_some_to_store(tmp_path: Path) -> None:
    extra = tmp_path / "mine.toml"
    extra.write_text("[judge.char-tfidf]\ngolden = []\n")
    done = run("check", "char-tfidf", "--catalogue", str(extra))
    assert done.exit_code == 0
    *pairs, last = done.stdout.splitlines()[1:]
    assert "no golden pairs are stored" in last
    extra.write_text("[judge.char-tfidf]\ngolden = [\n" + "\n".join(pairs) + "\n]\n")
    catalogue.entries.cache_clear()
    done = run("check", "char-tfidf", "--catalogue", str(extra))
    assert "3 golden pairs" in done.stdout


def test_a_judge_that_is_not_here_ends_with_1(tmp_path: Path) -> None:
    extra = tmp_path / "mine.toml"
    extra.write_text('[judge.qwen3-embedding-8b]\npath = "/no/such/folder"\n')
    done = run("check", "qwen3-8b", "--catalogue", str(extra))
    assert done.exit_code == 1
    assert "/no/such/folder" in done.stderr


def test_an_unknown_judge_ends_with_2() -> None:
    done = run("check", "gpt-9")
    assert done.exit_code == 2
    assert "all-minilm-l6-v2" in done.stderr


def test_a_faulty_catalogue_file_ends_with_2(tmp_path: Path) -> None:
    extra = tmp_path / "mine.toml"
    extra.write_text("[judge.nv-embed-v2]\nsise = 3\n")
    done = run("--catalogue", str(extra))
    assert done.exit_code == 2
    assert "field sise" in done.stderr


def test_judges_of_facts_are_listed_too() -> None:
    """With what they need, and which is a baseline."""
    done = run()
    assert "judge of facts" in done.stdout
    assert "facts-baseline" in done.stdout
    assert "rules, baseline" in done.stdout
