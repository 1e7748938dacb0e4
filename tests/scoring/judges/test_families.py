"""Every published judge's entry, on a tiny random model of its architecture.

The entry's own code path loads it from a local folder that a catalogue file names: pooling, padding
side, attention, prompt and remote code are the entry's, only sizes are small.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sentence_transformers import SentenceTransformer

from scoring.judges import catalogue, embedding
from scoring.judges.base import JudgeDrifted, JudgeUnavailable
from scoring.judges.embedding import SentenceJudge
from scoring.judges.entry import Entry
from tests.support.tiny_models import save_decoder, save_latent_attention

TEXTS = [
    "A man opens the door.",
    "Two dogs run along the beach, and a woman calls them back.",
    "night",
    "The camera pans from the street to the roof of a red city.",
    "she walks slowly then fast then slowly then fast then slowly then fast around the blue car",
]
TOLERANCE = 1e-5


@dataclass(frozen=True)
class Family:
    """An entry and how a model of its architecture is made."""

    judge: str
    architecture: str
    more: dict[str, Any]


FAMILIES = [
    Family("qwen3-embedding-8b", "Qwen3", {}),
    Family("gte-qwen2-7b-instruct", "Qwen2", {"is_causal": False}),
    Family(
        "kalm-embedding-gemma3-12b-2511",
        "Gemma3Text",
        {"prompts": {"query": "two dogs ", "document": "a person : "}},
    ),
    Family("llama-embed-nemotron-8b", "Llama", {"is_causal": False}),
    Family("nv-embed-v2", "Mistral", {}),
]
SENTENCE_FAMILIES = FAMILIES[:-1]


@pytest.fixture(scope="session")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One folder of weights per published judge."""
    made = {}
    for family in FAMILIES:
        folder = tmp_path_factory.mktemp(family.judge)
        if family.architecture == "Mistral":
            made[family.judge] = save_latent_attention(folder)
        else:
            pooling = catalogue.entry(family.judge).pooling
            made[family.judge] = save_decoder(
                folder, family.architecture, pooling=pooling, **family.more
            )
    return made


def small(judge: str, folders: dict[str, Path], **changes: Any) -> Entry:
    """The entry of the catalogue, pointed at the tiny model, in float32 unless told otherwise."""
    sizes: dict[str, Any] = {"dimension": 32, "max_tokens": 16, "dtype": "float32"}
    return replace(catalogue.entry(judge), path=str(folders[judge]), **(sizes | changes))


def matrix(judge: Any, texts: list[str], **options: Any) -> np.ndarray:
    """Vectors in the order of the texts."""
    found = judge.encode(texts, **options)
    return np.asarray(found.matrix[found.rows])


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.judge)
def test_the_entry_loads_by_way_of_a_catalogue_file(
    family: Family, folders: dict[str, Path], tmp_path: Path
) -> None:
    """With the entry's own dtype: bf16 and fp16 too."""
    extra = tmp_path / "mine.toml"
    extra.write_text(
        f'[judge.{family.judge}]\npath = "{folders[family.judge]}"\n'
        "dimension = 32\nmax_tokens = 16\n"
    )
    judge = catalogue.load(family.judge, extra=extra, device="cpu")
    entry = catalogue.entry(family.judge)
    assert judge is catalogue.load(family.judge, extra=extra, device="cpu"), "kept warm"
    vectors = matrix(judge, TEXTS)
    assert vectors.shape == (5, 32)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-6)
    said = judge.signature()
    dtype = "float32" if entry.dtype == "auto" else entry.dtype
    for part in (
        f"judge:{entry.name}",
        f"rev:{entry.revision[:12]}",
        f"prompt:{entry.prompt}",
        f"pool:{entry.pooling}",
        f"pad:{entry.padding}",
        "max:16",
        f"dtype:{dtype}",
    ):
        assert part in said.split("|"), said


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.judge)
def test_neither_batch_nor_order_changes_a_vector(family: Family, folders: dict[str, Path]) -> None:
    """EM-01: together, one by one, and in reverse."""
    judge = embedding.load(small(family.judge, folders), device="cpu")
    together = matrix(judge, TEXTS)
    alone = np.concatenate([matrix(judge, [text]) for text in TEXTS])
    reverse = matrix(judge, TEXTS[::-1])[::-1]
    judge.budget = 20
    scarce = matrix(judge, TEXTS)
    for other in (alone, reverse, scarce):
        np.testing.assert_allclose(other, together, atol=TOLERANCE)


@pytest.mark.parametrize("family", SENTENCE_FAMILIES, ids=lambda f: f.judge)
def test_vectors_are_those_of_sentence_transformers(
    family: Family, folders: dict[str, Path]
) -> None:
    """Ours are batched and padded by us; the library's own `encode_document` gives the same."""
    entry = small(family.judge, folders)
    judge = embedding.load(entry, device="cpu")
    model = SentenceTransformer(
        entry.path, device="cpu", processor_kwargs={"padding_side": entry.padding}
    )
    model.max_seq_length = 16
    encode = model.encode_document if entry.prompt == "encode_document" else model.encode
    expected = encode(TEXTS, normalize_embeddings=True)
    np.testing.assert_allclose(matrix(judge, TEXTS), expected, atol=TOLERANCE)
    if family.more.get("prompts"):
        bare = model.encode(TEXTS, normalize_embeddings=True)
        assert np.abs(bare - expected).max() > 1e-3, "the prompt must matter for this to test it"


