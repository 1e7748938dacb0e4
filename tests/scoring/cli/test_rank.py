"""`cliprank rank`: from files of scores to a table, and every way in which they may not fit."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from scoring.cli import app
from scoring.ranking import rank_scores

METRICS = ("coarse", "fine_precision", "fine_recall", "fine_f1", "hm_cf")
Write = Callable[..., Path]


def values_of(level: float, seed: int, clips: int) -> list[float]:
    """Per-clip values around a level, no two alike."""
    return [float(v) for v in level + 0.05 * np.random.default_rng(seed).standard_normal(clips)]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a file of scores as `cliprank score` does; the level is the system's quality."""

    def made(system: str, level: float = 0.5, **changes: Any) -> Path:
        judges = changes.get("judges", {"minilm": "sig-m", "use": "sig-u"})
        clips = changes.get("clips", [f"{n:03}" for n in range(1, 13)])
        data: dict[str, Any] = {"signature": "whole", "system": system, "judges": {}}
        for n, (judge, signature) in enumerate(judges.items()):
            values = values_of(level, 100 * len(system) + n, len(clips))
            data["judges"][judge] = {
                "signature": signature,
                "mean": dict.fromkeys(METRICS, float(np.mean(values))),
                "clips": {c: dict.fromkeys(METRICS, v) for c, v in zip(clips, values, strict=True)},
            }
        path = tmp_path / changes.get("file", f"{abs(hash(system))}.json")
        path.write_text(json.dumps(data))
        return path

    return made


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["rank", *map(str, arguments)])


def refused(*arguments: object, code: int = 1) -> str:
    """The message of a run that must end with an error, and print nothing on stdout."""
    result = run(*arguments)
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    return " ".join(result.stderr.split())


@pytest.fixture
def three(write: Write) -> list[Path]:
    return [write("alpha", 0.5), write("be", 0.7), write("c", 0.6)]


def test_json_is_the_table_of_the_library(three: list[Path]) -> None:
    result = run(*three, "--format", "json", "--bootstrap", 200, "--seed", 3)
    assert result.exit_code == 0
    assert result.stderr == ""
    scores = [
        [values_of(level, 100 * len(name) + j, 12) for j in range(2)]
        for name, level in (("alpha", 0.5), ("be", 0.7), ("c", 0.6))
    ]
    expected = rank_scores(
        ["alpha", "be", "c"],
        ["minilm", "use"],
        {metric: np.array(scores) for metric in METRICS},
        replicates=200,
        seed=3,
        signatures=["sig-m", "sig-u"],
    )
    assert json.loads(result.stdout) == json.loads(json.dumps(expected.to_json()))
    assert [row.system for row in expected.rows] == ["be", "c", "alpha"]


def test_the_same_table_in_every_format(three: list[Path]) -> None:
    found = {
        kind: run(*three, "--format", kind).stdout for kind in ("table", "csv", "markdown", "latex")
    }
    rows = list(csv.DictReader(io.StringIO(found["csv"])))
    assert [row["system"] for row in rows] == ["be", "c", "alpha"]
    shown = f"{float(rows[0]['mean.hm_cf']):.4f}"
    assert all(shown in found[kind] for kind in ("table", "markdown", "latex"))
    assert found["latex"].count(r"\toprule") == 1
    assert found["markdown"].count("\n| ") == 4
    assert all(rows[0]["signature"] in text for text in found.values())


def test_se_01_a_formula_as_a_name(write: Write) -> None:
    name = '=HYPERLINK("http://x.example","y")'
    files = [write(name, -0.12), write("</script><img src=x>", 0.5)]
    rows = list(csv.DictReader(io.StringIO(run(*files, "--format", "csv").stdout)))
    assert rows[1]["system"] == f"'{name}"
    assert float(rows[1]["mean.hm_cf"]) < 0
    assert name in run(*files, "--format", "json").stdout.replace('\\"', '"')


def test_without_bootstrap_there_are_no_intervals(three: list[Path]) -> None:
    rows = json.loads(run(*three, "--bootstrap", 0, "--format", "json").stdout)["rows"]
    assert all(row["rank_low"] is None for row in rows)
    assert "95% rank" not in run(*three, "--bootstrap", 0).stdout


def test_one_clip_is_said_to_be_one(write: Write) -> None:
    result = run(write("a", clips=["1"]), write("bb", clips=["1"]))
    assert result.exit_code == 0
    assert "one clip says nothing" in result.stderr


def test_judges_are_chosen_and_ordered(three: list[Path]) -> None:
    data = json.loads(run(*three, "--judge", "use", "--format", "json").stdout)
    assert data["judges"] == ["use"]
    assert run(*three, "--judge", "use", "--judge", "minilm", "--format", "json").exit_code == 0
    message = refused(*three, "--judge", "nemo")
    assert "no file has scores by nemo; there are minilm, use" in message


def test_a_system_without_a_judge(write: Write) -> None:
    files = [write("a", 0.5), write("bb", 0.9, judges={"minilm": "sig-m"}), write("ccc", 0.6)]
    result = run(*files, "--format", "json")
    rows = json.loads(result.stdout)["rows"]
    assert [(row["system"], row["rank"]) for row in rows] == [("ccc", 1), ("a", 2), ("bb", None)]
    assert "bb: no complete scores by use: unranked" in result.stderr
    last = run(*files, "--format", "json", "--missing", "last")
    ranked = {row["system"]: row["borda"] for row in json.loads(last.stdout)["rows"]}
    assert ranked == {"a": 1.0, "bb": 2.0, "ccc": 3.0}
    assert "last on it" in last.stderr


