"""The rows of a large board that nobody has submitted to, as a worker stores them."""

# ruff: noqa: PLC0415 - Django is set up over its own database before anything of it is imported
from __future__ import annotations

from typing import Any

import numpy as np

JUDGES = [
    "nv-embed-v2",
    "kalm-embedding-gemma3-12b-2511",
    "llama-embed-nemotron-8b",
    "gte-qwen2-7b-instruct",
    "qwen3-embedding-8b",
]
SENTENCE = "A man in a red coat walks slowly past the window and looks back at the door."


def build(systems: int, judges: int, clips: int) -> None:
    """The rows of a scored board, and its ranking."""
    from django.utils import timezone

    from leaderboard import models
    from leaderboard.pipeline.rank import rank_track

    now = timezone.now()
    benchmark = models.Benchmark.objects.create(slug="bench", name="Bench", summary="Made up.")
    release = models.Release.objects.create(benchmark=benchmark, version="1.0", published_at=now)
    track = models.Track.objects.create(
        release=release, slug="main", name="Main", judges=JUDGES[:judges]
    )
    made_clips = models.Clip.objects.bulk_create(
        models.Clip(
            release=release, key=f"clip-{n:04}", position=n, duration=60.0 + n % 240,
            category=("Home", "Sport", "Street")[n % 3],
        )
        for n in range(clips)
    )  # fmt: skip
    models.Reference.objects.bulk_create(
        models.Reference(clip=clip, text=" ".join([SENTENCE] * 8)) for clip in made_clips
    )
    entries = models.System.objects.bulk_create(
        models.System(
            slug=f"system-{n:04}", name=f"System {n:04}", organisation=f"Laboratory {n % 40}",
            family=f"Family {n % 60}", parameters=f"{1 + n % 72}B", open_weights=n % 3 > 0,
        )
        for n in range(systems)
    )  # fmt: skip
    submissions = models.Submission.objects.bulk_create(
        models.Submission(
            release=release, system=system, file="x", original_name="x.json", format="json",
            size=1, sha256="0" * 64, published_at=now,
        )
        for system in entries
    )  # fmt: skip
    models.Description.objects.bulk_create(
        models.Description(submission=one, clip=made_clips[0], text=" ".join([SENTENCE] * 6))
        for one in submissions
    )
    runs = models.Run.objects.bulk_create(
        models.Run(
            track=track, submission=one, judge=judge, state="done", queued_at=now,
            finished_at=now,
            signature=f"cliprank:0.1|semantic:1|judge:{judge}|revision:0123456789abcdef|dtype:f32",
        )
        for one in submissions
        for judge in track.judges
    )  # fmt: skip
    vectors(runs, systems, judges, clips)
    rank_track(track.pk)


def vectors(runs: list[Any], systems: int, judges: int, clips: int) -> None:
    """Scores between 0 and 1: a clip effect, a system effect and noise."""
    from leaderboard.models import ScoreVector

    rng = np.random.default_rng(0)
    clip = 0.05 * rng.standard_normal(clips)
    for at in range(0, len(runs), 500):
        rows = []
        for n, run in enumerate(runs[at : at + 500], at):
            level = 0.48 + 0.2 * (n // judges) / systems
            for metric in ("hm_cf", "coarse"):
                own = np.clip(level + clip + 0.06 * rng.standard_normal(clips), 0, 1)
                rows.append(
                    ScoreVector(
                        run=run, metric=metric, data=own.astype("<f8").tobytes(), clips=clips,
                        mean=float(own.mean()),
                    )
                )  # fmt: skip
        ScoreVector.objects.bulk_create(rows)
