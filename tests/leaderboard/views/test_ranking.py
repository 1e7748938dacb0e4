"""A track's ranking."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from model_bakery import baker

from leaderboard.models import Provenance, Ranking, Release, ReportedResult, Run, System, Track
from leaderboard.pipeline.rank import rank_reported, rank_track

BOARD = "/b/small/1.0/main/"


def names(response: Any) -> list[str]:
    """The systems in the order of the page."""
    heads = re.findall(
        r'<th scope="row" class="system">(.*?)</th>', response.content.decode(), re.DOTALL
    )
    tags = re.compile(r"<small>.*?</small>|<[^>]+>", re.DOTALL)
    return [tags.sub("", head).strip() for head in heads]


def cells(response: Any, name: str) -> list[str]:
    """The numbers of a system's row."""
    rows = re.findall(r"<tr.*?</tr>", response.content.decode(), re.DOTALL)
    row = next(row for row in rows if f">{name}<" in row or f"\n{name}\n" in row)
    found = re.findall(r"<td.*?</td>", row, re.DOTALL)
    return [re.sub(r"<[^>]+>", "", cell).strip() for cell in found]


def test_the_page_prints_what_the_ranking_holds(client: Client, ranked: Any, track: Track) -> None:
    """Order, Borda, mean and judges to four decimals, interval in words."""
    ranking = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert ranking is not None
    response = client.get(BOARD)
    assert names(response) == [row["name"] for row in ranking.rows] == ["Best", "Middle", "Worst"]
    for row in ranking.rows:
        found = cells(response, row["name"])
        assert found[0] == str(row["rank"])
        assert found[2:] == [
            f"{row['borda']:g}",
            f"{row['mean']['hm_cf']:.4f}",
            f"{row['judges']['left']['hm_cf']:.4f}",
            f"{row['judges']['right']['hm_cf']:.4f}",
        ]
        words = f"rank {row['rank']}, 95% interval {row['rank_low']} to {row['rank_high']}"
        assert words in response.content.decode()
    assert ranking.signature in response.content.decode()


def test_another_metric_shows_in_the_same_order(client: Client, ranked: Any, track: Track) -> None:
    """The rank stays that of the primary metric."""
    ranking = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert ranking is not None
    response = client.get(BOARD, {"metric": "fine_recall"})
    assert b"Mean Fine recall" in response.content
    assert cells(response, "Middle")[3] == f"{ranking.rows[1]['mean']['fine_recall']:.4f}"


@pytest.mark.parametrize(
    ("sort", "expected"),
    [
        ("system", ["Best", "Gap", "Middle", "Worst"]),
        ("-system", ["Worst", "Middle", "Gap", "Best"]),
        ("borda", ["Worst", "Middle", "Best", "Gap"]),
        ("-borda", ["Best", "Middle", "Worst", "Gap"]),
        ("mean", ["Worst", "Middle", "Best", "Gap"]),
        ("-right", ["Best", "Middle", "Worst", "Gap"]),
        ("right", ["Worst", "Middle", "Best", "Gap"]),
        ("rank", ["Best", "Middle", "Worst", "Gap"]),
        ("-rank", ["Worst", "Middle", "Best", "Gap"]),
        ("nonsense", ["Best", "Middle", "Worst", "Gap"]),
    ],
)
def test_rk_01_what_is_missing_stays_last(
    client: Client, ranked: Any, submit: Any, work_off: Any, sort: str, expected: list[str]
) -> None:
    """A system without one judge is unranked, last in both directions, and says what it lacks."""
    submission = submit("Gap")
    Run.objects.filter(submission=submission, judge="right").update(
        state=Run.State.FAILED, error="The judge is out of order."
    )
    work_off()
    response = client.get(BOARD, {"sort": sort})
    assert names(response) == expected
    assert b"unranked: no score by right" in response.content
    assert cells(response, "Gap")[0] == "–"


def test_the_head_says_how_it_is_sorted_and_turns_around(client: Client, ranked: Any) -> None:
    """Scores begin with the highest; a second click turns them around."""
    page = client.get(BOARD, {"sort": "-borda"}).content.decode()
    assert re.search(r'aria-sort="descending">\s*<a href="\?sort=borda">', page)
    assert "?sort=-mean" in page
    assert "?sort=system" in page


