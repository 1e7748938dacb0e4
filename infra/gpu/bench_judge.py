"""How fast a GPU encodes with an 8B judge, and how far that is from what the chip can do.

Self-contained: torch and transformers, no weights, no network, no text. It builds an encoder of
Qwen3-Embedding-8B's shape with random weights in bf16 on the device, encodes token sequences of the
lengths of a whole CLIP-CC-Bench run (17 systems x 199 clips: 43,837 distinct texts) in token-budget
batches sorted by length, and prints texts/s, tokens/s and TFLOP/s beside the rate of a large bf16
matrix product measured on the same device. Then it compares fp32 with bf16 vectors of a small
model. Under five minutes: the encoding stops after `--seconds`, having taken batches in random
order, so that the rates hold for the whole.

    python infra/gpu/bench_judge.py
    python infra/gpu/bench_judge.py --device cpu --size tiny
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from transformers import Qwen3Config, Qwen3Model

# Distinct texts of the run by their number of tokens: (longest of the bin, texts).
LENGTHS = (
    (4, 185), (8, 95), (12, 1073), (16, 3567), (20, 6720), (24, 8058), (28, 7167), (32, 5329),
    (40, 5770), (48, 1785), (64, 499), (96, 217), (128, 328), (192, 768), (256, 662), (320, 449),
    (384, 414), (448, 252), (512, 125), (640, 111), (768, 47), (1024, 38), (1536, 20), (2048, 17),
    (4096, 65), (8192, 76),
)  # fmt: skip


@dataclass(frozen=True)
class Size:
    """The shape of an encoder, and what to run it on."""

    hidden: int
    layers: int
    heads: int
    kv_heads: int
    head: int
    intermediate: int
    vocabulary: int
    share: float
    """Share of the run's texts."""
    budget: int
    """Tokens of one batch, padding included."""
    longest: int

    def config(self) -> Qwen3Config:
        """As transformers takes it."""
        return Qwen3Config(
            hidden_size=self.hidden,
            num_hidden_layers=self.layers,
            num_attention_heads=self.heads,
            num_key_value_heads=self.kv_heads,
            head_dim=self.head,
            intermediate_size=self.intermediate,
            vocab_size=self.vocabulary,
            max_position_embeddings=40_960,
            use_cache=False,
        )

    def flops(self, lengths: np.ndarray) -> float:
        """Floating-point operations to encode texts of these lengths, padding not counted.

        Per token twice the weights it meets, and per layer the two attention products, of which
        causal attention needs half.
        """
        attention = self.hidden * self.head * (2 * self.heads + 2 * self.kv_heads)
        weights = self.layers * (attention + 3 * self.hidden * self.intermediate)
        tokens = lengths.astype(np.float64)
        scores = 2 * self.layers * self.heads * self.head * tokens**2
        return float((2 * weights * tokens + scores).sum())


SIZES = {
    "8b": Size(4096, 36, 32, 8, 128, 12_288, 151_936, 1.0, 65_536, 8192),
    "small": Size(1024, 28, 16, 8, 128, 3072, 151_936, 0.2, 65_536, 8192),
    "tiny": Size(64, 2, 4, 2, 16, 128, 1000, 0.005, 2048, 256),
}
SMALL = Size(512, 8, 8, 4, 64, 1536, 8000, 0.0, 8192, 128)


def main() -> int:
    """Run all three measurements and print them."""
    options = arguments()
    size, device = SIZES[options.size], torch.device(options.device)
    torch.manual_seed(0)
    print(f"{name_of(device)}, torch {torch.__version__}")
    peak = matrix_rate(device, 8192 if device.type == "cuda" else 512)
    print(f"bf16 matrix product: {peak:.3g} TFLOP/s")
    start = time.perf_counter()
    model = build(size, device)
    weights = sum(parameter.numel() for parameter in model.parameters())
    print(
        f"{options.size}: {weights / 1e9:.3g}B weights, made in {time.perf_counter() - start:.1f} s"
    )
    report(size, peak, encode_run(model, size, device, options.seconds))
    del model
    compared = SIZES["tiny"] if options.size == "tiny" else SMALL
    print("fp32 against bf16, small model: " + precision(compared, device))
    return 0


def matrix_rate(device: torch.device, edge: int) -> float:
    """TFLOP/s of a square bf16 matrix product, the best of ten."""
    left = torch.randn(edge, edge, device=device, dtype=torch.bfloat16)
    right = torch.randn(edge, edge, device=device, dtype=torch.bfloat16)
    best = math.inf
    for turn in range(13):
        settle(device)
        start = time.perf_counter()
        left @ right
        settle(device)
        if turn >= 3:  # the first ones warm up
            best = min(best, time.perf_counter() - start)
    return 2 * edge**3 / best / 1e12


def build(size: Size, device: torch.device, dtype: torch.dtype = torch.bfloat16) -> Qwen3Model:
    """An encoder with random weights, made on the device."""
    with torch.device(device):
        model = Qwen3Model._from_config(size.config(), dtype=dtype, attn_implementation="sdpa")
    return model.eval()


