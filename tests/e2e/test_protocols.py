"""Keypoints and pair tests from an upload to its result: a real browser, site and worker."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from leaderboard.importers.sample import sample_scenes
from leaderboard.importers.sample_scenes import keypoint_records
from scoring.formats.keypoint_annotations import read_annotations
from tests.e2e.conftest import PASSWORD, LiveSite
from tests.support.browser import LOOKS, keeps_out
from tests.support.judgements import judgement_files
from tests.support.ports import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]
PATIENCE = 180_000
SAMPLE = Path(__file__).parents[2] / "leaderboard/importers/sample"
SUBMIT = "/b/sample/submit/"
KEYPOINTS = "/b/sample/1.0/keypoints/"
PAIRS = "/b/sample/1.0/pairs/"
# The sample with its submissions, of which the worker scores the two protocols that this is about;
# of keypoints those of one system, which takes its time.
SET_UP = f"""
from django.contrib.auth.models import User
from leaderboard.importers.sample import load_sample
from leaderboard.models import Run, Track
User.objects.create_user("visitor", password={PASSWORD!r})
load_sample(submit=True)
others = Track.objects.exclude(slug__in=["keypoints", "pairs"])
others.update(scores_uploads=False)
Run.objects.filter(track__in=others).delete()
of_keypoints = Run.objects.filter(track__slug="keypoints")
of_keypoints.exclude(submission__system__slug="larkspur-vl").delete()
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """Served by gunicorn, scored by a Celery worker."""
    made = LiveSite(tmp_path_factory.mktemp("protocols-site"), free_port())
    made.prepare(SET_UP)
    with made.serving(worker=True):
        yield made


@pytest.fixture(scope="module")
def session(browser: Any, site: LiveSite) -> Any:
    """The cookies of a visitor who has logged in once."""
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.goto(SUBMIT)
    page.get_by_label("Username").fill("visitor")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url(f"**{SUBMIT}")
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def page(browser: Any, site: LiveSite, session: Any) -> Iterator[Any]:
    """A page of that visitor; an error on the console fails the test."""
    said: list[str] = []
    context = browser.new_context(base_url=site.url, storage_state=session)
    made = context.new_page()
    made.set_default_timeout(PATIENCE)
    made.on("pageerror", lambda error: said.append(str(error)))
    made.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    yield made
    context.close()
    # A refused file is answered with 422, which Chromium mentions.
    assert not [line for line in said if "status of 422" not in line]


def upload(page: Any, kind: str, name: str, files: Path | Sequence[Path], **more: str) -> None:
    """Fill in the form and send it; ``more`` is what else is asked, by its label."""
    page.goto(SUBMIT)
    page.get_by_label("What the file holds").select_option(kind)
    page.get_by_label("Choose a file").set_input_files(files)
    page.get_by_label("Name", exact=True).fill(name)
    for label, value in more.items():
        page.get_by_label(label.replace("_", " ")).fill(value)
    page.get_by_role("button", name="Check and submit").click()


def watched(page: Any) -> str:
    """What the submission's page says in the end, without being loaded again."""
    page.wait_for_url("**/submissions/*/")
    page.locator("#report[data-final=yes]").wait_for()
    said: str = page.locator("#report").inner_text()
    return said


def cells(page: Any, address: str, name: str) -> list[str]:
    """A system's line of a ranking, from its place's right neighbour on, without its own name."""
    page.goto(address)
    row = page.locator("#board table").first.get_by_role("row", name=name)
    found: list[str] = row.get_by_role("cell").all_inner_texts()
    return [cell for cell in found if re.search(r"\d\.\d|\d%", cell)]


COLUMNS = {
    "scores": ("pos_score", "neg_score"),
    "mcq": ("gt_A", "gt_B"),
    "matrices": ("v1c1", "v1c2", "v2c1", "v2c2"),
}


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """PebbleCap's answers as the released scripts write them: a CSV for each test and kind."""
    lines = (SAMPLE / "pair_answers/pebblecap.jsonl").read_text().splitlines()
    rows: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in map(json.loads, lines):
        if "scores" in row:
            (row["v1c1"], row["v1c2"]), (row["v2c1"], row["v2c2"]) = row["scores"]
        for kind, columns in COLUMNS.items():
            if set(columns) <= set(row):
                rows.setdefault((row["test_name"], kind), []).append(row)
    folder = tmp_path_factory.mktemp("answers")
    made = []
    for (test, kind), of_one in rows.items():
        path = folder / (f"{test}_mcq.csv" if kind == "mcq" else f"{test}.csv")
        text = io.StringIO()
        columns = ("video_id", "event", *COLUMNS[kind])
        writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(of_one)
        path.write_text(text.getvalue())
        made.append(path)
    return made


def test_a_zip_of_csvs_of_pair_tests(page: Any, tables: list[Path], tmp_path: Path) -> None:
    """Folders, another order and what a Mac adds: the numbers are those of the same answers."""
    packed = tmp_path / "run1.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("__MACOSX/run1/._chrono.csv", b"\x00\x05\x16\x07")
        for path in reversed(tables):
            archive.write(path, f"run1/{path.name}")
    upload(page, "pairs", "Zipped-1B", packed)
    assert re.search(r"Rank \d of \d", watched(page))
    found = cells(page, PAIRS, "Zipped-1B")
    assert found == cells(page, PAIRS, "PebbleCap")
    assert len(found) > 5
    figures = page.locator("figure.chart")
    expect(figures.filter(has_text="Association within a video")).to_have_count(1)
    expect(page.get_by_role("heading", name="What most systems get wrong")).to_be_visible()


