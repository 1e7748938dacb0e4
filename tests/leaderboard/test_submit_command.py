"""`cliprank submit` against a live site whose judges work at once."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from leaderboard import tasks
from leaderboard.models import ApiToken, QuotaPolicy, Submission
from scoring.cli import app
from scoring.types import ScoringError

COMPLETE = {"c1": "One.", "c2": "Two.", "c3": "Three.", "c4": "Four."}


@pytest.fixture
def judges_at_once(monkeypatch: pytest.MonkeyPatch, judges: Any) -> None:
    """Messages are worked off where they are sent."""

    def score(args: Any, **_: Any) -> None:
        tasks.score_run.apply(args)

    monkeypatch.setattr(tasks.score_run, "apply_async", score)
    monkeypatch.setattr(tasks.rank_track, "delay", lambda key: tasks.rank_track.apply((key,)))


@pytest.fixture
def run(
    transactional_db: None, release: Any, ann: Any, live_server: Any, judges_at_once: None
) -> Callable[..., Any]:
    """``run(path, "--system", "X")``: the command, as ann."""
    secret = ApiToken.objects.issue(user=ann, name="laptop")[1]

    def made(*arguments: Any, token: str = secret, site: str = live_server.url) -> Any:
        given = [str(argument) for argument in arguments]
        given += ["--site", site, "--benchmark", "small"]
        return CliRunner().invoke(app, ["submit", *given], env={"CLIPRANK_TOKEN": token})

    return made


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    """A good file."""
    path = tmp_path / "predictions.json"
    path.write_text(json.dumps(COMPLETE))
    return path


def test_it_waits_and_prints_scores_and_rank(run: Any, predictions: Path) -> None:
    """Means by judge, the rank with its interval, the address of the page."""
    done = run(predictions, "--system", "Model-7B")
    assert done.exit_code == 0, done.output
    assert "left" in done.stdout
    assert "right" in done.stdout
    assert "hm_cf" in done.stdout
    assert "main: rank 1 of 1, 95% interval 1 to 1." in done.stdout
    assert "/submissions/" in done.stderr


def test_for_programs_it_prints_json(run: Any, predictions: Path) -> None:
    """The submission, its scores and its ranks."""
    done = run(predictions, "--system", "Model-7B", "--format", "json")
    answer = json.loads(done.stdout)
    assert answer["ranks"]["main"]["rank"] == 1
    assert {run["state"] for run in answer["runs"]} == {"done"}


def test_a_private_one_has_no_rank(run: Any, predictions: Path) -> None:
    """And that is said."""
    done = run(predictions, "--system", "Model-7B", "--visibility", "private")
    assert done.exit_code == 0
    assert "not on the board, for it is private" in done.stdout


def test_a_dry_run_says_all_and_stores_nothing(run: Any, predictions: Path) -> None:
    """0 for a good file, 1 for a bad one, with every problem."""
    done = run(predictions, "--dry-run")
    assert done.exit_code == 0, done.output
    assert "is fine: json-map, 4 of 4 clips, no warnings" in done.stdout.replace("\n", " ")
    predictions.write_text('{"c1": 7, "zz": "A."}')
    done = run(predictions, "--dry-run")
    assert done.exit_code == 1
    for words in ("the text of c1 must be", "zz is no clip", "have no description"):
        assert words in done.stdout
    assert not Submission.objects.exists()


def test_every_problem_of_a_bad_file_is_printed(run: Any, predictions: Path) -> None:
    """With its place."""
    predictions.write_text('{"c1": "A.", "c1": "B.", "zz": "C."}')
    done = run(predictions, "--system", "Model-7B")
    assert done.exit_code == 1
    for words in ("c1 is described a second time", "zz is no clip", "not accepted"):
        assert words in done.stderr


def test_what_the_site_refuses_is_said(run: Any, predictions: Path, release: Any) -> None:
    """A wrong token, a spent quota, a wrong address: 2, and the reason."""
    refused = run(predictions, "--system", "M", token="clr_wrong")
    assert (refused.exit_code, "valid token" in refused.stderr) == (2, True)
    refused = run(predictions, "--system", "M", token="")
    assert (refused.exit_code, "CLIPRANK_TOKEN" in refused.stderr) == (2, True)
    refused = run(predictions)
    assert (refused.exit_code, "--system" in refused.stderr) == (2, True)
    refused = run(predictions, "--system", "M", site="http://127.0.0.1:9")
    assert (refused.exit_code, "cannot be reached" in refused.stderr) == (2, True)
    refused = run(predictions, "--system", "M", "--field", "track")
    assert (refused.exit_code, "NAME=VALUE" in refused.stderr) == (2, True)
    QuotaPolicy.objects.create(benchmark=release.benchmark, limit=0)
    refused = run(predictions, "--system", "M")
    assert (refused.exit_code, "The limit is 0 submissions" in refused.stderr) == (2, True)


def test_a_file_over_the_sites_limit_is_not_sent(
    run: Any, predictions: Path, settings: Any
) -> None:
    """The limit that the site states, and enforces."""
    settings.UPLOAD_MAX_BYTES = 10
    refused = run(predictions, "--system", "M")
    assert (refused.exit_code, "over the site's limit of 10" in refused.stderr) == (1, True)


def test_a_failed_judge_ends_with_3(run: Any, predictions: Path, judges: Any) -> None:
    """After the scores that there are."""

    def fail(_: Any) -> None:
        raise ScoringError("no weights")

    judges["left"].before = fail
    done = run(predictions, "--system", "M")
    assert done.exit_code == 3
    assert "no weights" in done.stdout
    assert "right" in done.stdout
