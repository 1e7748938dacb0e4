"""Fixtures for all tests."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.s3_server import S3Server, s3_server

ROOT = Path(__file__).resolve().parent.parent
SHARED = Path(os.environ.get("CLIPRANK_SHARED", ROOT.parent / "shared"))


def _shared(relative: str) -> Path:
    path = SHARED / relative
    if not path.exists():
        pytest.skip(f"benchmark data not at hand: {relative} (set CLIPRANK_SHARED)")
    return path


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[S3Server]:
    """A real S3 server, one for each process of tests; every test makes buckets of its own."""
    with s3_server(tmp_path_factory.mktemp("buckets")) as server:
        yield server


@pytest.fixture(scope="session")
def clip_cc_dir() -> Path:
    """CLIP-CC-Bench as its authors lay it out."""
    return _shared("data/clip-cc-bench")


@pytest.fixture(scope="session")
def published_clip_cc() -> Path:
    """The published per-judge results of CLIP-CC-Bench."""
    return _shared("data/published/clip_cc_bench.json")


@pytest.fixture(scope="session")
def golden_clip_cc() -> dict[str, Any]:
    """Values made by the benchmark's own scorer."""
    loaded: dict[str, Any] = json.loads(_shared("data/goldens/clip_cc_hm_cf.json").read_text())
    return loaded


@pytest.fixture(scope="session")
def fm_v2t_dir() -> Path:
    """FM-V2T's annotations as its authors lay them out."""
    return _shared("data/fm-v2t")


@pytest.fixture(scope="session")
def published_fm_v2t_file() -> Path:
    """The published tables of FM-V2T, as the file."""
    return _shared("data/published/fm_v2t.json")


@pytest.fixture(scope="session")
def published_fm_v2t() -> dict[str, Any]:
    """The published tables of FM-V2T, and the texts and fact counts of its table 3."""
    loaded: dict[str, Any] = json.loads(_shared("data/published/fm_v2t.json").read_text())
    return loaded


@pytest.fixture(scope="session")
def golden_pairs() -> dict[str, Any]:
    """Values made by VELOCITI's own metric code."""
    loaded: dict[str, Any] = json.loads(_shared("data/goldens/velociti_pairs.json").read_text())
    return loaded


@pytest.fixture(scope="session")
def published_velociti() -> dict[str, Any]:
    """The published tables of VELOCITI."""
    loaded: dict[str, Any] = json.loads(_shared("data/published/velociti.json").read_text())
    return loaded


@pytest.fixture(scope="session")
def golden_keypoints() -> dict[str, Any]:
    """Judgements in, values of CapRiCorn-1K's own metric code out."""
    path = _shared("data/goldens/capricorn_keypoints.json")
    loaded: dict[str, Any] = json.loads(path.read_text())
    return loaded


@pytest.fixture(scope="session")
def published_velociti_file() -> Path:
    """The file of the published tables of VELOCITI."""
    return _shared("data/published/velociti.json")


@pytest.fixture(scope="session")
def published_capricorn() -> Path:
    """The file of the published tables of CapRiCorn-1K."""
    return _shared("data/published/capricorn_1k.json")
