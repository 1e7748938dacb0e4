"""VELOCITI comes in whole or not at all, in parts if need be, and twice is once."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from leaderboard.importers.source import InvalidSource
from leaderboard.importers.velociti import import_velociti
from leaderboard.models import (
    Benchmark,
    CaptionPair,
    Clip,
    Provenance,
    Ranking,
    ReportedResult,
    System,
    Track,
)

pytestmark = pytest.mark.django_db
FIELDS = ("test_name", "video_id", "event", "pos", "neg")
PAIRS = [
    ("agent_random", "v1.mp4", "Ev1", "A man runs.", "A dog runs."),
    ("agent_random", "v2.mp4", "Ev3", "A woman sits.", "A cat sits."),
    ("sequence", "v2", "['Ev1', 'Ev2']", "She sits, then stands.", "She stands, then sits."),
    ("sequence", "v2", "['Ev1', 'Ev2']", "She sits before she stands.", "She stands first."),
    ("ivat", "v1", "Ev1 Ev5", "A man runs.", "A man falls."),
]


def _jsonl(path: Path, rows: list[Any]) -> Path:
    lines = [json.dumps(dict(zip(FIELDS, row, strict=True))) for row in rows]
    path.write_text("\n".join(lines))
    return path


def _csv(path: Path, rows: list[Any]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([FIELDS, *rows])
    return path


def test_pairs_have_the_papers_names_and_positions_in_its_order(tmp_path: Path) -> None:
    report = import_velociti([_jsonl(tmp_path / "pairs.jsonl", PAIRS[::-1])])
    rows = CaptionPair.objects.filter(release=report.release).order_by("position")
    assert list(rows.values_list("position", "test_name", "key", "clip__key", "event")) == [
        (0, "agent_iden", "v2 Ev3", "v2", "Ev3"),
        (1, "agent_iden", "v1 Ev1", "v1", "Ev1"),
        (2, "chrono", "v2 Ev1 Ev2", "v2", "Ev1 Ev2"),
        (3, "chrono", "v2 Ev1 Ev2 #2", "v2", "Ev1 Ev2"),
        (4, "ivat", "v1 Ev1 Ev5", "v1", "Ev1 Ev5"),
    ]
    assert (report.clips, Clip.objects.get(position=0).key) == (2, "v2")
    track = Track.objects.get()
    assert (track.slug, track.protocol, track.judges, track.scores_uploads) == (
        "pairs",
        "pairs",
        ["exact"],
        True,
    )
    (remark,) = report.remarks
    assert "Agent binding" in remark
    assert "Chronology" not in remark


def test_twice_is_once_in_one_file_or_in_several(tmp_path: Path) -> None:
    whole = _csv(tmp_path / "pairs.csv", PAIRS)
    parts = [
        _jsonl(tmp_path / "a.jsonl", PAIRS[2:]),
        _csv(tmp_path / "b.csv", PAIRS[:2]),
    ]
    import_velociti([whole])
    with pytest.raises(InvalidSource, match="order of the clips"):
        import_velociti([_jsonl(tmp_path / "c.jsonl", [*PAIRS[2:], *PAIRS[1::-1]])])
    import_velociti(parts)
    assert CaptionPair.objects.count() == 5


def test_changed_captions_are_another_release(tmp_path: Path) -> None:
    import_velociti([_csv(tmp_path / "pairs.csv", PAIRS)])
    changed = [*PAIRS[:-1], (*PAIRS[-1][:4], "A man sleeps.")]
    with pytest.raises(InvalidSource, match="frozen, and those of ivat differ"):
        import_velociti([_csv(tmp_path / "pairs.csv", changed)])


def test_all_faults_are_told_and_nothing_is_stored(tmp_path: Path) -> None:
    first = _csv(tmp_path / "a.csv", [PAIRS[0], (*PAIRS[1][:4], "A woman sits.")])
    second = _csv(tmp_path / "b.csv", [(*PAIRS[2][:3], "", "x"), PAIRS[3]])
    with pytest.raises(InvalidSource) as caught:
        import_velociti([first, second])
    assert [fault.split(":")[0] for fault in caught.value.problems] == ["a.csv", "b.csv"]
    assert not Benchmark.objects.exists()


def test_a_test_in_two_files_is_refused(tmp_path: Path) -> None:
    files = [_csv(tmp_path / "a.csv", PAIRS), _csv(tmp_path / "b.csv", PAIRS[:1])]
    with pytest.raises(InvalidSource, match="agent_iden stands in another file"):
        import_velociti(files)


def test_names_that_are_too_long_to_be_stored_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidSource, match=r"clip of the pair v+ .* more than 120 characters"):
        import_velociti([_csv(tmp_path / "a.csv", [("chrono", "v" * 121, "", "a", "b")])])


def test_something_must_be_given() -> None:
    with pytest.raises(CommandError, match="give files of pairs"):
        call_command("import_velociti")


class TestPublished:
    """Tables 2 and 3 of the paper."""

    def test_the_average_ranks_and_chance_and_people_stand_beside(
        self, published_velociti_file: Path
    ) -> None:
        raw = json.loads(published_velociti_file.read_text())
        out = io.StringIO()
        call_command("import_velociti", "--published", str(published_velociti_file), stdout=out)
        assert "16 systems, 223 reported results" in out.getvalue()
        track = Track.objects.get()
        assert not track.scores_uploads
        ranking = Ranking.objects.latest_of(track, Provenance.REPORTED)
        assert ranking is not None
        ranked = [row for row in ranking.rows if row["rank"]]
        averages = {
            name: values[-1]
            for name, values in raw["accuracy"].items()
            if name not in ("Random", "Human")
        }
        assert {row["name"]: round(100 * row["mean"]["classic"], 6) for row in ranked} == averages
        assert [row["name"] for row in ranked] == sorted(averages, key=averages.get, reverse=True)  # type: ignore[arg-type]
        beside = {row["name"]: row for row in ranking.rows if row.get("reference")}
        assert set(beside) == {"Random", "Human"}
        assert all(row["rank"] is None for row in beside.values())
        assert beside["Random"]["tests"]["ivat"]["group"]["value"] == 0.167
        assert "group" not in beside["Human"]["judges"]["ivat"]

    def test_every_number_is_there_and_both_tables_are_of_the_same_systems(
        self, published_velociti_file: Path
    ) -> None:
        import_velociti(published=published_velociti_file)
        raw = json.loads(published_velociti_file.read_text())
        rows = ReportedResult.objects.select_related("system")
        stored = {(r.system.name, r.part, r.metric): round(100 * r.mean, 6) for r in rows}
        given = sum(
            value is not None
            for table in ("ivat", "accuracy")
            for values in raw[table].values()
            for value in values
        )
        assert len(stored) == given
        assert stored["PLLaVA", "test:ivat", "group"] == raw["ivat"]["PLLAVA"][-1]
        assert stored["PLLaVA", "test:chrono", "classic"] == raw["accuracy"]["PLLaVA"][6]
        assert stored["CLIP B/32", "test:control_v2t", "classic"] == 91.8
        assert {s.name for s in System.objects.filter(reference=True)} == {"Random", "Human"}

    def test_twice_is_once_and_pairs_may_follow(
        self, published_velociti_file: Path, tmp_path: Path
    ) -> None:
        import_velociti(published=published_velociti_file)
        before = (System.objects.count(), ReportedResult.objects.count(), Ranking.objects.count())
        import_velociti([_csv(tmp_path / "p.csv", PAIRS)], published=published_velociti_file)
        assert before == (
            System.objects.count(),
            ReportedResult.objects.count(),
            Ranking.objects.count(),
        )
        assert Track.objects.get().scores_uploads

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            (lambda raw: raw["accuracy"]["Vera"].pop(), "accuracy.Vera: 7 numbers for 8 columns"),
            (lambda raw: raw["ivat_columns"].append("colour"), "no place for colour"),
            (lambda raw: raw["ivat"]["Random"].__setitem__(0, 120.0), "ivat.Random.entry 1"),
        ],
    )
    def test_faults_are_named_and_nothing_is_stored(
        self, published_velociti_file: Path, tmp_path: Path, change: Any, told: str
    ) -> None:
        raw = json.loads(published_velociti_file.read_text())
        change(raw)
        path = tmp_path / "faulty.json"
        path.write_text(json.dumps(raw))
        with pytest.raises(InvalidSource, match=told):
            import_velociti(published=path)
        assert not Benchmark.objects.exists()
