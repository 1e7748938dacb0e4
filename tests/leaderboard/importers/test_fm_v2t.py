"""FM-V2T comes in with what its files share, tells the difference, and twice is once."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from leaderboard.importers.fm_v2t import CAPTIONS, ENGLISH, GERMAN, import_fm_v2t
from leaderboard.importers.source import InvalidSource
from leaderboard.models import (
    Benchmark,
    Clip,
    Provenance,
    Ranking,
    Reference,
    Release,
    ReportedResult,
    System,
    Track,
)

pytestmark = pytest.mark.django_db
TABLES = (Benchmark, Release, Clip, Reference, Track, System, ReportedResult, Ranking)
KEYS = ("0_1_1CF0-A", "1_2_1CF1-B", "2_3_1CF2-C")


def counts() -> dict[str, int]:
    """Rows of every table."""
    return {table.__name__: table._default_manager.count() for table in TABLES}


def write_csv(path: Path, rows: Sequence[Sequence[str]], header: str = "Corrected") -> None:
    """A table as the benchmark has them."""
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("Video-Filename", header), *rows])


def result(mean: float | None) -> dict[str, float] | None:
    """A statistic of table 2."""
    return None if mean is None else {"mean": mean, "std": 0.1}


def line(model: str, prompt: str, reference: str = "Ref", **means: float | None) -> dict[str, Any]:
    """A line of table 2."""
    names = ("llm_facts_f1", "meteor", "bleu_1", "bleu_2", "rouge_l", "cos_par", "cos_sent")
    short = dict.fromkeys(("llm_facts_f1", "cos_par", "cos_sent"))
    given = dict.fromkeys(names, 0.5) | (short if reference == "ShortRefs" else {}) | means
    return {
        "model": model,
        "reference": reference,
        "prompt": prompt,
        "words": {"mean": 136.0, "std": 22.0},
        **{name: result(mean) for name, mean in given.items()},
    }


@pytest.fixture
def bench(tmp_path: Path) -> Path:
    """Three clips, every file as it should be."""
    root = tmp_path / "fm"
    root.mkdir()
    write_csv(root / ENGLISH, [(key, f"A dog, number {key},\nruns.") for key in KEYS])
    write_csv(root / GERMAN, [(key, f"Ein Hund „{key}“ läuft.") for key in KEYS])
    entries = [{"video_id": key, "gold_caption": ["a dog runs", "it runs"]} for key in KEYS]
    (root / CAPTIONS).write_text(json.dumps(entries))
    return root


@pytest.fixture
def paper(tmp_path: Path) -> Path:
    """Published results with one system on two tracks."""
    lines = [
        line("Big", "Long-200", llm_facts_f1=0.6, meteor=0.1),
        line("Big", "Brief-10", llm_facts_f1=0.4, meteor=0.2),
        line("Big", "Brief-10", "ShortRefs", meteor=0.3),
    ]
    return write_paper(tmp_path / "paper.json", lines)


def write_paper(path: Path, lines: list[dict[str, Any]]) -> Path:
    """A results file."""
    path.write_text(json.dumps({"source": "a paper", "table2": lines, "table4": {}}))
    return path


def test_makes_clips_with_their_references_in_both_languages(bench: Path) -> None:
    report = import_fm_v2t(bench)

    release = Release.objects.select_related("benchmark").get()
    assert (release.benchmark.slug, release.version) == ("fm-v2t", "1.0")
    assert "CC BY 4.0" in release.benchmark.licence
    assert "Arzberger, Raith, Bailer and Jaks" in release.benchmark.description
    assert "Arzberger" in release.benchmark.citation
    clip = release.clips.get(position=1)
    assert clip.key == KEYS[1]
    assert clip.link == "https://www.mediathek.at/atom/1CF1-B"
    references = list(clip.references.values_list("language", "kind", "position", "text"))
    assert references == [
        ("en", "long", 0, f"A dog, number {KEYS[1]},\nruns."),
        ("de", "long", 1, f"Ein Hund „{KEYS[1]}“ läuft."),
        ("en", "short", 2, "a dog runs"),
        ("en", "short", 3, "it runs"),
    ]
    assert (report.clips, report.systems, report.reported, report.remarks) == (3, 0, 0, ())


def test_tracks_say_which_references_they_read(bench: Path) -> None:
    import_fm_v2t(bench)

    found = {
        track.slug: (track.protocol, track.settings["language"], track.settings["kind"])
        for track in Track.objects.all()
    }
    assert found == {
        "en-long": ("facts", "en", "long"),
        "en-long-baseline": ("facts", "en", "long"),
        "en-long-ngram": ("ngram", "en", "long"),
        "en-long-cosines": ("embedding_match", "en", "long"),
        "en-long-cosines-embedded": ("embedding_match", "en", "long"),
        "en-short": ("ngram", "en", "short"),
        "de-long": ("facts", "de", "long"),
        "de-long-baseline": ("facts", "de", "long"),
        "de-long-ngram": ("ngram", "de", "long"),
        "de-long-cosines-embedded": ("embedding_match", "de", "long"),
    }
    for track in Track.objects.filter(judges=["facts-baseline"]):
        assert "baseline" in track.summary
        assert "baseline" in track.name


def test_what_the_files_do_not_share_is_told_and_the_rest_comes_in(bench: Path) -> None:
    write_csv(bench / GERMAN, [(key, "Ein Hund.") for key in KEYS[:2]])
    entries = json.loads((bench / CAPTIONS).read_text())
    again = {"video_id": KEYS[0], "gold_caption": ["another dog"]}
    stranger = {"video_id": "9_9", "gold_caption": ["a cat"]}
    (bench / CAPTIONS).write_text(json.dumps([*entries, again, stranger]))

    report = import_fm_v2t(bench)

    assert list(Clip.objects.order_by("position").values_list("key", flat=True)) == list(KEYS[:2])
    short = Reference.objects.filter(clip__key=KEYS[0], kind="short")
    assert list(short.values_list("text", flat=True)) == ["a dog runs", "it runs"]
    assert report.remarks == (
        f"Left out, for {ENGLISH} does not have them: 9_9.",
        f"Left out, for {GERMAN} does not have them: {KEYS[2]}, 9_9.",
        f"{CAPTIONS} has clip {KEYS[0]} 2 times: the captions of entry 1 are used, those of entry"
        " 4 are not.",
    )
    assert f"{KEYS[2]}, 9_9" in Release.objects.get().notes


def test_reported_results_go_to_the_tracks_that_hold_them(
    bench: Path, paper: Path, client: Client
) -> None:
    report = import_fm_v2t(bench, published=paper)

    facts, words, short = (
        Track.objects.get(slug=slug) for slug in ("en-long", "en-long-ngram", "en-short")
    )
    assert [(row["name"], row["rank"]) for row in reported(facts)] == [
        ("Big, Long-200", 1),
        ("Big, Brief-10", 2),
    ]
    assert [row["name"] for row in reported(words)] == ["Big, Brief-10", "Big, Long-200"]
    assert [row["mean"]["meteor"] for row in reported(short)] == [0.3]
    system = System.objects.get(slug="big-long-200")
    assert (system.family, "prompt Long-200; 136 words" in system.note) == ("Big", True)
    length = facts.reported.get(system=system, metric="words")
    assert (length.mean, length.std) == (136, 22)
    page = client.get(f"{facts.get_absolute_url()}?provenance=reported").content.decode()
    assert "Big, Long-200" in page
    assert "<small>136 words</small>" in page
    assert "words beside" not in page
    cosines = ReportedResult.objects.filter(track__slug="en-long-cosines", metric="cos_par")
    assert cosines.count() == 2
    assert (report.systems, report.reported) == (2, 2 * (2 + 5 + 3) + 5)


def reported(track: Track) -> list[dict[str, Any]]:
    """Rows of the track's reported ranking."""
    ranking = Ranking.objects.latest_of(track, Provenance.REPORTED)
    assert ranking
    rows: list[dict[str, Any]] = ranking.rows
    return rows


