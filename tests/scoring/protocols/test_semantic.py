"""The semantic protocol: golden values of the benchmark's own scorer, and what always holds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scoring.cache import EmbeddingCache, FileStore
from scoring.judges import catalogue
from scoring.judges.base import EmbeddingJudge
from scoring.protocols import semantic
from scoring.protocols.semantic import METRICS, harmonic_mean
from scoring.types import JudgeResult, Reference, ScoringError

REFERENCES = {
    "c1": [Reference("A man opens a door. He walks into a dark room and looks around.")],
    "c2": [Reference("Two dogs run along the beach. A woman in a red coat calls them back.")],
    "c3": [Reference("The camera pans from the street to the roof. A bird takes off.")],
}
DESCRIPTIONS = {
    "c1": "A person opens the door of a house. It is dark inside.",
    "c2": "Dogs run on the sand while a woman calls. The sea is calm. It rains.",
    "c3": "A bird flies off the roof.",
}
BLANK = ["", "   ", "\n\t", "\u200b", "\u2060\ufeff"]
FINITE = ["...", "\u2603\u2603\u2603"]


@pytest.fixture(params=catalogue.EMBEDDED_PANEL)
def judge(request: pytest.FixtureRequest) -> EmbeddingJudge:
    """Every judge that comes with the installation."""
    return catalogue.load(request.param)


def score(judge: EmbeddingJudge, descriptions: dict[str, str], **more: Any) -> JudgeResult:
    return semantic.score(judge, descriptions, more.pop("references", REFERENCES), **more)


def table(result: JudgeResult) -> np.ndarray:
    """Values, shape (metrics, clips)."""
    return np.array([result.metrics[metric] for metric in METRICS])


# --- golden values -------------------------------------------------------------------------------


def test_every_golden_value_is_met(clip_cc_dir: Path, golden_clip_cc: dict[str, Any]) -> None:
    """40 pairs x 5 values of the benchmark's released scorer, to 1e-5, and its sentence counts."""
    dataset = json.loads((clip_cc_dir / "clip_cc_dataset.json").read_text())
    texts = {row["id"]: row["summary"] for row in dataset}
    judge = catalogue.load("all-minilm-l6-v2")
    rows: dict[str, list[dict[str, Any]]] = {}
    for row in golden_clip_cc["rows"]:
        rows.setdefault(row["system"], []).append(row)
    assert sum(map(len, rows.values())) == 40
    for system, expected in rows.items():
        descriptions = json.loads((clip_cc_dir / "models" / f"{system}.json").read_text())
        references = {row["clip"]: [Reference(texts[row["clip"]])] for row in expected}
        result = semantic.score(judge, descriptions, references, long_text="truncate")
        for place, row in enumerate(expected):
            for metric in METRICS:
                assert result.metrics[metric][place] == pytest.approx(row[metric], abs=1e-5)
            seen = result.evidence[row["clip"]]
            assert len(seen["candidate"]) == row["candidate_sentences"]
            assert len(seen["reference"]) == row["reference_sentences"]


# --- what holds for every judge ------------------------------------------------------------------


def test_the_five_values_follow_from_the_cosines(judge: EmbeddingJudge) -> None:
    """Written out once more, from the evidence and the judge alone."""
    result = score(judge, DESCRIPTIONS)
    fitted = judge.fit([s for e in result.evidence.values() for s in e["reference"]])
    for place, (clip, options) in enumerate(REFERENCES.items()):
        seen = result.evidence[clip]
        texts = [DESCRIPTIONS[clip], options[0].text, *seen["candidate"], *seen["reference"]]
        vectors = fitted.encode(texts)
        n = len(seen["candidate"])
        rows, columns = range(2, 2 + n), range(2 + n, len(texts))
        fine = np.array([[vectors.cosines([r], [c])[0, 0] for c in columns] for r in rows])
        coarse = vectors.cosines([0], [1])[0, 0]
        precision, recall = fine.max(1).mean(), fine.max(0).mean()
        f1 = 2 * precision * recall / (precision + recall)
        expected = [coarse, precision, recall, f1, 2 * coarse * f1 / (coarse + f1)]
        np.testing.assert_allclose(table(result)[:, place], expected, atol=1e-5)
        for (best, cosine), row in zip(seen["candidate_best"], fine, strict=True):
            assert (best, cosine) == (int(row.argmax()), pytest.approx(row.max(), abs=1e-5))
        for (best, cosine), row in zip(seen["reference_best"], fine.T, strict=True):
            assert (best, cosine) == (int(row.argmax()), pytest.approx(row.max(), abs=1e-5))


