"""A large file past the site, straight to where it keeps files, in parts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.cli.site import SECONDS, Sending, Site, SiteError

if TYPE_CHECKING:
    from httpx2 import Client

TRIES = 3
"""Of each part, each with a new link."""


class NoWay(Exception):  # noqa: N818 - named as the fault is spoken of
    """Nothing could be sent past the site; the ordinary way is still open."""


def goes_direct(benchmark: Mapping[str, Any], files: list[Path]) -> bool:
    """Whether the site offers it for one file of this size."""
    least = benchmark.get("direct_upload_from")
    return isinstance(least, int) and len(files) == 1 and files[0].stat().st_size >= max(least, 1)


def send_direct(
    site: Site,
    benchmark: str,
    file: Path,
    fields: Mapping[str, str],
    *,
    dry_run: bool,
    sending: Sending,
) -> dict[str, Any]:
    """Send `file` in parts and have it checked (`dry_run`) or taken in; the site's answer.

    Raises:
        NoWay: the place that the site names cannot be reached from here.
        SiteError: the site refused, or something failed on the way. Nothing is left behind.
        OSError: the file cannot be read.
    """
    with file.open("rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
    announced = {"filename": file.name, "size": file.stat().st_size, "sha256": digest}
    announced["team"] = fields.get("team", "")
    upload = site.post(f"benchmarks/{benchmark}/uploads", announced)
    address = f"uploads/{upload['id']}"
    try:
        _send_parts(site, address, upload, file, sending)
        if dry_run:
            report = site.post(f"{address}/check", fields)
            site.drop(address)
            return report
        return _completed(site, f"{address}/complete", fields)
    except BaseException:
        with suppress(SiteError):
            site.drop(address)
        raise


def _completed(site: Site, address: str, fields: Mapping[str, str]) -> dict[str, Any]:
    """The submission; asked for once more where an answer was lost, which makes no second one."""
    try:
        return site.post(address, fields)
    except SiteError as error:
        if not error.is_passing:
            raise
        return site.post(address, fields)


def _send_parts(
    site: Site, address: str, upload: Mapping[str, Any], file: Path, sending: Sending
) -> None:
    from httpx2 import Client

    # A client of its own: the token is for the site alone.
    with file.open("rb") as opened, Client(timeout=SECONDS) as client:
        for number in range(1, int(upload["parts"]) + 1):
            part = opened.read(int(upload["part_size"]))
            _send_part(site, client, f"{address}/parts/{number}", part)
            sending(len(part))


def _send_part(site: Site, client: Client, address: str, part: bytes) -> None:
    from httpx2 import HTTPError

    fault = ""
    for _ in range(TRIES):
        link = site.post(address, {})
        try:
            answer = client.request(link["method"], link["url"], content=part)
        except HTTPError as error:
            fault = str(error) or type(error).__name__
            continue
        if answer.is_success:
            return
        fault = f"{answer.url.host} answers {answer.status_code}"
    if address.endswith("/parts/1"):
        raise NoWay(fault)
    raise SiteError(f"A part of the file could not be sent: {fault}")
