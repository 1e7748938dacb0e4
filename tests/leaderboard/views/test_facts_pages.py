"""What tracks of facts show besides: rates over clips, and LLMFactsF1 beside other metrics."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.core.cache import cache
from django.test import Client

from leaderboard.models import Release, Run, ScoreVector, Submission, Track
from leaderboard.pipeline import bridge
from leaderboard.pipeline import score as score_module
from leaderboard.pipeline.rank import rank_track
from leaderboard.pipeline.score import score_run
from leaderboard.tables.relations import relations
from scoring.judges import catalogue
from scoring.ranking.agreement import pearson, spearman

PAGE = "/b/small/1.0/facts/relations/"
TEXTS = {
    "Good": {},
    "Fair": {"c1": "A man leaves a bar.", "c2": "A blue car stops at the light."},
    "Poor": {"c1": "Zebras jump.", "c2": "Jazz.", "c3": "Fizz buzz.", "c4": "A boat sails home."},
}
Text = Callable[[Any], str]


@pytest.fixture
def facts(release: Release, track: Track) -> Track:
    """Beside the track of embeddings."""
    return Track.objects.create(
        release=release,
        slug="facts",
        name="Facts",
        protocol=Track.Protocol.FACTS,
        primary_metric="llm_facts_f1",
        judges=["facts-baseline"],
        settings={"language": "en", "kind": "long"},
        bootstrap_replicates=20,
        position=1,
    )


@pytest.fixture
def scored(
    facts: Track, track: Track, judges: Any, submit: Any, monkeypatch: pytest.MonkeyPatch
) -> list[Submission]:
    """Three systems on both tracks."""
    made = [submit(name, texts) for name, texts in TEXTS.items()]
    monkeypatch.setattr(
        score_module, "ready_judge", lambda name: judges.get(name) or catalogue.load(name)
    )
    for run in Run.objects.all():
        score_run(run.pk)
    assert set(Run.objects.values_list("state", flat=True)) == {Run.State.DONE}
    for one in (facts, track):
        rank_track(one.pk)
    return made


def test_rates_over_the_clips(scored: list[Submission], client: Client, text: Text) -> None:
    """Shares of the four clips by tenths, in a table that is drawn besides."""
    poor = scored[2]
    response = client.get(poor.get_absolute_url())
    page = response.content.decode()
    (figure,) = re.findall(
        r'<figure class="chart" data-chart="histogram">.*?</figure>', page, re.DOTALL
    )
    values = ScoreVector.objects.get(run__submission=poor, metric="ent_pred").values[:4]
    rows = re.findall(r"<tr>\s*<th[^>]*>(0[.\d]* to [.\d]+)</th>\s*(.*?)</tr>", figure, re.DOTALL)
    assert len(rows) == 10
    drawn = [float(re.findall(r'data-value="([^"]+)"', cells)[1]) for _, cells in rows]
    assert drawn == (np.histogram(values, 10, (0, 1))[0] / 4).tolist()
    assert "js/charts.js" in page


def test_how_far_repetitions_spread_stands_beside_the_score(
    scored: list[Submission], client: Client, text: Text
) -> None:
    """Where a track has everything judged several times."""
    spread = {"runs": 3, "mean": 0.5, "std": 0.0125, "low": 0.4875, "high": 0.5125, "clip_std": 0}
    Run.objects.filter(judge="facts-baseline").update(summary={"spread": {"llm_facts_f1": spread}})
    said = text(client.get(scored[0].get_absolute_url()))
    assert "judged everything 3 times" in said
    assert "standard deviation of 0.0125 and lie between 0.4875 and 0.5125" in said


def test_correlations_with_other_metrics(
    scored: list[Submission], facts: Track, client: Client, text: Text
) -> None:
    """Over means of systems, and over pairs of system and clip."""
    mine = [ScoreVector.objects.get(run__submission=one, metric="llm_facts_f1") for one in scored]
    theirs = [
        np.mean(
            [v.values for v in ScoreVector.objects.filter(run__submission=one, metric="hm_cf")], 0
        )[:4]
        for one in scored
    ]
    x = np.array([vector.values[:4].mean() for vector in mine])
    y = np.array([values.mean() for values in theirs])
    over_clips = pearson(np.concatenate([v.values[:4] for v in mine]), np.concatenate(theirs))
    wanted = f"HM-CF Main 3 {pearson(x, y):.4f} {spearman(x, y):.4f} 12 {over_clips:.4f}"
    said = text(client.get(PAGE))
    assert wanted in said
    assert "Baseline judge" in said
    assert f"Good {x[0]:.4f}" in said


def test_of_a_very_large_table_no_clip_is_read(
    scored: list[Submission], client: Client, text: Text, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Correlations over systems come from the table itself."""
    whole = text(client.get(PAGE))
    cache.clear()
    module = importlib.import_module("leaderboard.tables.chosen")
    monkeypatch.setattr(module, "MOST_VALUES", 1)
    monkeypatch.setattr(bridge, "scores_by_run", None)
    said = text(client.get(PAGE))
    (over_systems,) = re.findall(r"HM-CF Main 3 \S+ \S+ ", whole)
    assert f"{over_systems}0 –" in said


def test_the_ranking_leads_there(scored: Any, client: Client) -> None:
    """From tracks of facts only."""
    assert PAGE in client.get("/b/small/1.0/facts/").content.decode()
    assert "relations/" not in client.get("/b/small/1.0/main/").content.decode()
    assert client.get("/b/small/1.0/main/relations/").status_code == 404


def test_other_texts_are_not_paired_clip_by_clip(
    scored: list[Submission], facts: Track, submit: Any
) -> None:
    """A newer upload that one track has not scored yet leaves means, and no pairs of clips."""
    newer = submit("Good", {"c1": "Something else."})
    score_run(newer.runs.get(track=facts).pk)
    ranking = rank_track(facts.pk)
    assert ranking is not None
    found = relations(ranking)
    assert found is not None
    assert {(one.systems, one.pairs) for one in found.others} == {(3, 8)}


def test_tracks_of_another_language_are_left_out(
    scored: Any, facts: Track, track: Track, client: Client
) -> None:
    """Then there is nothing to compare with."""
    Track.objects.filter(pk=track.pk).update(settings={"language": "de"})
    assert client.get(PAGE).status_code == 404
