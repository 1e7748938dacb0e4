"""What every test in a browser asks of a page."""

from __future__ import annotations

from typing import Any

import pytest

LOOKS = ((1440, "light"), (390, "dark"))
"""(width, colour scheme): layouts differ by width, contrasts by scheme; two looks show all."""
SEVERE = {"serious", "critical"}
UNFOLD = "for (const d of document.querySelectorAll('details')) d.open = true"
WIDER = "document.documentElement.scrollWidth - window.innerWidth"


def keeps_out(page: Any, *, unfold: bool = True) -> list[str]:
    """What axe finds that keeps people out, with all details open, and how far the page is wider
    than the window.
    """
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    if unfold:
        page.evaluate(UNFOLD)
    faults = [
        f"{page.url}: {rule['id']} {node['html']} {node['failureSummary']}"
        for rule in axe.run(page).response["violations"]
        if rule["impact"] in SEVERE
        for node in rule["nodes"]
    ]
    over = page.evaluate(WIDER)
    return faults + ([f"{page.url}: {over} px wider than the window"] if over > 0 else [])
