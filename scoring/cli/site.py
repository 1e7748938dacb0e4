"""A ClipRank site as a program sees it: its interface below `/api/v1`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, BinaryIO, Self

from scoring.types import Problem

if TYPE_CHECKING:
    from httpx2 import Response

SECONDS = 60.0
"""How long the site may take to answer, or to take the next part of a file."""
Sending = Callable[[int], None]
"""Told of each part of a file that has been read for sending, in bytes."""


class SiteError(Exception):
    """The site refused, or could not be reached; ``problems`` lists what is wrong with a file."""

    def __init__(self, message: str, *, status: int = 0, problems: Sequence[Problem] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.problems = tuple(problems)

    @property
    def is_passing(self) -> bool:
        """Whether asking again may help: no answer, or one of a site that is overloaded."""
        return self.status == 0 or self.status >= 500


class Site:
    """Asks one site, with one token; a context that closes its connections."""

    def __init__(self, url: str, token: str) -> None:
        from httpx2 import Client

        self._client = Client(
            base_url=f"{url.rstrip('/')}/api/v1/",
            headers={"Authorization": f"Bearer {token}", "User-Agent": "cliprank"},
            timeout=SECONDS,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._client.close()

    def get(self, address: str, **query: str) -> dict[str, Any]:
        """The answer at an address below `/api/v1/`, or SiteError."""
        return _content(self._asked("GET", address, params=query))

    def post(self, address: str, content: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a JSON object posted there, or SiteError."""
        return _content(self._asked("POST", address, json=dict(content)))

    def drop(self, address: str) -> None:
        """Delete what is there, or SiteError."""
        self._asked("DELETE", address)

    def send(
        self, address: str, files: Sequence[Path], fields: Mapping[str, str], sending: Sending
    ) -> dict[str, Any]:
        """Post files with their fields as a form; the answer, or SiteError."""
        with ExitStack() as opened:
            parts = [
                ("file", (path.name, _Told(opened.enter_context(path.open("rb")), sending)))
                for path in files
            ]
            return _content(self._asked("POST", address, data=fields, files=parts))

    def _asked(self, method: str, address: str, **request: Any) -> Response:
        from httpx2 import HTTPError, InvalidURL

        try:
            response = self._client.request(method, address, **request)
        except (HTTPError, InvalidURL) as error:
            where = self._client.base_url.host or str(self._client.base_url)
            message = f"{where} cannot be reached: {error or type(error).__name__}"
            raise SiteError(message) from error
        if response.is_redirect:
            raise SiteError(
                f"{response.url.host} sends on to {response.headers.get('location')}; give that "
                "site's address.",
                status=response.status_code,
            )
        if response.is_error:
            raise _refusal(response)
        return response


class _Told:
    """A file that tells how much of it has been read; httpx reads it in parts."""

    def __init__(self, file: BinaryIO, sending: Sending) -> None:
        self._file = file
        self._sending = sending

    def read(self, size: int = -1) -> bytes:
        part = self._file.read(size)
        self._sending(len(part))
        return part

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)


def _content(response: Response) -> dict[str, Any]:
    try:
        found = response.json()
    except ValueError:
        found = None
    if not isinstance(found, dict):
        message = f"{response.url} does not answer as a ClipRank site does; is the address right?"
        raise SiteError(message, status=response.status_code)
    return found


def _refusal(response: Response) -> SiteError:
    status = response.status_code
    try:
        answer = response.json()
        problems = [problem_of(found) for found in answer.get("problems", ())]
        message = str(answer["error"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return SiteError(f"{response.url.host} answers {status} and no more.", status=status)
    if moment := answer.get("next_at"):
        # The site says it in its own time zone.
        message += f" In this machine's time zone: {_local(moment)}."
    return SiteError(message, status=status, problems=problems)


def problem_of(found: Mapping[str, Any]) -> Problem:
    """A problem as the interface writes it."""
    severe = found.get("severity", "error") != "warning"
    return Problem(
        code=str(found.get("code", "")),
        message=str(found.get("message", "")),
        where=str(found.get("where", "")),
        clip=str(found.get("clip", "")),
        severity="error" if severe else "warning",
    )


def _local(moment: str) -> str:
    return f"{datetime.fromisoformat(moment).astimezone():%Y-%m-%d %H:%M %Z}"
