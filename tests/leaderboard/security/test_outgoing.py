"""The site fetches nothing that somebody names: who can reach outside is listed here."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
CLIENTS = {
    *("requests", "httpx", "httpx2", "aiohttp", "urllib3", "socket", "ftplib", "smtplib", "openai"),
    *(
        "boto3",
        "botocore",
        "huggingface_hub",
        "urllib.request",
        "http.client",
        "xmlrpc",
        "paramiko",
    ),
}
ALLOWED = {
    "leaderboard/storage/configuration.py": "the bucket that the configuration names",
    "leaderboard/storage/lifecycle.py": "the same",
    "leaderboard/storage/bucket.py": "the same",
    "leaderboard/pipeline/judges.py": "the bucket of the embedding cache, in workers",
    "leaderboard/views/sign_in.py": "names an error of what django-allauth asks",
    "scoring/s3.py": "names errors of buckets",
    "scoring/judges/endpoint.py": "the servers of judges, from the configuration, in workers",
    "scoring/judges/weights.py": "looks into the local cache of weights",
    "scoring/cli/site.py": "the command line, to the site that its user names",
    "scoring/cli/direct.py": "the same",
}
"""Who, and to where."""


def imported(path: Path) -> Iterator[str]:
    """Modules of clients that a file imports, wherever in it."""
    for node in ast.walk(ast.parse(path.read_text())):
        names = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        for name in names:
            yield from (one for one in CLIENTS if name == one or name.startswith(f"{one}."))


def test_who_reaches_outside_is_known() -> None:
    """Each with where its addresses come from: the configuration, never a request or an upload."""
    found = {
        str(path.relative_to(ROOT)): set(imported(path))
        for folder in ("leaderboard", "scoring")
        for path in (ROOT / folder).rglob("*.py")
    }
    reaching = {name for name, clients in found.items() if clients}
    assert reaching == set(ALLOWED)


@pytest.mark.parametrize("code", ["import httpx", "from urllib import request"])
def test_the_look_would_find_one(tmp_path: Path, code: str) -> None:
    """Each way to import one."""
    path = tmp_path / "m.py"
    path.write_text(f"def f():\n    {code}\n")
    assert list(imported(path))
