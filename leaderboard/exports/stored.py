"""One stored ranking at an address of its own, for as long as the site stands."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Any

from django.conf import settings
from django.urls import reverse

from leaderboard.models import Ranking
from leaderboard.tables.withheld import WITHHELD, withheld

__all__ = ["etag", "permalink", "site_address", "stored", "withheld"]


def site_address(path: str) -> str:
    """The whole address of a path of this site."""
    return f"{settings.SITE_URL.rstrip('/')}{path}"


def permalink(ranking: Ranking) -> str:
    """The address of the stored ranking as JSON; of one computed for a choice, its origin's."""
    release = ranking.track.release
    place = [release.benchmark.slug, release.version, ranking.track.slug, ranking.fingerprint]
    return site_address(reverse("stored-ranking", args=place))


def etag(ranking: Ranking, hidden: Collection[str]) -> str:
    """Changes only when what is shown of the ranking does."""
    said = "\n".join((ranking.fingerprint, str(ranking.pk), *sorted(hidden)))
    return f'"{hashlib.sha256(said.encode()).hexdigest()[:32]}"'


def stored(ranking: Ranking, hidden: Collection[str]) -> dict[str, Any]:
    """Everything that was stored and may be seen, ready for JSON."""
    track = ranking.track
    inputs = ranking.inputs or {}
    names = {str(row.get("submission")): row["system"] for row in ranking.rows}
    gone = {names[pk] for pk in hidden if pk in names}
    about = {key: value for key, value in inputs.items() if key != "entries"}
    return {
        "benchmark": track.release.benchmark.slug,
        "release": track.release.version,
        "track": track.slug,
        "provenance": ranking.provenance,
        "computed_at": ranking.computed_at.isoformat(),
        "fingerprint": ranking.fingerprint,
        "permalink": permalink(ranking),
        "signature": ranking.signature,
        "settings": about,
        "signatures": {
            entry["system"]: entry.get("signatures", {})
            for entry in inputs.get("entries", ())
            if entry["system"] not in gone
        },
        "agreement": ranking.agreement,
        "rows": [_row(row, gone) for row in ranking.rows],
    }


def _row(row: dict[str, Any], gone: Collection[str]) -> dict[str, Any]:
    if row["system"] not in gone:
        return row
    return row | {"system": None, "name": WITHHELD, "submission": None}
