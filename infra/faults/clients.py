"""Uploads as people's scripts send them: over HTTP, with tokens, many at once."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

PATIENCE = 60


@dataclass(frozen=True)
class Upload:
    """One file of one person, for a system of its own."""

    token: str
    system: str
    texts: dict[str, str]

    def request(self, site: str) -> urllib.request.Request:
        """The interface's upload, with the file as its body."""
        return urllib.request.Request(  # noqa: S310 - an http address of ours
            f"{site}/api/v1/benchmarks/small/submissions?system={self.system}",
            data=json.dumps(self.texts).encode(),
            headers={
                "Authorization": f"Bearer {self.token}",
                "Content-Type": "application/json",
            },
        )


def send_all(site: str, uploads: Sequence[Upload], threads: int) -> Counter[str]:
    """Send them, so many at a time; how often each answer came.

    An answer is ``accepted``, or status and code of the refusal. One that is refused for a fault
    of the site (503) is sent again until it is not.
    """
    with ThreadPoolExecutor(threads) as pool:
        return sum(pool.map(lambda one: _sent(site, one), uploads), Counter[str]())


def _sent(site: str, upload: Upload) -> Counter[str]:
    answers: Counter[str] = Counter()
    deadline = time.monotonic() + PATIENCE
    while True:
        answer = _answer(upload.request(site))
        answers[answer] += 1
        if not answer.startswith("503") or time.monotonic() > deadline:
            return answers
        time.sleep(0.5)


def _answer(request: urllib.request.Request) -> str:
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as response:  # noqa: S310
            return "accepted" if response.status == 201 else str(response.status)
    except urllib.error.HTTPError as refusal:
        said = refusal.read()
        try:
            return f"{refusal.code} {json.loads(said)['problems'][0]['code']}"
        except (ValueError, LookupError):
            return str(refusal.code)
