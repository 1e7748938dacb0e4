"""Tables as CSV, Markdown and LaTeX: the same numbers, and nothing that acts on its reader."""

from __future__ import annotations

import csv
import io
from typing import Any

import numpy as np
import pytest

from scoring.ranking import rank_means, rank_scores
from scoring.ranking.render import (
    latex_text,
    safe_cell,
    sheet,
    text_rows,
    to_csv,
    to_latex,
    to_markdown,
)

HOSTILE = '=HYPERLINK("http://x.example","y")'


def table(names: list[str], **options: Any) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    values = np.linspace(0.8, -0.12, len(names))[:, None, None] + 0.01 * rng.standard_normal(
        (len(names), 2, 9)
    )
    return rank_scores(
        names, ["minilm", "use"], {"hm_cf": values, "coarse": values / 2}, **options
    ).to_json()


def read(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_holds_full_precision_and_the_signature() -> None:
    data = table(["A", "B"])
    rows = read(to_csv(sheet(data)))
    assert list(rows[0]) == [
        "rank",
        "system",
        "borda",
        "rank_low",
        "rank_high",
        "mean.hm_cf",
        "mean.coarse",
        "minilm.hm_cf",
        "use.hm_cf",
        "signature",
    ]
    for row, source in zip(rows, data["rows"], strict=True):
        assert float(row["mean.hm_cf"]) == source["mean"]["hm_cf"]
        assert float(row["use.hm_cf"]) == source["judges"]["use"]["hm_cf"]
        assert row["signature"] == data["signature"]


def test_se_01_formulas_are_made_plain_and_negative_numbers_stay() -> None:
    rows = read(to_csv(sheet(table(["A", HOSTILE]))))
    assert rows[1]["system"] == f"'{HOSTILE}"
    assert float(rows[1]["mean.hm_cf"]) < 0
    assert rows[1]["mean.hm_cf"].startswith("-0.1")


@pytest.mark.parametrize(
    "text", ["=1+1", "+A1", "-A1", "@SUM(A1)", "\t=1", " =1", "\r=1", "\n=1", "＝1+1", "+", "-1+1"]
)
def test_se_01_every_start_of_a_formula(text: str) -> None:
    assert safe_cell(text) == f"'{text}"


@pytest.mark.parametrize("value", [-0.12, 3, None, "-0.12", "+1e-5", "LongVA-7B", "a=b", ""])
def test_se_01_what_is_no_formula_is_left_alone(value: str | float | None) -> None:
    assert safe_cell(value) == value


def test_csv_survives_quotes_commas_and_line_breaks() -> None:
    names = ['a "quoted", name', "two\nlines"]
    assert [row["system"] for row in read(to_csv(sheet(table(names))))] == names


def test_markdown_bolds_the_best_and_escapes() -> None:
    lines = to_markdown(sheet(table(["a|b_c*<img>", "B"]))).splitlines()
    assert lines[0].startswith("| Rank | System | Borda | 95% rank | Mean HM-CF | Mean Coarse |")
    assert r"a\|b\_c\*\<img\>" in lines[2]
    assert lines[2].count("**") == 2 * 5
    assert "**" not in lines[3]
    assert len({line.replace(r"\|", "").count("|") for line in lines[:4]}) == 1
    assert lines[-1].startswith("Signature: `cliprank")


def test_latex_is_booktabs_bold_and_escaped() -> None:
    text = to_latex(sheet(table(["50% & more_{x}", "B"])))
    lines = text.splitlines()
    assert lines[0].startswith("% cliprank")
    assert lines[1] == r"\begin{tabular}{rlrrrrrr}"
    assert [line for line in lines if line.endswith("rule")] == [
        r"\toprule",
        r"\midrule",
        r"\bottomrule",
    ]
    assert r"50\% \& more\_\{x\}" in text
    assert r"\textbf{2}" in text
    assert text.count(r"\textbf{") == 5
    cells = [line.replace(r"\&", "").count("&") for line in lines if line.endswith(r"\\")]
    assert cells == [7, 7, 7]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\\input{x}", r"\textbackslash{}input\{x\}"),
        ("~^", r"\textasciitilde{}\textasciicircum{}"),
        ("a\nb\tc", "a b c"),
        ("#1 $2", r"\#1 \$2"),
        ("a|b", r"a\textbar{}b"),
    ],
)
def test_latex_text(text: str, expected: str) -> None:
    assert latex_text(text) == expected


def test_equal_values_are_bold_together() -> None:
    means = np.array([[0.5], [0.5], [0.1]])
    lines = to_markdown(sheet(rank_means(list("ABC"), ["j"], {"hm_cf": means}).to_json()))
    assert lines.count("**0.5000**") == 4


def test_what_is_not_defined_is_a_dash_or_an_empty_cell() -> None:
    means = np.array([[0.5, 0.4], [0.5, np.nan]])
    page = sheet(rank_means(["A", "B"], ["x", "y"], {"hm_cf": means}).to_json())
    row = read(to_csv(page))[1]
    assert (row["rank"], row["borda"], row["mean.hm_cf"], row["y.hm_cf"]) == ("", "", "", "")
    assert row["x.hm_cf"] == "0.5"
    assert "| – | B | – | – | **0.5000** | – |" in to_markdown(page)
    assert "-- & B & -- & -- &" in to_latex(page)
    # Reported means have no intervals, so there is no column for them to read.
    assert "95% rank" not in to_markdown(page)


def test_people_read_intervals_in_one_cell_and_the_primary_mean() -> None:
    data = table(["A", "B"])
    data["rows"][0] |= {"rank_low": 1, "rank_high": 3}
    titles, rows, right = text_rows(sheet(data))
    assert titles == ("Rank", "System", "Borda", "95% rank", "Mean HM-CF", "minilm", "use")
    assert rows[0][:4] == ("1", "A", "2", "1–3")
    assert rows[1][3] == "2"
    assert right == (True, False, *(True,) * 5)
    assert "1--3" in to_latex(sheet(data))


def test_half_points_are_shown() -> None:
    means = np.array([[0.5, 0.5], [0.5, 0.4], [0.1, 0.1]])
    _, rows, _ = text_rows(sheet(rank_means(list("ABC"), ["x", "y"], {"hm_cf": means}).to_json()))
    assert [row[2] for row in rows] == ["3.5", "2.5", "0"]


def test_a_row_may_bring_a_name_and_judges_titles() -> None:
    data = table(["a", "b"])
    data["rows"][0]["name"] = "System A"
    titles, rows, _ = text_rows(sheet(data, titles={"minilm": "MiniLM"}))
    assert rows[0][1] == "System A"
    assert rows[1][1] == "b"
    assert "MiniLM" in titles


def test_an_empty_table_has_a_head() -> None:
    page = sheet(rank_scores([], ["j"], {"hm_cf": np.zeros((0, 1, 3))}).to_json())
    assert read(to_csv(page)) == []
    assert to_markdown(page).splitlines()[0].startswith("| Rank |")
    assert r"\midrule" in to_latex(page)
