"""A failed run can be tried again, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.urls import reverse

from leaderboard.models import Run

LIST = reverse("admin:leaderboard_run_changelist")


def retry(client: Client, *runs: Run) -> str:
    """Use the action on some runs; the page that follows."""
    chosen = {"action": "retry", "_selected_action": [run.pk for run in runs]}
    return client.post(LIST, chosen, follow=True).content.decode()


def test_failed_runs_are_queued_and_sent_again(
    staff: Client,
    grow: Callable[[], Run],
    sent: list[Any],
    django_capture_on_commit_callbacks: Any,
) -> None:
    failed, done = grow(), grow()
    Run.objects.filter(pk=failed.pk).update(
        state=Run.State.FAILED, attempts=3, error="out of memory", error_code="x"
    )
    Run.objects.filter(pk=done.pk).update(state=Run.State.DONE)

    with django_capture_on_commit_callbacks(execute=True):
        page = retry(staff, failed, done)

    assert "Queued again: 1." in page
    assert "they are open or done: 1." in page
    failed.refresh_from_db()
    done.refresh_from_db()
    assert (failed.state, failed.attempts, failed.error) == (Run.State.QUEUED, 0, "")
    assert done.state == Run.State.DONE
    assert sent == [("score", failed.pk)]


def test_the_list_says_why_a_run_failed(staff: Client, grow: Callable[[], Run]) -> None:
    run = grow()
    Run.objects.filter(pk=run.pk).update(state=Run.State.FAILED, error="no memory <left>")

    assert "no memory &lt;left&gt;" in staff.get(LIST).content.decode()


@pytest.mark.django_db
def test_who_may_only_look_cannot_retry(client: Client, grow: Callable[[], Run]) -> None:
    run = grow()
    Run.objects.filter(pk=run.pk).update(state=Run.State.FAILED)
    viewer = User.objects.create_user("viewer", is_staff=True)
    viewer.user_permissions.add(Permission.objects.get(codename="view_run"))
    client.force_login(viewer)

    page = retry(client, run)

    assert "Queued again" not in page
    assert Run.objects.get(pk=run.pk).state == Run.State.FAILED
