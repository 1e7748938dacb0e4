"""A benchmark's own rules apply to its whole data only."""

from __future__ import annotations

from scoring.benchmarks import left_out


def test_clip_cc_is_known_by_its_ids() -> None:
    """Clip 126 does not count there."""
    assert list(left_out([f"{n:03d}" for n in range(1, 201)])) == ["126"]


def test_other_data_keeps_all_its_clips() -> None:
    """A part of the benchmark, or other data that happens to have a clip 126, is taken as it is."""
    assert not left_out([f"{n:03d}" for n in range(1, 127)])
    assert not left_out(["126"])
