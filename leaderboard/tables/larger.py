"""Tables that are too much for a page: asked for there, computed by a worker, kept for all.

While one is being computed, the table of the same choice by an older ranking is shown, where there
is one of the last day of which nothing has been hidden since; else the page says that it waits.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from dataclasses import asdict, dataclass, replace
from datetime import timedelta
from typing import Any

from django.core.exceptions import BadRequest
from django.utils import timezone

from leaderboard import tasks
from leaderboard.models import ChosenTable, Digest, Provenance, Ranking
from leaderboard.pipeline import chosen_tables, digest
from leaderboard.pipeline.clip_numbers import clip_numbers
from leaderboard.tables import chosen
from leaderboard.tables.choice import Choice
from leaderboard.tables.heads import fresh

SECONDS = 5
"""After which a page that waits looks again."""
MOST_WAITING = 5
"""Tables that are computed or wait at a time: each takes a worker the better part of a minute."""
OLDEST = timedelta(days=1)
LEVEL = 1


class BeingComputed(Exception):  # noqa: N818 - named as what it says
    """Not there yet; ``queued`` is False while too many others are waited for."""

    def __init__(self, *, queued: bool = True) -> None:
        self.queued = queued
        super().__init__("This table is being computed.")


@dataclass(frozen=True, slots=True)
class Found:
    """A computed table, and the ranking that it is of: the newest, or one before it."""

    ranking: Ranking
    table: ChosenTable


def is_large(ranking: Ranking, choice: Choice) -> bool:
    """Whether a worker has to compute it; no row of the ranking is read to know."""
    if ranking.provenance == Provenance.REPORTED or not choice.narrows:
        return False
    judges = choice.judges or ranking.track.judges
    clips = ranking.track.release.clips.scored().count()
    systems = _systems(ranking) if choice.systems is None else len(choice.systems)
    return chosen.too_many(systems, len(judges), clips)


def shown(ranking: Ranking, choice: Choice) -> Ranking:
    """The ranking under a choice; BeingComputed where it is not there yet."""
    found = find(ranking, choice)
    made = json.loads(zlib.decompress(found.table.table or b""))
    made["inputs"] = found.ranking.inputs | made["inputs"]
    return Ranking(
        track=ranking.track,
        provenance=ranking.provenance,
        computed_at=found.ranking.computed_at,
        fingerprint=found.ranking.fingerprint,
        **made,
    )


def find(ranking: Ranking, choice: Choice) -> Found:
    """The stored table of a choice, which is asked for where it is not there."""
    plain = _plain(choice)
    key = _key(plain)
    table = ChosenTable.objects.filter(ranking=ranking, key=key).first()
    if table is not None and table.table is not None and ranking.pk in fresh([ranking]):
        return Found(ranking, table)
    if table is not None and table.table is None and table.attempts >= ChosenTable.ATTEMPTS:
        raise BadRequest(
            "This table could not be computed. Choose some of the systems, too: a family, an "
            "organisation, a size."
        )
    queued = table is not None or _ask(ranking, plain, key)
    older = _older(ranking, key)
    if older is None:
        raise BeingComputed(queued=queued)
    return older


def compute(pk: int) -> None:
    """What a worker does: the table of the newest ranking, by the functions that a page calls."""
    table = chosen_tables.begin(pk, timezone.now())
    if table is None:
        return
    ranking = _of_newest(table)
    if ranking is None or ranking.pk not in fresh([ranking]):
        table.delete()  # whoever looks again asks again
        return
    choice = _choice(table.choice)
    scores = chosen.scores_of(ranking, choice, on_page=False)
    made = chosen.chosen(ranking, choice, scores)
    primary, positions = ranking.track.primary_metric, scores.clip_positions
    numbers = clip_numbers(scores.arrays, primary, positions, alike=0)
    arrays = digest.arrays(
        ranking.track,
        made["rows"],
        (scores.systems, numbers) if numbers else None,
        before=ranking,
        of_clips=scores.of_clips,
    )
    packed = zlib.compress(json.dumps(made, allow_nan=False).encode(), LEVEL)
    ChosenTable.objects.filter(pk=pk).update(table=packed, arrays=arrays)


def _of_newest(table: ChosenTable) -> Ranking | None:
    """Its ranking, or the newest where another one has followed since it was asked for; None where
    that one has been asked for as well.
    """
    asked = table.ranking
    newest = Ranking.objects.latest_of(asked.track, asked.provenance)
    if newest is None or newest == asked:
        return asked
    if ChosenTable.objects.filter(ranking=newest, key=table.key).exists():
        return None
    ChosenTable.objects.filter(pk=table.pk).update(ranking=newest)
    newest.track = asked.track
    return newest


def _ask(ranking: Ranking, choice: Choice, key: str) -> bool:
    if ChosenTable.objects.waiting().count() >= MOST_WAITING:
        return False
    new = {"choice": asdict(choice), "asked_at": timezone.now()}
    table, made = ChosenTable.objects.get_or_create(ranking=ranking, key=key, defaults=new)
    if made:
        tasks.send_tables([table.pk])
    return True


def _older(ranking: Ranking, key: str) -> Found | None:
    of_board = ChosenTable.objects.filter(
        ranking__track=ranking.track,
        ranking__provenance=ranking.provenance,
        ranking__computed_at__gt=ranking.computed_at - OLDEST,
        ranking__computed_at__lt=ranking.computed_at,
        key=key,
    )
    done = of_board.exclude(table=None).select_related("ranking")
    table = done.order_by("-ranking__computed_at").first()
    if table is None:
        return None
    table.ranking.track = ranking.track
    return Found(table.ranking, table) if table.ranking.pk in fresh([table.ranking]) else None


def _systems(ranking: Ranking) -> int:
    if "rows" not in ranking.get_deferred_fields():
        return len(ranking.rows)
    head = Digest.objects.filter(ranking=ranking).values_list("head", flat=True).first()
    return int(head["systems"]) if head else len(ranking.rows)


def _plain(choice: Choice) -> Choice:
    """Confidence sets are of short tables only."""
    short = choice.systems is not None and len(choice.systems) <= chosen.MOST_SETS
    return choice if short else replace(choice, interval="percentile")


def _key(choice: Choice) -> str:
    return hashlib.sha256(repr(choice).encode()).hexdigest()


def _choice(data: dict[str, Any]) -> Choice:
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in data.items()}
    return Choice(**fields)
