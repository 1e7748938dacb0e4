"""What shares a site, or a large model, runs in one process: it would be made in each otherwise."""

from __future__ import annotations

import pytest


@pytest.mark.xdist_group("alone")
def test_groups_hold(request: pytest.FixtureRequest) -> None:
    """pytest-xdist says so in the names of tests; with pytest 9.2 it silently did not."""
    if not hasattr(request.config, "workerinput") or not request.config.getvalue("loadgroup"):
        pytest.skip("runs in one process, or is not asked to group (--dist loadgroup)")
    assert request.node.nodeid.endswith("@alone")
