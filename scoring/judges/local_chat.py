"""A language model with its weights in this process, through `transformers`: greedy, batched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.judges.base import JudgeUnavailable
from scoring.judges.chat import CallFailed, Reply, Request
from scoring.judges.fact_judge import Usage
from scoring.judges.verdicts import storable
from scoring.signature import joined, libraries

_DATE = "26 Jul 2024"
"""Some chat templates write today's date into the prompt; replies must not depend on the day."""


@dataclass(frozen=True, slots=True)
class LocalChat:
    """Which weights, and how they are run.

    Args:
        name: the judge's name in tables.
        source: a folder of weights, or a model's name on the hub.
        revision: commit of the weights on the hub.
        dtype: of the weights, as torch names it.
        device: `cuda`, `cpu`, ...; the best there is when None.
        max_tokens: room for a reply.
        batch_tokens: tokens of one batch, prompts and room for replies together. A batch that does
            not fit into memory is halved.
    """

    name: str
    source: str
    revision: str = ""
    dtype: str = "bfloat16"
    device: str | None = None
    max_tokens: int = 2048
    batch_tokens: int = 65_536

    def load(self) -> LocalChatModel:
        """Read the weights.

        Raises:
            JudgeUnavailable: there are none, or the model has no chat template.
        """
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer

        device = self.device or ("cuda" if torch.cuda.is_available() else "cpu")
        revision = self.revision or None
        try:
            tokenizer = AutoTokenizer.from_pretrained(self.source, revision=revision)
            model: Any = AutoModelForCausalLM.from_pretrained(
                self.source, revision=revision, dtype=getattr(torch, self.dtype)
            )
        except (OSError, ValueError) as error:
            raise JudgeUnavailable(
                f"judge {self.name} is not available: no weights at {self.source!r} that can be "
                "read here; give the folder of a local copy, or let this machine reach the hub"
            ) from error
        if tokenizer.chat_template is None:
            raise JudgeUnavailable(f"judge {self.name} has no chat template: it is no chat model")
        tokenizer.padding_side = "left"
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        return LocalChatModel(self, tokenizer, model.to(device).eval())


class LocalChatModel:
    """`ChatModel` over loaded weights. The most likely token is taken at every step."""

    def __init__(self, settings: LocalChat, tokenizer: Any, model: Any) -> None:
        self.settings = settings
        self.name = settings.name
        self._tokenizer = tokenizer
        self._model = model
        self._context: int = model.config.max_position_embeddings
        ends = model.generation_config.eos_token_id
        self._ends = {tokenizer.eos_token_id, *(ends if isinstance(ends, list) else [ends])}
        self._special = [str(t) for t in tokenizer.added_tokens_decoder.values() if t.special]
        self._budget = settings.batch_tokens

    def signature(self) -> str:
        """See `ChatModel.signature`."""
        asked = self.settings
        parts = {
            "judge": asked.name,
            "rev": asked.revision or "none",
            "dtype": asked.dtype,
            "decode": "greedy",
            "max": str(asked.max_tokens),
        }
        return joined(parts | libraries("tf", "torch"))

    def complete(self, requests: Sequence[Request]) -> Iterator[tuple[int, Reply | CallFailed]]:
        """See `ChatModel.complete`; the longest first, as many at once as the budget allows."""
        prompts = [self._tokens(request) for request in requests]
        order = sorted(
            range(len(requests)), key=lambda place: -self._size(prompts, requests, place)
        )
        while order:
            size = self._size(prompts, requests, order[0])
            if size > self._context:
                yield order.pop(0), CallFailed(f"the text is longer than {self._context} tokens")
                continue
            # What room one reply gets must not hang on its neighbours.
            room = requests[order[0]].room
            alike = [place for place in order if requests[place].room == room]
            batch = alike[: max(1, self._budget // size)]
            replies = self._generate(
                [prompts[place] for place in batch], self.settings.max_tokens * room
            )
            if replies is None and len(batch) > 1:
                self._budget = size * (len(batch) // 2)
                continue
            order = [place for place in order if place not in batch]
            for row, place in enumerate(batch):
                yield place, replies[row] if replies else CallFailed("it does not fit into memory")

    def _size(self, prompts: Sequence[list[int]], requests: Sequence[Request], place: int) -> int:
        return len(prompts[place]) + self.settings.max_tokens * requests[place].room

    def _tokens(self, request: Request) -> list[int]:
        turns = [{"role": m.role, "content": self._plain(m.content)} for m in request.messages]
        text: str = self._tokenizer.apply_chat_template(
            turns, add_generation_prompt=True, tokenize=False, date_string=_DATE
        )
        tokens: list[int] = self._tokenizer(text, add_special_tokens=False)["input_ids"]
        return tokens

    def _plain(self, content: str) -> str:
        """A text in which nothing is read as one of the model's special tokens."""
        for token in self._special:
            content = content.replace(token, f"{token[:1]} {token[1:]}")
        return content

    def _generate(self, prompts: Sequence[list[int]], room: int) -> list[Reply] | None:
        """Replies of one batch; None when it does not fit into memory."""
        import torch

        padded = self._tokenizer.pad({"input_ids": list(prompts)}, return_tensors="pt")
        try:
            with torch.inference_mode():
                rows = self._model.generate(
                    **padded.to(self._model.device),
                    max_new_tokens=room,
                    do_sample=False,
                    temperature=None,
                    top_p=None,
                    top_k=None,
                    pad_token_id=self._tokenizer.pad_token_id,
                )
        except torch.OutOfMemoryError:
            return None
        width = padded["input_ids"].shape[1]
        written = [row[width:].tolist() for row in rows]
        return [self._reply(len(p), tokens) for p, tokens in zip(prompts, written, strict=True)]

    def _reply(self, read: int, tokens: list[int]) -> Reply:
        end = next((place for place, token in enumerate(tokens) if token in self._ends), None)
        text = self._tokenizer.decode(tokens[:end], skip_special_tokens=True)
        spent = len(tokens) if end is None else end + 1
        return Reply(storable(text), end is not None, Usage(1, 0, read, spent))