def test_twice_is_once(bench: Path, paper: Path) -> None:
    import_fm_v2t(bench, published=paper)
    before = counts()
    import_fm_v2t(bench, published=paper)
    assert counts() == before


def test_a_track_that_staff_opened_stays_open(bench: Path) -> None:
    import_fm_v2t(bench)
    panel = ["llama-3.1-8b-instruct", "another"]
    Track.objects.filter(slug="en-long").update(scores_uploads=True, judges=panel, name="Mine")
    import_fm_v2t(bench)
    track = Track.objects.get(slug="en-long")
    assert (track.scores_uploads, track.judges, track.name) == (True, panel, "English: facts")


def test_a_changed_dataset_is_another_release(bench: Path) -> None:
    import_fm_v2t(bench)
    write_csv(bench / GERMAN, [(key, "Eine Katze.") for key in KEYS])
    with pytest.raises(InvalidSource, match="published and frozen"):
        import_fm_v2t(bench)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([(KEYS[0], "A dog."), (KEYS[1],)], "line 3: 1 columns instead of 2"),
        ([(KEYS[0], "A\ndog."), (KEYS[1], " \u200b")], f"line 4: clip {KEYS[1]} has no text"),
        ([("", "A dog.")], "line 2: the clip id must have 1 to 120 characters"),
        ([("k" * 121, "A dog.")], "line 2: the clip id must have 1 to 120 characters"),
        ([(KEYS[0], "A dog."), (KEYS[0], "A cat.")], f"line 3: clip {KEYS[0]} stands in line 2"),
    ],
)
def test_a_faulty_row_is_named_by_file_and_line(bench: Path, rows: Any, said: str) -> None:
    write_csv(bench / GERMAN, rows)
    with pytest.raises(InvalidSource) as caught:
        import_fm_v2t(bench)
    assert any(said in problem for problem in caught.value.problems)
    assert all(problem.startswith(GERMAN) for problem in caught.value.problems)
    assert not Benchmark.objects.exists()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"id,text\na,b\n", "line 1: the header must be Video-Filename and one column more"),
        (b"Video-Filename,Text\na,\xff\n", "line 2: not UTF-8"),
        (b'Video-Filename,Text\na,"b" c\n', "line 2: ',' expected after '\"'"),
    ],
)
def test_a_table_that_cannot_be_read_is_named(bench: Path, data: bytes, said: str) -> None:
    (bench / ENGLISH).write_bytes(data)
    with pytest.raises(InvalidSource) as caught:
        import_fm_v2t(bench)
    assert f"{ENGLISH}: {said}" in caught.value.problems[0]


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"video_id": "a", "gold_caption": []}, "entry 1.gold_caption: List should have at least"),
        ({"video_id": "a", "gold_caption": ["x", " "]}, "entry 1.gold_caption.entry 2: it is blan"),
        ({"gold_caption": ["x"]}, "entry 1.video_id: Field required"),
    ],
)
def test_a_faulty_entry_is_named_by_file_and_place(bench: Path, entry: Any, said: str) -> None:
    (bench / CAPTIONS).write_text(json.dumps([entry]))
    write_csv(bench / ENGLISH, [(KEYS[0], "")])
    with pytest.raises(InvalidSource) as caught:
        import_fm_v2t(bench)
    problems = caught.value.problems
    assert problems[0].startswith(f"{ENGLISH}: line 2")
    assert problems[1].startswith(f"{CAPTIONS}: {said}")


