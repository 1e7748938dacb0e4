"""What goes wrong with an S3 server, said as for files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

MISSING = frozenset({"NoSuchKey", "NoSuchUpload", "404"})


@contextmanager
def os_errors(name: str) -> Iterator[None]:
    """Within it every fault of the server, or on the way there, is an OSError.

    Raises:
        FileNotFoundError: there is no object (or no multipart upload) of that name.
        OSError: anything else; its message is what boto says.
    """
    # Slow to load, and of no use where files lie in folders.
    from boto3.exceptions import Boto3Error
    from botocore.exceptions import BotoCoreError, ClientError
    from s3transfer.exceptions import RetriesExceededError

    try:
        yield
    except ClientError as error:
        if error.response.get("Error", {}).get("Code") in MISSING:
            raise FileNotFoundError(name) from error
        raise OSError(str(error)) from error
    except (BotoCoreError, Boto3Error, RetriesExceededError) as error:
        raise OSError(str(error)) from error
