"""CapRiCorn-1K comes in whole or not at all, in parts if need be, and twice is once."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from leaderboard.importers.capricorn import import_capricorn
from leaderboard.importers.source import InvalidSource
from leaderboard.models import (
    Benchmark,
    Clip,
    Keypoint,
    Provenance,
    Ranking,
    Release,
    ReportedResult,
    Subject,
    System,
    Track,
)

pytestmark = pytest.mark.django_db
Row = dict[str, Any]
Write = Callable[..., Path]

SCENES: list[Row] = [
    {
        "video_id": "0001",
        "duration": 93.5,
        "category": "sport",
        "subjects": {"<s1>": "the girl in red"},
        "events": {
            "main_sbj_evts": ["<s1> laces her boots."],
            "main_sbj_ints": ["<s1> calls <s2>."],
            "bg_desc": ["A muddy field."],
            "trans_desc": [],
            "minor_evts": ["A dog barks."],
        },
    },
    {
        "video_path": "videos/0002.mp4",
        "duration": 480.0,
        "events": {"main_sbj_evts": ["<p1> sings."], "bg_desc": ["A stage."]},
    },
]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """``write("name", rows)``: a JSON Lines file."""

    def written(name: str, rows: list[Row]) -> Path:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    return written


def _counts() -> list[int]:
    models = (Benchmark, Release, Clip, Subject, Keypoint, Track, System, ReportedResult, Ranking)
    return [model.objects.count() for model in models]  # type: ignore[attr-defined]


def test_both_annotations_are_tracks_of_one_release(write: Write) -> None:
    vision = json.loads(json.dumps(SCENES))
    vision[0]["events"]["minor_evts"] = []
    files = {
        "audiovisual": write("av.jsonl", SCENES),
        "visual": write("v.jsonl", vision),
    }
    report = import_capricorn(**files)

    assert (report.clips, report.reported) == (2, 0)
    assert list(Clip.objects.values_list("key", "duration", "category", "position")) == [
        ("0001", 93.5, "sport", 0),
        ("0002", 480.0, "", 1),
    ]
    points = Keypoint.objects.of(report.release, "audiovisual").filter(clip__key="0001")
    assert list(points.values_list("kind", "text")) == [
        ("main_sbj_evts", "<s1> laces her boots."),
        ("main_sbj_ints", "<s1> calls <s2>."),
        ("bg_desc", "A muddy field."),
        ("minor_evts", "A dog barks."),
    ]
    assert [list(p.subjects.values_list("key", flat=True)) for p in points] == [
        ["<s1>"],
        ["<s1>", "<s2>"],
        [],
        [],
    ]
    assert Keypoint.objects.of(report.release, "visual").count() == 5
    names = Subject.objects.filter(clip__key="0001", annotation="audiovisual")
    assert list(names.values_list("key", "name")) == [("<s1>", "the girl in red"), ("<s2>", "")]
    assert [
        (t.slug, t.settings["annotation"], t.judges, t.scores_uploads)
        for t in Track.objects.order_by("position")
    ] == [
        ("audiovisual", "audiovisual", ["gpt-4.1"], False),
        ("visual", "visual", ["gpt-4.1"], False),
        ("audiovisual-baseline", "audiovisual", ["keypoint-baseline"], True),
        ("visual-baseline", "visual", ["keypoint-baseline"], True),
    ]
    before = _counts()
    import_capricorn(**files)
    assert _counts() == before


def test_annotations_may_follow_the_tables(write: Write, published_capricorn: Path) -> None:
    import_capricorn(published=published_capricorn)
    assert not Clip.objects.exists()
    assert Track.objects.count() == 2
    report = import_capricorn(audiovisual=write("av.jsonl", SCENES))
    assert (report.clips, Track.objects.count()) == (2, 3)
    import_capricorn(published=published_capricorn)
    assert Clip.objects.count() == 2


def test_what_staff_have_opened_stays_open(write: Write) -> None:
    path = write("av.jsonl", SCENES)
    import_capricorn(audiovisual=path)
    Track.objects.filter(slug="audiovisual").update(scores_uploads=True, judges=["our-judge"])
    import_capricorn(audiovisual=path)
    track = Track.objects.get(slug="audiovisual")
    assert (track.scores_uploads, track.judges) == (True, ["our-judge"])


def test_names_of_subjects_may_be_mended_and_nothing_else(write: Write) -> None:
    import_capricorn(audiovisual=write("av.jsonl", SCENES))
    renamed = json.loads(json.dumps(SCENES))
    renamed[0]["subjects"] = {"<s2>": "her coach"}
    import_capricorn(audiovisual=write("av.jsonl", renamed))
    names = Subject.objects.filter(clip__key="0001").values_list("key", "name")
    assert dict(names) == {"<s1>": "", "<s2>": "her coach"}
    renamed[1]["events"]["bg_desc"] = ["Another stage."]
    with pytest.raises(InvalidSource, match="frozen, and those of clips 0002 differ"):
        import_capricorn(audiovisual=write("av.jsonl", renamed))


def test_every_fault_is_told_and_nothing_is_stored(write: Write) -> None:
    rows = json.loads(json.dumps(SCENES))
    rows[0]["events"]["main_sbj_evts"] = ["Somebody runs."]
    rows[1]["duration"] = -1
    with pytest.raises(InvalidSource) as caught:
        import_capricorn(audiovisual=write("av.jsonl", rows))
    assert "line 1" in caught.value.problems[0]
    assert "line 2" in caught.value.problems[1]
    assert not Benchmark.objects.exists()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"subjects": {"<s9>": "nobody"}}, "names <s9>, who takes part in none"),
        ({"subjects": {"<s1>": 7}}, "must map marks to names"),
        ({"subjects": ["<s1>"]}, "must map marks to names"),
    ],
)
def test_faulty_names_are_refused(write: Write, change: Row, told: str) -> None:
    with pytest.raises(InvalidSource, match=told):
        import_capricorn(audiovisual=write("av.jsonl", [SCENES[0] | change]))
    assert not Benchmark.objects.exists()


def test_files_that_do_not_belong_together_are_refused(write: Write) -> None:
    other = [SCENES[0] | {"duration": 12.0}]
    with pytest.raises(InvalidSource, match="clip 0001 has another duration"):
        import_capricorn(audiovisual=write("a.jsonl", SCENES), visual=write("v.jsonl", other))


def test_something_must_be_given() -> None:
    with pytest.raises(CommandError, match="give an annotation file"):
        call_command("import_capricorn")


class TestPublished:
    """Tables 2 to 4 of the paper."""

    def test_places_follow_the_papers_accuracy(self, published_capricorn: Path) -> None:
        raw = json.loads(published_capricorn.read_text())
        out = io.StringIO()
        call_command("import_capricorn", "--published", str(published_capricorn), stdout=out)
        assert "26 systems, 405 reported results" in out.getvalue()
        for slug, table in (("audiovisual", "audiovisual"), ("visual", "visual_only")):
            track = Track.objects.get(slug=slug)
            ranking = Ranking.objects.latest_of(track, Provenance.REPORTED)
            assert ranking is not None
            accuracy = sorted((line["overall"]["acc"] for line in raw[table]), reverse=True)
            assert [round(100 * row["mean"]["acc"], 6) for row in ranking.rows] == accuracy
            assert {row["rank"] for row in ranking.rows} <= set(range(1, len(accuracy) + 1))

    def test_every_number_is_there(self, published_capricorn: Path) -> None:
        import_capricorn(published=published_capricorn)
        raw = json.loads(published_capricorn.read_text())
        stored = {
            (r.system.name, r.part, r.metric): round(100 * r.mean, 6)
            for r in ReportedResult.objects.filter(
                track__slug="audiovisual", judge="gpt-4.1"
            ).select_related("system")
        }
        assert len(stored) == 18 * 5 * 3
        for line in raw["audiovisual"]:
            name = next(
                n for n, *_ in stored if n in (line["model"], f"{line['model']} {line['size']}")
            )
            assert stored[name, "", "ref"] == line["overall"]["ref"]
            assert stored[name, "duration:(480,601]", "cov"] == line["(8,10]min"]["cov"]

    def test_rows_hold_durations_and_the_other_judge(self, published_capricorn: Path) -> None:
        import_capricorn(published=published_capricorn)
        track = Track.objects.get(slug="audiovisual")
        ranking = Ranking.objects.latest_of(track, Provenance.REPORTED)
        assert ranking is not None
        first = ranking.rows[0]
        assert first["name"] == "Gemini-3.1-Pro"
        assert first["parts"]["gpt-4.1"]["duration"]["(0,120]"]["ref"] == 0.424
        assert first["other_judges"]["qwen3-235b-a22b"] == {
            "acc": 0.272,
            "cov": 0.516,
            "ref": 0.354,
        }
        assert sum("other_judges" in row for row in ranking.rows) == 5
        seven = next(row for row in ranking.rows if row["name"] == "ASID-Captioner 7B")
        assert seven["other_judges"]["qwen3-235b-a22b"]["acc"] == 0.127

    def test_a_number_that_has_gone_goes(self, published_capricorn: Path, tmp_path: Path) -> None:
        import_capricorn(published=published_capricorn)
        raw = json.loads(published_capricorn.read_text())
        raw["judge_ablation"] = raw["judge_ablation"][:1]
        path = tmp_path / "fewer.json"
        path.write_text(json.dumps(raw))
        import_capricorn(published=path)
        assert ReportedResult.objects.filter(judge="qwen3-235b-a22b").count() == 3

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            (lambda raw: raw["audiovisual"][0]["overall"].update(acc=142.5), "entry 1.overall.acc"),
            (lambda raw: raw["visual_only"][2].pop("(2,5]min"), r"visual_only.entry 3.*\(2,5\]min"),
            (lambda raw: raw["audiovisual"].append(raw["audiovisual"][0]), "stands there twice"),
            (lambda raw: raw.update(judge="GPT-5"), "the tables are of gpt-4.1"),
            (
                lambda raw: raw["judge_ablation"][0]["gpt-4.1"].update(acc=1.0),
                "numbers of 0 systems",
            ),
        ],
    )
    def test_faults_are_named_and_nothing_is_stored(
        self, published_capricorn: Path, tmp_path: Path, change: Any, told: str
    ) -> None:
        raw = json.loads(published_capricorn.read_text())
        change(raw)
        path = tmp_path / "faulty.json"
        path.write_text(json.dumps(raw))
        with pytest.raises(InvalidSource, match=told):
            import_capricorn(published=path)
        assert not Benchmark.objects.exists()
