"""A visitor with a real browser, a real web process and a real worker."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.browser import LOOKS, keeps_out

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]
PATIENCE = 180_000
DESCRIPTIONS = Path(__file__).parents[2] / "leaderboard/importers/sample/descriptions"
WIDTHS = (1440, 390)
BOARD = "/b/sample/1.0/embedded/"


@pytest.fixture(scope="module")
def session(browser: Any, live_site: Any) -> Any:
    """The cookies of a visitor who has logged in once."""
    context = browser.new_context(base_url=live_site.url)
    page = context.new_page()
    page.goto("/b/sample/submit/")
    page.get_by_label("Username").fill("visitor")
    page.get_by_label("Password").fill("a long enough secret")
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/b/sample/submit/")
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def visit(browser: Any, live_site: Any, session: Any) -> Iterator[Callable[..., Any]]:
    """``visit(width=..., scheme=...)``: a page of a visitor who is logged in.

    Every error on the console, refused resources included, fails the test.
    """
    contexts, said = [], []

    def made(
        *, width: int = 1440, scheme: str = "light", anonymous: bool = False, **more: Any
    ) -> Any:
        context = browser.new_context(
            base_url=live_site.url,
            viewport={"width": width, "height": 900},
            color_scheme=scheme,
            storage_state=None if anonymous else session,
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
    # A refused file and a missing page are answered with 422 and 404, which Chromium mentions.
    assert not [line for line in said if not re.search(r"status of (404|422)", line)]


@pytest.fixture(scope="module")
def predictions(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A good file, and one with three different faults."""
    folder = tmp_path_factory.mktemp("predictions")
    texts: dict[str, Any] = json.loads((DESCRIPTIONS / "pebblecap.json").read_text())
    good = folder / "good.json"
    good.write_text(json.dumps({clip: f"{text} It is day." for clip, text in texts.items()}))
    first, second, *_ = texts
    broken = texts | {first: 7, "no-such-clip": "A dog."}
    del broken[second]
    bad = folder / "bad.json"
    bad.write_text(json.dumps(broken))
    return {"good": good, "bad": bad, "first": Path(first), "second": Path(second)}


def upload(page: Any, file: Path, name: str) -> None:
    """Fill in the form and send it."""
    page.goto("/b/sample/submit/")
    page.get_by_label("Choose a file").set_input_files(file)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Check and submit").click()


@pytest.fixture(scope="module")
def ranked(browser: Any, live_site: Any, session: Any, predictions: dict[str, Path]) -> str:
    """A visitor uploads, watches without reloading, and is ranked: the submission's address."""
    context = browser.new_context(base_url=live_site.url, storage_state=session)
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    upload(page, predictions["good"], "Visitor-1B")
    page.wait_for_url("**/submissions/*/")
    address: str = page.url
    report = page.locator("#report")
    # The page that is open follows by itself.
    page.evaluate("window.opened = true")
    report.get_by_text(re.compile(r"Rank \d of 6")).wait_for()
    assert page.evaluate("window.opened") is True
    expect(report).to_have_attribute("data-final", "yes")
    expect(report).not_to_have_attribute("hx-get", re.compile(""))
    context.close()
    return address


def test_an_upload_is_scored_and_found_on_the_board(visit: Any, ranked: str) -> None:
    """From the submission's page to its row, with the same digits in both places."""
    page = visit()
    page.goto(ranked)
    mean = page.get_by_role("row", name="Mean over judges").get_by_role("cell").nth(0).inner_text()
    assert re.fullmatch(r"0\.\d{4}", mean)
    place = re.search(r"Rank (\d)", page.locator("#report").inner_text())
    page.get_by_role("link", name="Embedded judges").click()
    row = page.get_by_role("row", name="Visitor-1B")
    cells = row.get_by_role("cell").all_inner_texts()
    assert place is not None
    assert cells[0] == place[1]
    assert mean in cells
    label = row.get_by_role("img").get_attribute("aria-label")
    assert re.fullmatch(rf"rank {place[1]}, 95% interval \d to \d", label)


