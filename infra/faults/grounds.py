"""What a scenario stands on: servers, folders, and notes of what it did."""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from infra.faults.servers import Postgres, Redis
from infra.faults.site import Site


@dataclass
class Grounds:
    """Servers and folders of one round of faults."""

    folder: Path
    seed: int
    submissions: int
    postgres: Postgres
    redis: Redis
    notes: dict[str, int] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)

    @property
    def chance(self) -> random.Random:
        """The same sequence for the same seed, in each scenario."""
        return random.Random(self.seed)  # noqa: S311 - moments of faults, not secrets

    def site(self, name: str, *, broker: str = "", embedded: bool = False, **more: str) -> Site:
        """A new site, as the one that was set up: on PostgreSQL and Redis, or embedded."""
        folder = self.folder / name
        if embedded:
            shutil.copytree(self.folder / "embedded", folder, dirs_exist_ok=True)
            made = Site(folder, made=True, **more)
        else:
            database = f"site_{name.replace('-', '_')}"
            self.postgres.create(database, "base")
            shutil.copytree(self.folder / "base" / "media", folder / "media")
            url = self.postgres.url(database)
            made = Site(folder, database=url, broker=broker or self.redis.url, made=True, **more)
        self.sites.append(made)
        return made

    def close(self) -> None:
        """End the scenario's site with all that is its own, however far it came."""
        while self.sites:
            self.sites.pop().close()

    def count(self, what: str, more: int = 1) -> None:
        """Note that so much more was done."""
        self.notes[what] = self.notes.get(what, 0) + more
