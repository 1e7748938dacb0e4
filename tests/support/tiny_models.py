"""Tiny randomly initialised encoders of each published architecture, saved as on a hub.

They make the loading, pooling and padding code of every catalogue entry run on a CPU. Nothing of
them is taken from a published model but the architecture.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors.torch import save_file
from tokenizers import (
    Tokenizer,
    decoders,
    models,
    normalizers,
    pre_tokenizers,
    processors,
    trainers,
)

WORDS = (
    *("a", "man", "woman", "dog", "opens", "closes", "the", "door", "walks", "into", "dark"),
    *("room", "and", "looks", "around", "two", "dogs", "run", "along", "beach", "she", "calls"),
    *("them", "back", "camera", "pans", "from", "street", "to", "roof", ".", ",", "!", "?", ":"),
    *("person", "is", "opening", "it", "of", "city", "night", "car", "red", "blue", "slowly"),
    *("fast", "then", "he"),
)
SPECIAL = ("<pad>", "<unk>", "<bos>", "<eos>")


def save_tokenizer(folder: Path, family: str) -> int:
    """A tokenizer that frames a text as the family does; returns the size of its vocabulary.

    A word is a token; the Qwen2 family, whose own tokenizer class takes over, has byte pairs.
    """
    tokenizer = _byte_pairs() if family == "Qwen2" else _words()
    frame = "$A <eos>" if family.startswith("Qwen") else "<bos> $A <eos>"
    tokenizer.post_processor = processors.TemplateProcessing(
        single=frame, special_tokens=[("<bos>", 2), ("<eos>", 3)]
    )
    transformers.PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        pad_token="<pad>",
        unk_token="<unk>",
        bos_token="<bos>",
        eos_token="<eos>",
        model_max_length=512,
    ).save_pretrained(folder)
    return int(tokenizer.get_vocab_size())


def _words() -> Tokenizer:
    vocabulary = {word: place for place, word in enumerate(dict.fromkeys(SPECIAL + WORDS))}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return tokenizer


def _byte_pairs() -> Tokenizer:
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=400, special_tokens=list(SPECIAL), initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator([" ".join(WORDS)] * 3, trainer)
    return tokenizer


def decoder_config(family: str, vocabulary: int, **more: Any) -> Any:
    """Two layers, 32 numbers wide, in the family's own shape."""
    shape = {
        "vocab_size": vocabulary,
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 512,
        "pad_token_id": 0,
        "bos_token_id": 2,
        "eos_token_id": 3,
    }
    if family in {"Qwen3", "Gemma3Text"}:
        shape["head_dim"] = 8
    return getattr(transformers, f"{family}Config")(**(shape | more))


def save_decoder(
    folder: Path, family: str, *, pooling: str, prompts: dict[str, str] | None = None, **more: Any
) -> Path:
    """A sentence-transformers folder: transformer, pooling, normalisation."""
    vocabulary = save_tokenizer(folder, family)
    torch.manual_seed(0)
    model = getattr(transformers, f"{family}Model")(decoder_config(family, vocabulary, **more))
    model.save_pretrained(folder)
    _write(folder / "modules.json", [
        _module(0, "", "Transformer"),
        _module(1, "1_Pooling", "Pooling"),
        _module(2, "2_Normalize", "Normalize"),
    ])  # fmt: skip
    _write(folder / "sentence_bert_config.json", {"max_seq_length": 64, "do_lower_case": False})
    _write(folder / "1_Pooling" / "config.json", {
        "word_embedding_dimension": 32,
        "pooling_mode_mean_tokens": pooling == "mean",
        "pooling_mode_lasttoken": pooling == "lasttoken",
    })  # fmt: skip
    _write(folder / "config_sentence_transformers.json", {"prompts": prompts or {}})
    return folder


def save_latent_attention(folder: Path) -> Path:
    """A Mistral with latent-attention pooling and an `encode` of its own, code beside weights."""
    vocabulary = save_tokenizer(folder, "Mistral")
    (folder / "modeling_latent.py").write_text(LATENT_CODE)
    torch.manual_seed(0)
    base = transformers.MistralModel(decoder_config("Mistral", vocabulary))
    state = {f"base.{name}": tensor for name, tensor in base.state_dict().items()}
    state["latents"] = torch.randn(8, 32)
    config = base.config.to_dict() | {
        "model_type": "latent-mistral",
        "architectures": ["LatentModel"],
        "auto_map": {
            "AutoConfig": "modeling_latent.LatentConfig",
            "AutoModel": "modeling_latent.LatentModel",
        },
        "source": str(folder),
    }
    _write(folder / "config.json", config)
    save_file({name: tensor.contiguous() for name, tensor in state.items()},
              folder / "model.safetensors", metadata={"format": "pt"})  # fmt: skip
    return folder


LATENT_CODE = '''
"""A small stand-in for a model that brings its own code: tokens attend over latents."""

import torch
from transformers import MistralConfig, MistralModel, PreTrainedModel, PreTrainedTokenizerFast


class LatentConfig(MistralConfig):
    model_type = "latent-mistral"

    def __init__(self, source="", **kwargs):
        super().__init__(**kwargs)
        self.source = source


class LatentModel(PreTrainedModel):
    config_class = LatentConfig
    base_model_prefix = "base"

    def __init__(self, config):
        super().__init__(config)
        self.base = MistralModel(config)
        self.latents = torch.nn.Parameter(torch.randn(8, config.hidden_size))
        self.calls = []
        self.post_init()

    def forward(self, input_ids, attention_mask):
        hidden = self.base(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
        weights = torch.softmax(hidden @ self.latents.T, dim=-1)
        hidden = hidden + weights @ self.latents
        mask = attention_mask.unsqueeze(-1).to(hidden.dtype)
        return (hidden * mask).sum(1) / mask.sum(1)

    def encode(self, prompts, instruction="", max_length=512):
        self.calls.append((list(prompts), instruction, max_length))
        tokenizer = PreTrainedTokenizerFast.from_pretrained(self.config.source)
        inputs = tokenizer(
            [instruction + text for text in prompts], padding=True, truncation=True,
            max_length=max_length, return_tensors="pt", return_token_type_ids=False,
        )
        return self(**inputs.to(self.device))
'''


def _module(place: int, path: str, kind: str) -> dict[str, Any]:
    return {
        "idx": place,
        "name": str(place),
        "path": path,
        "type": f"sentence_transformers.models.{kind}",
    }


def _write(file: Path, content: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content))
