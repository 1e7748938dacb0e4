"""A curator in a real browser: from a file to a corrected release, moderation, the audit trail."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from scoring.judges import catalogue
from tests.support.browser import LOOKS, keeps_out

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]
PATIENCE = 120_000
PASSWORD = "a long enough secret"
HOME = "/curate/kitchens/"
TABLE = (
    "clip,duration,category,reference\n"
    "k1,12,soup,A cook in a white apron cuts three onions and throws them into a tall pot.\n"
    "k2,20,bread,A baker kneads dough on a wooden table and puts two loaves into the oven.\n"
    "k3,31,soup,The film breaks off.\n"
)
TEXTS = {
    "k1": "A cook cuts onions on a board. Then the onions go into a pot of soup.",
    "k2": "Somebody kneads dough, waits, and bakes two loaves of bread in an oven.",
}


@pytest.fixture(scope="module")
def curator(browser: Any, live_site: Any) -> Iterator[Any]:
    """A page of somebody who curates; every error on its console but a refused form fails."""
    context = browser.new_context(base_url=live_site.url, viewport={"width": 1440, "height": 900})
    page, said = context.new_page(), []
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    page.goto("/login/?next=/curate/")
    page.get_by_label("Username").fill("curator")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.get_by_role("heading", name="Curate").wait_for()
    yield page
    context.close()
    assert [line for line in said if "422" not in line] == []


@pytest.fixture(scope="module")
def published(curator: Any) -> Any:
    """A benchmark from a file that was dragged in, with a faulty one before it."""
    page = curator
    page.goto("/curate/new/")
    page.get_by_label("Name", exact=True).fill("Kitchens")
    page.get_by_label("Short name").fill("kitchens")
    page.get_by_label("Summary").fill("Three scenes of cooking.")
    page.get_by_role("button", name="Make the benchmark").click()
    page.get_by_role("link", name="Bring data in").click()
    _drop(page, "faulty.csv", "clip,duration,reference\nk1,long,A cook.\nk1,3,Again.\n")
    page.get_by_text("line 2").first.wait_for()
    _drop(page, "kitchens.csv", TABLE)
    page.get_by_role("heading", name="kitchens.csv can be used").wait_for()
    expect(page.get_by_text("A baker kneads dough").first).to_be_visible()
    page.get_by_label("Version").fill("1.0")
    page.get_by_role("button", name="Store as a draft").click()
    page.get_by_role("heading", name="Release 1.0").wait_for()
    _judged_by(page, "1.0", "char-tfidf")
    page.goto(f"{HOME}r/1.0/clips/")
    page.get_by_label("Why clip k3 is left out").fill("The film breaks off.")
    page.get_by_role("button", name="Leave clip k3 out").click()
    page.get_by_role("button", name="Let clip k3 count again").wait_for()
    page.goto(f"{HOME}r/1.0/")
    page.get_by_role("button", name="Publish").click()
    page.get_by_text("is published; its data is frozen").wait_for()
    return page


@pytest.fixture(scope="module")
def scored(published: Any, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A system on the board of that benchmark."""
    page = published
    file = tmp_path_factory.mktemp("curator") / "predictions.json"
    file.write_text(json.dumps(TEXTS))
    page.goto("/b/kitchens/submit/")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_label("Name", exact=True).fill("Ladle-1B")
    page.get_by_role("button", name="Submit").click()
    page.wait_for_url("**/submissions/**")
    page.locator("#report[data-final=yes]").wait_for()
    return page


def _drop(page: Any, name: str, content: str) -> None:
    """A file, given to the field that files are dropped on, and checked."""
    given = {"name": name, "mimeType": "text/csv", "buffer": content.encode()}
    page.locator("input[type=file]").set_input_files(given)
    page.get_by_role("button", name="Check the file").click()


def _judged_by(page: Any, version: str, judge: str) -> None:
    page.goto(f"{HOME}r/{version}/tracks/embedded/")
    for box in page.get_by_role("group", name="Judges").get_by_role("checkbox").all():
        box.set_checked(box.get_attribute("value") == judge)
    page.get_by_role("button", name="Set the judges").click()
    page.get_by_text(f"is judged by {catalogue.entry(judge).title} now").wait_for()


