"""The sample benchmark is whole, twice is once, and its order is what its README says."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command

from leaderboard.importers.keypoint_rows import (
    AnnotationFile,
    annotation_file,
    read_annotation_file,
)
from leaderboard.importers.pair_rows import pair_tests, read_pair_files
from leaderboard.importers.sample import FOLDER, load_sample, sample_scenes
from leaderboard.importers.sample_scenes import keypoint_records, pair_records
from leaderboard.intake.contents import Contents, read
from leaderboard.intake.parse import parse
from leaderboard.intake.validate import validate
from leaderboard.models import Clip, Kind, Release, Run, Submission, System, Track
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run
from scoring.cache import EmbeddingCache, FileStore
from scoring.judges import catalogue
from scoring.protocols import keypoint_baseline, keypoints, semantic
from scoring.protocols.keypoint_types import KINDS
from scoring.protocols.pair_tests import TITLES
from scoring.ranking import rank_scores
from scoring.types import Reference

ORDER = ["larkspur-vl", "pebblecap", "fogmirror", "brooklong", "hedgewarden"]
BINS = ((0, 120), (120, 300), (300, 480), (480, 601))


def keypoints_file() -> AnnotationFile:
    """The keypoints of all scenes."""
    return annotation_file(keypoint_records(sample_scenes()), "keypoints.json")


@pytest.mark.django_db
def test_twice_is_once(sent: list[Any]) -> None:
    first = load_sample()
    counts = [model.objects.count() for model in (Clip, System, Submission, Run)]

    second = load_sample()

    assert counts == [14, 5, 9, 34]
    assert [model.objects.count() for model in (Clip, System, Submission, Run)] == counts
    assert (first.submitted, first.unchanged) == (9, 0)
    assert (second.submitted, second.unchanged) == (0, 9)


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
    scenes = sample_scenes()
    assert len(scenes) >= 12
    for scene in scenes:
        assert 80 <= len(scene.reference.split()) <= 200, scene.id
    for low, high in BINS:
        assert sum(low < scene.duration <= high for scene in scenes) >= 3
    ids = [scene.id for scene in scenes]
    for slug in ORDER:
        assert list(json.loads((FOLDER / "descriptions" / f"{slug}.json").read_text())) == ids


def test_the_embedded_judges_give_the_order_of_the_readme(tmp_path: Path) -> None:
    references = {scene.id: (Reference(scene.reference),) for scene in sample_scenes()}
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


def test_every_scene_has_keypoints_of_all_kinds_and_named_subjects() -> None:
    file = keypoints_file()
    assert [(s.id, s.duration, s.category) for s in sample_scenes()] == [
        (clip, one.duration, one.category) for clip, one in file.annotations.items()
    ]
    for clip, one in file.annotations.items():
        assert {point.kind for point in one.keypoints} == set(KINDS), clip
        assert len([n for n in one.subjects.values() if n >= 2]) >= 2, clip
        assert set(file.names[clip]) == set(one.subjects), clip
    assert any("takes off her helmet" in p.text for p in file.annotations["red-balloon"].keypoints)


def test_every_test_of_the_paper_has_pairs_and_ten_scenes_at_least() -> None:
    tests = pair_tests([("pairs", pair_records(sample_scenes()))])
    ids = {scene.id for scene in sample_scenes()}
    assert list(tests) == list(TITLES)
    for pairs in tests.values():
        assert len(pairs) >= 10
        assert {pair.clip for pair in pairs} <= ids


@pytest.mark.django_db
def test_answers_to_the_pairs_give_the_order_of_the_readme(sent: list[Any]) -> None:
    load_sample()
    for run in Run.objects.filter(judge="exact"):
        score_run(run.pk)
        run.refresh_from_db()
        assert run.state == Run.State.DONE, run.error

    ranking = rank_track(Track.objects.get(slug="pairs").pk)

    assert ranking is not None
    rows = {row["system"]: row for row in ranking.rows}
    assert list(rows) == ["larkspur-vl", "pebblecap", "fogmirror", "brooklong"]
    assert [row["rank"] for row in rows.values()] == [1, 2, 3, None]
    assert rows["brooklong"]["missing"] == ["chrono"]
    tests = {system: row["tests"] for system, row in rows.items()}
    for test in ("agent_bind", "action_bind", "chrono"):
        assert tests["fogmirror"][test]["classic"]["value"] < 0.3
        assert abs(tests["pebblecap"][test]["classic"]["value"] - 0.5) < 0.1
    larkspur = rows["larkspur-vl"]["mean"]
    assert larkspur["strict"] < larkspur["classic"] - 0.2
    assert {s for s, row in rows.items() if "mcq" in row["mean"]} == {"larkspur-vl", "pebblecap"}


@pytest.mark.django_db
def test_the_example_answers_can_be_uploaded() -> None:
    load_sample(submit=False)
    data = (FOLDER / "example_pairs.jsonl").read_bytes()
    upload = read(data, "mine.jsonl", Release.objects.get(), Contents(Kind.PAIRS))
    assert not upload.problems


def test_the_baseline_puts_the_faithful_system_first_and_the_silent_one_last() -> None:
    annotations = keypoints_file().annotations
    some = {clip: annotations[clip] for clip in ("puddle-bus", "red-balloon", "train-platform")}
    judge = keypoint_baseline.embedded()
    means = {}
    for slug in ("larkspur-vl", "pebblecap", "hedgewarden"):
        texts = json.loads((FOLDER / "descriptions" / f"{slug}.json").read_text())
        means[slug] = keypoints.score(judge, texts, some).mean()
    assert means["larkspur-vl"]["acc"] > 2 * means["pebblecap"]["acc"]
    assert means["pebblecap"]["cov"] > 2 * means["hedgewarden"]["cov"]
    assert means["larkspur-vl"]["ref"] > 0.2


def test_the_scenes_can_be_written_as_files_of_the_other_importers(tmp_path: Path) -> None:
    call_command("load_sample", files=tmp_path / "new", stdout=StringIO())
    texts = json.loads((tmp_path / "new/references.json").read_text())
    assert texts == {scene.id: scene.reference for scene in sample_scenes()}
    written = read_annotation_file(tmp_path / "new/keypoints.json")
    assert written == keypoints_file()
    pairs = read_pair_files([tmp_path / "new/pair_tests.jsonl"])
    assert sum(map(len, pairs.values())) == sum(len(scene.pairs) for scene in sample_scenes())
