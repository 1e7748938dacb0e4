"""A stored file for who may have it: a link to the bucket, or its bytes (RFC 9110, section 14)."""

from __future__ import annotations

import mimetypes
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    StreamingHttpResponse,
)
from django.utils.http import content_disposition_header

if TYPE_CHECKING:
    from django.db.models.fields.files import FieldFile

ONE_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})")
PLAIN = "application/octet-stream"


def served(
    request: HttpRequest, stored: FieldFile, *, filename: str = "", seconds: int = 0
) -> HttpResponseBase:
    """The file, after whoever calls has seen that it may be given out.

    Where the storage has links, 302 to one that ends after ``seconds`` (the site's usual time
    without); else ``ranged``. With a ``filename`` it is saved under it and never shown, so its type
    is nobody's concern; without, its type is that of its name in the storage.
    """
    name = stored.name or ""
    kind = PLAIN if filename else mimetypes.guess_type(name)[0] or PLAIN
    if link := getattr(stored.storage, "link", None):
        head = request.method == "HEAD"
        address = link(name, kind=kind, filename=filename, seconds=seconds, head=head)
        if address:
            return HttpResponseRedirect(address, headers={"Cache-Control": "no-store, private"})
    answer = ranged(request, stored, kind)
    if filename:
        answer["Content-Disposition"] = content_disposition_header(True, filename)
    return answer


def ranged(request: HttpRequest, stored: FieldFile, kind: str) -> HttpResponseBase:
    """200 with the file, 206 with one range of its bytes, or 416 for a range that it does not have.

    Several ranges in one request are answered with the whole file, as the standard allows. 503 when
    the storage fails; Http404 when it has no such file.
    """
    asked = ONE_RANGE.fullmatch(request.headers.get("Range", "").strip())
    try:
        size = stored.size
        if asked is None or asked.groups() == ("", ""):
            return _answer(_part(stored, 0, size), kind, size)
        first, last = _ends(asked[1], asked[2], size)
        if first > last:
            return HttpResponse(status=416, headers={"Content-Range": f"bytes */{size}"})
        answer = _answer(_part(stored, first, last - first + 1), kind, last - first + 1)
    except FileNotFoundError as error:
        raise Http404("No such file.") from error
    except OSError:
        why = "The file cannot be read just now; try again in some minutes.\n"
        headers = {"Retry-After": "60"}
        return HttpResponse(why, status=503, content_type="text/plain", headers=headers)
    answer.status_code = 206
    answer["Content-Range"] = f"bytes {first}-{last}/{size}"
    return answer


def _answer(part: Iterator[bytes], kind: str, length: int) -> HttpResponseBase:
    headers = {"Accept-Ranges": "bytes", "Content-Length": str(length)}
    return StreamingHttpResponse(part, content_type=kind, headers=headers)


def _ends(first: str, last: str, size: int) -> tuple[int, int]:
    """The first and last byte (``-500``: the last 500), the wrong way round for none."""
    if not first:
        length = min(int(last), size)
        return (size - length, size - 1) if length else (1, 0)
    end = min(int(last), size - 1) if last else size - 1
    return int(first), end


def _part(stored: FieldFile, first: int, length: int) -> Iterator[bytes]:
    storage: Any = stored.storage
    part: Iterator[bytes] = storage.part(stored.name, first, length)
    return part
