"""Markdown of curators: what it may say, and that it runs nothing."""

from __future__ import annotations

import re

import pytest

from leaderboard.markdown import html_of

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
    "[x](vbscript:msgbox)",
    "<javascript:alert(1)>",
    "![x](https://example.org/pixel.png)",
    '[x](https://example.org "on" onmouseover="alert(1))',
    '<a href="https://example.org" style="position:fixed" onclick="alert(1)">x</a>',
    "<style>body{display:none}</style>",
    "<svg><animate onbegin=alert(1)></svg>",
    "<iframe src=https://example.org></iframe>",
    "```<script>\nalert(1)\n```",
    "`<img src=x onerror=alert(1)>`",
    "| a |\n|---|\n| <script>alert(1)</script> |",
    "<math><mtext></p><style><img src onerror=alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
]
TAG = re.compile(r"<(/?)([a-z0-9]+)([^>]*)>", re.IGNORECASE)


@pytest.mark.parametrize("text", ATTACKS)
def test_nothing_runs(text: str) -> None:
    """No element but those of prose, no attribute but an address of the web."""
    for _, name, rest in TAG.findall(html_of(text)):
        assert name.lower() not in {"script", "img", "style", "svg", "iframe", "math", "animate"}
        assert not re.search(r"\bon\w+\s*=|style\s*=", re.sub(r'"[^"]*"', '""', rest))
        for address in re.findall(r'href="([^"]*)"', rest):
            assert re.match(r"(https?:|mailto:|/|#|$)", address), address


def test_prose_is_written() -> None:
    """Lists, tables, code and links; headings below those of the page."""
    html = html_of("# Rules\n\n* One *system*\n\n| a |\n|---|\n| b |\n\n[Paper](https://e.org/p)")
    assert "<h3>Rules</h3>" in html
    assert "<li>One <em>system</em></li>" in html
    assert "<td>b</td>" in html
    assert '<a href="https://e.org/p" rel="nofollow noopener noreferrer">Paper</a>' in html
    assert html_of("### Deep").startswith("<h3>Deep</h3>")
    assert "<h5>" in html_of("## One\n\n#### Two")


def test_typed_html_is_shown_as_typed() -> None:
    """Nobody wonders where their angle brackets went."""
    assert "&lt;clip&gt;" in html_of("Write <clip> here.")
