"""On real descriptions false alarms are rare, and what is flagged is there."""

from __future__ import annotations

import csv
import itertools
import json
from pathlib import Path

import pytest

from scoring.diagnostics import copies, diagnose
from scoring.types import Reference

Texts = dict[str, str]


@pytest.fixture(scope="module")
def systems(clip_cc_dir: Path) -> dict[str, Texts]:
    """The published outputs of 17 systems."""
    return {
        path.stem: json.loads(path.read_text())
        for path in sorted((clip_cc_dir / "models").glob("*.json"))
    }


@pytest.fixture(scope="module")
def references(clip_cc_dir: Path) -> dict[str, list[Reference]]:
    """The reference paragraphs of CLIP-CC-Bench."""
    rows = json.loads((clip_cc_dir / "clip_cc_dataset.json").read_text())
    return {row["id"]: [Reference(row["summary"])] for row in rows}


def test_alarms_over_the_17_systems(
    systems: dict[str, Texts], references: dict[str, list[Reference]]
) -> None:
    """Of 3,383 texts: 235 loop (up to 4,700 words, looked at), 161 are cut off, 3 refuse."""
    found = {name: diagnose(texts, references) for name, texts in systems.items()}
    total = sum(len(texts) for texts in systems.values())
    rates = {
        code: sum(f.count for d in found.values() for f in d.flags if f.code == code) / total
        for code in ("refusal", "placeholder", "api-error", "instruction-like", "copy-of-reference")
    }
    assert max(rates.values()) < 0.002, rates
    assert sum(f.count for f in found["minicpm"].flags) == 0
    loops = next(f for f in found["mplug"].flags if f.code == "repetition")
    assert loops.count == pytest.approx(67, abs=10)


def test_references_have_next_to_no_flag(references: dict[str, list[Reference]]) -> None:
    """People wrote them."""
    texts = {clip: some[0].text for clip, some in references.items()}
    found = diagnose(texts).flags
    # One of the 200 does end without a full stop.
    assert [(flag.code, flag.count) for flag in found] in ([], [("truncated", 1)])


def test_german_descriptions_have_no_flag(fm_v2t_dir: Path) -> None:
    """In the language that they are in; in the other one nearly all are flagged."""
    with (fm_v2t_dir / "clips-wvr-annotations-de.csv").open(newline="") as file:
        rows = [row for row in csv.reader(file) if len(row) > 1][1:]
    texts = {str(n): row[1] for n, row in enumerate(rows)}
    right = {flag.code: flag.count for flag in diagnose(texts, language="de").flags}
    assert right.get("wrong-language", 0) == 0
    wrong = {flag.code: flag.count for flag in diagnose(texts).flags}
    assert wrong["wrong-language"] > 0.9 * len(texts)


def test_no_system_copies_another(systems: dict[str, Texts]) -> None:
    """Over all 136 pairs; a copy among them would be found."""
    clips = sorted(set.intersection(*map(set, systems.values())))
    sketches = {name: copies.sketch(t[c] for c in clips) for name, t in systems.items()}
    suspects = [
        (a, b, clips[at])
        for a, b in itertools.combinations(systems, 2)
        for at in (copies.alike(sketches[a], sketches[b]) > copies.SUSPECT).nonzero()[0]
    ]
    alike = [s for s in suspects if copies.overlap(systems[s[0]][s[2]], systems[s[1]][s[2]]) > 0.5]
    assert len(alike) <= 3, alike
    planted = copies.sketch(f"Well. {systems['oryx'][c]}" for c in clips)
    assert (copies.alike(planted, sketches["oryx"]) > copies.SUSPECT).mean() > 0.99
