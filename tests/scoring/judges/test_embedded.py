"""The judges that come with the installation, one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from scoring.judges import catalogue
from scoring.judges.base import JudgeFailed

SENTENCES = [
    "A man opens a door and walks into a dark room.",
    "Two dogs run along the beach.",
    "The camera pans from the street to the roof of the house.",
]
LONG = " ".join(["a man in a red coat walks slowly along the street"] * 60)
OPPOSITE = (" and in the end he is alone and the city is quiet", " and everybody sings and dances")


@pytest.fixture(scope="module")
def minilm() -> Any:
    return catalogue.load("all-minilm-l6-v2", device="cpu")


def matrix(judge: Any, texts: list[str], **options: Any) -> np.ndarray:
    found = judge.encode(texts, **options)
    return np.asarray(found.matrix[found.rows])


def test_a_run_on_sentence_is_marked_as_cut(minilm: Any) -> None:
    """EM-02: only the last words differ; either the vectors do, or the texts are counted."""
    pair = [LONG + end * 8 for end in OPPOSITE]
    truncated = minilm.encode(pair, long_text="truncate")
    assert truncated.cut == 2
    assert truncated.cosines([0], [1])[0, 0] == pytest.approx(1, abs=1e-6)
    windows = minilm.encode(pair, long_text="windows")
    assert windows.cut == 2
    assert windows.cosines([0], [1])[0, 0] < 0.999


def test_the_limit_is_in_tokens(minilm: Any) -> None:
    """EM-02: 254 words and two special tokens fit; one word more is cut."""
    assert minilm.encode(["dog " * 254]).cut == 0
    assert minilm.encode(["dog " * 255]).cut == 1
    assert minilm.encode(["a" * 5_000]).cut == 0, "one unknown word is one token"


def test_both_rules_agree_on_short_texts(minilm: Any) -> None:
    cut, whole = (matrix(minilm, SENTENCES, long_text=rule) for rule in ("truncate", "windows"))
    np.testing.assert_array_equal(cut, whole)


def test_a_rule_that_does_not_exist(minilm: Any) -> None:
    with pytest.raises(JudgeFailed, match="'summarise'"):
        minilm.encode(SENTENCES, long_text="summarise")


def test_a_signature_names_everything_that_changes_a_vector(minilm: Any) -> None:
    parts = minilm.signature().split("|")
    assert parts[:8] == [
        "judge:all-minilm-l6-v2",
        "rev:53aa51172d14",
        "prompt:none",
        "pool:mean",
        "pad:right",
        "max:256",
        "long:truncate",
        "dtype:float32",
    ]
    assert [part.split(":")[0] for part in parts[8:]] == ["st", "tf", "torch"]
    assert "long:windows" in minilm.signature("windows")


def test_thread_count_is_left_alone(minilm: Any) -> None:
    before = torch.get_num_threads()
    minilm.encode(SENTENCES)
    assert torch.get_num_threads() == before


def test_use_reads_german_and_cuts_nothing() -> None:
    judge: Any = catalogue.load("use-multilingual-v3")
    texts = ["Ein Mann öffnet eine Tür.", "A man opens a door.", "Zwei Hunde laufen am Strand."]
    found = judge.encode([*texts, LONG * 5], long_text="truncate")
    near, far = found.cosines([0], [1, 2])[0]
    assert near > 0.7
    assert far < 0.4
    assert found.cut == 0
    assert judge.signature() == judge.signature("windows"), "a rule that it has no use for"


@pytest.mark.parametrize("name", ["all-minilm-l6-v2", "use-multilingual-v3"])
def test_batches_change_nothing(name: str) -> None:
    """EM-01, for weights: whole, one by one, and in reverse."""
    judge = catalogue.load(name)
    texts = [*SENTENCES, LONG, "night"]
    together = matrix(judge, texts)
    alone = np.concatenate([matrix(judge, [text]) for text in texts])
    np.testing.assert_allclose(alone, together, atol=1e-5)
    np.testing.assert_allclose(matrix(judge, texts[::-1])[::-1], together, atol=1e-5)


# --- the lexical judge ---------------------------------------------------------------------------


def test_tfidf_is_the_formula_of_its_docstring() -> None:
    documents = ["aa ab", "aa", "ab ba", "aa aa"]
    judge = catalogue.load("char-tfidf").fit(documents)
    found = judge.encode(["aa aa ab", "ab"])

    def grams(text: str) -> dict[str, int]:
        counts: dict[str, int] = {}
        for word in text.split():
            padded = f" {word} "
            for n in (2, 3, 4):
                for start in range(len(padded) - n + 1):
                    gram = padded[start : start + n]
                    counts[gram] = counts.get(gram, 0) + 1
        return counts

    seen = [grams(text) for text in documents]
    df = {gram: sum(gram in s for s in seen) for s in seen for gram in s}

    def vector(text: str) -> dict[str, float]:
        kept = {gram: tf for gram, tf in grams(text).items() if df.get(gram, 0) >= 2}
        return {
            gram: (1 + np.log(tf)) * (1 + np.log((1 + 4) / (1 + df[gram])))
            for gram, tf in kept.items()
        }

    one, two = vector("aa aa ab"), vector("ab")
    dot = sum(one[gram] * two.get(gram, 0) for gram in one)
    expected = dot / np.sqrt(sum(x * x for x in one.values()) * sum(x * x for x in two.values()))
    assert found.cosines([0], [1])[0, 0] == pytest.approx(expected, abs=1e-12)


def test_tfidf_knows_what_it_was_fitted_on() -> None:
    judge = catalogue.load("char-tfidf")
    fitted = judge.fit(SENTENCES)
    assert fitted.signature() == judge.fit(SENTENCES[::-1]).signature()
    assert fitted.signature() != judge.fit(SENTENCES[:2]).signature()
    assert "fit:unfitted" in judge.signature(), "the shared judge is left as it was"


def test_tfidf_without_a_fit_says_so() -> None:
    with pytest.raises(JudgeFailed, match="must be fitted"):
        catalogue.load("char-tfidf").encode(SENTENCES)


def test_tfidf_on_sentences_that_share_nothing_says_what_it_needs() -> None:
    with pytest.raises(JudgeFailed, match="at least two that share some letters"):
        catalogue.load("char-tfidf").fit(["abc", "xyz"])


def test_tfidf_of_a_text_that_shares_no_letters_is_0() -> None:
    found = catalogue.load("char-tfidf").fit(SENTENCES).encode(["☃☃☃", SENTENCES[0]])
    np.testing.assert_array_equal(found.cosines([0], [0, 1]), [[0, 0]])


def test_tfidf_tells_its_progress() -> None:
    seen: list[tuple[int, int]] = []
    judge = catalogue.load("char-tfidf").fit(SENTENCES)
    found = judge.encode(SENTENCES, lambda *told: seen.append(told))
    found.cosines([0], [1])
    found.cosines([0], [2])
    assert seen == [(2, 3), (3, 3)]
