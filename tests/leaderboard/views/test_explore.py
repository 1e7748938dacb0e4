"""The page of what lies behind a table's means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.test import Client

from leaderboard.models import (
    ClipMap,
    Description,
    Digest,
    Provenance,
    Ranking,
    Release,
    Run,
    ScoreVector,
    Submission,
    Track,
)
from leaderboard.pipeline import bridge
from leaderboard.pipeline.clip_map import draw_map
from leaderboard.pipeline.score import score_run
from leaderboard.tables import Choice, chosen, explore, explored
from leaderboard.tables.explore import Explored

PAGE = "/b/small/1.0/main/explore/"


@pytest.fixture
def mapped(ranked: list[Submission], track: Track) -> list[Submission]:
    """The small site's three systems, with the maps that its workers draw."""
    for judge in track.judges:
        draw_map(track.pk, judge)
        draw_map(track.pk, judge)
    return ranked


@pytest.fixture
def report(mapped: Any, track: Track) -> Explored:
    """That of the small site: three systems, two judges, four clips."""
    ranking = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert ranking is not None
    found = explored(ranking, Choice())
    assert found is not None
    return found


def values(submission: Submission) -> np.ndarray[Any, Any]:
    """The submission's primary metric per clip, mean over judges, the plain way."""
    vectors = ScoreVector.objects.filter(run__submission=submission, metric="hm_cf")
    return np.mean([vector.values[:4] for vector in vectors], axis=0)


def test_spreads_and_clips(report: Explored, ranked: list[Submission]) -> None:
    """Quartiles of each system, mean and deviation of each clip, from the vectors themselves."""
    table = np.array([values(one) for one in ranked])
    for one, row in zip(ranked, table, strict=True):
        (spread,) = (s for s in report.spreads if s.name == one.system.name)
        assert spread.quantiles == pytest.approx(np.quantile(row, [0, 0.25, 0.5, 0.75, 1]))
    means = dict(zip(["c1", "c2", "c3", "c4"], table.mean(axis=0), strict=True))
    assert [clip.key for clip in report.hardest] == sorted(means, key=lambda key: means[key])
    deviations = dict(zip(means, table.std(axis=0), strict=True))
    for clip in report.divisive:
        assert clip.mean == pytest.approx(means[clip.key])
        assert clip.deviation == pytest.approx(deviations[clip.key])
    assert [clip.deviation for clip in report.divisive] == sorted(deviations.values(), reverse=True)


def test_lengths_halves_and_arrivals(report: Explored, ranked: list[Submission]) -> None:
    """Characters a description, the two halves of the metric, and who led when they came."""
    for one in ranked:
        texts = Description.objects.filter(submission=one).values_list("text", flat=True)
        (point,) = (p for p in report.lengths if p.name == one.system.name)
        assert point.x == pytest.approx(np.mean([len(text) for text in texts]))
        assert point.y == pytest.approx(values(one).mean())
    assert {p.name for p in report.halves} == {one.system.name for one in ranked}
    assert [a.at for a in report.arrivals] == sorted(one.created_at for one in ranked)
    best = np.maximum.accumulate([a.mean for a in report.arrivals])
    assert [a.best for a in report.arrivals] == pytest.approx(list(best))
    assert report.arrivals[0].leads


def test_the_map_is_made_once_by_a_worker(report: Explored, track: Track, ranked: Any) -> None:
    """One for each judge, with a place for each clip; alike references lie close."""
    assert sorted(ClipMap.objects.values_list("judge", flat=True)) == ["left", "right"]
    assert [clip.key for clip in report.map] == ["c1", "c2", "c3", "c4"]
    assert report.map_judge == "left"
    assert 0 < report.map_share <= 1


def test_a_run_asks_for_the_map_that_is_missing(submit: Any, judges: Any, track: Track) -> None:
    """Once it is there, no more."""
    submit("Model")
    (first, *_) = Run.objects.all()
    assert score_run(first.pk).unmapped == (first,)
    draw_map(track.pk, first.judge)
    submit("Other")
    other = Run.objects.get(submission__system__name="Other", judge=first.judge)
    assert score_run(other.pk).unmapped == ()


def test_the_page(client: Client, mapped: Any, text: Callable[[Any], str]) -> None:
    """All its parts, each with a table; links to clips keep the track."""
    page = client.get(PAGE)
    words = text(page)
    for part in ("Scores over clips", "Hardest clips", "Most divisive clips", "A map of the clips"):
        assert part in words
    for part in ("Score against length", "Coarse against fine", "The board over time"):
        assert part in words
    assert b'href="/b/small/1.0/clips/c1/?track=main"' in page.content
    assert PAGE.encode() in client.get("/b/small/1.0/main/").content


def test_a_choice_narrows_it(client: Client, ranked: Any, track: Track) -> None:
    """One judge alone, by the address."""
    ranking = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert ranking is not None
    alone = explored(ranking, Choice(judges=("right",)))
    assert alone is not None
    vector = ScoreVector.objects.get(
        run__submission=ranked[0], run__judge="right", metric="hm_cf"
    ).values[:4]
    (spread,) = (s for s in alone.spreads if s.name == ranked[0].system.name)
    assert spread.quantiles[2] == pytest.approx(np.median(vector))
    assert client.get(PAGE, {"judge": "right"}).status_code == 200


def test_nothing_to_look_into(client: Client, release: Release) -> None:
    """No scores per clip, no page."""
    assert client.get(PAGE).status_code == 404


def test_queries_do_not_grow(
    client: Client, ranked: Any, submit: Any, work_off: Any, django_assert_num_queries: Any
) -> None:
    """The same number for three systems and for four."""
    from django.core.cache import cache  # noqa: PLC0415
    from django.db import connection  # noqa: PLC0415
    from django.test.utils import CaptureQueriesContext  # noqa: PLC0415

    client.get(PAGE)
    cache.clear()
    with CaptureQueriesContext(connection) as few:
        client.get(PAGE)
    submit("Fourth")
    work_off()
    cache.clear()
    with django_assert_num_queries(len(few)):
        client.get(PAGE)


def test_what_is_stored_is_what_is_computed(ranked: Any, track: Track) -> None:
    """A ranking without a digest gives the same report, from the scores themselves."""
    ranking = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert ranking is not None
    stored = explored(ranking, Choice())
    assert stored is not None
    Digest.objects.all().delete()
    assert explored(ranking, Choice()) == stored


def test_of_a_long_table_the_first_are_shown(
    client: Client, mapped: Any, text: Callable[[Any], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One by one; means, deviations and correlations are of all."""
    whole = client.get(PAGE).context["report"]
    monkeypatch.setattr(explore, "MOST_SYSTEMS", 2)
    page = client.get(PAGE)
    report = page.context["report"]
    assert report.systems == 3
    assert [one.name for one in report.spreads] == ["Best", "Middle"]
    assert len(report.lengths) == len(report.halves) == 2
    assert (report.hardest, report.lengths_pearson) == (whole.hardest, whole.lengths_pearson)
    assert report.arrivals == tuple(one for one in whole.arrivals if one.leads)
    assert "the first 2 of 3 systems by mean" in text(page)
    assert "of 3 systems those that nothing before them was better than" in text(page)


def test_a_large_board_is_explored_from_what_its_worker_has_stored(
    client: Client, mapped: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No score is read for it, nor for the list of clips."""
    monkeypatch.setattr(chosen, "MOST_VALUES", 1)
    monkeypatch.setattr(bridge, "scores_by_run", None)
    for page in (PAGE, "/b/small/1.0/clips/"):
        assert client.get(page).status_code == 200
