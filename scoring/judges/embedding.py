"""Judges that are transformer models: loaded from a local folder or the hub, read by the engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.engine import Matrix, Pieces
from scoring.judges import weights
from scoring.judges.base import JudgeDrifted, JudgeUnavailable
from scoring.judges.dense import DenseJudge
from scoring.judges.entry import Entry
from scoring.types import ScoringError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer
    from transformers import PreTrainedTokenizerBase

# Tokens of one batch. On a CPU a batch should stay in the caches, on a GPU it should fill the chip.
CPU_BUDGET = 2_048
GPU_BUDGET = 65_536


class SentenceJudge(DenseJudge):
    """A sentence-transformers model: a transformer, its pooling, and what else it has.

    Only tokenising, batching and padding are ours; the vectors come from the model's own modules.
    """

    libraries = ("st", "tf", "torch")

    def __init__(self, entry: Entry, model: SentenceTransformer) -> None:
        super().__init__(
            entry,
            dimension=int(model.get_embedding_dimension() or 0),
            budget=budget_for(model.device.type),
            dtype=str(model.dtype).removeprefix("torch."),
        )
        self.limit = entry.max_tokens or model.max_seq_length
        self._model = model
        self._tokenizer: PreTrainedTokenizerBase = model.tokenizer
        self._prompt = _prompt(entry, model)

    def pieces(self, texts: Sequence[str], long_text: str) -> Pieces:
        """Token ids, special tokens included; windows are the tokenizer's own."""
        prompted = [self._prompt + text for text in texts]
        found = tokenised(self._tokenizer, prompted, self.limit, offsets=False)
        owners = np.asarray(found["overflow_to_sample_mapping"], np.int64)
        return in_limit(found["input_ids"], owners, len(texts), long_text)

    def forward(self, items: Sequence[Any]) -> Matrix:
        """One batch through the model's own modules."""
        import torch

        with torch.inference_mode():
            features = self._padded(items)
            vectors = self._model(features)["sentence_embedding"]
            return np.asarray(vectors.float().cpu().numpy())

    def reads_ahead(self) -> bool:
        """True when a token sees those after it (bidirectional attention)."""
        import torch

        same = [4, 5, 6, 7]
        with torch.inference_mode():
            tokens = self._model[0](self._padded([[*same, 8], [*same, 9]]))["token_embeddings"]
        first, second = tokens[:, 0].float()
        return not torch.allclose(first, second, rtol=1e-4, atol=1e-5)

    def _padded(self, items: Sequence[Sequence[int]]) -> dict[str, Any]:
        import torch

        longest = max(map(len, items))
        ids = np.full((len(items), longest), self._tokenizer.pad_token_id or 0, np.int64)
        mask = np.zeros((len(items), longest), np.int64)
        for row, tokens in enumerate(items):
            start = longest - len(tokens) if self.entry.padding == "left" else 0
            ids[row, start : start + len(tokens)] = tokens
            mask[row, start : start + len(tokens)] = 1
        device = self._model.device
        features = {
            "input_ids": torch.from_numpy(ids).to(device),
            "attention_mask": torch.from_numpy(mask).to(device),
        }
        if "token_type_ids" in self._tokenizer.model_input_names:
            features["token_type_ids"] = torch.zeros_like(features["input_ids"])
        return features


def tokenised(
    tokenizer: PreTrainedTokenizerBase, texts: list[str], limit: int | None, *, offsets: bool
) -> Any:
    """All texts in one call, each as one or more windows of at most `limit` tokens."""
    return tokenizer(
        texts,
        truncation=limit is not None,
        max_length=limit,
        return_overflowing_tokens=True,
        return_offsets_mapping=offsets,
        return_attention_mask=False,
        return_token_type_ids=False,
        padding=False,
        verbose=False,
    )


