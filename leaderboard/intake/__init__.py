"""From uploaded bytes to a stored submission, or to every problem of the file at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from leaderboard.intake.parse import parse
from leaderboard.intake.store import store
from leaderboard.intake.validate import InvalidUpload, validate
from leaderboard.models import Submission

if TYPE_CHECKING:
    from django.contrib.auth.models import User

    from leaderboard.models import Release, System

__all__ = ["InvalidUpload", "receive"]


def receive(
    *,
    release: Release,
    user: User | None,
    system: System,
    data: bytes,
    filename: str,
    visibility: str = Submission.Visibility.PUBLIC,
    note: str = "",
) -> Submission:
    """Read, check and store one upload, and have it scored: the one way in.

    The form, the API and the importers all call it. Raises ``InvalidUpload``, which carries every
    problem, and then nothing has been stored. The runs are sent to their queues when the
    outermost transaction commits.
    """
    upload = validate(parse(data, filename), release)
    return store(
        upload,
        release=release,
        user=user,
        system=system,
        data=data,
        filename=filename,
        visibility=visibility,
        note=note,
    )
