"""A curator, and data to bring in."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping

import pytest
from django.contrib.auth.models import User

from leaderboard.models import Benchmark, Release

TABLE = (
    b"clip,duration,reference\nc1,10,A man walks into a bar.\nc2,20,A red car stops at the light.\n"
)


@pytest.fixture
def cora(release: Release) -> User:
    """Curates the small benchmark."""
    cora = User.objects.create_user("cora")
    release.benchmark.curators.add(cora)
    return cora


@pytest.fixture
def small(release: Release) -> Benchmark:
    """The small benchmark."""
    return release.benchmark


@pytest.fixture
def zipped() -> Callable[[Mapping[str, bytes]], bytes]:
    """``zipped({"name": b"..."})``: an archive."""

    def made(files: Mapping[str, bytes]) -> bytes:
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as out:
            for name, content in files.items():
                out.writestr(name, content)
        return archive.getvalue()

    return made
