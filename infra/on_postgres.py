"""The tests that change rows, on PostgreSQL: one that runs here, else one of their own.

    python infra/on_postgres.py tests/leaderboard/pipeline ...

Without PostgreSQL it says so and ends with 0; with `CLIPRANK_INSIST=1` it ends with 1.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from _pytest.outcomes import Failed, Skipped  # noqa: E402

from tests.support import services  # noqa: E402


def main() -> int:
    """Run pytest with ``DATABASE_URL`` set."""
    with tempfile.TemporaryDirectory(prefix="cliprank-postgres-") as folder:
        try:
            with services.postgres(Path(folder) / "postgres") as address:
                print(f"\nOn PostgreSQL: {' '.join(sys.argv[1:])}", flush=True)
                options = ["-n", "auto", "--dist", "loadgroup", "-q", "-p", "no:cacheprovider"]
                return subprocess.run(
                    [sys.executable, "-m", "pytest", *options, *sys.argv[1:]],
                    cwd=ROOT,
                    env=os.environ | {"DATABASE_URL": address},
                    check=False,
                ).returncode
        except (Failed, Skipped) as absent:
            print(f"\nNot run on PostgreSQL: {absent.msg}")
            return int(isinstance(absent, Failed))


if __name__ == "__main__":
    sys.exit(main())
