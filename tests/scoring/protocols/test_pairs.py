"""Pair metrics against the values of the benchmark's own code, and what scores are made of them."""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.protocols import pairs
from scoring.protocols.pair_intervals import bootstrap_means, percentile_interval
from scoring.protocols.pair_metrics import classic_correct, ivat_correct, strict_correct
from scoring.protocols.pair_tests import Answers, CaptionPair, PairsUpload, averaged
from scoring.types import ScoringError

TESTS = (
    "agent_random",
    "agent_bind",
    "coref",
    "action_adv",
    "action_bind",
    "action_manner",
    "chrono",
    "control",
)
scores = st.lists(st.floats(0, 1).map(lambda x: round(x, 1)), min_size=1, max_size=30)


def rounded(value: float) -> float:
    return round(value, 3)


@pytest.mark.parametrize("test", TESTS)
class TestGolden:
    """`velociti_pairs.json`: the released code's values, which it rounds to three decimals."""

    def test_classic(self, golden_pairs: dict[str, Any], test: str) -> None:
        case = golden_pairs["tests"][test]
        value, right, total = case["classic"]
        found = pairs.classic_accuracy(case["pos_score"], case["neg_score"])
        assert rounded(found) == value
        assert found == pytest.approx(right / total, abs=1e-15)
        assert classic_correct(case["pos_score"], case["neg_score"]).sum() == right

    def test_strict(self, golden_pairs: dict[str, Any], test: str) -> None:
        case = golden_pairs["tests"][test]
        value, right, total = case["strict"]
        found = pairs.strict_accuracy(case["pos_score"], case["neg_score"])
        assert rounded(found) == value
        assert found == pytest.approx(right / total, abs=1e-15)
        assert strict_correct(case["pos_score"], case["neg_score"]).sum() == right

    def test_strict_analysis(self, golden_pairs: dict[str, Any], test: str) -> None:
        case = golden_pairs["tests"][test]
        found = pairs.strict_analysis(case["pos_score"], case["neg_score"])
        values = [rounded(found.rejected_given_accepted), rounded(found.accepted), found.count]
        assert values == case["strict_analysis"]

    def test_mcq(self, golden_pairs: dict[str, Any], test: str) -> None:
        case = golden_pairs["tests"][test]
        found = pairs.mcq_analysis(case["gt_A"], case["gt_B"])
        values = [rounded(v) for v in (found.first, found.second, found.both)]
        assert [*values, found.answered] == case["mcq"]
        assert pairs.mcq_accuracy(case["gt_A"], case["gt_B"]) == found.both


def test_golden_ivat_per_sample_and_mean(golden_pairs: dict[str, Any]) -> None:
    golden = golden_pairs["ivat"]
    matrices = golden["scores_video_by_caption"]
    per_sample = ivat_correct(matrices)
    for at, expected in enumerate(golden["per_sample"]):
        assert {name: values[at] for name, values in per_sample.items()} == expected
    assert pairs.ivat_accuracy(matrices) == pytest.approx(golden["mean"], abs=1e-15)


class TestPr01:
    """PR-01: ties are wrong, and 0.5 is on neither side."""

    POS, NEG = [0.7, 0.5, 0.6, 0.9], [0.7, 0.4, 0.5, 0.1]

    def test_values(self) -> None:
        assert pairs.classic_accuracy(self.POS, self.NEG) == 3 / 4
        assert pairs.strict_accuracy(self.POS, self.NEG) == 1 / 4

    def test_a_constant_scorer_gets_nothing_whichever_column_is_which(self) -> None:
        constant = [0.5] * 4
        assert pairs.classic_accuracy(constant, constant) == 0
        assert pairs.strict_accuracy(constant, constant) == 0
        assert pairs.classic_accuracy(self.NEG, self.NEG) == 0

    @pytest.mark.parametrize("bad", [float("nan"), float("inf"), None, "x"])
    def test_what_is_no_number_is_an_error(self, bad: Any) -> None:
        with pytest.raises(ScoringError, match=r"finite number|not a number"):
            pairs.classic_accuracy([0.1, bad], [0.2, 0.3])


@pytest.mark.parametrize(
    ("pos", "neg"), [([0.1], [0.1, 0.2]), ([], []), ([[0.1]], [[0.2]]), (0.1, 0.2)]
)
def test_lengths_and_shapes_are_checked(pos: Any, neg: Any) -> None:
    for metric in (pairs.classic_accuracy, pairs.strict_accuracy, pairs.strict_analysis):
        with pytest.raises(ScoringError):
            metric(pos, neg)


def test_words_need_equal_lengths_too() -> None:
    with pytest.raises(ScoringError, match="1 positive and 2 negative"):
        pairs.mcq_accuracy(["A"], ["A", "B"])
    with pytest.raises(ScoringError):
        pairs.yes_no_accuracy([], [])


