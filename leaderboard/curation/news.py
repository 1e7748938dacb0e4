"""News of a benchmark: posted, mended and taken away by its curators."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from leaderboard import audit
from leaderboard.models import Announcement, Benchmark

if TYPE_CHECKING:
    from django.contrib.auth.models import User

FIELDS = ("title", "text")


def post(*, benchmark: Benchmark, title: str, text: str, actor: User) -> Announcement:
    """Tell the readers something, in Markdown. Raises ValidationError with the faults of fields."""
    row = Announcement(benchmark=benchmark, title=title.strip(), text=text, user=actor)
    row.full_clean()
    with transaction.atomic():
        row.save(force_insert=True)
        _record(actor, "announcement.post", row, {}, {"title": row.title, "text": row.text})
    return row


def edit(*, announcement: Announcement, title: str, text: str, actor: User) -> Announcement:
    """Say it otherwise; when it was posted stays. Raises ValidationError likewise."""
    with transaction.atomic():
        rows = Announcement.objects.select_for_update(of=("self",)).select_related("benchmark")
        row = rows.get(pk=announcement.pk)
        wanted = {"title": title.strip(), "text": text}
        changed = [name for name in FIELDS if getattr(row, name) != wanted[name]]
        before = {name: getattr(row, name) for name in changed}
        for name in changed:
            setattr(row, name, wanted[name])
        row.full_clean()
        if changed:
            row.save(update_fields=changed)
            _record(actor, "announcement.edit", row, before, {n: wanted[n] for n in changed})
    return row


def remove(*, announcement: Announcement, actor: User) -> None:
    """Take it away; the trail keeps what it said."""
    before = {name: getattr(announcement, name) for name in FIELDS}
    with transaction.atomic():
        _record(actor, "announcement.remove", announcement, before, {})
        announcement.delete()


def _record(
    actor: User,
    action: str,
    row: Announcement,
    before: dict[str, object],
    after: dict[str, object],
) -> None:
    audit.record(
        actor=actor,
        action=action,
        target=row,
        benchmark=row.benchmark,
        before=before,
        after=after,
    )
