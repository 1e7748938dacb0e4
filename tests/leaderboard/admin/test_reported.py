"""A reported result that is typed in, changed or deleted is ranked at once."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from leaderboard.models import Provenance, Ranking, ReportedResult, System, Track

ADD = reverse("admin:leaderboard_reportedresult_add")
LIST = reverse("admin:leaderboard_reportedresult_changelist")


def ranks(track: Track) -> dict[str, Any]:
    """System to place in the newest reported ranking."""
    ranking = Ranking.objects.latest_of(track, Provenance.REPORTED)
    return {row["name"]: row["rank"] for row in ranking.rows} if ranking else {}


def test_it_is_ranked_at_once(
    staff: Client, track: Track, django_capture_on_commit_callbacks: Any
) -> None:
    systems = [System.objects.create(slug=name, name=name) for name in ("one", "two")]
    with django_capture_on_commit_callbacks(execute=True):
        for judge in track.judges:
            for system, mean in zip(systems, (0.4, 0.6), strict=True):
                response = staff.post(
                    ADD,
                    {
                        "track": track.pk,
                        "system": system.pk,
                        "judge": judge,
                        "metric": "hm_cf",
                        "mean": mean,
                        "source": "A paper",
                    },
                )
                assert response.status_code == 302
    assert ranks(track) == {"two": 1, "one": 2}

    row = ReportedResult.objects.get(system=systems[0], judge="left")
    change = reverse("admin:leaderboard_reportedresult_change", args=[row.pk])
    values = {"track": track.pk, "system": systems[0].pk, "judge": "left", "metric": "hm_cf"}
    with django_capture_on_commit_callbacks(execute=True):
        staff.post(change, values | {"mean": 0.99, "source": "A paper"})
    assert ranks(track) == {"one": 1, "two": 2}

    with django_capture_on_commit_callbacks(execute=True):
        staff.post(
            LIST,
            {
                "action": "delete_selected",
                "post": "yes",
                "_selected_action": list(systems[1].reported.values_list("pk", flat=True)),
            },
        )
    assert ranks(track) == {"one": 1}
