"""Numbers of papers that curators type in."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse

from leaderboard.curation import reported
from leaderboard.models import AuditEntry, Provenance, Ranking, ReportedResult, System, Track

SOURCE = "https://example.org/paper"
NUMBER = {
    "judge": "left",
    "metric": "hm_cf",
    "part": "",
    "mean": 0.5,
    "std": None,
    "clips": 4,
    "source": SOURCE,
}


def places(track: Track) -> list[str]:
    """The reported table, best first."""
    ranking = Ranking.objects.latest_of(track, Provenance.REPORTED)
    return [row["name"] for row in ranking.rows] if ranking else []


def test_a_number_is_ranked_changed_and_taken_away_at_once(
    track: Track, cora: User, django_capture_on_commit_callbacks: Any
) -> None:
    """The reported table follows each step; the trail holds what changed, and no more."""
    values = {"judge": "left", "metric": "hm_cf", "source": SOURCE}
    with django_capture_on_commit_callbacks(execute=True):
        for name, mean in (("One", 0.5), ("Two", 0.4)):
            for judge in track.judges:
                row = reported.add_result(
                    track=track,
                    system=name,
                    values=values | {"judge": judge, "mean": mean},
                    actor=cora,
                )
    assert places(track) == ["One", "Two"]
    two = ReportedResult.objects.filter(system__name="Two")
    with django_capture_on_commit_callbacks(execute=True):
        for row in two:
            reported.edit_result(result=row, values={"mean": 0.9, "judge": row.judge}, actor=cora)
    assert places(track) == ["Two", "One"]
    entry = AuditEntry.objects.filter(action="reported.edit").first()
    assert entry is not None
    assert (entry.before, entry.after) == ({"mean": 0.4}, {"mean": 0.9})
    with django_capture_on_commit_callbacks(execute=True):
        for row in two:
            reported.remove_result(result=row, actor=cora)
    assert places(track) == ["One"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"mean": 45.3}, "mean"),
        ({"mean": float("nan")}, "mean"),
        ({"std": -0.1}, "std"),
        ({"clips": 0}, "clips"),
        ({"metric": "bleu"}, "metric"),
        ({"source": "Table 3"}, "source"),
        ({"source": "javascript:alert(1)"}, "source"),
        ({"judge": ""}, "judge"),
    ],
)
def test_faulty_numbers_are_refused(
    track: Track, cora: User, wrong: dict[str, Any], field: str
) -> None:
    """Each with its field; nothing is stored, not even the new system."""
    with pytest.raises(ValidationError) as refused:
        reported.add_result(track=track, system="One", values=NUMBER | wrong, actor=cora)
    assert set(refused.value.message_dict) == {field}
    assert not ReportedResult.objects.exists()
    assert not System.objects.exists()


def test_a_number_stands_once(track: Track, cora: User) -> None:
    """A second one of the same system, judge, metric and part says so."""
    reported.add_result(track=track, system="One", values=NUMBER, actor=cora)
    with pytest.raises(ValidationError, match="already"):
        reported.add_result(track=track, system="one", values=NUMBER, actor=cora)
    assert System.objects.count() == 1


def test_a_hidden_system_is_not_found_out(track: Track, cora: User, submit: Any) -> None:
    """A name that only private submissions have is, for a curator, one that is not there."""
    submit("Secret", visibility="private")
    row = reported.add_result(track=track, system="Secret", values=NUMBER, actor=cora)
    assert row.system.slug == "secret-2"


def test_the_page_lists_and_stores(track: Track, cora: User, client: Client) -> None:
    """With the link; what is refused comes back with the reason."""
    client.force_login(cora)
    address = reverse("curate-reported", args=["small", "1.0", "main"])
    given = {"system": "One", "judge": "left", "metric": "hm_cf", "mean": "0.5", "source": SOURCE}
    assert client.post(address, given | {"mean": "50"}).status_code == 422
    client.post(address, given)
    page = client.get(address).content.decode()
    assert f'href="{SOURCE}"' in page
    row = ReportedResult.objects.get()
    one = reverse("curate-edit-reported", args=["small", "1.0", "main", row.pk])
    assert client.get(one).status_code == 200
    client.post(one, given | {"mean": "0.75"})
    row.refresh_from_db()
    assert row.mean == 0.75
