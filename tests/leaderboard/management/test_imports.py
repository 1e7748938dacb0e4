"""The commands that bring benchmarks in say what they did, or why they did nothing."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from leaderboard.models import Benchmark, Submission

pytestmark = pytest.mark.django_db


def test_load_sample_says_what_there_is_now(sent: list[Any]) -> None:
    out = io.StringIO()
    call_command("load_sample", stdout=out)
    assert "14 clips" in out.getvalue()
    assert "9 new submissions (0 were here already)" in out.getvalue()

    again = io.StringIO()
    call_command("load_sample", stdout=again)
    assert "0 new submissions (9 were here already)" in again.getvalue()


def test_load_sample_without_submissions() -> None:
    call_command("load_sample", "--no-submit", stdout=io.StringIO())

    assert Benchmark.objects.get().slug == "sample"
    assert not Submission.objects.exists()


def test_a_folder_of_another_shape_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"Nothing was imported\.\n.*must hold clip_cc_dataset"):
        call_command("import_clip_cc_bench", str(tmp_path), "--submit")

    assert not Benchmark.objects.exists()


def test_a_published_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "one.json").write_text('{"001": "A dog."}')
    (tmp_path / "clip_cc_dataset.json").write_text(
        '[{"id": "001", "file_link": "https://example.org/1", "summary": "A dog runs."}]'
    )

    with pytest.raises(CommandError, match=r"nowhere\.json: cannot be read"):
        call_command(
            "import_clip_cc_bench", str(tmp_path), "--published", str(tmp_path / "nowhere.json")
        )

    assert not Benchmark.objects.exists()
