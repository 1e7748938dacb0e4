"""`cliprank score --protocol pairs`: answers in, accuracies with intervals out, and no judge."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from leaderboard.importers.sample import sample_scenes
from leaderboard.importers.sample_scenes import pair_records
from scoring.cli import app
from scoring.formats.pair_check import check_pairs
from scoring.formats.pair_tests import read_pair_tests
from scoring.formats.pairs import read_pairs
from scoring.protocols import pairs

SAMPLE = Path(__file__).parents[3] / "leaderboard/importers/sample"
ANSWERS = SAMPLE / "pair_answers"
TESTS = Path("pair_tests.jsonl")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with the sample's pair tests."""
    monkeypatch.chdir(tmp_path)
    TESTS.write_bytes(pair_records(sample_scenes()))
    return tmp_path


def run(*arguments: str, tests: Path = TESTS) -> Result:
    """The command, by pair tests."""
    given = ["--protocol", "pairs", "--references", str(tests), "--out", "out.json"]
    return CliRunner().invoke(app, ["score", *arguments, *given])


def written(here: Path) -> dict[str, Any]:
    """What it has written."""
    found: dict[str, Any] = json.loads((here / "out.json").read_text())
    return found


def test_a_file_of_answers_gives_the_librarys_numbers(here: Path) -> None:
    """Tests, intervals and averages as the site computes them, and every pair beside."""
    done = run(str(ANSWERS / "pebblecap.jsonl"))
    assert done.exit_code == 0, done.output
    tests = read_pair_tests(TESTS.read_bytes(), TESTS.name)
    upload = read_pairs((ANSWERS / "pebblecap.jsonl").read_bytes(), "pebblecap.jsonl")
    result = pairs.score(check_pairs(upload, tests), tests)
    document = written(here)
    answered = document.pop("pairs")
    assert document == json.loads(json.dumps({"system": "pebblecap", **result.to_json()}))
    for one in result.tests:
        accuracy = one.accuracy
        values = answered[one.test if one.kind != "choices" else f"{one.test}-mcq"].values()
        for metric in accuracy:
            mean = sum(pair[metric] for pair in values) / len(values)
            assert mean == pytest.approx(accuracy[metric].of_all)
    assert "Average of classic over" in done.stderr
    assert "chance 50.0%" in done.stderr


def test_csvs_of_each_test_singly_or_zipped(here: Path, golden_pairs: dict[str, Any]) -> None:
    """As the released scripts write them: the golden accuracies either way."""
    names, rows = [], []
    for released in ("chrono", "agent_bind"):
        case = golden_pairs["tests"][released]
        lines = ["video_id,event,pos_score,neg_score"]
        for at, (pos, neg) in enumerate(zip(case["pos_score"], case["neg_score"], strict=True)):
            lines.append(f"v{at},Ev1,{pos},{neg}")
            rows.append(
                {"test_name": released, "video_id": f"v{at}", "event": "Ev1"}
                | {"pos": f"true {at}", "neg": f"not true {at}"}
            )
        names.append(f"{released}.csv")
        (here / names[-1]).write_text("\n".join(lines))
    known = here / "tests.jsonl"
    known.write_text("\n".join(map(json.dumps, rows)))
    assert run(*names, tests=known).exit_code == 0
    singly = written(here)
    with zipfile.ZipFile("all.zip", "w") as archive:
        archive.writestr("__MACOSX/._chrono.csv", b"\x00")
        for name in reversed(names):
            archive.write(name, f"out/{name}")
    assert run("all.zip", "--system", "chrono", tests=known).exit_code == 0
    zipped = written(here)
    values = {one["test"]: one["accuracy"]["classic"]["value"] for one in singly["tests"]}
    for released, test in (("chrono", "chrono"), ("agent_bind", "agent_bind")):
        assert round(values[test], 3) == golden_pairs["tests"][released]["classic"][0]
    assert {one["test"]: one for one in zipped["tests"]} == {
        one["test"]: one for one in singly["tests"]
    }


def test_a_missing_test_is_said_and_leaves_no_average(here: Path) -> None:
    """A system is not ranked by fewer tests than the others."""
    kept = [
        line
        for line in (ANSWERS / "pebblecap.jsonl").read_text().splitlines()
        if json.loads(line)["test_name"] != "chrono"
    ]
    (here / "some.jsonl").write_text("\n".join(kept))
    done = run("some.jsonl")
    assert done.exit_code == 0
    assert "No average of classic: chrono missing" in done.stderr
    average = written(here)["averages"]["classic"]
    assert average["value"] is None
    assert average["missing"] == ["chrono"]


def test_problems_are_told_with_their_line_and_nothing_is_written(here: Path) -> None:
    """Of the answers, and of the pair tests."""
    (here / "bad.csv").write_text(
        "test_name,video_id,event,pos_score,neg_score\nchrono,nowhere,Ev1,high,0.1\n"
    )
    done = run("bad.csv")
    assert done.exit_code == 1
    assert "line 2" in done.stderr
    (here / "bad.jsonl").write_text('{"test_name": "chrono"}')
    done = run(str(ANSWERS / "pebblecap.jsonl"), tests=here / "bad.jsonl")
    assert done.exit_code == 1
    assert "missing" in done.stderr
    assert not (here / "out.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--judge", "exact"), "takes no --judge"),
        (("--judged-by", "me"), "takes no --judged-by"),
        (("--exclude", "c1"), "takes no --exclude"),
    ],
)
def test_options_that_mean_nothing_here(
    here: Path, arguments: tuple[str, ...], message: str
) -> None:
    """Exit code 2."""
    done = run(str(ANSWERS / "pebblecap.jsonl"), *arguments)
    assert done.exit_code == 2
    assert message in done.stderr