def test_a_submission_is_hidden_and_shown_again(scored: Any) -> None:
    """With a reason that stands in the trail; the board follows."""
    page, board = scored, "/b/kitchens/1.0/embedded/"
    page.goto(f"{HOME}moderation/?show=all")
    page.get_by_label("Reason, for Ladle-1B").fill("Sent twice.")
    page.get_by_role("button", name="Hide").click()
    page.get_by_text("Done. Whoever sent it is told").wait_for()
    page.goto(f"{HOME}moderation/?show=hidden")
    expect(page.get_by_text("Sent twice.")).to_be_visible()
    page.goto(board)
    expect(page.get_by_role("link", name="Ladle-1B")).to_have_count(0)
    page.goto(f"{HOME}moderation/?show=hidden")
    page.get_by_role("button", name="Show again").click()
    page.get_by_text("Nothing here.").wait_for()
    page.goto(f"{HOME}audit/?q=hide")
    (entry,) = page.get_by_role("listitem").filter(has_text="submission.hide").all()
    expect(entry).to_contain_text("Sent twice.")
    with page.expect_download() as waited:
        page.get_by_role("link", name="CSV").click()
    assert "Sent twice." in Path(waited.value.path()).read_text()


def test_scoring_again_is_left_to_a_worker_and_seen(scored: Any) -> None:
    """Previewed, begun, and followed to its end without another click."""
    page = scored
    page.goto(f"{HOME}r/1.0/tracks/embedded/again/")
    page.get_by_label("All submissions of the track").check()
    page.get_by_role("button", name="Show what would run").click()
    page.get_by_label("Reason").fill("The judge was mended.")
    page.get_by_role("button", name="Queue these runs at low priority").click()
    page.get_by_text("Begun for 1 submission").wait_for()
    page.get_by_text("1 of 1 submission, 1 run queued").wait_for()
    page.goto(f"{HOME}work/")
    expect(page.get_by_text("Score again on Embedded judges (1.0)")).to_be_visible()


def test_a_correction_is_compared_published_and_rescored(scored: Any) -> None:
    """What changed word by word, what it costs, and the copies on the new release."""
    page = scored
    page.goto(f"{HOME}r/1.0/")
    page.get_by_label("Version").fill("1.1")
    page.get_by_role("button", name="New release from this one").click()
    page.get_by_role("heading", name="Release 1.1").wait_for()
    page.goto(f"{HOME}r/1.1/data/")
    _drop(page, "corrected.csv", TABLE.replace("three onions", "four onions"))
    page.get_by_role("button", name="Replace the data of 1.1").click()
    page.wait_for_url(f"**{HOME}r/1.1/")
    page.goto(f"{HOME}r/1.1/changes/")
    expect(page.locator("del", has_text="three")).to_be_visible()
    expect(page.locator("ins", has_text="four")).to_be_visible()
    page.goto(f"{HOME}r/1.1/")
    page.get_by_role("button", name="Publish").click()
    page.get_by_text("is published; its data is frozen").wait_for()
    page.goto(f"{HOME}r/1.1/changes/")
    page.get_by_role("button", name="Rescore on 1.1").click()
    page.get_by_text("1 of 1 submission, 1 run queued").wait_for()
    for version in ("1.0", "1.1"):
        assert page.request.get(f"/b/kitchens/{version}/embedded/").ok


def test_a_draft_goes_only_after_a_second_word(published: Any) -> None:
    """The page that asks keeps nobody out."""
    page = published
    page.goto(f"{HOME}r/1.0/")
    page.get_by_label("Version").fill("1.0-draft")
    page.get_by_role("button", name="New release from this one").click()
    page.get_by_role("heading", name="Release 1.0-draft").wait_for()
    page.get_by_role("link", name="Discard the draft").click()
    page.get_by_role("heading", name="Discard the draft 1.0-draft?").wait_for()
    assert not keeps_out(page)
    page.get_by_role("link", name="Keep it").click()
    page.get_by_role("link", name="Discard the draft").click()
    page.get_by_role("button", name="Discard the draft").click()
    page.get_by_text("The draft 1.0-draft is gone.").wait_for()


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_no_page_of_the_workspace_keeps_anybody_out(
    scored: Any, browser: Any, live_site: Any, width: int, scheme: str
) -> None:
    """axe finds nothing serious, and nothing is wider than the window."""
    context = browser.new_context(
        base_url=live_site.url,
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        storage_state=scored.context.storage_state(),
    )
    page, faults = context.new_page(), []
    track = "/curate/sample/r/1.0/tracks/embedded/"
    for address in (
        "/curate/sample/",
        "/curate/sample/card/",
        "/curate/sample/moderation/?show=all",
        "/curate/sample/audit/",
        "/curate/sample/data/",
        "/curate/sample/r/1.0/",
        "/curate/sample/r/1.0/clips/",
        track,
        f"{track}again/?everything=on",
        f"{track}reported/",
        f"{HOME}work/",
        f"{HOME}r/1.1/changes/",
    ):
        page.goto(address)
        faults += keeps_out(page)
    context.close()
    assert faults == []
