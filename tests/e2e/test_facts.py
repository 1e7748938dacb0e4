"""Facts in a real browser: fact by fact on a clip, over the clips, and beside other metrics."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import expect

from scoring.protocols.facts import llm_facts_f1
from tests.support.browser import LOOKS, keeps_out

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]
LABELS = ("entailed", "contradicted", "neutral")
CLIP = "/b/sample/1.0/clips/red-balloon/?track=facts"
RELATIONS = "/b/sample/1.0/facts/relations/"
VALUES = "rows => rows.map(row => [...row.cells].slice(1).map(c => Number(c.dataset.value)))"


@pytest.fixture
def visit(browser: Any, facts_site: Any) -> Iterator[Callable[..., Any]]:
    """``visit(address)``: a page as anybody sees it. An error on the console fails the test."""
    contexts, said = [], []

    def made(address: str, *, width: int = 1440, scheme: str = "light", **more: Any) -> Any:
        context = browser.new_context(
            base_url=facts_site.url,
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            **more,
        )
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
        page.goto(address)
        return page

    yield made
    for context in contexts:
        context.close()
    assert not said


def counted(facts: Any) -> tuple[int, int, int]:
    """(entailed, contradicted, all) of a list of facts, from the label that each fact bears; the
    counts above the list must be the same.
    """
    labels = Counter(facts.locator("ol.verdicts .verdict").all_inner_texts())
    assert set(labels) <= set(LABELS)
    said = facts.locator("p.cluster .verdict").all_inner_texts()
    assert said == [f"{labels[label]} {label}" for label in LABELS]
    number = facts.locator("ol.verdicts > li").count()
    assert sum(labels.values()) == number
    return labels["entailed"], labels["contradicted"], number


def test_every_fact_bears_its_verdict_and_the_score_follows_from_them(visit: Any) -> None:
    """In words, with the reason; counting what is shown gives the digits that are shown."""
    page = visit(CLIP)
    cards = page.get_by_role("article")
    expect(cards).to_have_count(5)
    seen: Counter[str] = Counter()
    for card in cards.all():
        details = card.locator("details")
        if not details.evaluate("one => one.open"):
            card.get_by_text("Fact by fact").click()
        lists = card.locator(".verdict-lists > section")
        reference, description = (counted(one) for one in lists.all())
        expect(lists.first.locator("li .muted").first).to_contain_text("closest sentence")
        score = f"{llm_facts_f1(reference, description):.4f}"
        steps = card.locator("table.arithmetic tbody tr")
        expect(steps.last.get_by_role("cell").last).to_have_text(score)
        rates = steps.first.get_by_role("cell").first.inner_text()
        assert rates == f"{reference[0]} / {reference[2]}"
        expect(card.locator("table").first).to_contain_text(score)
        expect(card.get_by_text("Baseline judge")).to_be_visible()
        seen.update(card.locator("ol.verdicts .verdict").all_inner_texts())
    assert set(seen) == set(LABELS)


def test_verdicts_are_told_apart_without_colours(visit: Any) -> None:
    """As on a printer: the words are there, and the lists stand one under the other on a phone."""
    page = visit(CLIP, width=390, forced_colors="active")
    lists = page.locator(".verdict-lists").first.locator("section")
    first, second = (one.bounding_box() for one in lists.all())
    assert second["y"] >= first["y"] + first["height"]
    expect(lists.first.locator(".verdict").first).to_be_visible()


def test_a_clip_that_the_judge_failed_on_is_found_from_the_submission(
    visit: Any, facts_site: Any
) -> None:
    """What it replied stands there as text, and no number stands in."""
    page = visit(f"/submissions/{facts_site.incomplete}/")
    section = page.locator("section.card", has_text="Facts by a model")
    expect(section.get_by_text("Incomplete").first).to_be_visible()
    section.get_by_text("1 clip without a verdict").click()
    section.get_by_role("link", name="red-balloon").click()
    page.wait_for_url("**/clips/red-balloon/**")
    card = page.get_by_role("article").first
    expect(card.get_by_role("heading", name="Judge failed")).to_be_visible()
    card.get_by_text("What the judge replied").click()
    expect(card.locator("pre.reply")).to_have_text("I <cannot> evaluate this.")
    expect(card.locator("table.arithmetic")).to_have_count(0)


def test_rates_over_the_clips_are_drawn_from_their_table(visit: Any, facts_site: Any) -> None:
    """Both ways, entailed and contradicted; every clip is in one bin of each."""
    page = visit(f"/submissions/{facts_site.done}/")
    figure = page.locator("section.card", has_text="Facts (baseline judge)").locator("figure.chart")
    figure.scroll_into_view_if_needed()
    figure.locator(".plot svg").first.wait_for()
    expect(figure.locator(".plot .bars .point")).to_have_count(4 * 10)
    shares = figure.locator("tbody tr").evaluate_all(VALUES)
    assert np.sum(shares, axis=0) == pytest.approx([1, 1, 1, 1], abs=1e-4)
    expect(figure.get_by_role("table")).to_be_hidden()
    figure.get_by_text("As a table").click()
    expect(figure.get_by_role("table")).to_be_visible()
    heads = figure.locator("thead th").all_inner_texts()
    assert [head.split(",")[0] for head in heads[-4:]] == ["ENT", "ENT", "CONT", "CONT"]


def test_repetitions_stand_beside_the_score(visit: Any, facts_site: Any) -> None:
    """On the submission's page and under the ranking, with what the judge took."""
    page = visit(f"/submissions/{facts_site.done}/")
    section = page.locator("section.card", has_text="Facts by a model")
    expect(section.get_by_text("judged everything 2 times")).to_be_visible()
    expect(section.get_by_text(re.compile(r"It read \d+ and wrote \d+ tokens"))).to_be_visible()
    page = visit("/b/sample/1.0/facts-model/")
    table = page.get_by_role("region", name="Spread of Mean LLMFactsF1 over repetitions")
    expect(table.locator("tbody tr")).to_have_count(4)


