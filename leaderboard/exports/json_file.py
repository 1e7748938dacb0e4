"""JSON: the shown rows in full precision, with every signature."""

from __future__ import annotations

import json
from typing import Any

from leaderboard.exports.sheet import fact, sheet
from leaderboard.exports.shown import Shown
from leaderboard.tables import Row


def write(shown: Shown) -> str:
    """The table as one object; strict JSON, None where a value is not defined."""
    return json.dumps(document(shown), ensure_ascii=False, indent=2, allow_nan=False) + "\n"


def document(shown: Shown) -> dict[str, Any]:
    """What is written, as data."""
    board, ranking = shown.board, shown.ranking
    if shown.part is not None:
        page = sheet(shown)
        keys = [column.key for column in page.columns]
        rows = [dict(zip(keys, row, strict=True)) for row in page.rows]
        return {**dict(shown.notes), "signature": ranking.signature, "rows": rows}
    return {
        **dict(shown.notes),
        "fingerprint": ranking.fingerprint,
        "signature": ranking.signature,
        "primary_metric": ranking.track.primary_metric,
        "metrics": list(board.shown),
        "judges": [group.key for group in board.groups if group.columns[0].judge],
        "replicates": (ranking.inputs or {}).get("replicates"),
        "seed": (ranking.inputs or {}).get("seed"),
        "systems": board.systems,
        "ranked": board.places,
        "rows": [_row(shown, row) for row in board.rows],
    }


def _row(shown: Shown, row: Row) -> dict[str, Any]:
    board = shown.board
    mean: dict[str, float | None] = {}
    judges: dict[str, dict[str, float | None]] = {}
    for column, value in zip(board.columns, row.values, strict=True):
        (judges.setdefault(column.judge, {}) if column.judge else mean)[column.metric] = value
    sets = {"mean_rank": row.mean_rank, "set_low": row.set_low, "set_high": row.set_high}
    return {
        "rank": row.rank,
        "system": row.system,
        "name": row.name,
        **{key: fact(row, key) for key, _ in board.facts},
        "reference": row.reference,
        "withdrawn": row.withdrawn,
        "rank_low": row.rank_low,
        "rank_high": row.rank_high,
        **(sets if board.has_sets else {}),
        "p_first": row.p_first,
        "borda": row.borda,
        "mean": mean,
        "judges": judges,
        "missing": list(row.missing),
        "submission": row.submission,
        "signatures": shown.signatures.get(row.system, {}),
    }
