"""What staff change in the admin, and what commands import, is in the audit trail."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.test import Client
from django.urls import reverse

from leaderboard.admin.audited import Audited
from leaderboard.importers.published import replace_reported
from leaderboard.importers.rows import ClipData, put_release
from leaderboard.models import (
    AuditEntry,
    Benchmark,
    QuotaPolicy,
    Release,
    ReportedResult,
    Run,
    System,
    Track,
)
from scoring.types import Reference


def newest() -> AuditEntry:
    """The last entry."""
    found = AuditEntry.objects.order_by("-pk").first()
    assert found is not None
    return found


def test_adding_changing_and_deleting(staff: Client, release: Release) -> None:
    """A change names the changed fields and no others; the benchmark is known."""
    benchmark = release.benchmark
    values: dict[str, Any] = {"benchmark": benchmark.pk, "limit": 3, "window": "rolling"}
    values |= {"hours": 24, "per": "user"}
    assert staff.post(reverse("admin:leaderboard_quotapolicy_add"), values).status_code == 302
    policy = QuotaPolicy.objects.get()
    entry = newest()
    assert (entry.action, entry.actor, entry.benchmark) == (
        "admin.quotapolicy.add",
        "root",
        benchmark,
    )
    assert entry.after["limit"] == 3
    change = reverse("admin:leaderboard_quotapolicy_change", args=[policy.pk])
    staff.post(change, values | {"limit": 5})
    assert (newest().before, newest().after) == ({"limit": 3}, {"limit": 5})
    count = AuditEntry.objects.count()
    staff.post(change, values | {"limit": 5})
    assert AuditEntry.objects.count() == count
    staff.post(reverse("admin:leaderboard_quotapolicy_delete", args=[policy.pk]), {"post": "yes"})
    assert newest().action == "admin.quotapolicy.delete"
    assert newest().before["limit"] == 5


def test_chosen_rows_and_rows_on_a_page(staff: Client, release: Release, track: Track) -> None:
    """Deleted from a list: an entry for each."""
    system = System.objects.create(name="One", slug="one")
    for judge in track.judges:
        ReportedResult.objects.create(
            track=track, system=system, judge=judge, metric="hm_cf", mean=0.5, source="Paper"
        )
    keys = list(ReportedResult.objects.values_list("pk", flat=True))
    chosen = {"action": "delete_selected", "post": "yes", "_selected_action": keys}
    staff.post(reverse("admin:leaderboard_reportedresult_changelist"), chosen)
    entries = AuditEntry.objects.filter(action="admin.reportedresult.delete")
    assert {(entry.benchmark, entry.before["mean"]) for entry in entries} == {
        (release.benchmark, 0.5)
    }
    assert entries.count() == len(keys)
    staff.post(reverse("admin:leaderboard_system_delete", args=[system.pk]), {"post": "yes"})
    assert newest().action == "admin.system.delete"


def test_no_secret_is_written(staff: Client, ann: Any) -> None:
    """Neither a token nor its hash."""
    staff.post(reverse("admin:leaderboard_apitoken_add"), {"user": ann.pk, "name": "Mine"})
    entry = newest()
    assert entry.action == "admin.apitoken.add"
    assert "digest" not in str(entry.after)
    assert "clr_" not in str(entry.after)


def test_accounts_are_changed_in_the_open(staff: Client, ann: Any) -> None:
    """Rights before and after; that a password was set, not what to; who deleted whom."""
    page = reverse("admin:auth_user_change", args=[ann.pk])
    shown = staff.get(page).context["adminform"].form.initial
    given = {name: shown[name] for name in ("username", "email", "is_active", "is_superuser")}
    days = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    staff.post(page, given | days | {"is_staff": "on"})
    assert newest().action == "admin.user.change"
    assert (newest().before["is_staff"], newest().after["is_staff"]) == (False, True)
    secret = "a very long secret"
    passwords = {"password1": secret, "password2": secret}
    staff.post(reverse("admin:auth_user_password_change", args=[ann.pk]), passwords)
    assert (newest().action, newest().after) == ("admin.user.password", {"password": "set anew"})
    staff.post(reverse("admin:auth_user_add"), {"username": "new", **passwords})
    assert newest().action == "admin.user.add"
    assert secret not in str(list(AuditEntry.objects.values()))
    assert "pbkdf2" not in str(list(AuditEntry.objects.values()))
    staff.post(reverse("admin:auth_user_delete", args=[ann.pk]), {"post": "yes"})
    assert (newest().action, newest().target, newest().actor) == ("account.delete", "ann", "root")


def test_every_page_of_the_admin_is_audited() -> None:
    """Also those that other packages bring along."""
    plain = [m for m, page in admin.site._registry.items() if not isinstance(page, Audited)]
    assert plain == []


def test_a_run_tried_again_from_the_list(staff: Client, submit: Any, release: Release) -> None:
    """Who had it tried, and of which benchmark."""
    submit("One")
    Run.objects.update(state="failed")
    run = Run.objects.all()[0]
    chosen = {"action": "retry", "_selected_action": [run.pk]}
    staff.post(reverse("admin:leaderboard_run_changelist"), chosen)
    assert (newest().action, newest().actor) == ("run.retry", "root")
    assert newest().benchmark == release.benchmark


def test_imports_are_written_down_once(db: None) -> None:
    """By the site; a second import that changes nothing adds no entry."""
    clip = ClipData("c1", (Reference("A man."),))
    card = {"slug": "new", "name": "New", "summary": "One clip."}
    for _ in range(2):
        release = put_release(benchmark=card, version="1.0", notes="", clips=[clip])
    actions = AuditEntry.objects.order_by("pk").values_list("action", "actor")
    assert list(actions) == [("benchmark.import", "the site"), ("release.import", "the site")]
    put_release(benchmark=card | {"name": "Newer"}, version="1.0", notes="", clips=[clip])
    assert (newest().before, newest().after) == ({"name": "New"}, {"name": "Newer"})
    track = Track.objects.create(release=release, slug="main", name="Main", judges=["left"])
    system = System.objects.create(name="One", slug="one")
    for mean in (0.5, 0.5, 0.6):
        rows = [
            ReportedResult(
                track=track, system=system, judge="left", metric="hm_cf", mean=mean, source="Paper"
            )
        ]
        replace_reported(track, rows, source="Paper")
    replace_reported(track, [], source="Paper")
    counts = AuditEntry.objects.filter(action="reported.import").order_by("pk")
    assert [{k: v for k, v in one.after.items() if v} for one in counts] == [
        {"added": 1},
        {"changed": 1},
        {"removed": 1},
    ]
    assert Benchmark.objects.get().name == "Newer"
