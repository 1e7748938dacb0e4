"""A file sent in a real browser: checked and kept chosen, sent, then hidden and taken back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.browser import keeps_out

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]
DESCRIPTIONS = Path(__file__).parents[2] / "leaderboard/importers/sample/descriptions"
FORM = "/b/sample/submit/"


@pytest.fixture(params=[1440, 390])
def page(browser: Any, live_site: Any, request: Any) -> Iterator[Any]:
    """A visitor who is logged in, on a desk and on a phone."""
    context = browser.new_context(
        base_url=live_site.url, viewport={"width": request.param, "height": 900}
    )
    made = context.new_page()
    made.set_default_timeout(60_000)
    made.goto(FORM)
    made.get_by_label("Username").fill("stranger")
    made.get_by_label("Password").fill("a long enough secret")
    made.get_by_role("button", name="Log in").click()
    made.wait_for_url(f"**{FORM}")
    yield made
    context.close()


@pytest.fixture
def predictions(tmp_path: Path) -> Path:
    """A good file."""
    texts = json.loads((DESCRIPTIONS / "pebblecap.json").read_text())
    path = tmp_path / "predictions.json"
    path.write_text(json.dumps({clip: f"{text} It is night." for clip, text in texts.items()}))
    return path


def test_from_a_dry_run_to_a_withdrawal(page: Any, predictions: Path) -> None:
    """The file is checked, sent as it was chosen, shown without names, and taken back."""
    width = page.viewport_size["width"]
    page.get_by_label("Choose a file").set_input_files(predictions)
    page.get_by_role("button", name="Check only").click()
    page.get_by_text("The file would be accepted").wait_for()
    assert page.get_by_label("Choose a file").evaluate("input => input.files[0].name") == (
        "predictions.json"
    )
    assert not keeps_out(page)
    page.get_by_label("Name", exact=True).fill(f"Upload-{width}")
    page.get_by_label("Anonymous").check()
    expect(page.get_by_label("Show the names from")).to_be_visible()
    page.get_by_role("button", name="Check and submit").click()
    page.wait_for_url("**/submissions/*/")
    page.get_by_role("heading", name=f"Upload-{width}").wait_for()
    assert not keeps_out(page)
    address = page.url

    page.get_by_role("link", name="Edit the card").click()
    page.get_by_label("Organisation").fill("Lab X")
    assert not keeps_out(page)
    page.get_by_role("button", name="Save").click()
    page.get_by_text("The card is changed.").wait_for()

    page.goto(address)
    page.get_by_label("Private").check()
    page.get_by_role("button", name="Change", exact=True).click()
    page.get_by_text("The boards follow within seconds").wait_for()
    page.get_by_text("Withdraw it", exact=True).click()
    page.get_by_role("button", name="Withdraw", exact=True).click()
    page.get_by_text("Withdrawn. The boards follow").wait_for()


def test_an_upload_shows_its_progress(page: Any, tmp_path: Path) -> None:
    """A bar with the bytes sent, while the connection is slow."""
    big = tmp_path / "big.json"
    big.write_text(json.dumps({"red-balloon": "A balloon. " * 60_000}))
    slow = page.context.new_cdp_session(page)
    slow.send("Network.enable")
    given = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 400_000}
    slow.send("Network.emulateNetworkConditions", given)
    page.get_by_label("Choose a file").set_input_files(big)
    page.get_by_role("button", name="Check only").click()
    page.get_by_role("progressbar", name="Upload").wait_for()
    page.get_by_text("MB sent").wait_for()
    page.get_by_role("alert").wait_for()
    expect(page.get_by_role("alert")).to_contain_text("have no description")
