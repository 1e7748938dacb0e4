"""A file between its check and its use: kept beside uploads for a day, named by a signed ticket."""

from __future__ import annotations

import json
import uuid
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.core import signing
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils import timezone

from leaderboard.curation.refusals import Refused
from leaderboard.intake.names import shown_name

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from leaderboard.models import Benchmark

FOLDER = "staged"
SALT = "curation.staging"
KEPT = timedelta(days=1)
FAILING = (
    "The site's storage could not keep the file; the file is not the cause. Send it again in some "
    "minutes."
)
GONE = "The checked file is no longer here; choose it again."


@dataclass(frozen=True, slots=True)
class Staged:
    """A file as it was checked, and as what."""

    data: bytes
    filename: str
    kind: str


def stage(*, data: bytes, filename: str, kind: str, benchmark: Benchmark, user: User) -> str:
    """Keep the file; the ticket opens it for this user and benchmark only, for a day."""
    with suppress(OSError):
        _tidy()
    try:
        key = default_storage.save(f"{FOLDER}/{uuid.uuid4().hex}", ContentFile(data))
    except OSError as error:
        raise Refused("storage-failing", FAILING) from error
    held = {"key": key, "name": shown_name(filename), "kind": kind, **_whose(benchmark, user)}
    return signing.dumps(held, salt=SALT)


def staged(ticket: str, *, benchmark: Benchmark, user: User) -> Staged:
    """The file of a ticket; Refused when it is not theirs or no longer there."""
    held = _opened(ticket, benchmark, user)
    try:
        with default_storage.open(held["key"], "rb") as file:
            return Staged(file.read(), held["name"], held["kind"])
    except OSError as error:
        raise Refused("staged-file-gone", GONE) from error


def forget(ticket: str, *, benchmark: Benchmark, user: User) -> None:
    """Delete the file of a ticket, once it has been used."""
    default_storage.delete(_opened(ticket, benchmark, user)["key"])


def _opened(ticket: str, benchmark: Benchmark, user: User) -> dict[str, Any]:
    try:
        held: dict[str, Any] = signing.loads(ticket, salt=SALT, max_age=KEPT)
    except (signing.BadSignature, json.JSONDecodeError) as error:
        raise Refused("staged-file-gone", GONE) from error
    if not _whose(benchmark, user).items() <= held.items():
        raise Refused("staged-file-gone", GONE)
    return held


def _whose(benchmark: Benchmark, user: User) -> dict[str, int]:
    return {"benchmark": benchmark.pk, "user": user.pk}


def _tidy() -> None:
    """Delete what was checked and never used."""
    _, names = default_storage.listdir(FOLDER)
    oldest = timezone.now() - KEPT
    for name in names:
        key = f"{FOLDER}/{name}"
        if default_storage.get_modified_time(key) < oldest:
            default_storage.delete(key)