def test_reported_and_verified_are_told_apart(client: Client, ranked: Any, track: Track) -> None:
    """Two tables, each with its mark; reported means have no interval and say why."""
    for place, system in enumerate(System.objects.order_by("-name")):
        for judge in track.judges:
            baker.make(
                ReportedResult, track=track, system=system, judge=judge, metric="hm_cf",
                mean=0.5 - place / 10,
            )  # fmt: skip
    rank_reported(track.pk)
    verified = client.get(BOARD)
    reported = client.get(BOARD, {"provenance": "reported"})
    assert names(verified) == ["Best", "Middle", "Worst"]
    assert names(reported) == ["Worst", "Middle", "Best"]
    assert b"badge verified" in verified.content
    assert b"badge reported" not in verified.content
    assert b"badge reported" in reported.content
    assert b"badge verified" not in reported.content
    assert b"rank-interval" not in reported.content
    assert b"There are no rank intervals" in reported.content


def test_judges_agreement_is_that_of_the_ranking(client: Client, ranked: Any, track: Track) -> None:
    """Both judges of the small site see the same letters."""
    ranking = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert ranking is not None
    assert ranking.agreement is not None
    page = client.get(BOARD).content.decode()
    assert "Do the judges agree?" in page
    assert f"{ranking.agreement['pearson']['mean']:.4f}" in page


def test_an_empty_track_is_not_an_error(client: Client, release: Release) -> None:
    """Nothing ranked yet, and how to change that."""
    response = client.get(BOARD)
    assert response.status_code == 200
    assert b"Nothing has been ranked on this track yet" in response.content


def test_it_says_what_is_on_its_way(
    client: Client, ranked: Any, submit: Any, text: Callable[[Any], str]
) -> None:
    """A submission that is being scored is announced; a private one is not."""
    submit("Next")
    submit("Secret", visibility="private")
    assert "Being scored 1 submission " in text(client.get(BOARD))


@pytest.mark.parametrize("address", [BOARD, "/b/small/2.0/main/", "/b/small/1.0/none/"])
def test_what_is_not_published_is_not_there(client: Client, release: Release, address: str) -> None:
    """Release, track or benchmark: the same answer."""
    Release.objects.update(published_at=None)
    assert client.get(address).status_code == 404


def test_no_vector_is_read_and_queries_do_not_grow(
    client: Client, ranked: Any, submit: Any, work_off: Any, django_assert_max_num_queries: Any
) -> None:
    """The table is what a worker has computed."""
    with django_assert_max_num_queries(14) as first:
        client.get(BOARD)
    for n in range(6):
        submit(f"More {n}")
    work_off()
    with django_assert_max_num_queries(len(first.captured_queries)) as second:
        assert len(names(client.get(BOARD))) == 9
    read = " ".join(query["sql"] for query in second.captured_queries)
    assert "scorevector" not in read


def test_a_name_cannot_write_html(client: Client, submit: Any, work_off: Any, track: Track) -> None:
    """Names are text."""
    submit("<script>alert(1)</script>")
    work_off()
    rank_track(track.pk)
    page = client.get(BOARD).content
    assert b"<script>alert" not in page
    assert b"&lt;script&gt;alert(1)" in page


def test_lj_10_runs_of_two_versions_are_labelled(client: Client, ranked: Any, track: Track) -> None:
    """A library was upgraded between two runs of one judge: the page says whose column it is."""
    page = client.get(BOARD).content.decode()
    assert "different signatures" not in page
    for run in Run.objects.filter(judge="left"):
        assert run.signature in page
    first = Run.objects.filter(judge="left").order_by("pk").first()
    assert first is not None
    Run.objects.filter(pk=first.pk).update(signature=f"{first.signature}|later:1")
    rank_track(track.pk)
    page = client.get(BOARD).content.decode()
    assert "2 different signatures" in page
    assert f"{first.signature}|later:1" in page
