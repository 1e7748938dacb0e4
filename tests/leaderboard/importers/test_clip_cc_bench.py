"""CLIP-CC-Bench comes in whole or not at all, and twice is once."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User

from leaderboard.importers.clip_cc_bench import import_clip_cc_bench
from leaderboard.importers.source import InvalidSource
from leaderboard.models import (
    Benchmark,
    Clip,
    Description,
    Provenance,
    Ranking,
    Reference,
    Release,
    ReportedResult,
    Run,
    Submission,
    System,
    Track,
)

pytestmark = pytest.mark.django_db
TABLES = (
    Benchmark,
    Release,
    Clip,
    Reference,
    Track,
    System,
    System.history.model,
    ReportedResult,
    Ranking,
    Submission,
    Description,
    Run,
)


def counts() -> dict[str, int]:
    """Rows of every table."""
    return {table.__name__: table._default_manager.count() for table in TABLES}


def test_makes_benchmark_release_clips_tracks_and_systems(folder: Path, results: Path) -> None:
    report = import_clip_cc_bench(folder, published=results)

    release = Release.objects.select_related("benchmark").get()
    assert release.benchmark.slug == "clip-cc-bench"
    assert release.version == "1.0"
    assert release.published_at is not None
    assert "CC BY 4.0" in release.benchmark.licence
    clips = list(release.clips.order_by("position"))
    assert [(clip.key, clip.position, clip.excluded) for clip in clips] == [
        ("001", 0, False),
        ("002", 1, False),
        ("126", 2, True),
    ]
    assert clips[2].exclusion_reason
    assert clips[0].link == "https://example.org/watch?v=001"
    assert clips[0].duration is None
    assert clips[0].references.get().text.strip() == "A man opens door 001. He looks around."
    published, embedded = release.tracks.order_by("position")
    assert (published.slug, published.scores_uploads) == ("published", False)
    assert (embedded.slug, embedded.scores_uploads) == ("embedded", True)
    assert len(published.judges) == 5
    assert len(embedded.judges) == 3
    big = System.objects.get(slug="big2-5-72b")
    assert (big.name, big.parameters, big.family, big.frames) == ("Big 72B", "72B", "Test", 8)
    assert System.objects.get(slug="absent").frames is None
    assert (report.clips, report.excluded, report.systems, report.reported) == (3, 1, 3, 75)
    assert report.submitted == 0
    assert not Submission.objects.exists()


def test_ranks_what_is_reported(folder: Path, results: Path) -> None:
    import_clip_cc_bench(folder, published=results)

    ranking = Ranking.objects.get()
    assert ranking.provenance == Provenance.REPORTED
    assert ranking.track.slug == "published"
    assert [(row["rank"], row["name"], row["borda"]) for row in ranking.rows] == [
        (1, "Big 72B", 10),
        (2, "Small One", 5),
        (3, "Absent", 0),
    ]


def test_submits_through_the_intake(folder: Path, sent: list[Any]) -> None:
    report = import_clip_cc_bench(folder, submit=True)

    assert (report.submitted, report.unchanged) == (2, 0)
    submission = Submission.objects.get(system__slug="small_one")
    assert submission.user is None
    assert submission.original_name == "small_one.json"
    assert submission.file.read() == (folder / "models" / "small_one.json").read_bytes()
    texts = dict(submission.descriptions.values_list("clip__key", "text"))
    assert texts["001"] == "A dog sleeps."
    runs = submission.runs.order_by().values_list("track__slug", "state").distinct()
    assert list(runs) == [("embedded", Run.State.QUEUED)]
    assert submission.runs.count() == 3


def test_twice_is_once(folder: Path, results: Path) -> None:
    import_clip_cc_bench(folder, published=results, submit=True)
    before = counts()
    first = list(ReportedResult.objects.order_by("pk").values())

    report = import_clip_cc_bench(folder, published=results, submit=True)

    assert counts() == before
    assert (report.submitted, report.unchanged) == (0, 2)
    again = list(ReportedResult.objects.order_by("pk").values())
    assert again == first


def test_names_follow_the_published_file_whenever_it_comes(folder: Path, results: Path) -> None:
    import_clip_cc_bench(folder)
    assert System.objects.get(slug="big2-5-72b").name == "Big2.5-72B"

    import_clip_cc_bench(folder, published=results)
    assert System.objects.get(slug="big2-5-72b").name == "Big 72B"

    import_clip_cc_bench(folder)
    assert System.objects.get(slug="big2-5-72b").name == "Big 72B"


def test_results_that_left_the_file_leave_the_track_and_others_stay(
    folder: Path, results: Path, write: Callable[[Path, Any], Path]
) -> None:
    import_clip_cc_bench(folder, published=results)
    track = Track.objects.get(slug="published")
    mine = System.objects.create(slug="mine", name="Mine")
    for judge in track.judges:
        track.reported.create(
            system=mine, judge=judge, metric="hm_cf", mean=0.99, source="Another paper"
        )
    shrunk = json.loads(results.read_text())
    del shrunk["systems"]["absent"]
    write(results, shrunk)

    import_clip_cc_bench(folder, published=results)

    newest = Ranking.objects.latest_of(track, Provenance.REPORTED)
    assert newest is not None
    assert [row["name"] for row in newest.rows] == ["Mine", "Big 72B", "Small One"]


def test_a_new_upload_of_a_system_is_a_new_submission(
    folder: Path, write: Callable[[Path, Any], Path]
) -> None:
    import_clip_cc_bench(folder, submit=True)
    write(folder / "models" / "small_one.json", {"001": "A cat.", "002": "A cow."})

    report = import_clip_cc_bench(folder, submit=True)

    assert (report.submitted, report.unchanged) == (1, 1)


def test_a_changed_dataset_does_not_enter_a_frozen_release(
    folder: Path, write: Callable[[Path, Any], Path]
) -> None:
    import_clip_cc_bench(folder)
    dataset = json.loads((folder / "clip_cc_dataset.json").read_text())
    dataset[1]["summary"] = "Something else."
    write(folder / "clip_cc_dataset.json", dataset)

    with pytest.raises(InvalidSource, match="frozen, and clips 002 differ"):
        import_clip_cc_bench(folder)

    assert not Reference.objects.filter(text="Something else.").exists()


def test_a_users_system_is_not_taken_over(folder: Path, ann: User) -> None:
    System.objects.create(slug="small_one", name="Ann's", owner=ann)

    with pytest.raises(InvalidSource, match="small_one was entered by user ann"):
        import_clip_cc_bench(folder)

    assert not Benchmark.objects.exists()


def _dataset(folder: Path, change: Callable[[list[dict[str, Any]]], Any]) -> None:
    path = folder / "clip_cc_dataset.json"
    value = json.loads(path.read_text())
    change(value)
    path.write_text(json.dumps(value))


FAULTS: dict[str, tuple[Callable[[Path], Any], str]] = {
    "no folder": (shutil.rmtree, "must hold clip_cc_dataset.json and models"),
    "no models": (lambda f: shutil.rmtree(f / "models"), "must hold clip_cc_dataset.json"),
    "not JSON": (
        lambda f: (f / "clip_cc_dataset.json").write_text("[{"),
        "clip_cc_dataset.json: not JSON",
    ),
    "not UTF-8": (
        lambda f: (f / "clip_cc_dataset.json").write_bytes(b'["\xff"]'),
        "clip_cc_dataset.json: not JSON",
    ),
    "no id": (
        lambda f: _dataset(f, lambda d: d[1].pop("id")),
        r"clip_cc_dataset.json: entry 2\.id: Field required",
    ),
    "an id that is a number": (
        lambda f: _dataset(f, lambda d: d[0].update(id=1)),
        r"clip_cc_dataset.json: entry 1\.id: Input should be a valid string",
    ),
    "a blank reference": (
        lambda f: _dataset(f, lambda d: d[0].update(summary=" \u200b")),
        "clip_cc_dataset.json: .*001.* blank",
    ),
    "a link that is none": (
        lambda f: _dataset(f, lambda d: d[2].update(file_link="javascript:alert(1)")),
        r"clip_cc_dataset.json: entry 3\.file_link",
    ),
    "a file that is no upload": (
        lambda f: (f / "models" / "small_one.json").write_text("no"),
        "models/small_one.json: ",
    ),
    "a missing clip": (
        lambda f: (f / "models" / "small_one.json").write_text('{"001": "x"}'),
        "models/small_one.json: .*002",
    ),
    "two files of one name": (
        lambda f: shutil.copy(f / "models" / "small_one.json", f / "models" / "Small_One.json"),
        r"models/Small_One.json: the name makes no slug of its own \(small_one\)",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_faulty_folder_is_named_by_file_and_key_and_leaves_nothing(
    folder: Path, results: Path, fault: str
) -> None:
    spoil, message = FAULTS[fault]
    spoil(folder)
    before = counts()

    with pytest.raises(InvalidSource, match=message):
        import_clip_cc_bench(folder, published=results, submit=True)

    assert counts() == before


def _judge(value: Any) -> Any:
    return value["systems"]["small_one"]["judges"]["kalm"]


RESULT_FAULTS: dict[str, tuple[Callable[[Any], Any], str]] = {
    "an unknown judge": (
        lambda v: v["systems"]["absent"]["judges"].update(nobody=_judge(v)),
        "systems.absent.judges: .*'nobody' is unknown",
    ),
    "a judge twice": (
        lambda v: v["systems"]["absent"]["judges"].update(
            {"KaLM-Embedding-Gemma3-12B-2511": _judge(v)}
        ),
        r"systems\.absent\.judges: ",
    ),
    "a judge of another panel": (
        lambda v: v["systems"]["absent"]["judges"].update({"char-tfidf": _judge(v)}),
        "track published has no judge char-tfidf",
    ),
    "a mean out of range": (
        lambda v: _judge(v)["hm_cf"].update(mean=61.2),
        r"systems\.small_one\.judges\.kalm\.hm_cf\.mean: .*less than or equal to 1",
    ),
    "a mean that is text": (
        lambda v: _judge(v)["coarse"].update(mean="0.5"),
        r"systems\.small_one\.judges\.kalm\.coarse\.mean: .*valid number",
    ),
    "a mean that is no number": (
        lambda v: _judge(v)["coarse"].update(mean=float("nan")),
        r"systems\.small_one\.judges\.kalm\.coarse\.mean: ",
    ),
    "a misspelt metric": (
        lambda v: _judge(v).update(fine_f2=_judge(v)["fine_f1"]),
        r"systems\.small_one\.judges\.kalm\.fine_f2: ",
    ),
    "no primary metric": (
        lambda v: _judge(v).pop("hm_cf"),
        r"systems\.small_one\.judges\.kalm\.hm_cf: Field required",
    ),
    "no systems": (lambda v: v["systems"].clear(), "systems: "),
    "no source": (lambda v: v.pop("source"), "source: Field required"),
}


@pytest.mark.parametrize("fault", RESULT_FAULTS)
def test_a_faulty_results_file_is_named_by_key_and_leaves_nothing(
    folder: Path, results: Path, write: Callable[[Path, Any], Path], fault: str
) -> None:
    spoil, message = RESULT_FAULTS[fault]
    value = json.loads(results.read_text())
    spoil(value)
    write(results, value)

    with pytest.raises(InvalidSource, match=message):
        import_clip_cc_bench(folder, published=results, submit=True)

    assert not Benchmark.objects.exists()
    assert not System.objects.exists()


def test_a_repeated_key_is_not_read_as_the_last_one(folder: Path, results: Path) -> None:
    results.write_text(results.read_text().replace('"absent": {', '"small_one": {', 1))

    with pytest.raises(InvalidSource, match="'small_one' stands twice"):
        import_clip_cc_bench(folder, published=results)
