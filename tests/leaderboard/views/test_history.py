"""Rankings as they were."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from leaderboard.models import Digest, Ranking, Release, Submission, Track
from leaderboard.tables import ranking_history

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
    (step, first) = page.context["way"].steps
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


def _pages(client: Client) -> list[bytes]:
    addresses = [reverse("history", args=PLACE), *(
        reverse("system-history", args=[*PLACE, slug]) for slug in ("first", "second", "third")
    )]  # fmt: skip
    return [client.get(address).content for address in addresses]


@pytest.fixture
def many(
    submit: Callable[..., Submission], work_off: Callable[[], None], track: Track
) -> list[Submission]:
    """Seven rankings: systems come, are scored worse and go, a clip and a judge are left out."""
    made = [submit("First", {"c1": "Zebras jump.", "c2": "Jazz."})]
    work_off()
    for name in ("Second", "Third"):
        made.append(submit(name))
        work_off()
    submit("Second", {"c1": "Vex.", "c3": "Vex.", "c4": "Fizz buzz."})
    work_off()
    made[0].release.clips.filter(key="c2").update(excluded=True)
    work_off()
    Track.objects.filter(pk=track.pk).update(judges=["right"])
    work_off()
    Submission.objects.filter(pk=made[2].pk).update(visibility="private")
    work_off()
    return made


def test_what_is_stored_as_different_says_the_same(client: Client, many: Any) -> None:
    """On every page, whichever rankings have it, and whatever has been hidden since."""
    Submission.objects.filter(pk=many[0].pk).update(visibility="anonymous")
    assert Digest.objects.count() == Ranking.objects.count() == 7
    stored = _pages(client)
    assert b"Second came in at place" in stored[0]
    assert b"private or removed" in stored[0]
    keys = list(Digest.objects.order_by("ranking").values_list("pk", flat=True))
    for gone in (keys[3:4], keys[:2], keys):
        Digest.objects.filter(pk__in=gone).delete()
        assert _pages(client) == stored


def test_a_ranking_whose_neighbour_is_gone_is_compared_with_the_next(
    client: Client, many: Any, text: Any
) -> None:
    """As it would be without what was stored."""
    Ranking.objects.filter(pk=Ranking.objects.order_by("pk")[1].pk).delete()
    stored = _pages(client)
    Digest.objects.all().delete()
    assert _pages(client) == stored


def test_the_past_is_not_read_whole(client: Client, many: Any) -> None:
    """However large its tables are; nor does the number of queries grow with them."""
    counts = []
    for address in (
        reverse("history", args=PLACE), reverse("system-history", args=[*PLACE, "second"]),
    ):  # fmt: skip
        with CaptureQueriesContext(connection) as found:
            assert client.get(address).status_code == 200
        assert not [one for one in found if '"leaderboard_ranking"."rows"' in one["sql"]]
        counts.append(len(found))
    Digest.objects.filter(pk__in=list(Digest.objects.values_list("pk", flat=True)[2:])).delete()
    with CaptureQueriesContext(connection) as found:
        client.get(reverse("history", args=PLACE))
    assert len(found) == counts[0] + 1


def test_of_long_tables_fewer_are_gone_through(
    client: Client, many: Any, text: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says so; the last of them is no first table."""
    address = reverse("system-history", args=[*PLACE, "first"])
    assert "first table that is kept" in text(client.get(address))
    monkeypatch.setattr(ranking_history, "FEWEST", 2)
    monkeypatch.setattr(ranking_history, "MOST_ROWS", 6)
    said = text(client.get(address))
    assert "among the newest 3." in said
    assert "first table that is kept" not in said
