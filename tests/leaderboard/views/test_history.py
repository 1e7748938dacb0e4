"""Rankings as they were."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from leaderboard.models import Ranking, Release, Submission, Track

PLACE = ["small", "1.0", "main"]


@pytest.fixture
def three_days(
    submit: Callable[..., Submission], work_off: Callable[[], None], track: Track
) -> list[Submission]:
    """One came on the 1st of March, two on the 2nd, and on the 3rd one was taken back."""
    texts = {"c1": "Zebras jump.", "c2": "Jazz.", "c3": "Fizz buzz.", "c4": "Vex."}
    made = [submit("First", texts)]
    work_off()
    made.append(submit("Second"))
    work_off()
    Submission.objects.filter(pk=made[0].pk).update(withdrawn_at=timezone.now())
    work_off()
    for day, ranking in enumerate(Ranking.objects.order_by("pk"), 1):
        moment = datetime(2026, 3, day, 23, 59, 59, tzinfo=UTC)
        Ranking.objects.filter(pk=ranking.pk).update(computed_at=moment)
    return made


def test_the_table_of_a_day(client: Client, three_days: Any, text: Any) -> None:
    """The newest one before the day's end by UTC, marked, with a way back."""
    address = reverse("ranking", args=PLACE)
    second = client.get(address, {"at": "2026-03-02"})
    assert "Historical." in text(second)
    assert [row.rank for row in second.context["board"].rows] == [1, 2]
    assert f'href="{address}?provenance=verified"' in second.content.decode()
    first = client.get(address, {"at": "2026-03-01"})
    assert len(first.context["board"].rows) == 1
    assert "Nothing had been ranked by then" in text(client.get(address, {"at": "2026-02-28"}))
    at = (datetime(2026, 3, 2, 23, 59, 58, tzinfo=UTC)).isoformat()
    assert len(client.get(address, {"at": at}).context["board"].rows) == 1
    assert "Historical." not in text(client.get(address))


@pytest.mark.parametrize("wrong", ["2026-13-40", "yesterday", "2026-02-30", ""])
def test_no_date_says_so(client: Client, three_days: Any, text: Any, wrong: str) -> None:
    """With how to write one."""
    answer = client.get(reverse("ranking", args=PLACE), {"at": wrong})
    assert answer.status_code == 422
    assert "Write one as in 2026-11-30" in text(answer)


def test_what_was_taken_back_has_no_name_in_old_tables(
    client: Client, three_days: Any, text: Any
) -> None:
    """Neither in a table, nor in the list, nor by its own address, nor to scripts."""
    address = reverse("ranking", args=PLACE)
    page = client.get(address, {"at": "2026-03-01"}).content.decode()
    assert "no longer public" in page
    listed = client.get(reverse("history", args=PLACE))
    assert "Second came in" in text(listed)
    assert "A system that is no longer public left" in text(listed)
    for one in (page, listed.content.decode()):
        assert "First</a>" not in one
        assert "first" not in one.replace("The first table", "")
        assert str(three_days[0].pk) not in one
    assert client.get(reverse("system-history", args=[*PLACE, "first"])).status_code == 404
    api = "/api/v1/benchmarks/small/releases/1.0/tracks/main"
    assert client.get(f"{api}/history/first").status_code == 404
    for path in ("history", "ranking/at/2026-03-02"):
        answer = client.get(f"{api}/{path}")
        assert answer.status_code == 200
        assert b': "first"' not in answer.content
        assert b"First" not in answer.content


def test_why_a_place_changed(
    client: Client, ranked: Any, submit: Any, work_off: Any, text: Any
) -> None:
    """A newcomer above, then one's own new submission."""
    submit("Copy of best")
    work_off()
    page = client.get(reverse("system-history", args=[*PLACE, "middle"]))
    said = text(page)
    assert "From place 2 to 3" in said
    assert "Copy of best came in at place 1." in said
    (step, first) = page.context["steps"]
    assert (first.why.before, first.why.after) == (None, 2)
    answer = client.get("/api/v1/benchmarks/small/releases/1.0/tracks/main/history/middle").json()
    assert answer[0]["reasons"] == list(step.why.reasons)


def test_scripts_get_the_same(client: Client, three_days: Any) -> None:
    """A day's table; 422 for what is no date, 404 before the first."""
    api = "/api/v1/benchmarks/small/releases/1.0/tracks/main"
    assert len(client.get(f"{api}/ranking/at/2026-03-02").json()["rows"]) == 2
    assert client.get(f"{api}/ranking/at/x").status_code == 422
    assert client.get(f"{api}/ranking/at/2026-01-01").status_code == 404
    assert [step["first"] for step in client.get(f"{api}/history").json()] == [False, False, True]


def test_an_embargo_covers_the_past(client: Client, three_days: Any, release: Release) -> None:
    """404 wherever scores of then would show."""
    release.embargo_until = timezone.now() + timedelta(days=1)
    release.save()
    addresses = [
        reverse("ranking", args=PLACE) + "?at=2026-03-02",
        reverse("history", args=PLACE),
        reverse("system-history", args=[*PLACE, "second"]),
        "/api/v1/benchmarks/small/releases/1.0/tracks/main/history",
    ]
    assert [client.get(one).status_code for one in addresses] == [404] * 4