@given(scores)
def test_classic_of_both_directions_leaves_the_ties(values: list[float]) -> None:
    other = values[::-1]
    ties = np.mean(np.array(values) == np.array(other))
    both = pairs.classic_accuracy(values, other) + pairs.classic_accuracy(other, values)
    assert both + ties == pytest.approx(1)


@given(scores)
def test_strict_is_never_above_classic(values: list[float]) -> None:
    other = values[::-1]
    assert pairs.strict_accuracy(values, other) <= pairs.classic_accuracy(values, other)


def test_no_accepted_positive_has_a_defined_analysis() -> None:
    analysis = pairs.strict_analysis([0.1, 0.5], [0.2, 0.1])
    assert (analysis.rejected_given_accepted, analysis.accepted, analysis.count) == (0, 0, 0)


def test_answers_count_by_their_first_word_exactly() -> None:
    first = ["A", "A) a dog", "A because", "", "a", "B", "Answer: A"]
    found = pairs.mcq_analysis(first, ["B"] * len(first))
    assert (found.answered, found.total) == (3, 7)
    assert (found.first, found.second, found.both) == (2 / 3, 1, 2 / 3)
    assert pairs.mcq_accuracy(["neither"], ["B"]) == 0


def test_yes_and_no_are_closed_labels() -> None:
    pos = ["Yes", " yes ", "Yes", "not yes", "No", "Yes, and No"]
    neg = ["No", "NO", "Yes", "No", "No", "No"]
    assert pairs.yes_no_accuracy(pos, neg) == 2 / 4
    analysis = pairs.yes_no_analysis(pos, neg)
    assert (analysis.accepted, analysis.rejected_given_accepted) == (3 / 4, 2 / 3)


def test_ivat_shapes() -> None:
    for bad in ([], [[1, 2], [3, 4]], [[[1, 2, 3], [4, 5, 6]]], [[[1, 2], [3]]]):
        with pytest.raises(ScoringError, match="2x2"):
            pairs.ivat_accuracy(bad)
    with pytest.raises(ScoringError, match="finite"):
        pairs.ivat_accuracy([[[1, 2], [3, float("nan")]]])


def test_chance_levels_follow_from_all_orders_of_four_scores() -> None:
    orders = [np.reshape(order, (2, 2)) for order in itertools.permutations(range(4))]
    for name, value in pairs.ivat_accuracy(orders).items():
        assert value == pytest.approx(pairs.CHANCE[name])
    assert [round(100 * pairs.CHANCE[n], 1) for n in ("classic", "t2v_matching", "group")] == [
        50,
        25,
        16.7,
    ]


def test_wilson_interval_has_its_textbook_values() -> None:
    assert pairs.wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert pairs.wilson_interval(0, 20)[0] == 0
    assert pairs.wilson_interval(20, 20) == pytest.approx((0.8389, 1.0), abs=5e-5)
    with pytest.raises(ScoringError):
        pairs.wilson_interval(3, 2)


def test_bootstrap_of_a_share_agrees_with_its_binomial_spread() -> None:
    values = np.repeat([1.0, 0.0], [70, 30])
    means = bootstrap_means(values, np.ones(100), replicates=4000, seed=1)
    assert means.mean() == pytest.approx(0.7, abs=0.005)
    assert means.std() == pytest.approx(np.sqrt(0.7 * 0.3 / 100), rel=0.05)
    low, high = percentile_interval(means)
    assert (low, high) == pytest.approx((0.61, 0.79), abs=0.02)
    again = bootstrap_means(values, np.ones(100), replicates=4000, seed=1)
    assert (means == again).all()


def upload(**tests: Answers) -> PairsUpload:
    return PairsUpload("csv", tuple(tests.values()))


def two_scores(test: str, pos: list[float], neg: list[float]) -> Answers:
    keys = tuple((f"v{i}", "Ev1") for i in range(len(pos)))
    return Answers(test, "scores", keys, np.column_stack([pos, neg]))


def words(test: str, kind: Any, rows: list[tuple[str, str]]) -> Answers:
    return Answers(test, kind, tuple((f"v{i}", "") for i in range(len(rows))), words=tuple(rows))


