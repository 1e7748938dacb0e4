"""The ranking's table: columns, filters of systems, pages, pins, summaries, and what is kept."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from django.test import Client

from leaderboard.models import Provenance, Ranking, System, Track

# The package's function of the same name hides the module.
board_module = import_module("leaderboard.tables.board")
BOARD = "/b/small/1.0/main/"


def heads(page: str) -> list[str]:
    """Titles of the table's head, group by group and then column by column."""
    table = page.split('<table class="board">')[1].split("</thead>", maxsplit=1)[0]
    found = re.findall(r"<th .*?</th>", table, re.DOTALL)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", head)).strip() for head in found]


def names(page: str) -> list[str]:
    """The systems in the order of the page."""
    found = re.findall(r'<th scope="row" class="system">(.*?)</th>', page, re.DOTALL)
    return [re.sub(r"<small>.*?</small>|<[^>]+>", "", head, flags=re.DOTALL) for head in found]


@pytest.fixture
def get(client: Client, ranked: Any) -> Callable[..., str]:
    """The page under a query."""

    def made(**query: Any) -> str:
        response = client.get(BOARD, query)
        assert response.status_code == 200
        return str(response.content.decode())

    return made


def test_only_the_columns_that_are_asked_for(get: Callable[..., str]) -> None:
    assert heads(get(column=["mean", "right", "organisation"])) == [
        "#", "System", "Organisation", "Mean HM-CF", "right",
    ]  # fmt: skip
    assert "rank-interval" not in get(column="mean")


def test_all_metrics_stand_under_each_judge(get: Callable[..., str]) -> None:
    page = get(metric="all", column=["mean", "left"])
    metrics = ["HM-CF", "Coarse", "Fine F1", "Fine precision", "Fine recall"]
    assert heads(page) == ["#", "System", "Mean over judges", "left", *metrics, *metrics]
    assert 'colspan="5"' in page
    assert "sort=-left.coarse" in page
    assert names(get(metric="all", sort="left.coarse")) == ["Worst", "Middle", "Best"]


def test_sorting_by_parameters_is_by_size(get: Callable[..., str]) -> None:
    for slug, size in (("best", "72B"), ("middle", ""), ("worst", "8x7B")):
        System.objects.filter(slug=slug).update(parameters=size)
    assert names(get(sort="parameters")) == ["Worst", "Best", "Middle"]
    assert names(get(sort="-parameters")) == ["Best", "Worst", "Middle"]


def test_filtering_systems_ranks_them_among_themselves(
    get: Callable[..., str], track: Track
) -> None:
    System.objects.filter(slug__in=["middle", "worst"]).update(parameters="7B")
    page = get(largest="10")
    assert names(page) == ["Middle", "Worst"]
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    assert "and 2 of 3 systems (to 10B)" in text
    assert "computed again among the systems shown" in text
    assert "rank 1, 95% interval 1 to" in page
    stored = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert stored is not None
    assert [row["rank"] for row in stored.rows] == [1, 2, 3]


def test_nobody_fits(get: Callable[..., str]) -> None:
    page = get(smallest="500")
    assert "No system of this table fits" in page
    assert '<table class="board">' not in page


def test_forms_keep_what_they_do_not_ask(get: Callable[..., str]) -> None:
    page = get(sort="-left", metric="coarse", judge="left", page="1")
    for name, value in (("sort", "-left"), ("metric", "coarse")):
        assert f'<input type="hidden" name="{name}" value="{value}">' in page
    assert '<input type="hidden" name="page"' not in page
    assert 'value="&quot;&gt;&lt;b&gt;"' in get(sort='"><b>')


def test_pages_of_a_long_table(get: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board_module, "PER_PAGE", 2)
    first, second = get(), get(page="2")
    assert (names(first), names(second)) == (["Best", "Middle"], ["Worst"])
    assert "Page 1 of 2" in first
    assert names(get(page="7")) == ["Worst"]
    whole = get(rows="all")
    assert names(whole) == ["Best", "Middle", "Worst"]
    assert "Page 1 of" not in whole
    # The ends of a column are those of the whole table.
    assert 'class="num dot at20 best"' in first
    assert 'class="num dot at20 best"' not in second


def test_pins_stay_and_lead_to_the_comparison(
    client: Client, get: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(board_module, "PER_PAGE", 2)
    page = get(system=["best", "worst"])
    assert re.search(r'value="best" form="compare" aria-label="Pin Best" checked', page)
    assert '<input type="hidden" name="system" value="worst">' in page
    assert 'action="/b/small/1.0/main/compare/"' in page
    assert client.get(f"{BOARD}compare/", {"system": ["best", "worst"]}).status_code == 200


def test_a_row_unfolds_or_leads_to_a_page(client: Client, get: Callable[..., str]) -> None:
    System.objects.filter(slug="middle").update(organisation="Lab <1>", link="https://x.example")
    page = get(judge="left", sort="-left")
    link = re.search(r'href="([^"]+/systems/middle/[^"]*)"', page)
    assert link is not None
    assert link[1] == "/b/small/1.0/main/systems/middle/?judge=left"
    whole = client.get(link[1])
    part = client.get(link[1], headers={"hx-request": "true"})
    assert "HX-Request" in whole["Vary"]
    for answer in (whole, part):
        text = answer.content.decode()
        assert "rank 2 of 3" in text
        assert "Lab &lt;1&gt;" in text
        assert 'href="https://x.example"' in text
    assert b"<html" in whole.content
    assert b"<html" not in part.content
    assert client.get(f"{BOARD}systems/nobody/").status_code == 404


def test_a_kept_page_is_the_same_and_changes_with_what_it_shows(
    get: Callable[..., str],
    submit: Any,
    work_off: Any,
    client: Client,
    django_assert_max_num_queries: Any,
) -> None:
    first = get()
    with django_assert_max_num_queries(8) as second:
        assert get() == first
    read = " ".join(query["sql"] for query in second.captured_queries)
    assert "rows" not in read.split("FROM")[0]
    system = System.objects.get(slug="best")
    system.organisation = "New owner"
    system.save()
    assert "New owner" in get()
    submit("Fourth")
    assert "Being scored" in get()
    work_off()
    assert "Fourth" in get()


def test_a_page_that_is_kept_is_nobodys(
    get: Callable[..., str], client: Client, ann: Any, ben: Any
) -> None:
    """Marks on one's own rows are not shown to the next reader."""
    client.force_login(ann)
    assert "badge own" in get()
    client.force_login(ben)
    assert "badge own" not in get()
    client.logout()
    assert "badge own" not in get()


def test_intervals_are_in_words_on_paper(get: Callable[..., str], track: Track) -> None:
    stored = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert stored is not None
    low, high = stored.rows[0]["rank_low"], stored.rows[0]["rank_high"]
    words = f"{low}" if low == high else f"{low} to {high}"
    assert f'<span class="on-paper">{words}</span>' in get()
