"""Which systems a reader wants, and how a table is laid out: all of it an address."""

from __future__ import annotations

from datetime import date

import pytest
from django.http import QueryDict
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.tables import Layout, SystemChoice, SystemFacts, billions
from leaderboard.tables.layout import FACTS, PLAIN


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("7B", 7), ("72b", 72), ("8x7B", 56), ("8 × 22B", 176), ("1.5B", 1.5), ("500M", 0.5),
        ("1.2T", 1200), ("about 13 B", 13), ("235B-A22B", 235), ("0.5B (LoRA)", 0.5),
        ("", None), ("large", None), ("7", None), ("7 bits", None), ("4k context", 4e-6),
    ],
)  # fmt: skip
def test_parameters_as_a_number(text: str, size: float | None) -> None:
    assert billions(text) == (None if size is None else pytest.approx(size))


@given(st.text())
def test_any_text_is_a_size_or_none(text: str) -> None:
    found = billions(text)
    assert found is None or found >= 0


def parse(query: str) -> SystemChoice:
    return SystemChoice.parse(QueryDict(query))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", SystemChoice()),
        ("family=B&family=A&family=", SystemChoice(families=("A", "B"))),
        ("organisation=Lab", SystemChoice(organisations=("Lab",))),
        ("weights=open", SystemChoice(weights="open")),
        ("weights=ajar", SystemChoice()),
        ("smallest=7&largest=1e2", SystemChoice(smallest=7.0, largest=100.0)),
        ("smallest=nan&largest=-1", SystemChoice()),
        ("since=2026-01-31&until=soon", SystemChoice(since=date(2026, 1, 31))),
    ],
)
def test_an_address_is_a_choice(query: str, expected: SystemChoice) -> None:
    """What makes no sense leaves nobody out."""
    assert parse(query) == expected


FACTS_OF = SystemFacts("A", "Lab", "Llama", "8x7B", True, submitted=date(2026, 5, 1))


@pytest.mark.parametrize(
    ("query", "kept"),
    [
        ("family=Llama&organisation=Lab&weights=open", True),
        ("family=Qwen", False),
        ("organisation=Other", False),
        ("weights=closed", False),
        ("smallest=56&largest=56", True),
        ("smallest=57", False),
        ("largest=55", False),
        ("since=2026-05-01&until=2026-05-01", True),
        ("since=2026-05-02", False),
        ("until=2026-04-30", False),
    ],
)
def test_both_ends_are_included_and_all_must_hold(query: str, kept: bool) -> None:
    assert parse(query).includes(FACTS_OF) is kept


@pytest.mark.parametrize(
    "query", ["family=X", "organisation=X", "weights=open", "smallest=1", "since=2026-01-01"]
)
def test_what_is_not_known_leaves_a_system_out(query: str) -> None:
    """A row of which the site knows nothing, as an anonymous one, too; people and chance stay."""
    assert not parse(query).includes(SystemFacts("A"))
    assert not parse(query).includes(None)
    assert parse(query).includes(SystemFacts("People", reference=True))


def test_families_that_nobody_has_are_no_wish() -> None:
    assert not parse("family=Nobody").among([FACTS_OF]).narrows
    assert parse("family=Nobody&family=Llama").among([FACTS_OF]).families == ("Llama",)


def test_a_choice_in_words() -> None:
    query = "family=Llama&family=Qwen&weights=open&smallest=7&largest=13.5&since=2026-01-31"
    assert parse(query).words == "Llama or Qwen; open weights; from 7B to 13.5B; since 2026-01-31"


@pytest.mark.parametrize(
    ("query", "page"),
    [("", 1), ("page=3", 3), ("page=0", 1), ("page=-1", 1), ("page=x", 1), ("page=٣", 1),
     ("page=99999999", 1_000_000), ("page=" + "9" * 5000, 1), ("page=2&rows=all", 0)],
)  # fmt: skip
def test_a_page_is_a_number_or_the_first(query: str, page: int) -> None:
    assert Layout.parse(QueryDict(query)).page == page


def test_columns_that_a_table_has() -> None:
    """The usual ones leave out the systems' facts; unknown wishes give the usual ones."""
    usual = Layout().columns_of(("mean", "left"))
    assert usual == {*PLAIN, "mean", "left"} - set(FACTS)
    assert Layout(columns=("nothing",)).columns_of(("mean",)) == Layout().columns_of(("mean",))
    assert Layout(columns=("left", "family", "x")).columns_of(("mean", "left")) == {
        "left",
        "family",
    }


def test_metrics_that_a_table_has() -> None:
    known = ("hm_cf", "coarse")
    assert Layout().metrics_of(known, "hm_cf") == ("hm_cf",)
    assert Layout(metrics=("coarse",)).metrics_of(known, "hm_cf") == ("coarse",)
    assert Layout(metrics=("coarse", "hm_cf", "x")).metrics_of(known, "hm_cf") == known
    assert Layout(metrics=("all",)).metrics_of(known, "hm_cf") == known
    assert Layout(metrics=("x",)).metrics_of(known, "hm_cf") == ("hm_cf",)
    assert Layout(metrics=("all",)).metrics_of((), "hm_cf") == ("hm_cf",)
