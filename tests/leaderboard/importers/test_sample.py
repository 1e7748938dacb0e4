"""The sample benchmark is whole, twice is once, and its order is what its README says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from leaderboard.importers.sample import FOLDER, load_sample
from leaderboard.intake.parse import parse
from leaderboard.intake.validate import validate
from leaderboard.models import Clip, Release, Run, Submission, System
from scoring.cache import EmbeddingCache, FileStore
from scoring.judges import catalogue
from scoring.protocols import semantic
from scoring.ranking import rank_scores
from scoring.types import Reference

ORDER = ["larkspur-vl", "pebblecap", "fogmirror", "brooklong", "hedgewarden"]
BINS = ((0, 120), (120, 300), (300, 480), (480, 601))


@pytest.mark.django_db
def test_twice_is_once(sent: list[Any]) -> None:
    first = load_sample()
    counts = [model.objects.count() for model in (Clip, System, Submission, Run)]

    second = load_sample()

    assert counts == [14, 5, 5, 15]
    assert [model.objects.count() for model in (Clip, System, Submission, Run)] == counts
    assert (first.submitted, first.unchanged) == (5, 0)
    assert (second.submitted, second.unchanged) == (0, 5)


@pytest.mark.django_db
def test_without_submissions_there_is_a_benchmark_to_submit_to() -> None:
    load_sample(submit=False)

    release = Release.objects.select_related("benchmark").get()
    assert release.benchmark.slug == "sample"
    assert release.benchmark.licence == "CC0 1.0"
    assert not Submission.objects.exists()
    upload = validate(
        parse((FOLDER / "example_upload.json").read_bytes(), "example_upload.json"), release
    )
    assert not upload.problems


def test_the_texts_are_as_long_as_promised() -> None:
    scenes = json.loads((FOLDER / "clips.json").read_text())
    assert len(scenes) >= 12
    for scene in scenes:
        assert 80 <= len(scene["reference"].split()) <= 200, scene["id"]
    for low, high in BINS:
        assert sum(low < scene["duration"] <= high for scene in scenes) >= 3
    ids = [scene["id"] for scene in scenes]
    for slug in ORDER:
        assert list(json.loads((FOLDER / "descriptions" / f"{slug}.json").read_text())) == ids


def test_the_embedded_judges_give_the_order_of_the_readme(tmp_path: Path) -> None:
    references = {
        scene["id"]: (Reference(scene["reference"]),)
        for scene in json.loads((FOLDER / "clips.json").read_text())
    }
    texts = {
        slug: json.loads((FOLDER / "descriptions" / f"{slug}.json").read_text()) for slug in ORDER
    }
    arrays = {metric: np.empty((5, 3, len(references))) for metric in semantic.METRICS}
    cache = EmbeddingCache(FileStore(tmp_path))
    for j, name in enumerate(catalogue.EMBEDDED_PANEL):
        judge = catalogue.load(name)
        for v, slug in enumerate(ORDER):
            result = semantic.score(judge, texts[slug], references, cache=cache)
            for metric, values in result.metrics.items():
                arrays[metric][v, j] = values

    table = rank_scores(ORDER, catalogue.EMBEDDED_PANEL, arrays)

    assert [row.system for row in table.rows] == ORDER
    assert [(row.rank_low, row.rank_high) for row in table.rows] == [
        (1, 1),
        (2, 3),
        (2, 3),
        (4, 4),
        (5, 5),
    ]
    for metric, values in arrays.items():
        means = values.mean(axis=2)
        assert (means.argmax(axis=0) == 0).all(), metric
        assert (means.argmin(axis=0) == 4).all(), metric
