"""Look every locked package up in the database of known weaknesses, by pip-audit.

Exit 0: none is known. 1: some are, each is printed with the version that mends it. 3: no database
could be asked, which says nothing about the packages: run it where the network reaches one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
LOCKS = ("requirements.lock", "requirements-dev.lock")
SECONDS = 120


def command(service: str) -> list[str]:
    """Only what the locks say: nothing is resolved or installed."""
    found = [sys.executable, "-m", "pip_audit", "--progress-spinner", "off", "--disable-pip"]
    found += ["--format", "json", "--no-deps", "--vulnerability-service", service]
    url = os.environ.get("AUDIT_URL", "")
    found += ["--osv-url", url] if url and service == "osv" else []
    return [*found, *(part for lock in LOCKS for part in ("--requirement", str(ROOT / lock)))]


def asked(service: str) -> dict[str, Any] | None:
    """What a database says of each package; None where it does not answer, or knows none."""
    try:
        done = subprocess.run(
            command(service), capture_output=True, text=True, timeout=SECONDS, check=False
        )
        said: dict[str, Any] = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return None
    # An index without the service answers that it knows no package: no finding, and no answer.
    return said if any("vulns" in one for one in said["dependencies"]) else None


def audit() -> int:
    """The first database that answers has the word."""
    for service in ("osv",) if os.environ.get("AUDIT_URL") else ("pypi", "osv"):
        said = asked(service)
        if said is None:
            continue
        known = [one for one in said["dependencies"] if "vulns" in one]
        unknown = [one["name"] for one in said["dependencies"] if "vulns" not in one]
        weak = [one for one in known if one["vulns"]]
        for one in weak:
            for found in one["vulns"]:
                mended = ", ".join(found["fix_versions"]) or "no version yet"
                print(f"{one['name']} {one['version']}: {found['id']}, mended in {mended}")
        print(f"{len(known)} packages looked up by {service}, {len(weak)} with known weaknesses.")
        if unknown:
            print(f"Not known there: {', '.join(unknown)}")
        return 1 if weak else 0
    print(
        "NOT AUDITED: no database of advisories could be reached. This says nothing about the "
        "packages; run `make audit` where the network reaches one, or name one in AUDIT_URL.",
        file=sys.stderr,
    )
    return 3


if __name__ == "__main__":
    sys.exit(audit())