def test_sorting_keeps_the_address_and_the_back_button(visit: Any, ranked: str) -> None:
    """The state of a table is in its address."""
    page = visit(anonymous=True)
    page.goto(BOARD)
    page.get_by_role("link", name="System", exact=True).click()
    page.wait_for_url("**?sort=system")
    names = page.locator("tbody th.system a:not(.more)").all_inner_texts()
    assert names == sorted(names, key=str.casefold)
    page.go_back()
    page.wait_for_url(f"**{BOARD}")
    expect(page.locator("tbody td.place").first).to_have_text("1")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_row_unfolds_and_pinned_systems_are_compared(visit: Any, ranked: str, width: int) -> None:
    """By keyboard, and back again; nothing that unfolds keeps anybody out."""
    page = visit(width=width, anonymous=True)
    page.goto(BOARD)
    mark = page.get_by_role("button", name="Summary of", exact=False).first
    mark.press("Enter")
    page.locator("tr.unfolded").get_by_text(re.compile(r"rank 1 of \d")).wait_for()
    expect(mark).to_have_attribute("aria-expanded", "true")
    assert not keeps_out(page, unfold=False)
    mark.press("Space")
    page.locator("tr.unfolded").wait_for(state="detached")
    for box in page.get_by_role("checkbox", name="Pin", exact=False).all()[:2]:
        box.check()
    page.get_by_role("button", name="Compare pinned").click()
    page.wait_for_url("**/compare/?system=*&system=*")


def test_columns_filters_and_exports_without_scripts(visit: Any, ranked: str) -> None:
    """All of it is forms and links; the file has what the page shows."""
    page = visit(java_script_enabled=False, anonymous=True)
    page.goto(BOARD)
    page.get_by_text("Columns and metrics").click()
    page.get_by_role("checkbox", name="Borda").uncheck()
    page.get_by_role("checkbox", name="Coarse").check()
    page.get_by_role("button", name="Show these").click()
    page.wait_for_url("**metric=coarse**")
    table = page.get_by_role("region", name="Ranking")
    expect(table.get_by_role("columnheader", name="Borda")).to_have_count(0)
    expect(table.get_by_role("columnheader", name="Coarse")).to_have_count(3)
    page.get_by_text("Export as shown").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV, for spreadsheets").click()
    lines = download.value.path().read_text().splitlines()
    assert "borda" not in lines[0]
    assert "mean.coarse" in lines[0]
    expect(table.locator("tbody tr")).to_have_count(len(lines) - 1)
    page.get_by_role("link", name="Summary of", exact=False).first.click()
    page.get_by_text("It always shows the newest place").wait_for()


def test_choices_are_computed_and_claims_follow(visit: Any, ranked: str) -> None:
    """Judges and clips by the form; what can be said of the top comes by itself."""
    page = visit(anonymous=True)
    page.goto(BOARD)
    page.get_by_text("Choose judges, clips").click()
    page.get_by_role("checkbox", name="Character n-gram tf-idf").uncheck()
    page.get_by_role("checkbox", name="Nature").uncheck()
    page.get_by_role("button", name="Compute again").click()
    page.get_by_text("1 of 2 judges").wait_for()
    computed = page.get_by_role("region", name="What this is computed from")
    expect(computed).to_contain_text("12 of 14 clips")
    claims = page.locator("#claims")
    claims.get_by_text(re.compile(r"is above .* of resamples")).first.wait_for()
    page.go_back()
    page.wait_for_url(f"**{BOARD}")


def test_charts_are_drawn_from_their_tables(visit: Any, ranked: str) -> None:
    """Under the strict policy, after the page is there; the tables can be opened again."""
    page = visit(anonymous=True)
    page.goto(f"{BOARD}reliability/")
    figures = page.locator("figure.chart")
    expect(figures).to_have_count(6)
    for figure in figures.all():
        figure.scroll_into_view_if_needed()
        figure.locator(".plot svg").first.wait_for()
    first = figures.first
    expect(first.locator(".plot .heatmaplayer image")).to_have_count(1)
    first.get_by_text("As a table").click()
    expect(first.get_by_role("table")).to_be_visible()


def test_a_broken_file_shows_every_problem(visit: Any, predictions: dict[str, Path]) -> None:
    """All at once, with the key of each; the form keeps what was typed."""
    page = visit()
    upload(page, predictions["bad"], "Broken-1B")
    problems = page.get_by_role("alert")
    problems.wait_for()
    said = problems.inner_text()
    for word in ("no-such-clip", predictions["first"].name, predictions["second"].name):
        assert word in said
    assert "Nothing has been stored" in said
    expect(page.get_by_label("Name", exact=True)).to_have_value("Broken-1B")
    page.goto("/submissions/")
    expect(page.locator("main")).not_to_contain_text("Broken-1B")