def encode_run(
    model: Qwen3Model, size: Size, device: torch.device, seconds: float
) -> tuple[np.ndarray, int, float]:
    """Encode the run's batches in random order for at most `seconds`.

    Returns:
        The lengths of the texts encoded, the tokens computed with padding, the seconds taken.
    """
    random = np.random.default_rng(0)
    lengths = draw(size, random)
    batches = in_batches(lengths, size.budget)
    random.shuffle(batches)
    vectors(model, sequences(lengths[batches[0]], size, random), device)  # warms up
    settle(device)
    start, done, computed = time.perf_counter(), [], 0
    queue = list(batches)
    while queue and time.perf_counter() - start < seconds:
        batch = queue.pop()
        try:
            found = vectors(model, sequences(lengths[batch], size, random), device)
        except torch.OutOfMemoryError:
            if len(batch) == 1:
                raise
            queue += np.array_split(batch, 2)
            print(f"out of memory with {len(batch)} texts: halved", file=sys.stderr)
            continue
        if not bool(torch.isfinite(found).all()):
            raise SystemExit("vectors are not finite")
        done.append(lengths[batch])
        computed += len(batch) * int(lengths[batch].max())
    settle(device)
    return np.concatenate(done), computed, time.perf_counter() - start


def report(size: Size, peak: float, run: tuple[np.ndarray, int, float]) -> None:
    """The rates of a run beside the chip's."""
    lengths, computed, seconds = run
    rate = size.flops(lengths) / seconds / 1e12
    tokens = int(lengths.sum())
    print(f"encoded {len(lengths)} texts, {tokens} tokens in {seconds:.1f} s", end="")
    print(f" ({100 * (computed - tokens) / computed:.1f}% padding)")
    print(f"{len(lengths) / seconds:.1f} texts/s")
    print(f"{tokens / seconds:.0f} tokens/s")
    print(f"{rate:.3g} TFLOP/s, {100 * rate / peak:.0f}% of the matrix product's")


@torch.inference_mode()
def vectors(model: Qwen3Model, batch: Sequence[np.ndarray], device: torch.device) -> torch.Tensor:
    """Unit vectors: padded on the left, so the last position is every text's last token."""
    longest = max(map(len, batch))
    ids = np.zeros((len(batch), longest), np.int64)
    mask = np.zeros((len(batch), longest), np.int64)
    for row, tokens in enumerate(batch):
        ids[row, longest - len(tokens) :] = tokens
        mask[row, longest - len(tokens) :] = 1
    inputs: dict[str, Any] = {"input_ids": torch.from_numpy(ids).to(device)}
    if not mask.all():
        inputs["attention_mask"] = torch.from_numpy(mask).to(device)
    last = model(**inputs).last_hidden_state[:, -1].float()
    return torch.nn.functional.normalize(last, dim=1)


def precision(size: Size, device: torch.device) -> str:
    """How far bf16 vectors and their cosines are from fp32 ones, with the same weights."""
    random = np.random.default_rng(1)
    exact = build(size, device, torch.float32)
    batch = sequences(random.integers(5, 128, 64), size, random)
    wide = vectors(exact, batch, device)
    narrow = vectors(exact.to(torch.bfloat16), batch, device)
    own = 1 - (wide * narrow).sum(1)
    pairs = (wide @ wide.T - narrow @ narrow.T).abs()
    return (
        f"1 - cosine of the same text at most {own.max():.1e}; "
        f"cosine of two texts off by at most {pairs.max():.1e}, {pairs.mean():.1e} on average"
    )


def draw(size: Size, random: np.random.Generator) -> np.ndarray:
    """Lengths of texts as in the run, at most the size's longest."""
    parts, low = [], 2
    for high, texts in LENGTHS:
        count = math.ceil(texts * size.share)
        parts.append(random.integers(low, high, count, endpoint=True))
        low = high + 1
    return np.minimum(np.concatenate(parts), size.longest)


def in_batches(lengths: np.ndarray, budget: int) -> list[np.ndarray]:
    """Indexes of texts, longest first, in batches of at most `budget` tokens with padding."""
    order = np.argsort(-lengths, kind="stable")
    batches, start = [], 0
    while start < len(order):
        size = max(1, budget // int(lengths[order[start]]))
        batches.append(order[start : start + size])
        start += size
    return batches


def sequences(lengths: np.ndarray, size: Size, random: np.random.Generator) -> list[np.ndarray]:
    """Random tokens of these lengths."""
    return [random.integers(0, size.vocabulary, int(length)) for length in lengths]


def settle(device: torch.device) -> None:
    """Wait until the device has done all it was given."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def name_of(device: torch.device) -> str:
    """The device in words."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else str(device)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--size", choices=sorted(SIZES), default="8b")
    parser.add_argument("--seconds", type=float, default=150, help="encode for at most this long")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
