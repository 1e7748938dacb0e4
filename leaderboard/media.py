"""A stored file, whole or the part of it that a player asks for (RFC 9110, section 14)."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator
from typing import IO, TYPE_CHECKING

from django.http import (
    FileResponse,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    StreamingHttpResponse,
)

if TYPE_CHECKING:
    from django.db.models.fields.files import FieldFile

ONE_RANGE = re.compile(r"bytes=(\d*)-(\d*)")
CHUNK = 64 * 1024


def ranged(request: HttpRequest, stored: FieldFile) -> HttpResponseBase:
    """200 with the file, 206 with one range of its bytes, or 416 for a range that it does not have.

    Several ranges in one request are answered with the whole file, as the standard allows.
    """
    kind = mimetypes.guess_type(stored.name or "")[0] or "application/octet-stream"
    size = stored.size
    asked = ONE_RANGE.fullmatch(request.headers.get("Range", "").strip())
    if asked is None or asked.groups() == ("", ""):
        answer = FileResponse(stored.open("rb"), content_type=kind)
        answer["Accept-Ranges"] = "bytes"
        return answer
    first, last = _ends(asked[1], asked[2], size)
    if first > last:
        return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
    part = _part(stored.open("rb"), first, last - first + 1)
    headers = {
        "Accept-Ranges": "bytes",
        "Content-Length": str(last - first + 1),
        "Content-Range": f"bytes {first}-{last}/{size}",
    }
    return StreamingHttpResponse(part, status=206, content_type=kind, headers=headers)


def _ends(first: str, last: str, size: int) -> tuple[int, int]:
    """The first and last byte (``-500``: the last 500), the wrong way round for none."""
    if not first:
        length = min(int(last), size)
        return (size - length, size - 1) if length else (1, 0)
    end = min(int(last), size - 1) if last else size - 1
    return int(first), end


def _part(file: IO[bytes], first: int, length: int) -> Iterator[bytes]:
    with file:
        file.seek(first)
        while length > 0 and (chunk := file.read(min(CHUNK, length))):
            length -= len(chunk)
            yield chunk