def test_a_clip_opens_down_to_its_sentences(visit: Any, ranked: str) -> None:
    """From the board to the clips to what the systems said of one."""
    page = visit(anonymous=True)
    page.goto(BOARD)
    page.get_by_role("link", name="14", exact=True).click()
    page.get_by_role("link", name="The balloon in the oak").click()
    card = page.get_by_role("article", name="Larkspur-VL")
    card.get_by_text("Sentence by sentence").click()
    expect(card.get_by_role("table").nth(1)).to_be_visible()
    page.get_by_text("Choose systems").click()
    page.get_by_role("checkbox", name="Brooklong").uncheck()
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("article", name="Brooklong")).to_have_count(0)
    expect(card).to_be_visible()
    page.get_by_role("navigation", name="Neighbouring clips").first.get_by_role("link").nth(
        1
    ).click()
    expect(page.get_by_role("article", name="Brooklong")).to_have_count(0)


def test_without_javascript_everything_still_works(
    visit: Any, predictions: dict[str, Path]
) -> None:
    """Upload, look again by a link until the scores are there."""
    page = visit(java_script_enabled=False)
    upload(page, predictions["good"], "Plain-1B")
    page.wait_for_url("**/submissions/*/")
    for _ in range(600):
        if page.locator("#report").get_attribute("data-final") == "yes":
            break
        page.wait_for_timeout(300)
        page.get_by_role("link", name="Look again").click()
    expect(page.locator("#report")).to_contain_text(re.compile(r"Rank \d of \d"))


def test_a_private_submission_is_nobody_elses(visit: Any, predictions: dict[str, Path]) -> None:
    """It does not exist for others."""
    page = visit()
    page.goto("/b/sample/submit/")
    page.get_by_label("Choose a file").set_input_files(predictions["good"])
    page.get_by_label("Name", exact=True).fill("Secret-1B")
    page.get_by_label("Private").check()
    page.get_by_role("button", name="Check and submit").click()
    page.wait_for_url("**/submissions/*/")
    other = visit(anonymous=True)
    assert other.goto(page.url).status == 404


def pages(ranked: str) -> list[str]:
    """Every kind of page."""
    return [
        "/",
        "/b/sample/",
        BOARD,
        f"{BOARD}?provenance=reported",
        f"{BOARD}?category=Sport&category=Home&interval=simultaneous",
        f"{BOARD}reliability/",
        "/b/sample/1.0/pairs/",
        "/b/sample/1.0/clips/",
        "/b/sample/1.0/clips/red-balloon/",
        "/b/sample/submit/",
        ranked,
        "/submissions/",
        "/account/",
        "/account/tokens/",
        "/teams/",
        "/email/",
        "/2fa/",
        "/no/such/page/",
    ]


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_no_page_keeps_anybody_out(visit: Any, ranked: str, width: int, scheme: str) -> None:
    """axe finds nothing serious, and no page is wider than the window."""
    faults = []
    for anonymous, addresses in (
        (False, pages(ranked)),
        (True, ["/", "/login/", "/signup/", "/password/reset/"]),
    ):
        page = visit(width=width, scheme=scheme, anonymous=anonymous)
        for address in addresses:
            page.goto(address)
            faults += keeps_out(page)
    assert not faults


def test_the_form_with_problems_keeps_nobody_out(visit: Any, predictions: dict[str, Path]) -> None:
    """The same for what one sees after a mistake, on a phone."""
    page = visit(width=390, scheme="dark")
    upload(page, predictions["bad"], "")
    page.get_by_text("Name the system").wait_for()
    assert not keeps_out(page)
    upload(page, predictions["bad"], "Broken-2B")
    page.get_by_role("alert").wait_for()
    assert not keeps_out(page)


def test_the_keyboard_is_enough(visit: Any, ranked: str) -> None:
    """The first stop skips to the content; the focus can be seen."""
    page = visit(anonymous=True)
    page.goto(BOARD)
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
