"""The table as a file: the page's rows, the ranking's digits, nothing that acts on its reader."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.models import Benchmark, Clip, Ranking, System, Track
from scoring.ranking.render import latex_text, safe_cell

HOSTILE = '=HYPERLINK("http://x.example","y") & 50%_\\{[|*<b>'
PLACE = "https://board.example.org/b/small/1.0/main/"
Get = Callable[..., str]


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_csv_has_the_rankings_numbers_and_says_where_they_are_from(
    ranking: Ranking, get: Get
) -> None:
    rows = table(get("export.csv"))
    assert list(rows[0]) == [
        "rank", "system", "rank_low", "rank_high", "borda", "mean.hm_cf", "left.hm_cf",
        "right.hm_cf", "slug", "missing", "left.signature", "right.signature", "signature",
        "benchmark", "release", "track", "provenance", "computed_at", "address", "permalink",
    ]  # fmt: skip
    for row, source in zip(rows, ranking.rows, strict=True):
        assert float(row["mean.hm_cf"]) == source["mean"]["hm_cf"]
        assert float(row["left.hm_cf"]) == source["judges"]["left"]["hm_cf"]
        assert (row["rank"], row["slug"]) == (str(source["rank"]), source["system"])
        assert row["signature"] == ranking.signature
    entry = ranking.inputs["entries"][0]
    assert rows[0]["left.signature"] == entry["signatures"]["left"]
    place = "https://board.example.org/b/small/1.0/main/"
    assert rows[0]["address"] == place
    assert rows[0]["permalink"] == f"{place}rankings/{ranking.fingerprint}.json"
    assert (rows[0]["benchmark"], rows[0]["release"], rows[0]["track"]) == ("small", "1.0", "main")


def test_csv_makes_formulas_plain_and_leaves_numbers(ranking: Ranking, get: Get) -> None:
    rows = table(get("export.csv"))
    assert rows[1]["system"] == f"'{HOSTILE}"
    assert rows[0]["system"] == "Best"


def test_json_is_strict_whole_and_says_what_was_chosen(ranking: Ranking, get: Get) -> None:
    found = json.loads(get("export.json", judge="left", sort="-system"))
    assert found["choice"] == "judges: left"
    assert found["address"].endswith("/b/small/1.0/main/?judge=left&sort=-system")
    assert found["judges"] == ["left"]
    assert found["fingerprint"] == ranking.fingerprint
    assert [row["name"] for row in found["rows"]] == ["Best", HOSTILE]
    first = found["rows"][0]
    assert first["judges"].keys() == {"left"}
    assert first["mean"]["hm_cf"] == ranking.rows[0]["judges"]["left"]["hm_cf"]
    assert first["signatures"]["left"] == ranking.inputs["entries"][-1]["signatures"]["left"] or (
        first["signatures"]["left"] == ranking.inputs["entries"][0]["signatures"]["left"]
    )


def test_markdown_is_a_table_with_the_best_in_bold(ranking: Ranking, get: Get) -> None:
    lines = get("export.md").splitlines()
    best = f"{ranking.rows[0]['mean']['hm_cf']:.4f}"
    assert lines[0] == "| Rank | System | 95% rank | Borda | Mean HM-CF | left | right |"
    assert lines[1] == "| ---: | :--- | ---: | ---: | ---: | ---: | ---: |"
    assert lines[2] == f"| 1 | Best | 1 | **2** | **{best}** | **{best}** | **{best}** |"
    assert r"\& 50%\_\\\{\[\|\*\<b\>" in lines[3]
    assert len(re.findall(r"(?<!\\)\|", lines[3])) == 8
    assert f"- permalink: {PLACE}rankings/{ranking.fingerprint}.json" in lines
    assert lines[-1].startswith("Signature: `")


def test_latex_is_booktabs_with_intervals_and_bold(ranking: Ranking, get: Get) -> None:
    text = get("export.tex")
    best = f"{ranking.rows[0]['mean']['hm_cf']:.4f}"
    body = [line for line in text.splitlines() if not line.startswith("%")]
    assert body[0] == r"\begin{tabular}{rlrrrrr}"
    assert body[1:4] == [
        r"\toprule",
        r"Rank & System & 95\% rank & Borda & Mean HM-CF & left & right \\",
        r"\midrule",
    ]
    bold = rf"\textbf{{{best}}}"
    assert body[4] == rf"1 & Best & 1 & \textbf{{2}} & {bold} & {bold} & {bold} \\"
    assert r"\& 50\%\_\textbackslash{}\{{[}\textbar{}*\textless{}b\textgreater{}" in body[5]
    assert f"% permalink: {PLACE}rankings/{ranking.fingerprint}.json" in text


def test_latex_puts_all_metrics_under_their_judges(ranking: Ranking, get: Get) -> None:
    text = get("export.tex", metric=["hm_cf", "coarse"], column=["mean", "left"])
    assert r" &  & \multicolumn{2}{c}{Mean over judges} & \multicolumn{2}{c}{left} \\" in text
    assert r"\cmidrule(lr){3-4}\cmidrule(lr){5-6}" in text
    assert r"Rank & System & HM-CF & Coarse & HM-CF & Coarse \\" in text


def test_what_is_hidden_is_not_written_and_facts_are_when_asked(ranking: Ranking, get: Get) -> None:
    System.objects.filter(slug="best").update(organisation="@lab", parameters="8x7B")
    rows = table(get("export.csv", column=["organisation", "parameters", "mean"]))
    assert list(rows[0])[:5] == ["rank", "system", "organisation", "parameters", "mean.hm_cf"]
    assert (rows[0]["organisation"], rows[0]["parameters"]) == ("'@lab", "8x7B")


def test_a_rate_of_errors_is_best_when_lowest(ranking: Ranking, get: Get) -> None:
    for row, value in zip(ranking.rows, (0.3, 0.1), strict=True):
        row["mean"]["cont_f1"] = value
        for scores in row["judges"].values():
            scores["cont_f1"] = value
    ranking.save()
    text = get("export.md", metric="cont_f1")
    assert "**0.1000**" in text
    assert "**0.3000**" not in text


def test_bibtex_has_the_benchmark_and_the_table(ranking: Ranking, get: Get) -> None:
    Benchmark.objects.update(citation="@article{small, title = {Small}}", name="Small & fine")
    text = get("export.bib")
    assert text.startswith("@article{small, title = {Small}}\n\n@misc{small-1.0-main-")
    assert r"title = {{Small \& fine 1.0: Main}}" in text
    assert r"\url{https://board.example.org/b/small/1.0/main/}" in text
    assert ranking.fingerprint in text
    assert text.count("{") == text.count("}")


@pytest.mark.parametrize(
    ("suffix", "kind"),
    [
        ("csv", "text/csv"),
        ("json", "application/json"),
        ("md", "text/markdown"),
        ("tex", "application/x-tex"),
        ("bib", "application/x-bibtex"),
    ],
)
def test_a_file_has_its_type_and_a_name(
    client: Client, ranking: Ranking, suffix: str, kind: str
) -> None:
    response = client.get(f"/b/small/1.0/main/export.{suffix}")
    assert response["Content-Type"] == f"{kind}; charset=utf-8"
    name = f"small-1.0-main-{ranking.computed_at:%Y-%m-%d}.{suffix}"
    assert f'filename="{name}"' in response["Content-Disposition"]


def test_no_such_format_and_nothing_ranked_are_404(client: Client, release: Any) -> None:
    assert client.get("/b/small/1.0/main/export.csv").status_code == 404
    assert client.get("/b/small/1.0/main/export.exe").status_code == 404


def test_the_page_links_what_it_shows(client: Client, ranking: Ranking) -> None:
    page = client.get("/b/small/1.0/main/", {"judge": "left", "page": "1"}).content.decode()
    links = re.findall(r'href="(/b/small/1\.0/main/(?:export|scores)\.\w+\?judge=left)"', page)
    assert len(links) == 7
    for link in links:
        assert client.get(link).status_code == 200


def test_ranks_among_chosen_systems_are_computed_again(ranking: Ranking, get: Get) -> None:
    System.objects.filter(slug="best").update(family="Other")
    System.objects.exclude(slug="best").update(family="Mine")
    Clip.objects.update(category="")
    found = json.loads(get("export.json", family="Mine"))
    assert [(row["rank"], row["borda"]) for row in found["rows"]] == [(1, 0)]
    assert found["choice"] == "systems: Mine; ranks computed again among these"
    assert "|systems:1:" in found["signature"]


def test_a_table_below_the_ranking(ranking: Ranking, get: Get, client: Client) -> None:
    """By duration, here: a column a part; other keys are 404."""
    values = {"(0,120]": {"hm_cf": 0.25}, "(120,300]": {"hm_cf": 0.75}}
    for row in ranking.rows:
        row["parts"] = {judge: {"duration": values} for judge in ("left", "right")}
    ranking.save()
    Track.objects.update(protocol=Track.Protocol.KEYPOINTS)
    rows = table(get("export.csv", part="duration"))
    assert list(rows[0])[:3] == ["system", "(0, 120] s", "(120, 300] s"]
    assert (rows[1]["system"], rows[1]["(0, 120] s"]) == (f"'{HOSTILE}", "0.25")
    assert rows[0]["part"] == "HM-CF by duration of the clip"
    found = json.loads(get("export.json", part="duration"))
    assert found["rows"][0] == {"system": "Best", "(0, 120] s": 0.25, "(120, 300] s": 0.75}
    assert r"System & (0, 120{]} s & (120, 300{]} s \\" in get("export.tex", part="duration")
    page = get("")
    assert 'href="/b/small/1.0/main/export.tex?part=duration"' in page
    assert client.get("/b/small/1.0/main/export.csv", {"part": "nothing"}).status_code == 404


TEXTS = st.text(st.characters(exclude_categories=["Cs"]))


@given(st.sampled_from("=+-@＝＋－＠"), st.text(st.sampled_from(" \ufeff\u200b\x00\u00a0")), TEXTS)
def test_no_text_cell_is_a_formula(sign: str, before: str, rest: str) -> None:
    """Whatever is not seen stands before the sign; a plain number is no formula."""
    text = f"{before}{sign}{rest}"
    assert safe_cell(text) == f"'{text}" or re.fullmatch(r"[+-][\d.eE+-]+", text)


@given(st.sampled_from("\t\r\n"), TEXTS)
def test_no_text_cell_begins_with_a_mark_that_ends_one(sign: str, rest: str) -> None:
    assert safe_cell(sign + rest) == f"'{sign}{rest}"


@given(TEXTS)
def test_csv_gives_back_every_text(text: str) -> None:
    out = io.StringIO()
    csv.writer(out).writerow([safe_cell(text), "end"])
    first, end = next(csv.reader(io.StringIO(out.getvalue(), newline="")))
    assert first.removeprefix("'") == text.removeprefix("'") or first == f"'{text}"
    assert end == "end"


@given(TEXTS)
def test_latex_leaves_nothing_that_acts(text: str) -> None:
    """Outside of what we write for them, no command, comment, group or column begins."""
    plain = latex_text(text)
    for written in (r"\textbackslash{}", r"\textasciitilde{}", r"\textasciicircum{}",
                    r"\textbar{}", r"\textless{}", r"\textgreater{}", "{[}", "{]}"):  # fmt: skip
        plain = plain.replace(written, "")
    plain = re.sub(r"\\[&%$#_{}]", "", plain)
    assert not set(plain) & set("\\&%$#_{}~^[]\n\r")
