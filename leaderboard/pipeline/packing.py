"""Old rankings, made small where they lie."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from leaderboard.models import Ranking
from leaderboard.models.ranking import PACKED

EMPTY: dict[str, Any] = {"inputs": {}, "rows": [], "agreement": None}


@dataclass(frozen=True, slots=True)
class Packed:
    """How many were packed, and their bytes before and after."""

    rankings: int = 0
    before: int = 0
    after: int = 0


def to_pack(moment: datetime) -> QuerySet[Ranking]:
    """Those from before ``moment`` that another one has followed and that are not packed."""
    same = Ranking.objects.filter(track=OuterRef("track"), provenance=OuterRef("provenance"))
    newest = same.order_by("-computed_at", "-pk").values("pk")[:1]
    old = Ranking.objects.filter(computed_at__lt=moment, packed=None)
    return old.exclude(pk=Subquery(newest)).order_by("pk")


def pack(moment: datetime) -> Packed:
    """Pack them one by one; nothing that is shown of them changes."""
    made = Packed()
    for pk in list(to_pack(moment).values_list("pk", flat=True)):
        ranking = Ranking.objects.get(pk=pk)
        said = json.dumps({name: getattr(ranking, name) for name in PACKED}).encode()
        packed = zlib.compress(said)
        Ranking.objects.filter(pk=pk, packed=None).update(packed=packed, **EMPTY)
        made = Packed(made.rankings + 1, made.before + len(said), made.after + len(packed))
    return made
