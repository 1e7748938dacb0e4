"""Every variable that the settings read is explained to the person who runs the site."""

from __future__ import annotations

from pathlib import Path

from leaderboard.site_secret import local
from tests.support.variables import settings_read

ROOT = Path(__file__).resolve().parent.parent


def test_every_variable_stands_in_the_readme() -> None:
    """A table row names it in code quotes."""
    readme = (ROOT / "README.md").read_text()
    assert settings_read()
    assert not {name for name in settings_read() if f"`{name}`" not in readme}


def test_the_secret_is_made_here_and_kept(tmp_path: Path) -> None:
    """There is no default secret to forget about."""
    path = tmp_path / "sub" / "secret-key"
    first = local(path)
    assert len(first) >= 50
    assert local(path) == first
    assert path.stat().st_mode & 0o077 == 0
