"""The judges of this process: loaded once, checked once, with the vectors of earlier runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from leaderboard.models import Kind, Run, Track
from leaderboard.pipeline import chat_judges
from scoring.blobs import BlobStore, FileStore
from scoring.cache import EmbeddingCache
from scoring.judges import catalogue
from scoring.judges.base import EmbeddingJudge, Embeddings
from scoring.judges.entry import Entry
from scoring.judges.fact_judge import FactJudge
from scoring.judges.reply_cache import ReplyCache
from scoring.judges.rule_facts import RuleFacts
from scoring.protocols import keypoint_baseline, ngram
from scoring.protocols.keypoint_judging import ChatKeypointJudge, KeypointJudge
from scoring.types import Progress, ScoringError

RULES = frozenset({keypoint_baseline.KeypointBaseline.name, RuleFacts.name, ngram.JUDGE})
"""Judges that work wherever the site is installed."""


class JudgeNotReady(ScoringError):  # noqa: N818 - named as the fault is spoken of
    """The judge cannot take work on this machine; the submitter's file is not the cause."""

    def __init__(self, cause: ScoringError) -> None:
        self.code = cause.code
        super().__init__(
            f"This judge cannot work here: {cause}. Your file is not the cause. When the site's "
            "staff have set the judge right, the run can be tried again."
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


HEAVY = frozenset({"sentence-transformers", "own-encode", "local"})
"""Kinds of judges whose weights are to be held by one process of a host, and never forked."""


def kinds() -> dict[str, str]:
    """Name to kind of every judge there is: encoders, language models, rules."""
    encoders = {entry.name: str(entry.kind) for entry in catalogue.entries()}
    readers = {entry.name: str(entry.kind) for entry in chat_judges.chat_entries()}
    return encoders | readers | dict.fromkeys(sorted(RULES), "rules")


def own_name(name: str) -> str:
    """The name in the catalogue of what may be an alias; any other name is given back."""
    aliases = {alias: entry.name for entry in catalogue.entries() for alias in entry.aliases}
    return aliases.get(name, name)


def make_ready(name: str) -> None:
    """Load and check a judge of any kind, so that its first run finds it warm.

    Raises ``JudgeNotReady``, whose cause says what is wrong in the words of whoever installs it.
    """
    kind = kinds()[name]
    if kind in {"local", "endpoint"}:
        try:
            chat_judges.chat_model(name)
        except ScoringError as error:
            raise JudgeNotReady(error) from error
    elif kind != "rules":
        ready_judge(name)


def installed_in_use() -> list[str]:
    """Judges of open tracks whose weights are on this machine, in the catalogue's order."""
    panels = Track.objects.open().values_list("judges", flat=True)
    wanted = {name for panel in panels for name in panel}
    return [e.name for e in catalogue.entries() if e.name in wanted and e.installed]


def needs_weights(run: Run) -> bool:
    """False for a run that any worker can do: a rule scores it, or it was judged elsewhere."""
    return run.judge not in RULES and run.submission.kind == Kind.DESCRIPTIONS


def keypoint_judge(name: str) -> KeypointJudge:
    """The judge of keypoints of that name; raises ``JudgeNotReady`` when it cannot work here.

    The encoder of the baseline is checked like every other, and keeps its vectors across runs.
    """
    if name == keypoint_baseline.KeypointBaseline.name:
        encoder = Remembering(ready_judge(keypoint_baseline.ENCODER))
        return keypoint_baseline.KeypointBaseline(encoder)
    try:
        return ChatKeypointJudge(chat_judges.chat_model(name))
    except ScoringError as error:
        raise JudgeNotReady(error) from error


def fact_judge(name: str) -> FactJudge:
    """The judge of facts of that name; raises ``JudgeNotReady`` when it cannot work here.

    The encoder of the baseline is checked like every other, and keeps its vectors across runs.
    """
    try:
        entry = chat_judges.chat_entry(name)
        if entry.kind != "rules":
            return chat_judges.fact_judge(name)
    except ScoringError as error:
        raise JudgeNotReady(error) from error
    return RuleFacts(Remembering(ready_judge(entry.encoder)))


@dataclass(frozen=True, slots=True)
class Remembering:
    """An encoder that looks up what it has read before, whoever asks."""

    encoder: EmbeddingJudge

    @property
    def entry(self) -> Entry:
        """See ``EmbeddingJudge``."""
        return self.encoder.entry

    def signature(self, long_text: str | None = None) -> str:
        """See ``EmbeddingJudge``."""
        return self.encoder.signature(long_text)

    def fit(self, texts: Sequence[str]) -> EmbeddingJudge:
        """See ``EmbeddingJudge``."""
        return Remembering(self.encoder.fit(texts))

    def encode(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        *,
        long_text: str | None = None,
        cache: EmbeddingCache | None = None,
    ) -> Embeddings:
        """See ``EmbeddingJudge``."""
        known = cache or embedding_cache()
        return self.encoder.encode(texts, progress, long_text=long_text, cache=known)


def embedding_cache() -> EmbeddingCache:
    """Vectors of texts that a judge has read before: in a folder, or a bucket that is shared."""
    return _cache(str(settings.EMBEDDING_CACHE), settings.CACHE_MAX_BYTES)


@lru_cache
def _cache(place: str, max_bytes: int) -> EmbeddingCache:
    return EmbeddingCache(_store(place), max_bytes)


def _store(place: str) -> BlobStore:
    if not place.startswith("s3://"):
        return FileStore(place)
    import boto3  # noqa: PLC0415 - only where a bucket is named
    from botocore.config import Config  # noqa: PLC0415

    from scoring.cache_s3 import S3Store  # noqa: PLC0415

    bucket, _, prefix = place.removeprefix("s3://").partition("/")
    # Servers other than Amazon's send no checksum of a part that is read by range.
    client = boto3.client("s3", config=Config(response_checksum_validation="when_required"))
    asked = settings.STORAGES["default"].get("OPTIONS", {}).get("object_parameters")
    return S3Store(client, bucket, f"{prefix.strip('/')}/".removeprefix("/"), asked)


def reply_cache() -> ReplyCache:
    """What judges have answered before, below ``CACHE_DIR``: nothing is asked twice."""
    return _replies(settings.CACHE_DIR / "replies.sqlite3")


@lru_cache
def _replies(path: Path) -> ReplyCache:
    return ReplyCache(path)
