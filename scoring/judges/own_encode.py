"""Judges whose model brings its own `encode(texts, instruction=..., max_length=...)` (NV-Embed)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.engine import Matrix, Pieces
from scoring.judges.base import JudgeUnavailable
from scoring.judges.dense import DenseJudge
from scoring.judges.embedding import budget_for, in_limit, tokenised
from scoring.judges.entry import Entry

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


class OwnEncodeJudge(DenseJudge):
    """The model reads whole texts by its own code; ours measures them, cuts them and batches."""

    libraries = ("tf", "torch")

    def __init__(
        self, entry: Entry, model: PreTrainedModel, tokenizer: PreTrainedTokenizerBase
    ) -> None:
        super().__init__(
            entry,
            dimension=entry.dimension,
            budget=budget_for(model.device.type),
            dtype=str(model.dtype).removeprefix("torch."),
        )
        self._model: Any = model
        self._tokenizer = tokenizer

    def pieces(self, texts: Sequence[str], long_text: str) -> Pieces:
        """The texts, which the model cuts itself, or the stretches that windows of them cover."""
        found = tokenised(self._tokenizer, list(texts), self.limit, offsets=True)
        owners = np.asarray(found["overflow_to_sample_mapping"], np.int64)
        offsets = found["offset_mapping"]
        several = np.bincount(owners, minlength=len(texts)) > 1
        windows = [
            _covered(texts[owner], spans)
            if several[owner] and long_text == "windows"
            else texts[owner]
            for owner, spans in zip(owners, offsets, strict=True)
        ]
        lengths = np.fromiter(map(len, offsets), np.int64, count=len(offsets))
        return in_limit(windows, owners, len(texts), long_text, lengths)

    def forward(self, items: Sequence[Any]) -> Matrix:
        """Vectors by the model's own `encode`, with an empty instruction."""
        import torch

        with torch.inference_mode():
            vectors = self._model.encode(list(items), instruction="", max_length=self.limit)
            return np.asarray(torch.as_tensor(vectors).float().cpu().numpy())


def load(entry: Entry, source: str, device: str | None, options: dict[str, Any]) -> OwnEncodeJudge:
    """The judge; `options` are `from_pretrained`'s (revision, local files, remote code).

    Raises:
        JudgeUnavailable: the model has no `encode`.
    """
    import torch
    from transformers import AutoModel, AutoTokenizer

    model = AutoModel.from_pretrained(source, dtype=entry.dtype, **options)
    if not callable(getattr(model, "encode", None)):
        message = f"judge {entry.name}: the model has no `encode` of its own; {entry.remedy}"
        raise JudgeUnavailable(message)
    tokenizer = AutoTokenizer.from_pretrained(source, padding_side=entry.padding, **options)
    chosen = device or ("cuda" if torch.cuda.is_available() else "cpu")
    return OwnEncodeJudge(entry, model.to(chosen).eval(), tokenizer)


def _covered(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The stretch of the text under these token offsets; special tokens have empty ones."""
    real = [span for span in spans if span[0] != span[1]]
    return text[real[0][0] : real[-1][1]] if real else text