class TestScore:
    """`score`: tests, averages, intervals, and what is left unranked."""

    def test_the_average_counts_every_test_the_same(self) -> None:
        result = pairs.score(
            upload(
                a=two_scores("chrono", [0.9] * 4, [0.1] * 4),
                b=two_scores("agent_bind", [0.9, 0.1], [0.1, 0.9]),
            )
        )
        average = result.averages["classic"]
        assert average.value == 0.75
        assert average.tests == ("agent_bind", "chrono")
        assert average.interval is not None
        assert average.interval[0] <= 0.75 <= average.interval[1]

    def test_controls_and_matrices_are_not_averaged(self) -> None:
        matrices = Answers("ivat", "matrices", (("v", ""),), np.array([[[0.9, 0.1], [0.2, 0.8]]]))
        result = pairs.score(
            upload(
                a=two_scores("chrono", [0.1], [0.9]),
                b=two_scores("control_v2t", [0.9], [0.1]),
                c=matrices,
            )
        )
        assert result.averages["classic"].value == 0
        ivat = result.tests[2].accuracy
        assert {name: value.value for name, value in ivat.items()} == dict.fromkeys(ivat, 1.0)
        assert ivat["t2v_independent"].wilson is None
        assert ivat["group"].wilson is not None

    def test_a_missing_test_leaves_the_average_open_and_is_named(self) -> None:
        tests = {
            test: [CaptionPair(test, f"v{i}", "Ev1", "p", "n") for i in range(2)]
            for test in ("chrono", "agent_bind", "control_v2t")
        }
        result = pairs.score(upload(a=two_scores("chrono", [0.9, 0.8], [0.1, 0.2])), tests)
        average = result.averages["classic"]
        assert (average.value, average.of_all, average.interval) == (None, None, None)
        assert average.missing == ("agent_bind",)
        assert result.tests[0].accuracy["classic"].value == 1

    def test_refusing_never_helps_the_ranked_value(self) -> None:
        rows = [("A", "B"), ("neither", "B"), ("A", "unsure"), ("B", "A")]
        result = pairs.score(upload(a=words("chrono", "choices", rows)))
        (test,) = result.tests
        assert (test.accuracy["mcq"].value, test.accuracy["mcq"].of_all) == (1 / 2, 1 / 4)
        assert test.unanswered == 2
        assert result.averages["mcq"].of_all == 1 / 4
        assert test.details == {"mcq_first": 1 / 2, "mcq_second": 1 / 2}

    def test_yes_and_no_give_strict_only(self) -> None:
        rows = [("Yes", "No"), ("Yes", "Yes"), ("?", "No")]
        (test,) = pairs.score(upload(a=words("chrono", "verdicts", rows))).tests
        assert list(test.accuracy) == ["strict"]
        assert (test.accuracy["strict"].value, test.accuracy["strict"].of_all) == (1 / 2, 1 / 3)

    def test_nothing_answered_is_zero_and_finite(self) -> None:
        (test,) = pairs.score(upload(a=words("chrono", "choices", [("", "")]))).tests
        assert (test.accuracy["mcq"].value, test.accuracy["mcq"].bootstrap) == (0, (0, 0))
        assert test.accuracy["mcq"].wilson is None

    def test_answers_that_were_not_checked_are_refused(self) -> None:
        tests = {"chrono": [CaptionPair("chrono", "other", "Ev1", "p", "n")]}
        with pytest.raises(ScoringError, match="check the upload"):
            pairs.score(upload(a=two_scores("chrono", [0.9], [0.1])), tests)

    def test_json_is_strict_and_carries_the_signature(self) -> None:
        result = pairs.score(upload(a=two_scores("chrono", [0.9, 0.2], [0.1, 0.3])), seed=3)
        data = json.loads(json.dumps(result.to_json(), allow_nan=False))
        assert data["signature"].startswith("cliprank:")
        assert "seed:3" in data["signature"]
        assert data["tests"][0]["accuracy"]["classic"]["value"] == 0.5

    def test_a_test_is_one_run(self) -> None:
        tests = {"chrono": [CaptionPair("chrono", f"v{i}", "Ev1", "yes", "no") for i in range(2)]}
        result = pairs.score(upload(a=two_scores("chrono", [0.9, 0.2], [0.1, 0.3])), tests)
        (run,) = pairs.judge_results(result, tests)
        assert run.judge == "chrono"
        assert run.clips == ("v0 Ev1", "v1 Ev1")
        assert run.mean() == {"classic": 0.5, "strict": 0.5}
        assert run.evidence["v1 Ev1"]["positive"] == "yes"
        assert run.evidence["v1 Ev1"]["correct"] == {"classic": 0.0, "strict": 0.0}
        json.dumps(run.evidence, allow_nan=False)


def test_names_of_the_released_code_are_those_of_the_paper(
    published_velociti: dict[str, Any],
) -> None:
    named = [pairs.paper_name(test) for test in (*TESTS, "ivat")]
    assert set(named) <= set(published_velociti["tests"])
    assert set(pairs.TITLES) == set(published_velociti["tests"])
    assert [*averaged(named), "average"] == published_velociti["accuracy_columns"]
    in_families = [test for family in pairs.FAMILIES.values() for test in family]
    assert sorted(in_families) == sorted(pairs.TITLES)


def test_the_published_average_is_the_mean_of_the_averaged_tests(
    published_velociti: dict[str, Any],
) -> None:
    for system, (*values, average) in published_velociti["accuracy"].items():
        assert np.mean(values) == pytest.approx(average, abs=0.1), system
