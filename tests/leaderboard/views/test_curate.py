"""The curators' workspace, page by page."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from leaderboard.curation.stepping import work_off
from leaderboard.models import (
    Attendance,
    AuditEntry,
    Batch,
    Benchmark,
    Clip,
    Release,
    Run,
    Submission,
    Track,
)
from leaderboard.pipeline import options
from leaderboard.tables.labels import judge_title

TABLE = b"clip,duration,reference\nc1,10,A man walks into a bar.\nc2,20,A red car stops.\n"


@pytest.fixture
def cora(release: Release) -> User:
    """Curates the small benchmark."""
    made = User.objects.create_user("cora")
    release.benchmark.curators.add(made)
    return made


@pytest.fixture
def as_cora(client: Client, cora: User) -> Client:
    """A browser in which she is logged in."""
    client.force_login(cora)
    return client


def at(name: str, *rest: str) -> str:
    """An address of the small benchmark's workspace."""
    return reverse(f"curate-{name}", args=["small", *rest])


def check(client: Client, address: str, data: bytes = TABLE, kind: str = "table") -> Any:
    """Send a file to be checked."""
    return client.post(address, {"kind": kind, "file": SimpleUploadedFile("clips.csv", data)})


def test_a_benchmark_from_nothing_to_published(as_cora: Client, cora: User, text: Any) -> None:
    """Card, data, draft, publication: no database shell."""
    values = {"name": "New one", "slug": "new-one", "summary": "Two clips.", "rules": "Be fair."}
    made = as_cora.post(reverse("curate-new"), values)
    assert made.headers["Location"] == reverse("curate-benchmark", args=["new-one"])
    benchmark = Benchmark.objects.get(slug="new-one")
    assert list(benchmark.curators.all()) == [cora]
    checked = check(as_cora, reverse("curate-data", args=["new-one"]))
    assert "A man walks into a bar." in text(checked)
    assert not benchmark.releases.exists()
    ticket = checked.context["ticket"]
    store = reverse("curate-store", args=["new-one"])
    assert as_cora.post(store, {"ticket": ticket, "version": "first"}).status_code == 422
    stored = as_cora.post(store, {"ticket": ticket, "version": "1.0"}, follow=True)
    assert "Publish 1.0" in text(stored)
    assert as_cora.get(reverse("benchmark", args=["new-one"])).status_code == 404
    as_cora.post(reverse("curate-publish", args=["new-one", "1.0"]))
    assert "Two clips." in text(as_cora.get(reverse("benchmark", args=["new-one"])))
    assert set(AuditEntry.objects.values_list("action", flat=True)) == {
        "benchmark.create",
        "release.create",
        "release.publish",
    }


@pytest.mark.parametrize("slug", ["new", "small", "No Slug"])
def test_an_address_that_cannot_be_used(as_cora: Client, slug: str) -> None:
    """Taken, or no address at all; what was filled in stays."""
    page = as_cora.post(reverse("curate-new"), {"name": "X", "slug": slug, "summary": "Y"})
    assert page.status_code == 422
    assert page.context["form"].errors["slug"]


def test_a_faulty_file_is_reported_whole(as_cora: Client, small_releases: int, text: Any) -> None:
    """With the line of each fault; nothing is kept of it."""
    page = check(as_cora, at("data"), b"clip,duration,reference\nc1,x,A.\n,5,B.\n")
    assert page.status_code == 422
    said = text(page)
    assert "clips.csv, line 2" in said
    assert "clips.csv, line 3" in said
    assert Release.objects.count() == small_releases
    assert not default_storage.exists("staged")


@pytest.fixture
def small_releases(release: Release) -> int:
    """How many there are before."""
    return Release.objects.count()


def test_a_checked_file_is_its_checkers(
    as_cora: Client, client: Client, release: Release, text: Any
) -> None:
    """A ticket is of no use to another curator, nor altered, nor twice."""
    ticket = check(as_cora, at("data")).context["ticket"]
    other = User.objects.create_user("other")
    release.benchmark.curators.add(other)
    theirs = Client()
    theirs.force_login(other)
    for browser, given in ((theirs, ticket), (as_cora, ticket[:-1]), (as_cora, "")):
        answer = browser.post(at("store"), {"ticket": given, "version": "2.0"}, follow=True)
        assert "choose it again" in text(answer)
    as_cora.post(at("store"), {"ticket": ticket, "version": "2.0"})
    again = as_cora.post(at("store"), {"ticket": ticket, "version": "3.0"}, follow=True)
    assert "choose it again" in text(again)
    assert Release.objects.filter(version="2.0").exists()
    assert not Release.objects.filter(version="3.0").exists()