def test_clips_that_differ_are_named(write: Write) -> None:
    first = write("a", file="first.json")
    fewer = write("b", file="fewer.json", clips=[f"{n:03}" for n in range(1, 11)])
    message = refused(first, fewer)
    assert "fewer.json: judge minilm lacks clip 011, which is in" in message
    assert "2 clips differ" in message
    more = write("b", file="more.json", clips=[f"{n:03}" for n in range(1, 14)])
    assert "more.json: judge minilm has clip 013, which is not in" in refused(first, more)


def test_the_order_of_clips_does_not_matter(write: Write, tmp_path: Path) -> None:
    files = [write("a", 0.5), write("bb", 0.6)]
    expected = run(*files, "--format", "json").stdout
    data = json.loads(files[1].read_text())
    for judge in data["judges"].values():
        judge["clips"] = dict(reversed(judge["clips"].items()))
    files[1].write_text(json.dumps(data))
    assert run(*files, "--format", "json").stdout == expected


def test_a_system_twice(write: Write) -> None:
    message = refused(write("same", file="one.json"), write("same", file="two.json"))
    assert 'two.json: system "same" comes twice, first in' in message
    assert "one.json" in message


def test_two_signatures_may_not_share_a_table(write: Write) -> None:
    files = [
        write("a", 0.6, file="one.json"),
        write("b", 0.5, file="two.json", judges={"minilm": "sig-m", "use": "other"}),
    ]
    message = refused(*files)
    assert "judge use has 2 signatures: sig-u in" in message
    assert "one.json and other in" in message
    assert "--allow-mixed" in message
    mixed = run(*files, "--allow-mixed", "--format", "json")
    assert mixed.exit_code == 0
    assert "warning: judge use has 2 signatures" in mixed.stderr
    json.loads(mixed.stdout)
    # A judge that does not count cannot stand in the way.
    assert run(*files, "--judge", "minilm").exit_code == 0


def judged(clips: object, **more: object) -> str:
    """A file of one judge with the given clips, other keys replaced."""
    judges = {"m": {"signature": "s", "clips": clips}}
    return json.dumps({"system": "a", "judges": judges} | more)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "Invalid JSON"),
        ("", "Invalid JSON"),
        ("[" * 100_000, "Invalid JSON"),
        ("[]", "should be an object"),
        ("null", "should be an object"),
        ('{"system": "a"}', "judges: Field required"),
        (judged({}, judges={}), "at least 1 item"),
        (judged({"1": {"hm_cf": 1}}, system=" "), "system: "),
        (judged({"1": {"hm_cf": 1}}, system=7), "system: "),
        (r'{"system": "\ud83d", "judges": {}}', "Invalid JSON"),
        (judged({}, judges={"m": {"clips": {"1": {"hm_cf": 1}}}}), "judges > m > signature: "),
        (judged({}), "judges > m > clips: "),
        (judged([]), "judges > m > clips: "),
        (judged({"c 1": {"hm_cf": "x"}}), 'judges > m > clips > "c 1" > hm_cf: '),
        (judged({"1": {"hm_cf": float("nan")}}), "finite number"),
        (judged({"1": {"hm_cf": True}}), "valid number"),
        (judged({"1": {"bleu": 1}}), "judge m, clip 1 has no hm_cf to rank by; there are bleu"),
        (
            judged({"1": {"hm_cf": 1}}).replace('"clips": {', '"clips": {"1": {"hm_cf": 2}, '),
            'the key "1" comes twice',
        ),
    ],
)
def test_a_file_that_cannot_be_used_is_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "broken.json"
    path.write_text(text)
    found = refused(path)
    assert "broken.json: " in found
    assert message in found


def test_rk_01_a_clip_on_which_the_judge_failed_leaves_the_system_unranked(write: Write) -> None:
    files = [write("a", 0.9), write("bb", 0.5)]
    data = json.loads(files[0].read_text())
    data["judges"]["use"]["clips"]["005"]["hm_cf"] = None
    files[0].write_text(json.dumps(data))
    result = run(*files, "--format", "json")
    rows = json.loads(result.stdout)["rows"]
    assert [(row["system"], row["rank"]) for row in rows] == [("bb", 1), ("a", None)]
    assert "a: no complete scores by use: unranked" in result.stderr


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "broken.json"
    path.write_bytes(b'{"system": "\xff\xfe"}')
    assert "broken.json: " in refused(path)


def test_a_byte_order_mark_is_fine(write: Write) -> None:
    path = write("a")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert run(path).exit_code == 0


def test_all_broken_files_are_named_at_once(write: Write, tmp_path: Path) -> None:
    for name in ("x.json", "y.json"):
        (tmp_path / name).write_text("{")
    message = refused(tmp_path / "x.json", write("a"), tmp_path / "y.json")
    assert "x.json" in message
    assert "y.json" in message


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    message = refused(tmp_path / "none.json", code=2)
    assert "none.json cannot be read: No such file" in message


@pytest.mark.parametrize(
    "arguments", [["--bootstrap", "-1"], ["--seed", "-1"], ["--format", "x"], []]
)
def test_wrong_usage(write: Write, arguments: list[str]) -> None:
    files = [write("a")] if arguments else []
    assert run(*files, *arguments).exit_code == 2


def test_another_metric(three: list[Path]) -> None:
    data = json.loads(run(*three, "--metric", "coarse", "--format", "json").stdout)
    assert data["primary"] == "coarse"
    assert "no speed to rank by; there are coarse" in refused(*three, "--metric", "speed")
