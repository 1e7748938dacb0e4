"""Bytes to one text per clip."""

from __future__ import annotations

from django.conf import settings

from scoring.formats import read_upload
from scoring.types import Upload


def parse(data: bytes, filename: str) -> Upload:
    """Read a file of any accepted format; never raises for bad content."""
    return read_upload(data, filename, max_bytes=settings.UPLOAD_MAX_BYTES)
