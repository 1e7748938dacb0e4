"""What changed between two rankings, on made-up ones."""

from __future__ import annotations

from typing import Any

import pytest

from leaderboard.tables.history import GONE, Snapshot, changes, why

PANEL = ["left", "right"]


def entry(slug: str, **more: Any) -> dict[str, Any]:
    """What a ranking keeps of a system."""
    kept = {
        "system": slug,
        "name": slug.title(),
        "submission": f"{slug}-1",
        "runs": {"left": 1, "right": 2},
        "signatures": {"left": "l", "right": "r"},
    }
    return kept | more


def snapshot(*entries: dict[str, Any], withheld: tuple[str, ...] = (), **inputs: Any) -> Snapshot:
    """Ranked in the order given; one that is marked has no place."""
    made = {"judges": PANEL, "primary": "hm_cf", "seed": 0, "clips": ["c1", "c2"]} | inputs
    rows, place = [], 0
    for one in entries:
        place += not one.get("withdrawn")
        rank = None if one.get("withdrawn") else place
        rows.append({key: one[key] for key in ("system", "name", "submission")} | {"rank": rank})
    return Snapshot.of({**made, "entries": list(entries)}, rows, withheld)


A, B, C = entry("alpha"), entry("beta"), entry("gamma")


def words(before: Snapshot, after: Snapshot) -> list[str]:
    """The sentences."""
    return [event.words for event in changes(before, after)]


def test_the_same_is_no_change() -> None:
    """Whatever the order of entries."""
    assert changes(snapshot(A, B), snapshot(A, B)) == ()


@pytest.mark.parametrize(
    ("after", "said"),
    [
        (snapshot(A, C, B), "Gamma came in at place 2."),
        (snapshot(A), "Beta left: taken back, hidden, made private or removed."),
        (
            snapshot(A, B | {"withdrawn": True}),
            "Beta was withdrawn and has no place any more.",
        ),
        (snapshot(A, B | {"submission": "beta-2"}), "Another submission of Beta counts now."),
        (snapshot(A, B | {"revisions": {"left": 1}}), "Beta was scored again by left."),
        (
            snapshot(A, B | {"signatures": {"left": "l", "right": "other"}}),
            "Beta was scored again by right.",
        ),
        (snapshot(A, B | {"runs": {"left": 1}}), "Beta has no score by right any more."),
        (
            snapshot(A, B | {"reported": {"left": {"hm_cf": 0.1}}}),
            "Reported numbers of Beta changed.",
        ),
        (
            snapshot(A, B, judges=["left", "third"]),
            "The panel of judges changed: third came in, right went out.",
        ),
        (snapshot(A, B, clips=["c1"]), "1 clip counts no longer: c2."),
        (
            snapshot(A, B, clips=["c1", "c2", "c3", "c4"]),
            "2 clips count that did not before: c3, c4.",
        ),
        (
            snapshot(A, B, primary="coarse"),
            "The metric that ranks changed from hm_cf to coarse.",
        ),
        (
            snapshot(A, B | {"system": "b2", "name": "B Two"}),
            "Beta is called B Two now.",
        ),
    ],
)
def test_each_change_is_one_sentence(after: Snapshot, said: str) -> None:
    """From Alpha before Beta to something else."""
    assert words(snapshot(A, B), after) == [said]


def test_why_a_place_was_lost_to_a_newcomer() -> None:
    """It says who came in above; one below is no reason."""
    found = why(snapshot(A, B), snapshot(C, A, B, entry("delta")), "beta")
    assert found is not None
    assert (found.before, found.after, found.moved) == (2, 3, True)
    assert found.reasons == ("Gamma came in at place 1.",)


def test_why_a_place_was_won() -> None:
    """Somebody above left; somebody was overtaken after one's own new submission."""
    found = why(snapshot(A, B), snapshot(B), "beta")
    assert found is not None
    assert "It stood above, at place 1." in found.reasons[0]
    better = B | {"submission": "beta-2"}
    found = why(snapshot(A, B), snapshot(better, A), "beta")
    assert found is not None
    assert found.reasons == (
        "Another submission of Beta counts now.",
        "It went past Alpha, now at place 2.",
    )
    found = why(snapshot(A, B), snapshot(better, A), "alpha")
    assert found is not None
    assert found.reasons == (
        "Beta went past it, from place 2 to 1. Another submission of Beta counts now.",
    )


def test_a_change_for_all_is_a_reason_for_each() -> None:
    """Even where the place stays."""
    found = why(snapshot(A, B), snapshot(A, B, judges=["left"]), "alpha")
    assert found is not None
    assert not found.moved
    assert found.reasons == ("The panel of judges changed: right went out.",)


def test_withheld_systems_are_never_named() -> None:
    """Neither when they leave nor when they went past; nor is their next name told."""
    before = snapshot(B, A, withheld=("beta-1",))
    for after in (snapshot(A), snapshot(A, B | {"system": "x", "name": "Anonymous 7"})):
        found = why(before, after, "alpha")
        assert found is not None
        said = [*words(before, after), *found.reasons]
        assert said
        assert not any("Beta" in one or "beta" in one for one in said)
        assert not any("is called" in one for one in said)
    assert GONE[2:] in " ".join(words(before, snapshot(A)))


def test_who_is_in_neither_has_no_history() -> None:
    """None, not an empty one."""
    assert why(snapshot(A), snapshot(A), "beta") is None
