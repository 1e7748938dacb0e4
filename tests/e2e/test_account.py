"""A newcomer: an account, the link in the mail, a login, a token that a script can use."""

from __future__ import annotations

import json
import re
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]
PASSWORD = "quite a long secret"
ADDRESS = "newcomer@example.org"


def link_mailed_to(address: str, folder: Path) -> str:
    """The last link to confirm ``address`` that the site has mailed."""
    mails = sorted(folder.glob("*.log"), key=lambda file: file.stat().st_mtime)
    texts = [text for file in mails if f"To: {address}" in (text := file.read_text())]
    assert texts, [file.name for file in mails]
    return str(re.findall(r"http://\S+/confirm-email/\S+", texts[-1])[-1])


def log_in(page: Any, password: str = PASSWORD) -> None:
    """By the form."""
    page.goto("/login/?next=/account/tokens/")
    page.get_by_label("Username or mail address").fill(ADDRESS)
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Log in").click()


def test_from_signing_up_to_a_token(browser: Any, live_site: Any) -> None:
    """Nobody is let in before the link was opened; the token reads as its owner."""
    context = browser.new_context(base_url=live_site.url)
    page = context.new_page()
    page.goto("/signup/")
    page.get_by_label("Email").fill(ADDRESS)
    page.get_by_label("Username").fill("newcomer")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password (again)").fill(PASSWORD)
    page.get_by_role("button", name="Make the account").click()
    page.get_by_role("heading", name="Look into your mail").wait_for()
    log_in(page)
    page.get_by_role("heading", name="Look into your mail").wait_for()

    link = link_mailed_to(ADDRESS, live_site.folder / "mail")
    page.goto(link)
    page.get_by_role("button", name="Confirm").click()
    log_in(page)
    page.get_by_role("heading", name="Tokens", exact=True).wait_for()
    page.get_by_label("Name of the new token").fill("laptop")
    page.get_by_label("What it may do").select_option("read")
    page.get_by_role("button", name="Make a token").click()
    secret = page.get_by_role("status").locator("code").inner_text()
    expect(page.get_by_role("row", name="laptop")).to_be_visible()
    page.goto("/account/tokens/")
    assert secret not in page.content()

    page.goto(link)
    expect(page.get_by_role("button", name="Send me a new link")).to_be_visible()
    context.close()

    request = urllib.request.Request(  # noqa: S310 - the site of this test
        f"{live_site.url}/api/v1/benchmarks", headers={"Authorization": f"Bearer {secret}"}
    )
    with urllib.request.urlopen(request, timeout=10) as response:  # noqa: S310
        assert "sample" in json.dumps(json.load(response))