def test_a_correction_by_hand(as_cora: Client, release: Release, text: Any) -> None:
    """New release, a clip left out with a reason, other data, what changed, and back."""
    as_cora.post(at("correct", "1.0"), {"version": "1.1", "notes": "Mended."})
    new = Release.objects.get(version="1.1")
    as_cora.post(at("exclude", "1.1", "c3"), {"reason": ""})
    assert not new.clips.get(key="c3").excluded
    as_cora.post(at("exclude", "1.1", "c3"), {"reason": "Broken video."})
    assert "Broken video." in text(as_cora.get(at("clips", "1.1")))
    said = text(as_cora.get(at("changes", "1.1")))
    assert "Left out from now on: 1 c3: Broken video." in said
    assert not [word for word in ("Added", "Dropped", "Said otherwise") if word in said]
    as_cora.post(at("exclude", "1.1", "c3"), {"include": "1"})
    assert "The data is the same." in text(as_cora.get(at("changes", "1.1")))
    ticket = check(as_cora, at("replace", "1.1")).context["ticket"]
    as_cora.post(at("store-replacement", "1.1"), {"ticket": ticket})
    page = as_cora.get(at("changes", "1.1")).content.decode()
    assert "<del>" in page
    assert new.clips.count() == 2
    assert f'href="{at("discard", "1.1")}"' in as_cora.get(at("release", "1.1")).content.decode()
    said = text(as_cora.get(at("discard", "1.1")))
    assert "Discard the draft 1.1? 2 clips with 2 references" in said
    assert Release.objects.filter(version="1.1").exists()
    as_cora.post(at("discard", "1.1"))
    assert not Release.objects.filter(version="1.1").exists()
    assert as_cora.post(at("correct", "1.0"), {"version": "1.0"}).status_code == 422


def test_published_data_cannot_be_changed_here(as_cora: Client, release: Release) -> None:
    """Whatever is sent."""
    before = list(Clip.objects.order_by("pk").values())
    ticket = check(as_cora, at("replace", "1.0")).context["ticket"]
    for name, sent in (
        ("store-replacement", {"ticket": ticket}),
        ("discard", {}),
        ("publish", {}),
    ):
        answer = as_cora.post(at(name, "1.0"), sent, follow=True)
        assert "frozen" in answer.content.decode()
    assert "frozen" in as_cora.get(at("discard", "1.0"), follow=True).content.decode()
    as_cora.post(at("exclude", "1.0", "c1"), {"reason": "No."})
    assert list(Clip.objects.order_by("pk").values()) == before


def test_settings_of_a_release(as_cora: Client, release: Release) -> None:
    """Each with its entry; a moment that makes no sense is refused."""
    sent = {"notes": "N", "missing_clips": "zero", "opens_at": "2030-01-02T10:00"}
    bad = as_cora.post(at("release", "1.0"), sent | {"closes_at": "2030-01-01T10:00"})
    assert bad.status_code == 422
    assert bad.context["form"].errors["closes_at"]
    as_cora.post(at("release", "1.0"), sent | {"references_hidden": "on"})
    release.refresh_from_db()
    assert (release.missing_clips, release.references_hidden) == ("zero", True)
    assert release.opens_at.isoformat() == "2030-01-02T10:00:00+00:00"
    assert AuditEntry.objects.get(action="release.settings").after["missing_clips"] == "zero"


def test_cards_and_curators(as_cora: Client, release: Release, ann: User) -> None:
    """What changed is in the trail, nothing else."""
    as_cora.post(at("card"), {"name": "Smaller", "summary": "Four clips.", "faq": "Q"})
    entry = AuditEntry.objects.get(action="benchmark.edit")
    assert (entry.before, entry.after) == (
        {"name": "Small", "faq": ""},
        {"name": "Smaller", "faq": "Q"},
    )
    assert as_cora.post(at("curators"), {"curators": "cora, nobody"}).status_code == 422
    as_cora.post(at("curators"), {"curators": "cora\nann"})
    assert set(release.benchmark.curators.all()) == {ann, User.objects.get(username="cora")}


def test_a_further_track(as_cora: Client, release: Release) -> None:
    """Another protocol on the same data; what no worker could score is refused field by field."""
    sent = {"name": "Facts", "slug": "facts", "protocol": "facts", "language": "en"}
    good = sent | {"judges": ["facts-baseline"], "primary_metric": "llm_facts_f1"}
    bad = as_cora.post(
        at("new-track", "1.0"),
        sent | {"judges": ["char-tfidf"], "primary_metric": "hm_cf", "annotation": "x"},
    )
    assert bad.status_code == 422
    assert {"judges", "primary_metric"} <= set(bad.context["form"].errors)
    for slug in ("clips", "main-v1", "main"):
        assert as_cora.post(at("new-track", "1.0"), good | {"slug": slug}).status_code == 422
    assert release.tracks.count() == 1
    as_cora.post(at("new-track", "1.0"), good)
    made = release.tracks.get(slug="facts")
    assert (made.settings, made.judges, made.position) == (
        {"language": "en"},
        ["facts-baseline"],
        1,
    )
    assert AuditEntry.objects.get(action="track.add").after["protocol"] == "facts"


