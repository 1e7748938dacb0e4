"""The judges of this process: loaded once, checked once, with the vectors of earlier runs."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from django.conf import settings

from scoring.cache import EmbeddingCache, FileStore
from scoring.judges import catalogue
from scoring.judges.base import EmbeddingJudge
from scoring.types import ScoringError


class JudgeNotReady(ScoringError):  # noqa: N818 - named as the fault is spoken of
    """The judge cannot take work on this machine; the submitter's file is not the cause."""

    def __init__(self, cause: ScoringError) -> None:
        self.code = cause.code
        super().__init__(
            f"This judge cannot work here: {cause}. Your file is not the cause. When the site's "
            "staff have set the judge right they can have the run tried again."
        )


@lru_cache
def ready_judge(name: str) -> EmbeddingJudge:
    """The judge, loaded and compared with its golden similarities once in this process.

    Raises ``JudgeNotReady`` when its weights are not here or its numbers have drifted; the next
    run tries anew.
    """
    try:
        judge = catalogue.load(name)
        catalogue.check(judge)
    except ScoringError as error:
        raise JudgeNotReady(error) from error
    return judge


def embedding_cache() -> EmbeddingCache:
    """Vectors of texts that a judge has read before, below ``CACHE_DIR``."""
    return _cache(settings.CACHE_DIR / "embeddings", settings.CACHE_MAX_BYTES)


@lru_cache
def _cache(folder: Path, max_bytes: int) -> EmbeddingCache:
    return EmbeddingCache(FileStore(folder), max_bytes)
