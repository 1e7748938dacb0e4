"""The page that says how far a ranking can be trusted, and its part on the ranking's page."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from leaderboard.assets import PLOTLY, PlotlyFinder
from leaderboard.models import Provenance, Ranking, Release, Track
from leaderboard.tables import Choice, reliability
from leaderboard.tables.chosen import scores_of
from scoring.ranking import statistics

ROOT = Path(__file__).resolve().parents[3]
BOARD = "/b/small/1.0/main/"
PAGE = f"{BOARD}reliability/"


@pytest.fixture
def ranking(ranked: Any, track: Track) -> Ranking:
    """Three systems, two judges, four clips."""
    made = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert made is not None
    return made


def test_the_page_prints_what_the_library_computes(
    ranking: Ranking, client: Client, text: Callable[[Any], str]
) -> None:
    """Claims, places, shares and the curve, with system names in place of slugs."""
    scores = scores_of(ranking, Choice())
    order = [scores.systems.index(row["system"]) for row in ranking.rows]
    found = statistics(
        [scores.systems[at] for at in order], scores.judges, scores.arrays["hm_cf"][order],
        replicates=ranking.track.bootstrap_replicates,
    )  # fmt: skip
    said = text(client.get(PAGE))
    assert found.claims[0].text.replace("best", "Best").replace("middle", "Middle") in said
    assert found.resampled is not None
    page = client.get(PAGE).content.decode()
    for value in found.resampled.distribution.flat:
        assert f'data-value="{value:.6g}"' in page
    for point in found.stability:
        assert f"{point.tau:.4f}" in said
    assert found.detectable is not None
    assert f"{found.detectable:.4f}" in said


def test_every_chart_has_its_table(ranking: Ranking, client: Client) -> None:
    """The figures are tables first; scripts come as files."""
    page = client.get(PAGE).content.decode()
    figures = re.findall(r'<figure class="chart".*?</figure>', page, re.DOTALL)
    assert len(figures) == 6
    for figure in figures:
        assert re.search(r"<details[^>]*open[^>]*>.*<table", figure, re.DOTALL)
        assert re.search(r'class="plot"[^>]*role="img"[^>]*aria-label="[^"]{20,}', figure)
    assert not re.search(r"<style|<script(?![^>]*\bsrc=)|\sstyle=|\son\w+=", page)


def test_the_part_on_the_rankings_page(
    ranking: Ranking, client: Client, text: Callable[[Any], str]
) -> None:
    """Asked for once the page is there, with the same choice; without a script it is a link."""
    page = client.get(BOARD, {"judge": "left"}).content.decode()
    assert re.search(r'hx-get="/b/small/1.0/main/claims/\?judge=left"\s+hx-trigger="load"', page)
    assert 'href="/b/small/1.0/main/reliability/?judge=left"' in page
    part = client.get(f"{BOARD}claims/", {"judge": "left"})
    assert "<html" not in part.content.decode()
    said = text(part)
    assert re.search(r"Best is above Middle in .*% of resamples", said)
    assert reliability(ranking, Choice(judges=("left",))).claims[0] in said


def test_a_long_table_is_cut_and_says_so(
    ranking: Ranking, client: Client, text: Callable[[Any], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the first systems are compared."""
    # The package's function of this name hides the module of this name.
    module = importlib.import_module("leaderboard.tables.reliability")
    monkeypatch.setattr(module, "MOST_SYSTEMS", 2)
    said = text(client.get(PAGE))
    assert "Computed among the first 2 of 3 systems" in said
    assert reliability(ranking, Choice()).systems == 2


def test_of_a_large_board_only_the_first_systems_are_read(
    ranking: Ranking, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many as are compared, whatever else stands on the board; the report is the same."""
    module = importlib.import_module("leaderboard.tables.reliability")
    monkeypatch.setattr(module, "MOST_SYSTEMS", 2)
    whole = module._reliability(ranking, Choice())
    chosen = importlib.import_module("leaderboard.tables.chosen")
    monkeypatch.setattr(chosen, "MOST_VALUES", 2 * 2 * 4)
    assert client.get(PAGE).status_code == client.get(f"{BOARD}claims/").status_code == 200
    assert reliability(ranking, Choice()) == whole
    assert whole.of_systems == 3


def test_one_system_has_nobody_to_compare_with(
    client: Client, submit: Any, work_off: Any, text: Callable[[Any], str]
) -> None:
    """A page all the same."""
    submit("Alone")
    work_off()
    said = text(client.get(PAGE))
    assert "there is nothing to compare" in said
    assert client.get(f"{BOARD}claims/").status_code == 200


@pytest.mark.parametrize("part", ["reliability/", "claims/"])
def test_nothing_ranked_nothing_published(client: Client, release: Release, part: str) -> None:
    """404 in both cases."""
    assert client.get(BOARD + part).status_code == 404
    Release.objects.update(published_at=None)
    assert client.get(BOARD + part).status_code == 404


def test_pair_tests_are_not_resampled_over_clips(
    ranking: Ranking, client: Client, track: Track
) -> None:
    """Their table is shown as it was computed."""
    Track.objects.update(protocol=Track.Protocol.PAIRS)
    assert client.get(PAGE).status_code == 404
    page = client.get(BOARD, {"judge": "left"}).content.decode()
    assert "Computed again" not in page
    assert "Choose judges" not in page


def test_plotly_comes_from_its_wheel() -> None:
    """Found, collected under one name, and nothing else of the package."""
    found = finders.find(PLOTLY)
    assert Path(str(found)).stat().st_size > 1_000_000
    assert [name for name, _ in PlotlyFinder().list([])] == ["plotly.min.js"]
    assert finders.find("plotly/datasets") is None


def test_plotly_still_looks_for_the_mark_that_keeps_its_styles_out() -> None:
    """``static/js/charts.js`` names the element by which plotly's maps know that their styles are
    there. When this fails after an upgrade, put the new name there.
    """
    script = (ROOT / "static/js/charts.js").read_text()
    (mark,) = re.findall(r'MAP_STYLES = "(\w+)"', script)
    plotly = Path(str(finders.find(PLOTLY))).read_text()
    assert f'getElementById("{mark}")' in plotly
    assert "no-inline-styles" in plotly
