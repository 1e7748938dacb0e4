"""A submitter's whole way: a faulty file, a good one to its score, a second one cancelled."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.e2e.test_upload import DESCRIPTIONS, page
from tests.support.browser import keeps_out

__all__ = ["page"]
pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]


@contextmanager
def worker_asleep(live_site: Any) -> Iterator[None]:
    """The real worker, stopped where it is, so that what is queued stays queued."""
    worker = live_site.processes[1]
    worker.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        worker.send_signal(signal.SIGCONT)


def _texts() -> dict[str, str]:
    found: dict[str, str] = json.loads((DESCRIPTIONS / "pebblecap.json").read_text())
    return found


def _write(path: Path, texts: dict[str, str]) -> Path:
    path.write_text(json.dumps(texts))
    return path


def _send(page: Any, file: Path, name: str) -> None:
    page.goto("/b/sample/submit/")
    page.get_by_label("Choose a file").set_input_files(file)
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Check and submit").click()
    page.wait_for_url("**/submissions/*/")


def _wait_until_final(page: Any) -> None:
    """The page follows by itself: what a script has put on its window is there at the end."""
    page.evaluate("window.neverLeft = true")
    page.locator('#report[data-final="yes"]').wait_for(timeout=240_000)
    assert page.evaluate("window.neverLeft") is True


def test_from_a_faulty_file_to_a_score(page: Any, live_site: Any, tmp_path: Path) -> None:
    """Every fault in one report; then done without a reload, told, cancelled, tried again."""
    width, texts = page.viewport_size["width"], _texts()
    missing, empty, *_ = texts
    faulty = {key: text for key, text in texts.items() if key != missing} | {empty: " "}
    faulty |= {f"{missing}x": "A clip that is not there."}
    page.get_by_label("Choose a file").set_input_files(_write(tmp_path / "faulty.json", faulty))
    page.get_by_role("button", name="Check only").click()
    page.get_by_text("The file was not accepted").wait_for()
    report = page.locator("main").inner_text()
    for said in (missing, f"{missing}x", empty):
        assert said in report
    assert not keeps_out(page)

    good = _write(tmp_path / "good.json", {k: f"{t} It is day {width}." for k, t in texts.items()})
    _send(page, good, f"Way-{width}")
    assert not keeps_out(page)
    _wait_until_final(page)
    expect(page.locator("#report")).to_contain_text(re.compile(r"Rank \d+ of \d+"))
    assert not keeps_out(page)
    page.goto("/submissions/")
    unread = page.locator('header a[href="/notices/"]')
    expect(unread).to_contain_text("new")
    page.goto("/notices/")
    page.get_by_text(f"Way-{width} on", exact=False).first.wait_for()
    assert not keeps_out(page)

    second = _write(tmp_path / "second.json", {k: f"{t} Night {width}." for k, t in texts.items()})
    with worker_asleep(live_site):
        _send(page, second, f"Way-back-{width}")
        page.get_by_role("button", name="Cancel scoring").click()
        page.locator("#report .badge", has_text="Cancelled").first.wait_for()
        assert not keeps_out(page)
        page.get_by_role("button", name="Try again").click()
        page.locator("#report .badge", has_text="Waiting for a worker").first.wait_for()
    _wait_until_final(page)
    expect(page.locator("#report")).to_contain_text(re.compile(r"Rank \d+ of \d+"))
