"""What holds of every template."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
TIME = re.compile(r'date:"[^"]*H:i[^"]*"')
ZONED = re.compile(r'H:i(:s)? [eT]"$')


@pytest.mark.parametrize(
    "path", sorted(TEMPLATES.rglob("*.html")), ids=lambda path: str(path.relative_to(TEMPLATES))
)
def test_a_time_of_day_says_its_zone(path: Path) -> None:
    """Beside it, or once for a list of many lines: `{% now "e" %}`."""
    text = path.read_text()
    bare = [time for time in TIME.findall(text) if not ZONED.search(time)]
    assert not bare or '{% now "e" %}' in text
