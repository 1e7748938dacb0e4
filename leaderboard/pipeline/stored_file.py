"""The stored file of a submission, compared with what was uploaded before anything is scored."""

from __future__ import annotations

import hashlib
import logging

from django.core.files.storage import default_storage

from leaderboard.models import Submission
from scoring.types import ScoringError

logger = logging.getLogger(__name__)


class FileChanged(ScoringError):  # noqa: N818 - named as the fault is spoken of
    """The stored file is not the one that was uploaded."""

    code = "file-changed"


class StorageFailing(ScoringError):  # noqa: N818
    """The storage does not give the file out now; another try may find it."""

    code = "storage-failing"


LOOKS = 2
"""What differs is read once more: on its way a file can be cut short and seem whole."""


def check_file(submission: Submission) -> None:
    """Refuse to score when the stored file is gone or is not what was uploaded.

    Raises ``FileChanged``, or ``StorageFailing`` when that cannot be told.
    """
    file_of(submission)


def file_of(submission: Submission) -> tuple[bytes, str]:
    """The stored file and the name that it was uploaded under; raises as ``check_file`` does."""
    for _ in range(LOOKS):
        data = _stored(submission)
        if data is not None and hashlib.sha256(data).hexdigest() == submission.sha256:
            return data, submission.original_name
    raise FileChanged(
        "The stored file is missing or differs from what was uploaded, so nothing was scored. "
        "Upload it again; or try again once staff have restored the file from a backup."
    )


def _stored(submission: Submission) -> bytes | None:
    try:
        with default_storage.open(str(submission.file.name)) as file:
            data: bytes = file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        logger.warning("the file of submission %s cannot be read: %s", submission.pk, error)
        raise StorageFailing(
            "The site's storage did not give out the uploaded file; the file is not the cause. "
            "When the storage works again, the run can be tried again."
        ) from error
    return data
