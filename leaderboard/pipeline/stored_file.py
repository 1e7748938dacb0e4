"""The stored file of a submission, compared with what was uploaded before anything is scored."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from leaderboard.models import Submission
from scoring.types import ScoringError

logger = logging.getLogger(__name__)


class FileChanged(ScoringError):  # noqa: N818 - named as the fault is spoken of
    """The stored file is not the one that was uploaded."""

    code = "file-changed"


class StorageFailing(ScoringError):  # noqa: N818
    """The storage does not give the file out now; another try may find it."""

    code = "storage-failing"


def check_file(submission: Submission) -> None:
    """Refuse to score when the stored file is gone or is not what was uploaded.

    Raises ``FileChanged``, or ``StorageFailing`` when that cannot be told.
    """
    with _opened(submission) as file:
        digest = hashlib.file_digest(file, "sha256")  # type: ignore[arg-type] # IO lacks readinto
    _compare(digest.hexdigest(), submission)


def file_of(submission: Submission) -> tuple[bytes, str]:
    """The stored file and the name that it was uploaded under; raises as ``check_file`` does."""
    with _opened(submission) as file:
        data = file.read()
    _compare(hashlib.sha256(data).hexdigest(), submission)
    return data, submission.original_name


@contextmanager
def _opened(submission: Submission) -> Iterator[IO[bytes]]:
    try:
        with submission.file.open("rb") as file:
            yield file
    except FileNotFoundError:
        _compare("no file", submission)
    except OSError as error:
        logger.warning("the file of submission %s cannot be read: %s", submission.pk, error)
        raise StorageFailing(
            "The site's storage did not give out the uploaded file; the file is not the cause. "
            "When the storage works again, the run can be tried again."
        ) from error


def _compare(digest: str, submission: Submission) -> None:
    if digest != submission.sha256:
        raise FileChanged(
            "The stored file is missing or differs from what was uploaded, so nothing was scored. "
            "Upload it again; or try again once staff have restored the file from a backup."
        )