@pytest.mark.parametrize("family", SENTENCE_FAMILIES, ids=lambda f: f.judge)
def test_the_padding_side_is_the_entrys(family: Family, folders: dict[str, Path]) -> None:
    judge = embedding.load(small(family.judge, folders), device="cpu")
    assert isinstance(judge, SentenceJudge)
    padded = judge._padded([[4, 5, 6], [7]])
    left = judge.entry.padding == "left"
    assert padded["attention_mask"].tolist() == [[1, 1, 1], [0, 0, 1] if left else [1, 0, 0]]
    assert padded["input_ids"].tolist() == [[4, 5, 6], [0, 0, 7] if left else [7, 0, 0]]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda f: f.judge)
def test_long_texts(family: Family, folders: dict[str, Path]) -> None:
    """EM-02: a text over the limit is cut and counted, or the mean of its windows."""
    judge = embedding.load(small(family.judge, folders), device="cpu")
    start = " ".join(["dog"] * 30)  # far over 16 tokens
    texts = [f"{start} opens the door", f"{start} closes the door", "dog"]
    cut = judge.encode(texts, long_text="truncate")
    whole = judge.encode(texts, long_text="windows")
    assert (cut.cut, whole.cut) == (2, 2)
    assert cut.cosines([0], [1])[0, 0] == pytest.approx(1, abs=1e-6)
    assert whole.cosines([0], [1])[0, 0] < 1 - 1e-6
    assert judge.signature("truncate") != judge.signature("windows")


def test_windows_are_averaged_and_normalised_again(folders: dict[str, Path]) -> None:
    judge = embedding.load(small("qwen3-embedding-8b", folders), device="cpu")
    text = " ".join(["man", "woman", "dog", "door", "night"] * 8)
    words = text.split()
    windows = [" ".join(words[i : i + 15]) for i in range(0, 40, 15)]  # 15 words and an <eos>
    mean = matrix(judge, windows).mean(axis=0)
    np.testing.assert_allclose(
        matrix(judge, [text], long_text="windows")[0], mean / np.linalg.norm(mean), atol=TOLERANCE
    )


def test_a_models_own_encode_gets_an_empty_instruction(folders: dict[str, Path]) -> None:
    judge: Any = embedding.load(small("nv-embed-v2", folders), device="cpu")
    judge.encode(TEXTS)
    assert judge._model.calls
    for texts, instruction, limit in judge._model.calls:
        assert set(texts) <= set(TEXTS)
        assert (instruction, limit) == ("", 16)


def test_windows_of_a_models_own_encode_are_stretches_of_the_text(
    folders: dict[str, Path],
) -> None:
    judge: Any = embedding.load(small("nv-embed-v2", folders), device="cpu")
    text = " ".join(["man", "woman", "dog"] * 10)
    found = judge.pieces([text, "A man."], "windows")
    assert found.owners.tolist() == [0, 0, 0, 1]
    assert " ".join(found.items[:3]) == text
    assert found.items[3] == "A man."
    assert found.cut.tolist() == [True, False]


def test_a_folder_that_says_nothing_of_pooling_gets_the_entrys(
    folders: dict[str, Path], tmp_path: Path
) -> None:
    """EM-03: not the library's default of mean pooling."""
    bare = tmp_path / "bare"
    shutil.copytree(folders["qwen3-embedding-8b"], bare)
    for name in ("modules.json", "sentence_bert_config.json", "1_Pooling/config.json"):
        (bare / name).unlink()
    expected = embedding.load(small("qwen3-embedding-8b", folders), device="cpu")
    judge = embedding.load(small("qwen3-embedding-8b", {"qwen3-embedding-8b": bare}), device="cpu")
    np.testing.assert_allclose(matrix(judge, TEXTS), matrix(expected, TEXTS), atol=TOLERANCE)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"pooling": "mean"}, "pools by lasttoken"),
        ({"dimension": 64}, "have 32 numbers"),
        ({"attention": "bidirectional"}, "attention is not bidirectional"),
    ],
)
def test_another_model_than_the_entry_names_is_refused(
    changes: dict[str, Any], said: str, folders: dict[str, Path]
) -> None:
    """EM-03."""
    with pytest.raises(JudgeDrifted, match=said):
        embedding.load(small("qwen3-embedding-8b", folders, **changes), device="cpu")


def test_remote_code_needs_a_pinned_revision() -> None:
    entry = replace(catalogue.entry("nv-embed-v2"), revision="")
    with pytest.raises(JudgeUnavailable, match="pin a revision"):
        embedding.load(entry)


def test_every_entry_that_trusts_remote_code_pins_a_revision() -> None:
    trusting = [entry for entry in catalogue.entries() if entry.trust_remote_code]
    assert trusting
    assert all(len(entry.revision) == 40 for entry in trusting)


def test_missing_weights_are_said_with_the_remedy() -> None:
    with pytest.raises(JudgeUnavailable, match="cliprank judges check qwen3-embedding-8b"):
        embedding.load(catalogue.entry("qwen3-embedding-8b"))


def test_a_folder_that_is_not_there() -> None:
    entry = replace(catalogue.entry("qwen3-embedding-8b"), path="/no/such/folder")
    with pytest.raises(JudgeUnavailable, match="/no/such/folder"):
        embedding.load(entry)


def test_a_model_without_an_encode_of_its_own(folders: dict[str, Path]) -> None:
    entry = small("nv-embed-v2", {"nv-embed-v2": folders["qwen3-embedding-8b"]})
    with pytest.raises(JudgeUnavailable, match="no `encode` of its own"):
        embedding.load(entry, device="cpu")
