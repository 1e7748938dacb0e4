"""The audit of dependencies: findings, none, and no database to ask are three things."""

from __future__ import annotations

import importlib.util
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

PATH = Path(__file__).resolve().parents[2] / "infra" / "audit.py"
GOOD = {"name": "good", "version": "1.0", "vulns": []}
WEAK = {"name": "weak", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}
SKIPPED = {"name": "odd", "skip_reason": "Dependency not found"}


@pytest.fixture
def audit(monkeypatch: pytest.MonkeyPatch) -> Any:
    """``audit(dependencies)``: its exit status when both databases say this; None: no answer."""
    spec = importlib.util.spec_from_file_location("audit", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.delenv("AUDIT_URL", raising=False)

    def made(found: list[dict[str, Any]] | None) -> int:
        said = "" if found is None else json.dumps({"dependencies": found})
        done = subprocess.CompletedProcess([], 1, stdout=said, stderr="")
        monkeypatch.setattr(module.subprocess, "run", lambda *_, **__: done)
        return int(module.audit())

    return made


def test_a_weakness_is_named_with_its_remedy(audit: Any, capsys: Any) -> None:
    """And fails."""
    assert audit([GOOD, WEAK, SKIPPED]) == 1
    said = capsys.readouterr().out
    assert "weak 1.0: PYSEC-1, mended in 1.1" in said
    assert "Not known there: odd" in said


def test_none_known(audit: Any, capsys: Any) -> None:
    """Said with how many were looked up."""
    assert audit([GOOD]) == 0
    assert "1 packages looked up" in capsys.readouterr().out


@pytest.mark.parametrize("found", [None, [SKIPPED], []])
def test_no_answer_is_no_clean_bill(audit: Any, capsys: Any, found: Any) -> None:
    """An index that knows no advisories answers about nothing."""
    assert audit(found) == 3
    assert "NOT AUDITED" in capsys.readouterr().err