def test_the_reference_itself_scores_highest(judge: EmbeddingJudge) -> None:
    perfect = {clip: options[0].text for clip, options in REFERENCES.items()}
    assert table(score(judge, perfect)) == pytest.approx(1, abs=1e-5)
    assert (table(score(judge, perfect)) > table(score(judge, DESCRIPTIONS))).all()


def test_neither_order_nor_company_changes_a_value(judge: EmbeddingJudge) -> None:
    """EM-01: whole, clip by clip, and in reverse."""
    whole = table(score(judge, DESCRIPTIONS))
    turned = dict(reversed(REFERENCES.items()))
    reverse = table(score(judge, DESCRIPTIONS, references=turned))[:, ::-1]
    np.testing.assert_allclose(reverse, whole, atol=1e-5)
    if judge.entry.needs_fit:
        return  # fitted on other references it is another judge
    for place, clip in enumerate(REFERENCES):
        alone = score(judge, DESCRIPTIONS, references={clip: REFERENCES[clip]})
        np.testing.assert_allclose(table(alone)[:, 0], whole[:, place], atol=1e-5)


def test_scoring_again_gives_the_same_digits(judge: EmbeddingJudge) -> None:
    """EM-01: displayed values are identical."""
    first, second = (score(judge, DESCRIPTIONS) for _ in range(2))
    np.testing.assert_array_equal(table(first), table(second))
    assert first.signature == second.signature


@pytest.mark.parametrize("blank", BLANK)
def test_a_blank_description_scores_exactly_0(judge: EmbeddingJudge, blank: str) -> None:
    """VA-03: it is counted, and no judge is shown it."""
    result = score(judge, DESCRIPTIONS | {"c2": blank})
    assert (table(result)[:, 1] == 0).all()
    assert (table(result)[:, [0, 2]] > 0).all()
    assert result.counts["empty"] == 1
    assert result.evidence["c2"]["candidate"] == []
    assert result.evidence["c2"]["reference"] == [
        "Two dogs run along the beach.",
        "A woman in a red coat calls them back.",
    ]


@pytest.mark.parametrize("odd", FINITE)
def test_dots_and_symbols_give_a_finite_score(judge: EmbeddingJudge, odd: str) -> None:
    """VA-03: they are content."""
    result = score(judge, DESCRIPTIONS | {"c2": odd})
    values = dict(zip(METRICS, table(result)[:, 1], strict=True))
    assert all(np.isfinite(value) and -1 <= value <= 1 for value in values.values())
    assert 0 <= values["hm_cf"] <= 1
    assert 0 <= values["fine_f1"] <= 1
    assert result.counts["empty"] == 0


def test_a_missing_description_is_a_blank_one(judge: EmbeddingJudge) -> None:
    """VA-01: the clip counts, with 0."""
    partial = score(judge, {"c1": DESCRIPTIONS["c1"]})
    assert partial.clips == tuple(REFERENCES)
    assert partial.counts["empty"] == 2
    assert partial.mean()["hm_cf"] == pytest.approx(partial.metrics["hm_cf"][0] / 3)


def test_nothing_but_blanks(judge: EmbeddingJudge) -> None:
    result = score(judge, {})
    assert not table(result).any()
    assert result.counts == {"empty": 3, "cut": 0, "texts": 0, "encoded": 0}


def test_unknown_clips_are_left_alone(judge: EmbeddingJudge) -> None:
    more = score(judge, DESCRIPTIONS | {"c9": "A text for no clip."})
    np.testing.assert_array_equal(table(more), table(score(judge, DESCRIPTIONS)))


