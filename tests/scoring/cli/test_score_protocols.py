"""`cliprank score --protocol`: facts, shared words and embedding matches by the same command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from scoring import java
from scoring.cli import app
from scoring.cli.score import ProtocolName
from scoring.protocols import TEXT_PROTOCOLS, embedding_match, facts, ngram, semantic
from tests.support.openai_server import Asked, OpenAIServer, Reaction, reply

REFERENCES = {"a": "A man walks his dog. It rains.", "b": "Two boats cross the lake."}
PREDICTIONS = {"a": "A man walks his dog.", "b": "Three boats cross the lake."}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "refs.json").write_text(json.dumps(REFERENCES))
    (tmp_path / "ours.json").write_text(json.dumps(PREDICTIONS))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    base = ["score", "ours.json", "--references", "refs.json", "--out", "out.json"]
    return CliRunner().invoke(app, [*base, *arguments])


def written(here: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((here / "out.json").read_text())
    return found


def test_the_list_of_protocols_is_true() -> None:
    """Each module scores what the list says, and the command knows each name."""
    modules = {m.__name__: m for m in (semantic, facts, ngram, embedding_match)}
    assert {p.module for p in TEXT_PROTOCOLS.values()} == set(modules)
    for name, protocol in TEXT_PROTOCOLS.items():
        module = modules[protocol.module]
        assert protocol.primary in module.METRICS
        assert module.PROTOCOL.startswith(f"{name}.")
        assert callable(module.score)
    assert set(ProtocolName) == set(TEXT_PROTOCOLS) | {"keypoints", "pairs"}


def test_facts_with_the_baseline(here: Path) -> None:
    """The embedded judge, and then a ranking by its metric."""
    done = run("--protocol", "facts", "--judge", "facts-baseline")
    assert done.exit_code == 0, done.output
    scores = written(here)["judges"]["facts-baseline"]
    assert list(scores["mean"]) == list(facts.METRICS)
    assert scores["clips"]["a"]["ent_pred"] == 1
    assert scores["clips"]["b"]["cont_ref"] == 1
    ranked = CliRunner().invoke(
        app, ["rank", "out.json", "--metric", "llm_facts_f1", "--format", "json"]
    )
    assert json.loads(ranked.stdout)["rows"][0]["mean"]["llm_facts_f1"] == pytest.approx(
        scores["mean"]["llm_facts_f1"]
    )


def test_facts_with_a_server_that_fails_on_a_clip(here: Path) -> None:
    """Null and a reason for that clip; the same command asks only about it when all is well."""
    broken = True

    def react(asked: Asked) -> Reaction | None:
        fails = broken and asked.task == "extract" and "Three" in asked.text
        return reply("I cannot evaluate this") if fails else None

    with OpenAIServer(react) as server:
        options = ("--protocol", "facts", "--judge", "endpoint", "--model", "test-model")
        options += ("--base-url", server.url, "--cache", "cache")
        done = run(*options)
        assert done.exit_code == 1
        assert "1 clip failed" in done.stderr
        scores = written(here)["judges"]["endpoint"]
        assert set(scores["clips"]["b"].values()) == {None}
        assert scores["mean"]["llm_facts_f1"] is None
        assert "could not be read" in scores["failures"]["b"]
        before = sum(server.tasks.values())
        broken = False
        assert run(*options).exit_code == 0
        assert sum(server.tasks.values()) - before == 3
        assert "failures" not in written(here)["judges"]["endpoint"]
        assert run(*options, "--repeat", "2").exit_code == 0
        assert written(here)["judges"]["endpoint"]["spread"]["llm_facts_f1"]["std"] == 0


@pytest.mark.skipif(not java.available(), reason="needs Java")
@pytest.mark.xdist_group("java")
def test_shared_words_need_no_judge(here: Path) -> None:
    """German has no METEOR, and the file says why."""
    done = run("--protocol", "ngram", "--language", "de")
    assert done.exit_code == 0, done.output
    scores = written(here)["judges"][ngram.JUDGE]
    assert scores["clips"]["a"]["bleu_1"] > 0.5
    assert "not defined for German" in scores["undefined"]["meteor"]
    assert "not defined for German" in done.stderr


def test_embedding_matches(here: Path) -> None:
    """With any embedding judge."""
    done = run("--protocol", "embedding_match", "--judge", "char-tfidf")
    assert done.exit_code == 0, done.output
    assert list(written(here)["judges"]["char-tfidf"]["mean"]) == ["cos_par", "cos_sent"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--protocol", "facts"), "needs a --judge"),
        (("--protocol", "facts", "--judge", "char-tfidf"), "the catalogue has facts-baseline"),
        (("--protocol", "semantic", "--judge", "facts-baseline"), "is unknown"),
        (("--protocol", "ngram", "--judge", "char-tfidf"), "takes no --judge"),
        (("--protocol", "ngram", "--judged-by", "GPT-4.1"), "takes no --judged-by"),
        (("refs.json", "--protocol", "ngram"), "scores one file"),
    ],
)
def test_a_judge_of_another_kind_ends_with_2(
    here: Path, arguments: tuple[str, ...], message: str
) -> None:
    """Before anything is read."""
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not (here / "out.json").exists()
