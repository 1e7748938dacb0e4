"""``print_ranking`` prints what is ranked, and says what to do where nothing is."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from leaderboard.models import Benchmark, Release, Run, Submission, System, Track
from leaderboard.pipeline.rank import rank_reported, rank_track
from leaderboard.pipeline.score import score_run

pytestmark = pytest.mark.django_db
SILENT = {"c1": "zzz", "c2": "zzz", "c3": "zzz", "c4": "zzz"}


def printed(*arguments: str) -> str:
    """What the command writes."""
    out = io.StringIO()
    call_command("print_ranking", *arguments, stdout=out)
    return out.getvalue()


@pytest.fixture
def ranked(track: Track, submit: Callable[..., Submission], judges: dict[str, Any]) -> Track:
    """A track with two scored systems, the better one named with an umlaut."""
    submit("Quite a different model", SILENT)
    submit("Schöne Worte")
    for run in Run.objects.all():
        score_run(run.pk)
    rank_track(track.pk)
    return track


def test_json_has_the_rows_with_display_names(ranked: Track) -> None:
    found = json.loads(printed("small", "--format", "json"))

    first, second = found["rows"]
    assert (first["rank"], first["system"], first["slug"]) == (1, "Schöne Worte", "schone-worte")
    assert first["borda"] == 2
    assert first["mean"]["hm_cf"] == pytest.approx(1)
    assert (second["rank"], second["system"]) == (2, "Quite a different model")
    assert (found["track"], found["provenance"]) == ("main", "verified")
    assert found["signature"]


def test_the_table_shows_the_same(ranked: Track) -> None:
    lines = printed("small").splitlines()

    row = next(line for line in lines if "Schöne Worte" in line)
    cells = [cell.strip() for cell in row.strip("│").split("│")]
    assert cells == ["1", "1-1", "Schöne Worte", "2", "1.0000", "1.0000", "1.0000"]


@pytest.mark.parametrize(
    ("name", "suffix"), [("csv", "csv"), ("markdown", "md"), ("latex", "tex"), ("bibtex", "bib")]
)
def test_a_file_is_the_one_that_the_page_offers(
    ranked: Track, client: Client, name: str, suffix: str
) -> None:
    page = client.get(f"/b/small/1.0/main/export.{suffix}")
    assert printed("small", "--format", name) == page.content.decode()


def test_the_first_track_that_scores_uploads_is_meant(ranked: Track) -> None:
    Track.objects.create(
        release=ranked.release, slug="a-first", name="First", position=0, scores_uploads=False
    )
    Track.objects.filter(pk=ranked.pk).update(position=5)

    assert json.loads(printed("small", "--format", "json"))["track"] == "main"
    with pytest.raises(CommandError, match="nothing ranked yet: 0 runs waiting"):
        printed("small", "--track", "a-first")


def test_reported_and_verified_are_kept_apart(ranked: Track) -> None:
    with pytest.raises(CommandError, match="no reported results"):
        printed("small", "--reported")
    for judge in ranked.judges:
        ranked.reported.create(
            system=System.objects.create(slug=f"paper-{judge}", name=f"From paper {judge}"),
            judge=judge,
            metric="hm_cf",
            mean=0.5,
            source="A paper",
        )
    rank_reported(ranked.pk)

    rows = json.loads(printed("small", "--reported", "--format", "json"))["rows"]

    assert {row["system"] for row in rows} == {"From paper left", "From paper right"}
    # Each lacks the other judge: unranked, and never given a place or a 0.
    assert {row["rank"] for row in rows} == {None}
    assert "From paper left" in printed("small", "--reported")


def test_nothing_ranked_yet_says_how_much_waits(submit: Callable[..., Submission]) -> None:
    submit("Model")

    with pytest.raises(CommandError, match="nothing ranked yet: 2 runs waiting; start a worker"):
        printed("small")


def test_an_unpublished_release_is_printed_only_when_named(ranked: Track) -> None:
    Release.objects.filter(pk=ranked.release_id).update(published_at=None)

    with pytest.raises(CommandError, match=r"small has no such release; releases: 1\.0"):
        printed("small")
    assert printed("small", "--release", "1.0")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nix"], "no benchmark 'nix'; there is: small"),
        (["small", "--release", "9"], r"small has no such release; releases: 1\.0"),
        (["small", "--track", "nix"], "no track 'nix'; tracks: main"),
    ],
)
def test_a_wrong_name_is_answered_with_the_right_ones(
    release: Release, arguments: list[str], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        printed(*arguments)


def test_an_empty_site_says_how_to_begin() -> None:
    assert not Benchmark.objects.exists()

    with pytest.raises(CommandError, match="use import_clip_cc_bench or load_sample first"):
        printed("sample")