def in_limit(
    windows: Sequence[Any], owners: Any, texts: int, long_text: str, lengths: Any = None
) -> Pieces:
    """The windows of all texts by the rule: all of them, or the first of each (`truncate`)."""
    cut = np.bincount(owners, minlength=texts) > 1
    if lengths is None:
        lengths = np.fromiter(map(len, windows), np.int64, count=len(windows))
    if long_text == "truncate":
        # The first window of a text is the text cut at the limit.
        owners, first = np.unique(owners, return_index=True)
        windows, lengths = [windows[i] for i in first], lengths[first]
    return Pieces(windows, lengths, owners, cut)


def budget_for(device: str) -> int:
    """Tokens of one batch on a kind of device."""
    return CPU_BUDGET if device == "cpu" else GPU_BUDGET


def load(entry: Entry, *, device: str | None = None, download: bool = False) -> DenseJudge:
    """The judge with its weights, from a local folder or the hub's local cache.

    Raises:
        JudgeUnavailable: the weights are not here (and `download` is not given), or the entry
            trusts the model's code without pinning a revision.
        JudgeDrifted: dimension, pooling or attention are not those of the entry.
    """
    source = weights.locate(entry)
    local = source != entry.source
    if entry.trust_remote_code and not local and not entry.revision:
        message = (
            f"judge {entry.name} runs code that comes with the model: pin a revision in a "
            "catalogue file of your own, or give the path of a local copy that you have read"
        )
        raise JudgeUnavailable(message)
    options = {
        "revision": None if local else entry.revision or None,
        "local_files_only": local or not download,
        "trust_remote_code": entry.trust_remote_code,
    }
    try:
        from transformers.utils import logging

        logging.disable_progress_bar()  # type: ignore[no-untyped-call]
        judge = _loaded(entry, source, device, options)
    except ScoringError:
        raise
    except Exception as error:  # a hub's client or a model's own code may raise anything
        reason = str(error).strip().partition("\n")[0]
        message = f"judge {entry.name}: its weights cannot be loaded ({reason}). {entry.remedy}"
        raise JudgeUnavailable(message) from error
    if judge.dimension != entry.dimension:
        message = (
            f"judge {entry.name}: the model's vectors have {judge.dimension} numbers, the "
            f"catalogue says {entry.dimension}: these are not the weights it names"
        )
        raise JudgeDrifted(message)
    return judge


def _loaded(entry: Entry, source: str, device: str | None, options: dict[str, Any]) -> DenseJudge:
    if entry.kind == "own-encode":
        from scoring.judges import own_encode

        return own_encode.load(entry, source, device, options)
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(
        source, device=device, model_kwargs={"dtype": entry.dtype}, **options
    )
    _set_pooling(entry, model)
    judge = SentenceJudge(entry, model)
    if entry.attention and judge.reads_ahead() != (entry.attention == "bidirectional"):
        message = (
            f"judge {entry.name}: the model's attention is not {entry.attention}, as the "
            f"catalogue says; its numbers would be others. {entry.note}"
        )
        raise JudgeDrifted(message.strip())
    return judge


def _set_pooling(entry: Entry, model: SentenceTransformer) -> None:
    """Refuse a model whose own pooling is another; give the entry's to one that says nothing."""
    from sentence_transformers.sentence_transformer.modules import Pooling

    pooling = next((module for module in model if isinstance(module, Pooling)), None)
    if pooling is None or not entry.pooling or pooling.pooling_mode == entry.pooling:
        return
    if model.module_kwargs:  # read from the model's own modules.json
        message = (
            f"judge {entry.name}: the model pools by {pooling.pooling_mode}, the catalogue says "
            f"{entry.pooling}: these are not the weights it names"
        )
        raise JudgeDrifted(message)
    pooling.pooling_mode = entry.pooling


def _prompt(entry: Entry, model: SentenceTransformer) -> str:
    """What is put before every text: sentence-transformers' own rule for documents, or nothing."""
    if entry.prompt != "encode_document":
        return ""
    names = ("document", "passage", "corpus")
    return next((model.prompts[name] or "" for name in names if name in model.prompts), "")
