"""The tests in a browser wait for what they expect."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

E2E = Path(__file__).parent.parent / "e2e"
AT_ONCE = {
    "all_inner_texts",
    "all_text_contents",
    "count",
    "get_attribute",
    "inner_text",
    "input_value",
    "is_checked",
    "is_hidden",
    "is_visible",
    "text_content",
}
"""What Playwright answers from the page as it is, be it the one that a click has just left."""


def read_at_once(source: str) -> list[int]:
    """Lines whose ``assert`` reads a page without waiting (``expect`` asks again); ``count`` of a
    text is given what to count.
    """
    return [
        call.lineno
        for statement in ast.walk(ast.parse(source))
        if isinstance(statement, ast.Assert)
        for call in ast.walk(statement)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in AT_ONCE
        and bool(call.args) == (call.func.attr == "get_attribute")
    ]


def test_a_read_at_once_is_found() -> None:
    """As one was written that failed on a busy machine, beside one that waits."""
    waits = "expect(table.get_by_role('row')).to_have_count(15)\n"
    assert read_at_once(waits + "assert table.get_by_role('row').count() == 15\n") == [2]


@pytest.mark.parametrize("path", sorted(E2E.glob("test_*.py")), ids=lambda path: path.name)
def test_no_page_is_read_at_once(path: Path) -> None:
    """In any test."""
    assert read_at_once(path.read_text(encoding="utf-8")) == []
