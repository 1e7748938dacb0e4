"""What the documents point at is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PLACES = r"`((?:leaderboard|scoring|tests|infra|templates|static)/[\w./-]+)`"


@pytest.mark.parametrize("name", ["SECURITY.md", "CONTRIBUTING.md"])
def test_places_in_the_code_are_there(name: str) -> None:
    """A claim that names a file is looked up where it says."""
    places = re.findall(PLACES, (ROOT / name).read_text())
    assert len(places) > 10
    named = [place for place in places if "NAME" not in place]
    assert not [place for place in named if not (ROOT / place).exists()]


@pytest.mark.parametrize("name", ["README.md", "SECURITY.md", "infra/README.md"])
def test_links_between_documents_lead_somewhere(name: str) -> None:
    """Those within the repository."""
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text())
    assert not [link for link in links if not ((ROOT / name).parent / link).exists()]