def test_results_are_ready_to_be_stored(judge: EmbeddingJudge) -> None:
    result = score(judge, DESCRIPTIONS)
    assert result.judge == judge.entry.name
    assert tuple(result.metrics) == METRICS
    assert all(values.dtype == np.float64 for values in result.metrics.values())
    json.dumps([result.evidence, result.counts, result.mean()], allow_nan=False)
    assert "|protocol:semantic.1|" in result.signature
    assert f"|judge:{judge.entry.name}|" in result.signature
    assert "|split:punkt-" in result.signature
    assert len(result.signature) < 1000


# --- several references --------------------------------------------------------------------------


def test_the_best_of_several_references_counts() -> None:
    """One reference gives all five values of a clip; the evidence says which."""
    judge = catalogue.load("use-multilingual-v3")
    far = Reference("Two chefs argue in a crowded kitchen. Plates fall to the floor.")
    blank = Reference(" \u200b")
    several = {clip: [blank, far, *options] for clip, options in REFERENCES.items()}
    result = score(judge, DESCRIPTIONS, references=several)
    np.testing.assert_allclose(table(result), table(score(judge, DESCRIPTIONS)), atol=1e-6)
    assert {seen["reference_used"] for seen in result.evidence.values()} == {2}


def test_languages_are_split_by_their_own_rules() -> None:
    judge = catalogue.load("use-multilingual-v3")
    references = {"c1": [Reference("Er kommt am 3. Mai. Dann geht er.", language="de")]}
    result = score(judge, {"c1": "Am 3. Mai kommt er an. Es regnet."}, references=references)
    assert result.evidence["c1"]["candidate"] == ["Am 3. Mai kommt er an.", "Es regnet."]
    assert "-de" in result.signature


def test_a_clip_without_a_reference_text_is_refused() -> None:
    judge = catalogue.load("use-multilingual-v3")
    for options in ([], [Reference("  ")]):
        with pytest.raises(ScoringError, match="clip c1: it has no reference text"):
            score(judge, {"c1": "A text."}, references={"c1": options})


# --- cache, progress, size -----------------------------------------------------------------------


def test_an_added_system_costs_its_own_texts_only(tmp_path: Path) -> None:
    """And scoring an unchanged one again costs no encoding."""
    judge = catalogue.load("use-multilingual-v3")
    cache = EmbeddingCache(FileStore(tmp_path))
    first = score(judge, DESCRIPTIONS, cache=cache)
    assert first.counts["encoded"] == first.counts["texts"]
    again = score(judge, DESCRIPTIONS, cache=cache)
    assert again.counts["encoded"] == 0
    np.testing.assert_array_equal(table(again), table(first))
    other = {"c1": "One new sentence.", "c2": "One new sentence.", "c3": "One new sentence."}
    assert score(judge, other, cache=cache).counts["encoded"] == 1


def test_progress_ends_with_all_texts(judge: EmbeddingJudge) -> None:
    seen: list[tuple[int, int]] = []
    result = score(judge, DESCRIPTIONS, progress=lambda *told: seen.append(told))
    assert seen[-1] == (result.counts["texts"],) * 2


def test_a_very_long_description_is_scored(judge: EmbeddingJudge) -> None:
    """28,000 characters, as a published submission has."""
    sentence = "In shot {} the man in the coat walks slowly along a wet street at night. "
    text = "".join(sentence.format(number) for number in range(400))
    assert len(text) > 28_000
    result = score(judge, DESCRIPTIONS | {"c1": text[:28_000]})
    assert np.isfinite(table(result)).all()
    assert len(result.evidence["c1"]["candidate_best"]) > 350
    if judge.entry.max_tokens:
        assert result.counts["cut"] == 1


@pytest.mark.parametrize(
    ("first", "second", "mean"),
    [(1, 1, 1), (0.5, 1, 2 / 3), (0, 1, 0), (1, -0.1, 0), (-1, -1, 0), (0, 0, 0)],
)
def test_a_harmonic_mean_is_0_unless_both_are_positive(
    first: float, second: float, mean: float
) -> None:
    assert harmonic_mean(first, second) == pytest.approx(mean)