def test_files_without_a_common_clip_are_refused(bench: Path) -> None:
    write_csv(bench / GERMAN, [("other", "Ein Hund.")])
    with pytest.raises(InvalidSource, match="no clip stands in all three files"):
        import_fm_v2t(bench)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([line("Big", "L"), line("Big", "L")], "entry 2: Big with prompt L against Ref stands in"),
        ([line("Big", "L", "ShortRefs", cos_par=0.5)], "no track holds cos_par against"),
        ([line("Big", "L", meteor=1.5)], "table2.entry 1.meteor.mean"),
        ([line("Big", "L") | {"spice": None}], "table2.entry 1.spice: Extra inputs"),
        ([], "table2: List should have at least 1 item"),
    ],
)
def test_faulty_results_store_nothing(
    bench: Path, tmp_path: Path, lines: list[Any], said: str
) -> None:
    paper = write_paper(tmp_path / "paper.json", lines)
    with pytest.raises(InvalidSource, match=r"paper\.json: ") as caught:
        import_fm_v2t(bench, published=paper)
    assert said in str(caught.value)
    assert not Benchmark.objects.exists()


def test_the_command_says_what_is_there_or_why_nothing_is(
    bench: Path, paper: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("import_fm_v2t", bench, published=paper)
    assert "3 clips (0 excluded), 2 systems, 25 reported results" in capsys.readouterr().out
    (bench / GERMAN).unlink()
    with pytest.raises(CommandError, match=rf"Nothing was imported\.\n.*must hold {ENGLISH}"):
        call_command("import_fm_v2t", bench)


def test_the_real_folder(fm_v2t_dir: Path, published_fm_v2t_file: Path) -> None:
    """258 clips; one stands twice among the short captions; table 2 to the last digit."""
    report = import_fm_v2t(fm_v2t_dir, published=published_fm_v2t_file)

    assert (report.clips, report.systems) == (258, 7)
    assert len(report.remarks) == 1
    assert "195_7_1D29F413-0F3-00015-00005255-1D2994AD 2 times" in report.remarks[0]
    kinds = {
        (language, kind): Reference.objects.filter(language=language, kind=kind).count()
        for language, kind in (("en", "long"), ("de", "long"), ("en", "short"))
    }
    assert kinds == {("en", "long"): 258, ("de", "long"): 258, ("en", "short"): 258 * 21 - 2}
    assert all(Clip.objects.values_list("link", flat=True))
    order = [row["name"] for row in reported(Track.objects.get(slug="en-long"))]
    assert order == [
        "InternLM, Long-200",
        "InternLM, Medium-50",
        "VideoLLama, Long-200",
        "Tarsier, Long-200",
        "InternLM, Short-25",
        "InternLM, Brief-10",
    ]
    table = json.loads(published_fm_v2t_file.read_text())["table2"]
    given = sum(value is not None for row in table for value in row.values()) - 4 * len(table)
    assert ReportedResult.objects.exclude(metric="words").count() == given
    best = ReportedResult.objects.get(metric="llm_facts_f1", system__slug="internlm-long-200")
    assert (best.mean, best.std) == (0.529, 0.184)
