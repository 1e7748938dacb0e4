"""Every page and export, with the worst names that somebody can give: shown as text everywhere."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from leaderboard.models import (
    Announcement,
    Benchmark,
    Clip,
    Description,
    Notice,
    Reference,
    ReportedResult,
    Submission,
    System,
    Team,
    Track,
)
from leaderboard.people import teams
from leaderboard.pipeline import notices
from leaderboard.pipeline.rank import rank_track
from tests.support.inline import inline_faults
from tests.support.routes import Route, routes
from tests.support.world import World

MARKUP = "</script><img src=x onerror=alert(1)>\"'{{7*7}}%s"
FORMULA = '=HYPERLINK("http://x.example","y")'
LATEX = r"\input{/etc/passwd}$^_&%#~"
JSON_DATA = r"<script[^>]*application/json[^>]*>(.*?)</script>"
SEES = ("owner", "staff")


@pytest.fixture
def hostile(world: World) -> World:
    """The same site, with names and texts that want to be more than text."""
    System.objects.filter(slug="best").update(
        name=MARKUP, organisation=LATEX, family=MARKUP, parameters="<b>7B", prompt=MARKUP
    )
    System.objects.filter(slug="other").update(name=FORMULA, organisation=FORMULA)
    Benchmark.objects.update(description=MARKUP, licence="<i>", citation=MARKUP, rules=MARKUP)
    Track.objects.filter(slug="main").update(name=MARKUP[:120], summary=MARKUP)
    Clip.objects.update(title=MARKUP, category="<u onclick=x>")
    Reference.objects.update(text=f"{MARKUP} A man walks.")
    Description.objects.update(text=f"{MARKUP} A man sits. javascript:alert(1)")
    Team.objects.update(name=MARKUP)
    Announcement.objects.update(title=MARKUP, text=f"{MARKUP} [x](javascript:alert(1)) <script>1")
    Notice.objects.update(text=MARKUP)
    Submission.objects.update(note=MARKUP, original_name=f"{MARKUP}.json")
    ReportedResult.objects.update(source="javascript:alert(1)")
    for track in Track.objects.filter(slug__in=("main", "pairs"), release__version="1.0"):
        rank_track(track.pk)
    return world


def pages(world: World, client: Client) -> Iterator[tuple[Route, str, Any]]:
    """Everything that is read, but the admin and what only moves on."""
    for route in routes():
        if route.namespace == "admin":
            continue
        for track in ("main", "pairs", "facts", "keypoints") if "track" in route.kinds else ("",):
            address = route.at(world.values(route) | {"track": track})
            answer = client.get(address)
            if answer.status_code == 200:
                yield route, address, answer


def test_se_01_no_page_holds_more_than_it_was_written_with(
    hostile: World, as_role: Callable[[str], Client]
) -> None:
    """No script, handler or style inline, no link that runs something: with any names."""
    faults, seen = [], set()
    for role in SEES:
        for route, address, answer in pages(hostile, as_role(role)):
            if not answer["Content-Type"].startswith("text/html"):
                continue
            seen.add(route.id)
            content = answer.getvalue().decode()
            faults += [f"{role} {address}: {fault}" for fault in inline_faults(content)]
            # A page of charts has its numbers as JSON, which scripts can read as it is.
            for data in re.findall(
                r"<script[^>]*application/json[^>]*>(.*?)</script>", content, re.DOTALL
            ):
                json.loads(data, parse_constant=pytest.fail)
    assert len(seen) > 60
    assert not faults, "\n".join(faults[:30])


def test_the_look_at_pages_would_find_them() -> None:
    """Each kind that the test above looks for."""
    bad = '<p onclick=x style="a"><script>1</script><a href=" JavaScript:x"><style></style></a></p>'
    assert len(inline_faults(bad)) == 5
    assert not inline_faults('<script type="application/json">{"a": 1}</script><a href="/b">b</a>')


def test_se_01_exports_hold_names_as_text(hostile: World, client: Client) -> None:
    """CSV without formulas and with numbers, LaTeX, Markdown and BibTeX without commands."""
    base = "/b/small/1.0/main"
    table = client.get(f"{base}/export.csv").getvalue().decode("utf-8-sig")
    cells = [cell for row in csv.reader(io.StringIO(table)) for cell in row]
    assert MARKUP in cells
    assert f"'{FORMULA}" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "@", "+", "\t"))]
    lines = b"".join(client.get(f"{base}/scores.csv").streaming_content).decode("utf-8-sig")
    assert not [c for row in csv.reader(io.StringIO(lines)) for c in row if c.startswith("=")]
    latex = client.get(f"{base}/export.tex").getvalue().decode()
    assert r"\input{" not in latex
    assert client.get(f"{base}/export.json").json()
    plain = client.get(f"{base}/export.md").getvalue().decode()
    assert not re.search(r"(?<!\\)<(?:img|/script)", plain)


def test_se_01_pictures_and_feeds_are_whole(hostile: World, client: Client) -> None:
    """A badge and a feed are XML in which a name is text."""
    badge = ET.fromstring(client.get("/b/small/1.0/main/badge/best.svg").getvalue())  # noqa: S314
    names = {element.tag.rpartition("}")[2] for element in badge.iter()}
    assert not names & {"script", "img", "foreignObject", "a"}
    feed = ET.fromstring(client.get("/b/small/news.atom").getvalue())  # noqa: S314
    assert MARKUP in [element.text for element in feed.iter()]


def test_se_01_links_lead_to_pages_only(as_ann: Client, ann: Any) -> None:
    """What is no address of the web is refused wherever one is typed."""
    System.objects.create(name="S", slug="s", owner=ann)
    for field in ("link", "paper", "code", "outputs"):
        for link in ("javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "ftp://a.b"):
            answer = as_ann.post("/systems/s/edit/", {"name": "S", field: link})
            assert answer.status_code == 422, (field, link)


def test_se_01_mails_have_one_subject_and_plain_text(
    hostile: World, settings: Any, mailoutbox: Any, django_capture_on_commit_callbacks: Any
) -> None:
    """A name with a line break adds no header, and reads in a mail as it was written."""
    settings.MAIL_CONFIGURED = True
    name = f"{MARKUP}\nBcc: all@example.org\r\n\r\nHello"
    Notice.objects.update(text=f"{name} is scored.", wants_mail=True, mailed_at=None)
    hostile.people["owner"].email = "owner@example.org"
    hostile.people["owner"].save()
    Team.objects.filter(slug="team").update(name=name[:120])
    assert notices.mail(Notice.objects.filter(user=hostile.people["owner"]).latest("pk"))
    with django_capture_on_commit_callbacks(execute=True):
        teams.invite(
            team=Team.objects.get(slug="team"), by=hostile.people["owner"], who="new@example.org"
        )
    assert len(mailoutbox) == 2
    for sent in mailoutbox:
        written = sent.message()
        assert written["Bcc"] is None
        assert len(sent.recipients()) == 1
        assert written.get_content_type() == "text/plain"
        assert MARKUP in sent.body
        assert "\n" not in sent.subject


def test_ap_02_every_answer_for_scripts_is_strict_json(world: World, client: Client) -> None:
    """NaN and Infinity stand in none of them, whatever is missing."""
    count = 0
    for _, address, answer in pages(world, client):
        if answer["Content-Type"].startswith("application/json"):
            json.loads(
                answer.getvalue(), parse_constant=lambda said, a=address: pytest.fail(a + said)
            )
            count += 1
    assert count > 10


@pytest.mark.parametrize("role", ["anonymous", "curator of another"])
def test_se_02_what_is_private_or_anonymous_has_no_name_anywhere(
    world: World, as_role: Callable[[str], Client], caplog: pytest.LogCaptureFixture, role: str
) -> None:
    """In no list, ranking, page, export, badge, feed, answer or log: names, texts, files, ids.

    The word is one that no token of a form holds by chance.
    """
    for slug, said in (("secret", "private"), ("hidden", "anonymous")):
        System.objects.filter(slug=slug).update(
            name=f"Quxolotl{said}",
            slug=f"quxolotl-{said}",
            organisation="Quxolotllab",
            link="https://quxolotl.org",
        )
    mine = Submission.objects.filter(pk__in=[world.private.pk, world.anonymous.pk])
    mine.update(note="Quxolotlnote", original_name="quxolotl.json")
    Description.objects.filter(submission=world.private).update(text="Quxolotltext.")
    rank_track(world.submission.release.tracks.get(slug="main").pk)
    client, seen = as_role(role), 0
    for _, address, answer in pages(world, client):
        content = answer.getvalue().decode(errors="replace").lower()
        seen += 1
        assert "quxolotl" not in content, address
        assert str(world.private.pk) not in content, address
    base = "/b/small/1.0/main"
    for slug in ("quxolotl-private", "quxolotl-anonymous"):
        gone = [f"{base}/badge/{slug}.svg", f"{base}/systems/{slug}/", f"{base}/history/{slug}/"]
        for address in (*gone, f"/systems/{slug}/", f"/api/v1/systems/{slug}"):
            assert client.get(address).status_code == 404, address
        compared = client.get(f"{base}/compare/?system={slug}&system=best").getvalue().decode()
        assert "Quxolotl" not in compared
    found = client.get("/search/?q=quxolotl").getvalue().decode()
    assert not re.search(r"Quxolotl(?:private|anonymous|lab|text)", found)
    assert seen > 40
    assert "Quxolotl" not in caplog.text
