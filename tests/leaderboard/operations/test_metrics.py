"""Numbers for who may have them, right, and without a name of anything private."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import MiddlewareNotUsed
from django.test import Client
from django.utils import timezone

from leaderboard.models import Attendance, Run
from leaderboard.operations import metrics
from leaderboard.pipeline.score import score_run

pytestmark = pytest.mark.django_db
TOKEN = {"Authorization": "Bearer a-token"}


@pytest.fixture
def on(settings: Any, tmp_path: Any) -> None:
    """A token is set; processes write below the test's folder."""
    settings.METRICS_TOKEN = "a-token"
    settings.METRICS_DIR = tmp_path / "metrics"


def numbers(client: Client) -> dict[str, float]:
    """``name{labels}`` to value."""
    answer = client.get("/metrics", headers=TOKEN)
    assert answer.status_code == 200
    lines = answer.content.decode().splitlines()
    pairs = [line.rsplit(" ", 1) for line in lines if not line.startswith("#")]
    return {key: float(value) for key, value in pairs}


def test_off_unless_asked_for(client: Client) -> None:
    """404, and requests are not counted."""
    assert client.get("/metrics", headers=TOKEN).status_code == 404
    with pytest.raises(MiddlewareNotUsed):
        metrics.RequestMetricsMiddleware(lambda _: pytest.fail("never called"))


@pytest.mark.parametrize("given", [{}, {"Authorization": "Bearer other"}, {"Authorization": ""}])
def test_not_without_the_token(client: Client, on: None, given: dict[str, str]) -> None:
    """401, with nothing in it."""
    answer = client.get("/metrics", headers=given)
    assert (answer.status_code, answer.content) == (401, b"")


def test_open_to_all(client: Client, settings: Any, on: None) -> None:
    """By the operator's word."""
    settings.METRICS_TOKEN, settings.METRICS_OPEN = "", True
    assert client.get("/metrics").status_code == 200


def test_requests_are_counted_by_view(client: Client, on: None, release: Any) -> None:
    """Never by address."""
    key = 'cliprank_http_requests_total{method="GET",status="200",view="benchmark"}'
    lost = 'cliprank_http_requests_total{method="GET",status="404",view="none"}'
    before = numbers(client)
    client.get("/b/small/")
    client.get("/no-such-page/")
    after = numbers(client)
    assert after[key] - before.get(key, 0) == 1
    assert after[lost] - before.get(lost, 0) == 1
    count = 'cliprank_http_request_seconds_count{view="benchmark"}'
    assert after[count] - before.get(count, 0) == 1
    assert not [one for one in after if "small" in one or "no-such" in one]


def test_runs_and_submissions(client: Client, on: None, submit: Any, judges: Any) -> None:
    """One scored, one failed, one that waits."""
    names = {"left": "char-tfidf", "right": "all-minilm-l6-v2"}
    made = [submit(name) for name in ("Done", "Broken", "Waiting")]
    for run in made[0].runs.all():
        score_run(run.pk)
    now = timezone.now()
    Run.objects.filter(submission=made[0]).update(
        started_at=now - timedelta(seconds=40), finished_at=now
    )
    made[1].runs.update(state=Run.State.FAILED, error_code="file-changed")
    made[2].runs.update(queued_at=now - timedelta(hours=1))
    for old, new in names.items():
        Run.objects.filter(judge=old).update(judge=new)
    found = numbers(client)
    assert found['cliprank_queue_runs{judge="char-tfidf"}'] == 1
    assert 3600 <= found['cliprank_queue_oldest_seconds{judge="char-tfidf"}'] < 3700
    for state in ("done", "failed", "queued"):
        assert found[f'cliprank_runs{{judge="char-tfidf",state="{state}"}}'] == 1
    failures = 'cliprank_run_failures{error_code="file-changed",judge="all-minilm-l6-v2"}'
    assert found[failures] == 1
    assert found['cliprank_run_seconds_count{judge="char-tfidf"}'] == 1
    assert found['cliprank_run_seconds_sum{judge="char-tfidf"}'] == pytest.approx(40, abs=0.01)
    states = {k: v for k, v in found.items() if k.startswith("cliprank_submissions")}
    expected = dict.fromkeys(("scored", "failed", "open"), 1)
    assert {re.search(r'"(.+)"', k)[1]: v for k, v in states.items()} == expected  # type: ignore[index]


def test_no_name_that_somebody_gave(client: Client, on: None, submit: Any, ann: Any) -> None:
    """Judges that a submitter named stand together under one word."""
    made = submit("Secret system", visibility="private")
    made.runs.filter(judge="left").update(judge="secret judge")
    Attendance.objects.create(judge="char-tfidf", heard_at=timezone.now())
    client.force_login(ann)
    client.get(made.get_absolute_url())
    text = client.get("/metrics", headers=TOKEN).content.decode()
    assert 'cliprank_queue_runs{judge="elsewhere"}' in text
    assert 'cliprank_judge_silent_seconds{judge="char-tfidf"}' in text
    assert not re.search(f"secret|ann|{made.pk}", text, re.IGNORECASE)
