"""The benchmark as its authors publish it: counts, and every row of the published ranking."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from leaderboard.models import Clip, Description, Ranking, Release, ReportedResult, Run, Submission

pytestmark = pytest.mark.django_db


def printed(*arguments: str) -> dict[str, Any]:
    """What ``print_ranking`` says, read as JSON."""
    out = io.StringIO()
    call_command("print_ranking", *arguments, "--format", "json", stdout=out)
    loaded: dict[str, Any] = json.loads(out.getvalue())
    return loaded


def test_the_reported_ranking_is_the_published_one(
    clip_cc_dir: Path, published_clip_cc: Path
) -> None:
    call_command("import_clip_cc_bench", str(clip_cc_dir), "--published", str(published_clip_cc))

    expected = json.loads(published_clip_cc.read_text())
    rows = printed("clip-cc-bench", "--reported")["rows"]
    assert len(rows) == len(expected["published_ranking"]) == 17
    for row, published in zip(rows, expected["published_ranking"], strict=True):
        assert row["system"] == published["display"]
        assert row["rank"] == published["rank"]
        assert row["borda"] == published["borda"]
        assert row["mean"]["hm_cf"] == pytest.approx(published["mean_hm_cf"], abs=1e-9)


def test_the_judges_agree_as_published(clip_cc_dir: Path, published_clip_cc: Path) -> None:
    call_command("import_clip_cc_bench", str(clip_cc_dir), "--published", str(published_clip_cc))

    expected = json.loads(published_clip_cc.read_text())["published_agreement"]
    agreement = Ranking.objects.get().agreement
    for coefficient in ("spearman", "kendall"):
        for which in ("min", "max", "mean"):
            # The paper gives two decimals: 0.958 as 0.96, and 0.995 as 0.99.
            published = expected[coefficient][which]
            assert abs(agreement[coefficient][which] - published) < 0.006, (coefficient, which)


def test_everything_is_stored(clip_cc_dir: Path, published_clip_cc: Path) -> None:
    arguments = (str(clip_cc_dir), "--published", str(published_clip_cc), "--submit")
    call_command("import_clip_cc_bench", *arguments)
    call_command("import_clip_cc_bench", *arguments)

    release = Release.objects.get()
    assert Clip.objects.count() == 200
    assert release.clips.scored().count() == 199
    assert release.clips.get(excluded=True).key == "126"
    assert not release.clips.filter(link="").exists()
    assert ReportedResult.objects.count() == 17 * 5 * 5
    assert Submission.objects.count() == 17
    assert Description.objects.count() == 17 * 199
    assert Run.objects.count() == 17 * 3
