"""The score of every clip behind a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from django.test import Client

from leaderboard.exports import matrix as matrix_module
from leaderboard.models import Clip, Ranking, ReportedResult, Run, Submission, Track
from leaderboard.pipeline.rank import rank_reported

SCORES = "/b/small/1.0/main/scores"


def long_rows(client: Client, **query: Any) -> list[dict[str, str]]:
    response = client.get(f"{SCORES}.csv", query)
    assert response.streaming
    return list(csv.DictReader(io.StringIO(b"".join(response).decode())))


def arrays(client: Client, **query: Any) -> dict[str, Any]:
    response = client.get(f"{SCORES}.npz", query)
    with np.load(io.BytesIO(b"".join(response)), allow_pickle=False) as found:
        return dict(found)


def values(metric: str = "hm_cf") -> dict[tuple[str, str], Any]:
    return {
        (run.submission.system.slug, run.judge): run.vectors.get(metric=metric).values[:4]
        for run in Run.objects.select_related("submission__system")
    }


def test_csv_has_a_row_for_every_value(
    client: Client, ranking: Ranking, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the systems are taken one at a time."""
    monkeypatch.setattr(matrix_module, "CHUNK", 1)
    rows = long_rows(client)
    assert list(rows[0]) == ["system", "judge", "clip", "value"]
    assert len(rows) == 2 * 2 * 4
    for row in rows:
        known = values()[row["system"], row["judge"]]
        assert float(row["value"]) == known[int(row["clip"][1:]) - 1]
    assert rows[0]["system"] == ranking.rows[0]["system"]


def test_npz_loads_and_has_the_same_values(client: Client, ranking: Ranking) -> None:
    found = arrays(client, metric="fine_recall")
    assert found["values"].shape == (2, 2, 4)
    assert found["values"].dtype == np.float64
    assert list(found["judges"]) == ["left", "right"]
    assert list(found["clips"]) == ["c1", "c2", "c3", "c4"]
    for system, of_system in zip(found["systems"], found["values"], strict=True):
        for judge, row in zip(found["judges"], of_system, strict=True):
            np.testing.assert_array_equal(row, values("fine_recall")[system, judge])
    assert str(found["metric"]) == "fine_recall"
    assert str(found["signature"]) == ranking.signature
    assert str(found["permalink"]).endswith(f"{ranking.fingerprint}.json")
    assert found["run_signatures"].shape == (2, 2)


def test_the_choice_of_judges_and_clips_holds(client: Client, ranking: Ranking) -> None:
    Clip.objects.filter(key__in=["c1", "c2"]).update(category="Street")
    Clip.objects.filter(key__in=["c3", "c4"]).update(category="Sea")
    rows = long_rows(client, judge="right", category="Sea")
    assert {(row["judge"], row["clip"]) for row in rows} == {("right", "c3"), ("right", "c4")}
    assert arrays(client, judge="right", category="Sea")["values"].shape == (2, 1, 2)


def test_only_what_is_public_under_the_name_that_is(
    client: Client, ranking: Ranking, submit: Callable[..., Submission], work_off: Any
) -> None:
    submit("Secret", visibility="private")
    submit("Shy", visibility="anonymous")
    work_off()
    systems = {row["system"] for row in long_rows(client)}
    assert len(systems) == 3
    assert not {"secret", "shy"} & systems
    assert any(system.startswith("anonymous-") for system in systems)


def test_what_was_hidden_since_is_not_written(client: Client, ranking: Ranking) -> None:
    """A ranking follows what an owner has done only after a while; files and badges do at once."""
    badge = "/b/small/1.0/main/badge/best.svg"
    assert client.get(badge).status_code == 200
    Submission.objects.filter(system__slug="best").update(visibility="private")
    assert "best" not in {row["system"] for row in long_rows(client)}
    assert arrays(client)["values"].shape == (1, 2, 4)
    assert client.get(badge).status_code == 404


def test_a_clip_key_cannot_be_a_formula(client: Client, ranking: Ranking) -> None:
    Clip.objects.filter(key="c1").update(key="=1+1")
    assert "'=1+1" in {row["clip"] for row in long_rows(client)}
    assert "=1+1" in set(arrays(client)["clips"])


def test_reported_means_have_no_clips(client: Client, ranking: Ranking, track: Track) -> None:
    submission = Submission.objects.first()
    assert submission is not None
    ReportedResult.objects.create(
        track=track, system=submission.system, judge="left", metric="hm_cf", mean=0.5, source="x"
    )
    rank_reported(track.pk)
    for suffix in ("csv", "npz"):
        answer = client.get(f"{SCORES}.{suffix}", {"provenance": "reported"})
        assert answer.status_code == 404
    assert client.get(f"{SCORES}.parquet").status_code == 404


def test_queries_do_not_grow_with_the_systems(
    client: Client,
    ranking: Ranking,
    submit: Callable[..., Submission],
    work_off: Any,
    django_assert_max_num_queries: Any,
) -> None:
    with django_assert_max_num_queries(20) as first:
        long_rows(client)
    for n in range(5):
        submit(f"More {n}")
    work_off()
    with django_assert_max_num_queries(len(first.captured_queries)):
        assert len(long_rows(client)) == 7 * 2 * 4