def test_the_scatter_shows_each_system_once_for_each_metric(visit: Any) -> None:
    """Reached from the ranking; the correlations are those of the points that are drawn."""
    page = visit("/b/sample/1.0/facts/")
    page.get_by_role("link", name="LLMFactsF1 beside other metrics").click()
    page.wait_for_url(f"**{RELATIONS}")
    figure = page.locator('figure[data-chart="scatter"]')
    figure.scroll_into_view_if_needed()
    figure.locator(".plot svg").first.wait_for()
    points = np.array(figure.locator("tbody tr").evaluate_all(VALUES))
    # One system has no number by the model, which failed on a clip.
    first, others = points[:, 0], points[:, 1:].T
    known = np.isfinite(others)
    assert known.sum(axis=1).tolist() == [int(one) for one in told(page, 2)]
    assert set(known.sum(axis=1)) == {4, 5}
    expect(figure.locator(".plot .scatterlayer .point")).to_have_count(int(known.sum()))
    for shown, other, there in zip(told(page, 3), others, known, strict=True):
        if np.ptp(other[there]):
            assert shown == pytest.approx(np.corrcoef(first[there], other[there])[0, 1], abs=1e-3)
        else:
            assert np.isnan(shown)


def told(page: Any, cell: int) -> list[float]:
    """The numbers in a column of the table of correlations, the metric's name being column 0; NaN
    for a dash.
    """
    cells = page.get_by_role("region", name="Metrics and their correlations")
    texts = cells.locator(f"tbody td:nth-child({cell + 1})").all_inner_texts()
    return [float("nan" if text.startswith("–") else text) for text in texts]


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_no_page_of_facts_keeps_anybody_out(
    visit: Any, facts_site: Any, width: int, scheme: str
) -> None:
    """axe finds nothing serious, all details open; no page is wider than the window."""
    faults = []
    for address in (
        CLIP,
        f"/b/sample/1.0/clips/red-balloon/?track=facts-model&submission={facts_site.incomplete}",
        f"/submissions/{facts_site.incomplete}/",
        f"/submissions/{facts_site.done}/",
        RELATIONS,
        "/b/sample/1.0/facts-model/",
    ):
        faults += keeps_out(visit(address, width=width, scheme=scheme))
    assert not faults


def test_facts_can_be_read_without_scripts(visit: Any, facts_site: Any) -> None:
    """The tables stand open where no chart is drawn."""
    for address in (RELATIONS, f"/submissions/{facts_site.done}/"):
        page = visit(address, java_script_enabled=False)
        expect(page.locator("figure.chart table").first).to_be_visible()
