"""Signatures: exactly what changes a number, in a form that can be read and compared."""

from __future__ import annotations

from typing import Any

import pytest

from scoring import signature as s

RANKING: dict[str, Any] = {
    "primary": "hm_cf",
    "judges": ["b", "a"],
    "replicates": 1000,
    "seed": 0,
    "run_signatures": ["run 2", "run 1", "run 1"],
}


def test_a_runs_signature_reads_from_library_to_splitter() -> None:
    made = s.signature("semantic.1", {"split": "punkt-2.2.1-en"}, "judge:j|rev:1")
    assert made == "cliprank:0.1|protocol:semantic.1|judge:j|rev:1|split:punkt-2.2.1-en"


def test_separators_cannot_be_smuggled_in() -> None:
    assert s.joined({"judge": "a|rev:2"}) == "judge:a_rev_2"


def test_a_patch_release_does_not_change_it() -> None:
    assert s.release().count(".") == 1


def test_versions_are_those_installed_without_a_build_label() -> None:
    found = s.libraries("torch", "st", "tf")
    assert set(found) == {"torch", "st", "tf"}
    assert all("+" not in version and version[0].isdigit() for version in found.values())


def test_a_library_that_is_not_installed_says_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(s._LIBRARIES, "gone", "a-package-that-is-not-there")
    assert s.libraries("gone") == {"gone": "none"}


def test_a_ranking_does_not_depend_on_the_order_of_its_parts() -> None:
    made = s.ranking_signature(**RANKING)
    turned = RANKING | {"judges": ["a", "b"], "run_signatures": ["run 1", "run 2"]}
    assert made == s.ranking_signature(**turned)
    assert "judges:a,b|replicates:1000|seed:0" in made


@pytest.mark.parametrize(
    "change",
    [
        {"primary": "coarse"},
        {"judges": ["a"]},
        {"replicates": 999},
        {"seed": 1},
        {"run_signatures": ["run 1"]},
    ],
)
def test_whatever_changes_a_ranking_changes_its_signature(change: dict[str, Any]) -> None:
    assert s.ranking_signature(**(RANKING | change)) != s.ranking_signature(**RANKING)


def test_a_panels_signature_names_judges_and_digests_their_runs() -> None:
    made = s.panel_signature("semantic.1", {"b": "run b", "a": "run a"})
    assert made.startswith("cliprank:0.1|protocol:semantic.1|judges:a,b|runs:")
    assert made == s.panel_signature("semantic.1", {"a": "run a", "b": "run b"})
    assert made != s.panel_signature("semantic.1", {"a": "run a", "b": "run c"})
