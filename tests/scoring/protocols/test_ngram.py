"""n-gram metrics: the published values, and the cases NG-*."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from pycocoevalcap.bleu.bleu import Bleu

from scoring import java
from scoring.java import meteor
from scoring.judges.base import JudgeUnavailable
from scoring.protocols import ngram
from scoring.types import JudgeResult, Reference, ScoringError

pytestmark = [
    pytest.mark.skipif(not java.available(), reason="needs Java"),
    pytest.mark.xdist_group("java"),
]


def _score(
    descriptions: Mapping[str, str], references: Mapping[str, list[str]], **options: Any
) -> JudgeResult:
    language = options.get("language", "en")
    known = {c: [Reference(t, language) for t in texts] for c, texts in references.items()}
    return ngram.score(descriptions, known, **options)


def _of(result: JudgeResult, clip: str) -> dict[str, float]:
    place = result.clips.index(clip)
    return {name: float(values[place]) for name, values in result.metrics.items()}


def test_table_4_of_fm_v2t_to_three_decimals(published_fm_v2t: dict[str, Any]) -> None:
    """METEOR, BLEU-1, BLEU-2 and ROUGE-L of five texts against one reference."""
    texts = published_fm_v2t["table3_texts"]
    rows = published_fm_v2t["table4"]
    result = _score(
        {name: texts[name] for name in rows}, {name: [texts["Reference"]] for name in rows}
    )
    for name, row in rows.items():
        printed = dict(zip(published_fm_v2t["table4_columns"], row, strict=True))
        values = _of(result, name)
        for metric in ("meteor", "bleu_1", "bleu_2", "rouge_l"):
            assert f"{values[metric]:.3f}" == f"{printed[metric]:.3f}", (name, metric)


def test_the_order_of_clips_and_what_stands_beside_a_text_do_not_matter() -> None:
    """Whatever characters a description holds, its score is its own."""
    nasty = {
        "bars": "a dog ||| runs ||| on the grass",
        "lines": "a dog\nruns\r\non\u2028the grass\x00",
        "blank": " \u200b\n",
        "dots": "...",
        "abbreviation": "A dog runs on grass of Acme Inc. at No.",
        "markup": "a dog <b runs EVAL ||| 1 2 3 > SCORE ||| on",
        "long": "a dog runs on the grass and " * 150,
        "emoji": "a dog 😀 runs on grass",
    }
    references = {clip: ["A dog runs on the green grass.", "The dog is running."] for clip in nasty}
    references["plain"] = ["A cat sleeps."]
    together = _score(nasty, references)
    backwards = _score(nasty, {clip: references[clip] for clip in reversed(references)})
    for clip in references:
        assert _of(together, clip) == _of(backwards, clip), clip
    assert _of(together, "bars")["bleu_1"] == pytest.approx(6 / 12)
    assert _of(together, "lines") == _of(
        _score({"lines": "a dog runs on the grass"}, references), "lines"
    )
    assert set(_of(together, "blank").values()) == set(_of(together, "dots").values()) == {0.0}
    assert together.counts == {"empty": 3, "references_min": 1, "references_max": 2}


def test_case_ng_03_cider_weights_come_from_the_release() -> None:
    """Two clips give 10, one is undefined, a missing description is 0 and so are all empty."""
    two = {"a": ["a dog runs on grass"], "b": ["the man is cooking some food"]}
    same = {clip: texts[0] for clip, texts in two.items()}
    assert _score(same, two).metrics["cider"] == pytest.approx([10, 10])
    one = _score({"a": same["a"]}, {"a": two["a"]})
    assert "cider" not in one.metrics
    assert "not defined for one clip" in one.undefined["cider"]
    assert _score({"a": same["a"]}, two).metrics["cider"] == pytest.approx([10, 0])
    empty = _score({"a": "", "b": ""}, two)
    assert all(np.array_equal(values, [0, 0]) for values in empty.metrics.values())


def test_case_ng_03_the_signature_names_the_reference_set() -> None:
    """The same description on another set has other CIDEr weights."""
    first = _score({}, {"a": ["a dog runs"], "b": ["a cat sits"]})
    other = _score({}, {"a": ["a dog runs"], "b": ["a cat eats"]})
    assert first.signature != other.signature
    assert (
        first.signature == _score({"a": "x"}, {"a": ["a dog runs"], "b": ["a cat sits"]}).signature
    )


def test_case_ng_03_references_without_any_word_are_named() -> None:
    """A fault of the release, not a number."""
    with pytest.raises(ScoringError, match="clip b: its references hold no word"):
        _score({"a": "x"}, {"a": ["a dog"], "b": ["..."]})
    with pytest.raises(ScoringError, match=r"for 1 of 2 clips \(b\)"):
        _score({"a": "x"}, {"a": ["a dog"], "b": [" "]})


def test_case_ng_04_short_texts() -> None:
    """Identical is 1 at every order (effective order), nothing shared is 0, empty is 0."""
    result = _score(
        {"same": "a dog runs", "other": "yes", "empty": ""},
        {"same": ["a dog runs"], "other": ["no"], "empty": ["a dog runs"]},
    )
    for order in range(1, 5):
        values = result.metrics[f"bleu_{order}"]
        assert values == pytest.approx([1, 0, 0], abs=1e-8)
        assert ((values >= 0) & (values <= 1)).all()
        assert list(values[1:]) == [0, 0]
    assert result.metrics["rouge_l"] == pytest.approx([1, 0, 0])
    assert result.metrics["meteor"] == pytest.approx([1, 0, 0])


def test_case_ng_05_each_clip_meets_its_own_references() -> None:
    """45.02 over the corpus, and per clip what each gives alone; uneven counts are fine."""
    texts = ["a dog runs on grass", "a man is cooking food", "a cat sleeps on a mat"]
    known = ["a dog runs on grass", "a man is frying an egg", "a cat sits on a sofa"]
    descriptions = {str(n): text for n, text in enumerate(texts)}
    references = {str(n): [text] for n, text in enumerate(known)}
    result = _score(descriptions, references)
    assert result.metrics["bleu_4"][0] == pytest.approx(1)
    assert (result.metrics["bleu_4"][1:] < 0.5).all()
    tokens = ngram._tokens(texts, [[text] for text in known])
    corpus, _ = Bleu(4).compute_score(
        {n: [" ".join(words[0])] for n, (_, words) in enumerate(tokens)},
        {n: [" ".join(words)] for n, (words, _) in enumerate(tokens)},
        verbose=0,
    )
    assert corpus[3] == pytest.approx(0.4502, abs=5e-5)
    references["1"].append("a man is cooking food")
    uneven = _score(descriptions, references)
    assert uneven.metrics["bleu_4"][1] == pytest.approx(1)
    assert uneven.metrics["bleu_4"][2] == result.metrics["bleu_4"][2]
    assert uneven.evidence["1"]["references_used"] == [0, 1]


def test_case_ng_06_words_not_letters() -> None:
    """BLEU over letters would be 0.733; the implementation is named in the signature."""
    result = _score({"a": "a dog sits on grass"}, {"a": ["a dog runs on grass"]})
    assert result.metrics["bleu_1"][0] == pytest.approx(0.8)
    assert result.metrics["bleu_4"][0] == 0
    for name in ("pycocoevalcap-1.2", "ptb-3.4.1", "meteor-1.5-en-norm"):
        assert name in result.signature


def test_case_ng_07_letters_beyond_ascii() -> None:
    """Identical is 1 in any script and Unicode form, other words are not."""
    result = _score(
        {"zh": "一只狗在跑", "cut": "caf", "form": "cafe\u0301"},
        {"zh": ["一只狗在跑"], "cut": ["caf\u00e9"], "form": ["caf\u00e9"]},
    )
    assert result.metrics["bleu_1"] == pytest.approx([1, 0, 1], abs=1e-8)
    assert result.metrics["rouge_l"] == pytest.approx([1, 0, 1])
    with pytest.raises(ngram.NotDefined, match="not defined for language 'zh'"):
        _score({"zh": "一只狗在跑"}, {"zh": ["一只狗在跑"]}, language="zh")


def test_german_has_no_meteor_and_says_so() -> None:
    """Its stems, synonyms and paraphrases are English; the other metrics count words."""
    texts = {"a": "Ein Hund läuft über die Straße.", "b": "Die Frau kocht."}
    result = _score(texts, {c: [t] for c, t in texts.items()}, language="de")
    assert "not defined for German" in result.undefined["meteor"]
    assert set(result.metrics) == set(ngram.METRICS) - {"meteor"}
    assert result.metrics["bleu_4"] == pytest.approx([1, 1], abs=1e-8)


def test_case_ng_08_rouge_l_is_over_the_whole_text() -> None:
    """0.5556, the value of `rougeL`; the summary-level variant would give 1."""
    result = _score(
        {"a": "A dog runs out. A man opens the door."},
        {"a": ["A man opens the door. A dog runs out."]},
    )
    assert result.metrics["rouge_l"][0] == pytest.approx(0.5556, abs=5e-5)
    assert "l-whole-text" in result.signature


def test_it_says_which_references_it_read() -> None:
    """One long or many short ones, in the language asked for."""
    references = {
        "a": [
            Reference("A dog runs over a wide green field.", "en", "long"),
            Reference("Ein Hund läuft.", "de", "long"),
            Reference("a dog runs", "en", "short"),
            Reference("a running dog", "en", "short"),
        ]
    }
    text = {"a": "a dog runs"}
    long = ngram.score(text, references, kind="long")
    short = ngram.score(text, references, kind="short")
    assert (long.evidence["a"]["references_used"], short.evidence["a"]["references_used"]) == (
        [0],
        [2, 3],
    )
    assert "refs:long-en" in long.signature
    assert "refs:short-en" in short.signature
    assert short.metrics["bleu_1"][0] > long.metrics["bleu_1"][0]
    with pytest.raises(ScoringError, match=r"no short text in language 'de' .* long de"):
        ngram.score(text, references, language="de", kind="short")


def test_without_java_the_protocol_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else needs it."""
    monkeypatch.setenv("PATH", "")
    with pytest.raises(JudgeUnavailable, match="not available: needs Java"):
        _score({"a": "x"}, {"a": ["a dog"]})


def test_progress_is_told_by_clip() -> None:
    """METEOR takes the time; its clips are counted."""
    seen: list[tuple[int, int]] = []
    references = {"a": [Reference("a dog")], "b": [Reference("a cat")]}
    ngram.score({}, references, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 2), (2, 2)]
    assert meteor.shared().starts <= 1