def test_csvs_of_pair_tests_chosen_together(page: Any, tables: list[Path]) -> None:
    """As they lie in the folder, without packing them."""
    upload(page, "pairs", "Together-1B", tables)
    assert re.search(r"Rank \d of \d", watched(page))
    assert cells(page, PAIRS, "Together-1B") == cells(page, PAIRS, "PebbleCap")


def test_some_of_the_tests_leave_a_system_unranked(page: Any, tables: list[Path]) -> None:
    """And its page says which are missing."""
    some = [path for path in tables if not path.name.startswith(("chrono", "agent_bind"))]
    upload(page, "pairs", "Partial-1B", some)
    said = watched(page)
    assert "unranked" in said
    assert "Chronology" in said
    assert "Agent binding" in said


def test_answers_with_faults_are_refused_with_file_and_line(page: Any, tmp_path: Path) -> None:
    """Every one; nothing is stored."""
    for test in ("chrono", "agent_bind"):
        lines = "video_id,event,pos_score,neg_score\nnowhere,,high,0.1\n"
        (tmp_path / f"{test}.csv").write_text(lines)
    upload(page, "pairs", "Broken-1B", [tmp_path / "chrono.csv", tmp_path / "agent_bind.csv"])
    problems = page.get_by_role("alert").inner_text()
    for words in ("chrono.csv", "agent_bind.csv", "line 2", "Nothing has been stored"):
        assert words in problems


def test_descriptions_are_scored_by_keypoints(page: Any, tmp_path: Path) -> None:
    """To the board, to its parts, and down to the keypoints of a clip by subject."""
    texts = SAMPLE / "descriptions/larkspur-vl.json"
    upload(page, "descriptions", "Teller-1B", texts)
    assert re.search(r"Rank \d of \d", watched(page))
    found = cells(page, KEYPOINTS, "Teller-1B")
    assert found == cells(page, KEYPOINTS, "Larkspur-VL")
    assert len(found) >= 2
    for part in ("by duration of the clip", "by category of the clip", "by kind of keypoint"):
        expect(page.locator("figure.chart").filter(has_text=part)).to_have_count(1)
    figure = page.locator("figure.chart").first
    figure.scroll_into_view_if_needed()
    figure.locator(".plot svg").first.wait_for()
    page.goto("/b/sample/1.0/clips/red-balloon/?track=keypoints")
    card = page.get_by_role("article", name="Teller-1B")
    card.get_by_text("Keypoint by keypoint").click()
    points = card.locator("ol.verdicts > li")
    everything = points.count()
    assert everything > 3
    subjects = page.get_by_role("navigation", name="Subject whose keypoints are shown")
    subjects.get_by_role("link").nth(1).click()
    page.wait_for_url("**subject=**")
    card.get_by_text("Keypoint by keypoint").click()
    expect(card).to_contain_text("with this subject")
    some = points.count()
    assert 0 < some < everything
    expect(card.locator("mark[class^=group]").first).to_be_visible()


def test_judgements_made_elsewhere_are_reported(page: Any, tmp_path: Path) -> None:
    """Track and judge are asked of them alone; both files go together."""
    annotations = read_annotations(keypoint_records(sample_scenes()), "keypoints.json")
    files = []
    for name, data in judgement_files(annotations):
        (tmp_path / name).write_bytes(data)
        files.append(tmp_path / name)
    page.goto(SUBMIT)
    asked = page.get_by_label("Judge that gave the judgements")
    page.get_by_label("What the file holds").select_option("descriptions")
    expect(asked).to_be_hidden()
    page.get_by_label("What the file holds").select_option("judgements")
    expect(asked).to_be_visible()
    upload(
        page, "judgements", "Judged-1B", files, Judge_that_gave_the_judgements="keypoint-baseline"
    )
    assert "1.0000" in watched(page)
    assert cells(page, f"{KEYPOINTS}?provenance=reported", "Judged-1B")[0] == "1.0000"
    page.goto(KEYPOINTS)
    expect(page.locator("#board table").first.get_by_role("row", name="Judged-1B")).to_have_count(0)


@pytest.mark.parametrize(("width", "scheme"), LOOKS)
def test_no_page_of_these_protocols_keeps_anybody_out(
    browser: Any, site: LiveSite, width: int, scheme: str
) -> None:
    """axe finds nothing serious, and no page is wider than the window."""
    context = browser.new_context(
        base_url=site.url, viewport={"width": width, "height": 900}, color_scheme=scheme
    )
    page = context.new_page()
    faults = []
    for address in (
        KEYPOINTS,
        f"{KEYPOINTS}?category=Street&metric=ref",
        PAIRS,
        f"{PAIRS}?metric=strict",
        "/b/sample/1.0/clips/red-balloon/?track=keypoints",
        "/b/sample/1.0/clips/red-balloon/?track=keypoints&subject=s1",
    ):
        page.goto(address)
        faults += keeps_out(page)
    context.close()
    assert not faults
