"""`cliprank score --protocol keypoints`: a judge asked here, and judgements made elsewhere."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from scoring.cli import app
from scoring.protocols.keypoint_types import subjects_in
from tests.support.openai_server import Asked, OpenAIServer, Reaction, error, reply

ANNOTATIONS = [
    {
        "video_id": "a",
        "duration": 60.0,
        "category": "sport",
        "events": {
            "main_sbj_evts": ["<s1> laces her boots.", "<s1> runs."],
            "bg_desc": ["A muddy field."],
        },
    },
    {"video_id": "b", "duration": 200.0, "events": {"minor_evts": ["A dog barks."]}},
]
TEXTS = {"a": "Ann laces her boots. Ann runs.", "b": "A dog barks."}
BLOCK = re.compile(r"^BEGIN (\w+) data-\w+\n(.*?)\nEND", re.DOTALL | re.MULTILINE)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Annotations and descriptions in the working folder."""
    (tmp_path / "points.jsonl").write_text("\n".join(map(json.dumps, ANNOTATIONS)))
    (tmp_path / "ours.json").write_text(json.dumps(TEXTS))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CHAT_API_KEY", "none")
    return tmp_path


@pytest.fixture
def down() -> set[str]:
    """Keypoints about which the server answers with an error."""
    return set()


@pytest.fixture
def server(down: set[str]) -> Iterator[OpenAIServer]:
    """Tells by the last word of a keypoint whether the text has it; "boots" is told in part."""

    def react(question: Asked) -> Reaction | None:
        blocks = dict(BLOCK.findall(question.messages[-1]["content"]))
        if "REFERENCES" in blocks:
            return reply({"reason": "", "groups": [[1, 2]]})
        if "KEYPOINT" not in blocks:
            return None
        point = blocks["KEYPOINT"]
        if point in down:
            return error(400, "no")
        last = point.rstrip(".").rpartition(" ")[2]
        told = any(last in text for text in TEXTS.values())
        verdict = ("partial" if last == "boots" else "correct") if told else "not mentioned"
        marks = [{"subject": m, "description": "Ann"} for m in subjects_in(point)]
        return reply({"reason": "", "verdict": verdict} | ({"subjects": marks} if marks else {}))

    with OpenAIServer(react) as made:
        yield made


def run(*arguments: str) -> Result:
    """The command, by keypoints."""
    return CliRunner().invoke(
        app, ["score", *arguments, "--protocol", "keypoints", "--out", "out.json"]
    )


def written(here: Path) -> dict[str, Any]:
    """What it has written."""
    found: dict[str, Any] = json.loads((here / "out.json").read_text())
    return found


def by_server(server: OpenAIServer, *more: str) -> Result:
    """With a language model behind a server."""
    given = ("--judge", "endpoint", "--model", "test-model", "--base-url", server.url)
    return run("ours.json", "--references", "points.jsonl", "--cache", "cache", *given, *more)


def test_values_by_clip_overall_and_by_part(here: Path, server: OpenAIServer) -> None:
    """Two of three keypoints of the first clip are told, one of them in part."""
    done = by_server(server)
    assert done.exit_code == 0, done.output
    document = written(here)
    scores = document["judges"]["endpoint"]
    assert scores["clips"] == {
        "a": {"acc": pytest.approx(1 / 3), "cov": pytest.approx(2 / 3), "ref": 1.0},
        "b": {"acc": 1.0, "cov": 1.0, "ref": None},
    }
    assert scores["mean"] == {
        "acc": pytest.approx(2 / 3),
        "cov": pytest.approx(5 / 6),
        "ref": 1.0,
    }
    assert scores["duration_bins"]["(120,300]"]["accuracy"] == 1.0
    assert scores["kinds"]["bg_desc"] == {
        "count": 1, "accuracy": 0.0, "coverage": 0.0, "failed": 0,
    }  # fmt: skip
    assert "protocol:keypoints.1|judges:endpoint" in document["signature"]
    assert "acc 0.6667, cov 0.8333, ref 1.0000" in done.stderr


def test_the_file_can_be_ranked_with_the_gaps_of_ref(here: Path, server: OpenAIServer) -> None:
    """Means of Ref are over the clips that have it, as on the site."""
    assert by_server(server).exit_code == 0
    ranked = CliRunner().invoke(app, ["rank", "out.json", "--metric", "acc", "--format", "json"])
    assert ranked.exit_code == 0, ranked.output
    (row,) = json.loads(ranked.stdout)["rows"]
    assert row["mean"] == written(here)["judges"]["endpoint"]["mean"]


