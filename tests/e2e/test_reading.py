"""A reader in a real browser: systems side by side, a system's page, search."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.browser import LOOKS, keeps_out

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]
PATIENCE = 60_000
TRACK = "/b/sample/1.0/embedded/"
TWO = "?system=larkspur-vl&system=fogmirror"
THREE = f"{TWO}&system=pebblecap"
WIDTHS = (1440, 390)


@pytest.fixture(scope="module", autouse=True)
def ranked(live_site: Any) -> None:
    """The worker has scored and ranked the five systems of the sample on both open tracks."""

    def ready(track: str, systems: int) -> bool:
        with urllib.request.urlopen(f"{live_site.url}/b/sample/1.0/{track}/compare/") as page:  # noqa: S310
            return page.read().count(b'name="system"') >= systems

    def both() -> bool:
        try:
            return ready("embedded", 5) and ready("pairs", 3)
        except urllib.error.HTTPError:
            return False

    live_site.wait_until(both, 180)


@pytest.fixture
def visit(browser: Any, live_site: Any) -> Iterator[Callable[..., Any]]:
    """``visit(width=..., scheme=...)``: a reader's page. Errors on the console fail the test."""
    contexts, said = [], []

    def made(*, width: int = 1440, scheme: str = "light", **more: Any) -> Any:
        context = browser.new_context(
            base_url=live_site.url,
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            **more,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
        return page

    yield made
    for context in contexts:
        context.close()
    assert not said


@pytest.mark.parametrize("width", WIDTHS)
def test_systems_side_by_side(visit: Any, width: int) -> None:
    """From the form to the differences, another pair, and through a point to its clip."""
    page = visit(width=width)
    page.goto(f"{TRACK}compare/")
    for name in ("Larkspur-VL", "Fogmirror", "Pebblecap"):
        page.get_by_role("checkbox", name=name).check()
    page.get_by_role("button", name="Compare").click()
    page.get_by_role("heading", name="Larkspur-VL, Fogmirror and Pebblecap").wait_for()
    row = page.get_by_role("row", name="Fogmirror less Pebblecap").first
    expect(row).to_contain_text(re.compile(r"[+−]0\.\d{4} to [+−]0\.\d{4}"))
    row.get_by_role("link", name="Show Fogmirror and Pebblecap").click()
    page.get_by_role("heading", name="Where Fogmirror and Pebblecap differ most").wait_for()
    figure = page.locator("figure[data-chart=versus]")
    figure.scroll_into_view_if_needed()
    point = figure.locator(".plot .points path").first
    point.wait_for()
    box = point.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_url("**/clips/*/?track=embedded&system=*")
    expect(page.get_by_role("article", name="Fogmirror")).to_be_visible()
    expect(page.get_by_role("article", name="Pebblecap")).to_be_visible()
    expect(page.get_by_role("article", name="Brooklong")).to_have_count(0)
    page.go_back()
    page.get_by_role("heading", name="Where Fogmirror and Pebblecap differ most").wait_for()


def test_a_choice_of_clips_keeps_the_systems(visit: Any) -> None:
    """The form of choices on the comparison's page."""
    page = visit()
    page.goto(f"{TRACK}compare/{TWO}")
    page.get_by_text("Choose judges and clips").click()
    page.get_by_role("checkbox", name="Nature").uncheck()
    page.get_by_role("button", name="Compute again").click()
    page.get_by_text("12 of 14 clips").wait_for()
    expect(page.get_by_role("heading", level=1)).to_have_text("Larkspur-VL and Fogmirror")


def test_all_of_it_without_javascript(visit: Any) -> None:
    """Forms, tables and links; the table of clips is open."""
    page = visit(java_script_enabled=False)
    page.goto(f"{TRACK}compare/")
    page.get_by_role("checkbox", name="Larkspur-VL").check()
    page.get_by_role("checkbox", name="Brooklong").check()
    page.get_by_role("button", name="Compare").click()
    table = page.get_by_role("region", name="Clip by clip")
    expect(table.get_by_role("row")).to_have_count(15)
    page.get_by_role("searchbox").fill("balloon")
    page.get_by_role("search").get_by_role("button", name="Search").click()
    page.get_by_role("link", name="The balloon in the oak").click()
    page.wait_for_url("**/clips/red-balloon/")


@pytest.mark.parametrize("width", WIDTHS)
def test_search_from_any_page(visit: Any, width: int) -> None:
    """By the keyboard from the box in the header to a system's page."""
    page = visit(width=width)
    page.goto("/b/sample/")
    box = page.get_by_role("searchbox")
    box.fill("larkspur")
    box.press("Enter")
    page.wait_for_url("**/search/?q=larkspur")
    page.get_by_role("link", name="Larkspur-VL").click()
    page.wait_for_url("**/systems/larkspur-vl/")
    results = page.get_by_role("region", name="Results of Larkspur-VL")
    expect(results.get_by_role("link", name="Embedded judges").first).to_be_visible()
    page.get_by_role("link", name="Compare with Brooklong").click()
    page.get_by_role("heading", name="Larkspur-VL and Brooklong", exact=True).wait_for()


CLIP = "/b/sample/1.0/clips/red-balloon/?track=embedded"


@pytest.mark.parametrize("width", WIDTHS)
def test_a_sentence_lights_up_its_nearest(visit: Any, width: int) -> None:
    """What was said, under the pointer, that of the reference; and by the keyboard the reverse."""
    page = visit(width=width)
    page.goto(CLIP)
    card = page.get_by_role("article", name="Larkspur-VL")
    said = card.locator("a.sentence[data-partners]").first
    said.scroll_into_view_if_needed()
    said.hover()
    nearest = said.get_attribute("data-partners").split()
    lit = page.locator(".sentence.lit")
    expect(lit).to_have_count(1 + len(nearest))
    for name in (said.get_attribute("id"), *nearest):
        expect(page.locator(f"#{name}")).to_contain_class("lit")
    of_reference = page.locator(f"#{nearest[0]}")
    partners = of_reference.get_attribute("data-partners").split()
    assert partners
    page.mouse.move(0, 0)
    expect(lit).to_have_count(0)
    of_reference.focus()
    expect(of_reference).to_contain_class("lit")
    expect(lit).to_have_count(1 + len(partners))
    expect(page.get_by_role("heading", name=re.compile("Missed|Unsupported")).first).to_be_visible()
    expect(said).to_have_attribute("title", re.compile(r".*cosine 0\.\d\d$"))


@pytest.mark.parametrize("width", WIDTHS)
def test_two_systems_stand_beside_each_other(visit: Any, width: int) -> None:
    """Where there is room; on a phone one below the other."""
    page = visit(width=width)
    page.goto(f"{CLIP}&system=fogmirror&system=pebblecap")
    cards = page.get_by_role("article")
    expect(cards).to_have_count(2)
    left, right = (card.bounding_box() for card in cards.all())
    assert (left["y"] == right["y"]) == (width == 1440)


def test_keys_lead_to_clips_and_systems(visit: Any) -> None:
    """Arrows to the neighbours, Alt with an arrow down the systems; the choice stays."""
    page = visit()
    page.goto(f"{CLIP}&system=fogmirror&system=pebblecap")
    page.keyboard.press("Alt+ArrowDown")
    expect(page.get_by_role("article", name="Fogmirror")).to_be_focused()
    page.keyboard.press("Alt+ArrowDown")
    expect(page.get_by_role("article", name="Pebblecap")).to_be_focused()
    before = page.url
    page.keyboard.press("ArrowRight")
    page.wait_for_url(lambda url: url != before)
    expect(page.get_by_role("article")).to_have_count(2)
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**/clips/red-balloon/**")


def test_every_sentence_against_every_sentence(visit: Any) -> None:
    """A heat map when it is unfolded, and the same as a table without scripts."""
    page = visit()
    page.goto(CLIP)
    card = page.get_by_role("article", name="Larkspur-VL")
    card.get_by_text("Every sentence against every sentence").click()
    figure = card.locator("figure[data-chart=heat]")
    figure.scroll_into_view_if_needed()
    figure.locator(".plot .heatmaplayer image").wait_for()
    plain = visit(java_script_enabled=False)
    plain.goto(CLIP)
    card = plain.get_by_role("article", name="Larkspur-VL")
    card.get_by_text("Every sentence against every sentence").click()
    cosines = card.get_by_role("region", name="Cosines of Larkspur-VL")
    expect(cosines.get_by_role("row").nth(3)).to_be_visible()


@pytest.mark.parametrize("width", WIDTHS)
def test_behind_the_means(visit: Any, width: int) -> None:
    """Every figure is drawn; a point of the map, and a row of the hardest, opens its clip."""
    page = visit(width=width)
    page.goto(f"{TRACK}explore/")
    figures = page.locator("figure.chart")
    expect(figures.nth(3)).to_be_attached()
    for figure in figures.all():
        figure.scroll_into_view_if_needed()
        figure.locator(".plot svg").first.wait_for()
    page.get_by_role("region", name="Hardest clips").get_by_role("link").first.click()
    page.wait_for_url("**/clips/*/**")


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_no_page_keeps_anybody_out(visit: Any, width: int, scheme: str) -> None:
    """axe finds nothing serious, with every part unfolded."""
    page = visit(width=width, scheme=scheme)
    faults = []
    for address in (
        f"{TRACK}compare/",
        f"{TRACK}compare/{THREE}",
        f"{TRACK}compare/{TWO}&provenance=reported",
        f"/b/sample/1.0/pairs/compare/{TWO}",
        f"{TRACK}explore/",
        f"{TRACK}history/",
        f"{TRACK}history/larkspur-vl/",
        f"{TRACK}systems/larkspur-vl/",
        "/b/sample/news/",
        "/systems/larkspur-vl/",
        "/search/?q=the",
        "/search/?q=the&in=clips",
    ):
        page.goto(address)
        faults += keeps_out(page)
    assert not faults
