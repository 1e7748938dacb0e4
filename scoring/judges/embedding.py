"""Judges that are sentence-transformers models: loading, and reading through the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring import engine
from scoring.engine import DenseVectors, Matrix, Pieces
from scoring.judges.base import JudgeDrifted, JudgeUnavailable
from scoring.judges.entry import Entry
from scoring.signature import joined, libraries
from scoring.types import Progress

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from scoring.cache import EmbeddingCache

CPU_BUDGET = 8_192
GPU_BUDGET = 65_536


class SentenceJudge:
    """A transformer with a pooling head, read token by token through `scoring.engine`."""

    def __init__(self, entry: Entry, model: SentenceTransformer) -> None:
        self.entry = entry
        self.dimension = int(model.get_embedding_dimension() or 0)
        self.budget = CPU_BUDGET if model.device.type == "cpu" else GPU_BUDGET
        self.limit = min(entry.max_tokens or 10**9, model.max_seq_length or 10**9)
        self.dtype = str(model.dtype).removeprefix("torch.")
        self._model = model
        self._tokenizer = model.tokenizer
        self._prompt = _prompt(entry, model)

    def signature(self, long_text: str | None = None) -> str:
        """See `EmbeddingJudge.signature`."""
        entry = self.entry
        parts = {
            "judge": entry.name,
            "rev": entry.revision[:12] or "none",
            "prompt": entry.prompt,
            "pool": entry.pooling,
            "pad": entry.padding,
            "max": str(self.limit),
            "long": long_text or entry.long_text,
            "dtype": self.dtype,
        }
        return joined(parts | libraries("st", "tf", "torch"))

    def fit(self, texts: Sequence[str]) -> SentenceJudge:
        """Nothing to fit."""
        return self

    def encode(
        self,
        texts: Sequence[str],
        progress: Progress | None = None,
        *,
        long_text: str | None = None,
        cache: EmbeddingCache | None = None,
    ) -> DenseVectors:
        """See `EmbeddingJudge.encode`."""
        rule = long_text or self.entry.long_text
        return engine.encode(
            self,
            texts,
            signature=self.signature(rule),
            long_text=rule,
            cache=cache,
            progress=progress,
        )

    def pieces(self, texts: Sequence[str], long_text: str) -> Pieces:
        """Token ids, special tokens included; the tokenizer's own windows over the limit."""
        found = self._tokenizer(
            [self._prompt + text for text in texts],
            truncation=True,
            max_length=self.limit,
            return_overflowing_tokens=True,
            return_attention_mask=False,
            return_token_type_ids=False,
            padding=False,
            verbose=False,
        )
        owners = np.asarray(found["overflow_to_sample_mapping"], np.int64)
        cut = np.bincount(owners, minlength=len(texts)) > 1
        items: Sequence[Any] = found["input_ids"]
        if long_text == "truncate":
            # The first window of a text is the text cut at the limit.
            owners, first = np.unique(owners, return_index=True)
            items = [items[i] for i in first]
        lengths = np.fromiter(map(len, items), np.int64, count=len(items))
        return Pieces(items, lengths, owners, cut)

    def forward(self, items: Sequence[Any]) -> Matrix:
        """One batch through the model's own modules (transformer, pooling, what else it has)."""
        import torch

        longest = max(map(len, items))
        ids = torch.full((len(items), longest), self._tokenizer.pad_token_id or 0)
        mask = torch.zeros_like(ids)
        for row, tokens in enumerate(items):
            place = (
                slice(longest - len(tokens), None)
                if self.entry.padding == "left"
                else slice(len(tokens))
            )
            ids[row, place] = torch.tensor(tokens)
            mask[row, place] = 1
        features = {"input_ids": ids, "attention_mask": mask}
        if "token_type_ids" in self._tokenizer.model_input_names:
            features["token_type_ids"] = torch.zeros_like(ids)
        with torch.inference_mode():
            moved = {name: tensor.to(self._model.device) for name, tensor in features.items()}
            vectors = self._model(moved)["sentence_embedding"]
            return np.asarray(vectors.float().cpu().numpy())


def load(entry: Entry, *, device: str | None = None, download: bool = False) -> SentenceJudge:
    """The judge with its weights, from a local folder or the hub's local cache.

    Raises:
        JudgeUnavailable: the weights are not here (and `download` is not given).
        JudgeDrifted: dimension or pooling are not those of the entry.
    """
    source = _source(entry)
    try:
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(
            source,
            device=device,
            revision=None if entry.path or entry.folder else entry.revision or None,
            local_files_only=not download,
            trust_remote_code=entry.trust_remote_code,
            model_kwargs={"dtype": entry.dtype},
        )
    except (OSError, ImportError) as error:
        message = f"judge {entry.name}: its weights cannot be loaded ({error}); {entry.remedy}"
        raise JudgeUnavailable(message) from error
    judge = SentenceJudge(entry, model)
    if judge.dimension != entry.dimension:
        message = (
            f"judge {entry.name}: the model's vectors have {judge.dimension} numbers, "
            f"the catalogue says {entry.dimension}: these are not the weights it names"
        )
        raise JudgeDrifted(message)
    return judge


def _source(entry: Entry) -> str:
    if entry.path:
        return entry.path
    if entry.package:
        from importlib.util import find_spec

        spec = find_spec(entry.package)
        if spec is None or not spec.submodule_search_locations:
            message = f"judge {entry.name} is not installed: {entry.remedy}"
            raise JudgeUnavailable(message)
        from pathlib import Path

        return str(Path(spec.submodule_search_locations[0]) / entry.folder)
    return entry.source


def _prompt(entry: Entry, model: SentenceTransformer) -> str:
    """What is put before every text: sentence-transformers' own rule for documents, or nothing."""
    if entry.prompt != "encode_document":
        return ""
    names = ("document", "passage", "corpus")
    return next((model.prompts[name] or "" for name in names if name in model.prompts), "")