def test_a_judge_that_fails_on_a_clip_leaves_it_open(
    here: Path, server: OpenAIServer, down: set[str]
) -> None:
    """Null, a reason and exit code 1; the same command asks only about what is missing."""
    down.add("A dog barks.")
    assert by_server(server).exit_code == 1
    scores = written(here)["judges"]["endpoint"]
    assert set(scores["clips"]["b"].values()) == {None}
    assert scores["mean"]["acc"] is None
    assert "b" in scores["failures"]
    assert "duration_bins" not in scores
    before = sum(server.tasks.values())
    down.clear()
    assert by_server(server).exit_code == 0
    assert sum(server.tasks.values()) - before <= 2


def test_an_excluded_clip_does_not_count(here: Path, server: OpenAIServer) -> None:
    """As on a release that leaves it out for everybody."""
    assert by_server(server, "--exclude", "b").exit_code == 0
    assert list(written(here)["judges"]["endpoint"]["clips"]) == ["a"]


def test_problems_of_both_files_are_told(here: Path) -> None:
    """With the clip or the line; nothing is written."""
    (here / "ours.json").write_text('{"a": "x", "c": "y"}')
    done = run("ours.json", "--references", "points.jsonl", "--judge", "endpoint")
    assert done.exit_code == 1
    assert "has no description: b" in done.stderr
    (here / "points.jsonl").write_text('{"video_id": "a", "duration": 1, "events": {"x": []}}')
    done = run("ours.json", "--references", "points.jsonl", "--judge", "endpoint")
    assert done.exit_code == 1
    assert "line 1" in done.stderr
    assert not (here / "out.json").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("ours.json", "--references", "points.jsonl"), "needs a --judge"),
        (
            ("ours.json", "--references", "points.jsonl", "--judge", "facts-baseline"),
            "keypoint-baseline",
        ),
        (("ours.json", "--judge", "keypoint-baseline"), "needs --references"),
        (("ours.json", "--judge", "keypoint-baseline", "--judged-by", "x"), "takes no --judge"),
        (
            ("ours.json", "b.json", "--references", "points.jsonl", "--judge", "endpoint"),
            "scores one file",
        ),
    ],
)
def test_options_that_do_not_go_together(
    here: Path, arguments: tuple[str, ...], message: str
) -> None:
    """Exit code 2, and nothing is written."""
    done = run(*arguments)
    assert done.exit_code == 2
    assert message in done.stderr
    assert not (here / "out.json").exists()


class TestJudgementsMadeElsewhere:
    """The two files of the benchmark's released scripts."""

    @pytest.fixture
    def judged(self, here: Path, golden_keypoints: dict[str, Any]) -> list[str]:
        """Both files, with the judgements whose values are known."""
        names = ["1_judge_accuracy_coverage.jsonl", "2_judge_referential_consistency.jsonl"]
        for name, stage in zip(names, ("stage1_rows", "stage2_rows"), strict=True):
            (here / name).write_text("\n".join(map(json.dumps, golden_keypoints[stage])))
        return names

    def test_the_values_of_the_benchmarks_own_code(
        self, here: Path, judged: list[str], golden_keypoints: dict[str, Any]
    ) -> None:
        """Overall, per clip and per duration bin, to the last digit."""
        done = run(*judged, "--judged-by", "GPT-4.1")
        assert done.exit_code == 0, done.output
        document = written(here)
        assert document["judged_elsewhere"] is True
        scores = document["judges"]["GPT-4.1"]
        first = golden_keypoints["accuracy_coverage"]
        second = golden_keypoints["referential_consistency"]
        assert scores["mean"] == pytest.approx(
            {
                "acc": first["accuracy"],
                "cov": first["coverage"],
                "ref": second["referential_consistency"],
            },
            abs=1e-15,
        )
        for row in first["per_video"]:
            values = scores["clips"][row["video_id"]]
            assert (values["acc"], values["cov"]) == (row["accuracy"], row["coverage"])
        for name, expected in first["duration_bins"].items():
            if expected["count"]:
                assert scores["duration_bins"][name]["accuracy"] == expected["accuracy"]
        assert "kinds" not in scores

    def test_judgements_of_other_clips_are_refused(self, judged: list[str], here: Path) -> None:
        """Where the annotations are given."""
        done = run(*judged, "--judged-by", "GPT-4.1", "--references", "points.jsonl")
        assert done.exit_code == 1
        assert "of another release" in done.stderr
        assert not (here / "out.json").exists()

    def test_one_stage_alone_is_refused(self, judged: list[str], here: Path) -> None:
        """With the reason."""
        done = run(judged[0], "--judged-by", "GPT-4.1")
        assert done.exit_code == 1
        assert not (here / "out.json").exists()