def test_another_panel_and_rescoring(
    as_cora: Client, track: Track, submit: Any, text: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each button does what its page has counted."""
    monkeypatch.setattr(options, "judges_for", lambda _: {"left": "L", "right": "R", "new": "N"})
    submit("One")
    as_cora.post(at("track", "1.0", "main"), {"judges": ["left", "new"]})
    assert "2 runs" in text(as_cora.get(at("track", "1.0", "main")))
    as_cora.post(at("queue", "1.0", "main"))
    work_off(Batch.objects.get())
    assert Run.objects.filter(track__slug="main", low_priority=True).count() == 2
    assert "keeps its rankings" in text(as_cora.get(at("track", "1.0", "main-v1")))
    empty = as_cora.post(at("track", "1.0", "main"), {"judges": []})
    assert empty.status_code == 422
    as_cora.post(at("correct", "1.0"), {"version": "1.1"})
    assert "once 1.1 is published" in text(as_cora.get(at("changes", "1.1")))
    as_cora.post(at("publish", "1.1"))
    done = as_cora.post(at("rescore", "1.1"), {"from": "1.0"}, follow=True)
    assert "Begun for 1 submission" in text(done)
    assert "0 of 1 submission, 0 runs" in text(done)
    refused = as_cora.post(at("rescore", "1.1"), {"from": "1.0"}, follow=True)
    assert "under way already: 0 of 1" in text(refused)
    part = as_cora.get(at("batches"), headers={"HX-Request": "true"})
    assert b"every 2s" in part.content
    work_off(Batch.objects.all()[0])
    part = as_cora.get(at("batches"), headers={"HX-Request": "true"})
    assert "1 of 1 submission, 2 runs" in text(part)
    assert b"every 2s" not in part.content
    assert "Rescore 1.0 on 1.1" in text(as_cora.get(at("batches")))
    assert Submission.objects.filter(release__version="1.1").count() == 1
    assert as_cora.get(at("changes", "1.0")).status_code == 404
    assert as_cora.get(f"{at('changes', '1.0')}?from=1.1").status_code == 200


def test_the_quota_is_set_on_its_page(as_cora: Client, release: Release, text: Any) -> None:
    """Faults stand beside their fields."""
    assert "Only accepted submissions count" in text(as_cora.get(at("quota")))
    given = {"limit": "-1", "window": "rolling", "hours": "24", "per": "user"}
    assert as_cora.post(at("quota"), given).status_code == 422
    as_cora.post(at("quota"), given | {"limit": "4", "hours": "48"})
    policy = release.benchmark.quota_policy
    assert (policy.limit, policy.hours, policy.at_once) == (4, 48, None)
    assert "48 hours" in text(as_cora.get("/b/small/submit/"))


def test_a_judge_without_a_worker_says_so_before_it_is_chosen(
    as_cora: Client, track: Track, text: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside each choice; nothing where all have one."""
    titles = {"left": "The left", "right": "The right", "new": "Not yet chosen"}
    monkeypatch.setattr(options, "judges_for", lambda _: titles)
    Attendance.objects.create(judge="left", heard_at=timezone.now())
    page = text(as_cora.get(at("track", "1.0", "main")))
    assert "The left The right no worker Not yet chosen no worker" in page
    for judge in ("right", "new"):
        Attendance.objects.create(judge=judge, heard_at=timezone.now())
    assert "no worker" not in text(as_cora.get(at("track", "1.0", "main")))


def test_judges_and_protocols_are_called_by_their_titles(
    as_cora: Client, track: Track, text: Any
) -> None:
    """On the release's page as in the list of costs."""
    Track.objects.update(protocol="ngram", judges=["pycocoevalcap"])
    page = text(as_cora.get(at("release", "1.0")))
    assert "Shared words Shared words (pycocoevalcap)" in page
    assert "Ngram" not in page
    Track.objects.update(protocol="semantic", judges=["all-minilm-l6-v2"])
    page = text(as_cora.get(at("release", "1.0")))
    assert f"Semantic similarity {judge_title('all-minilm-l6-v2')}" in page


def test_a_track_is_closed_and_opened(
    as_cora: Client, track: Track, text: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It keeps what it has; judges that this site does not know are not let loose."""
    address = at("uploads", "1.0", "main")
    assert "Close it to uploads" in text(as_cora.get(at("track", "1.0", "main")))
    as_cora.post(address, {"takes": "no"})
    track.refresh_from_db()
    assert not track.scores_uploads
    refused = as_cora.post(address, {"takes": "yes"}, follow=True)
    assert "Its judges cannot judge here" in text(refused)
    monkeypatch.setattr(options, "judges_for", lambda _: {"left": "L", "right": "R"})
    opened = as_cora.post(address, {"takes": "yes"}, follow=True)
    assert "takes uploads now" in text(opened)
    track.refresh_from_db()
    assert track.scores_uploads
    actions = AuditEntry.objects.order_by("pk").values_list("action", flat=True)
    assert list(actions) == ["track.close", "track.open"]
