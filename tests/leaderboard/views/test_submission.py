"""The form, a submission's page, and the list of one's own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from leaderboard.models import Ranking, Release, Run, ScoreVector, Submission, System
from scoring.types import ScoringError

FORM = "/b/small/submit/"
GOOD = {f"c{n}": f"A man walks past number {n}." for n in range(1, 5)}


def file(content: Any, name: str = "predictions.json") -> SimpleUploadedFile:
    """A file as a browser sends it."""
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return SimpleUploadedFile(name, data)


def fields(content: Any = GOOD, **more: Any) -> dict[str, Any]:
    """The form, filled in."""
    return {"name": "New-1B", "visibility": "public", "file": file(content)} | more


def progress_of(submission: Submission) -> str:
    """The address of the part that is asked for again."""
    return f"{submission.get_absolute_url()}progress/"


def test_the_form_asks_for_a_login_and_comes_back(client: Client, release: Release) -> None:
    """Reading needs no account, submitting does."""
    response = client.get(FORM)
    assert response.status_code == 302
    assert response["Location"] == f"/login/?next={FORM}"


def test_a_good_file_is_stored_and_shown(
    as_ann: Client, release: Release, sent: list[Any], text: Callable[[Any], str]
) -> None:
    """The redirect leads to its page; the system keeps its card; the runs are on their way."""
    given = fields(
        organisation="Lab", parameters="7B", frames="32", open_weights="true", note="Greedy"
    )
    response = as_ann.post(FORM, given)
    made = Submission.objects.get()
    assert response["Location"] == made.get_absolute_url()
    assert (made.system.name, made.system.organisation, made.system.frames) == ("New-1B", "Lab", 32)
    assert made.system.open_weights is True
    assert made.user is not None
    assert made.user.username == "ann"
    assert dict(made.descriptions.values_list("clip__key", "text")) == GOOD
    assert Run.objects.filter(submission=made, state="queued").count() == 2
    said = text(as_ann.get(made.get_absolute_url()))
    for words in ("New-1B", "Greedy", "predictions.json", made.sha256, "0 of 2 judges are through"):
        assert words in said


def test_every_problem_at_once_and_nothing_stored(
    as_ann: Client, release: Release, text: Callable[[Any], str]
) -> None:
    """A number for a text, an unknown clip, two missing ones; what was typed is kept."""
    response = as_ann.post(FORM, fields({"c1": 7, "c2": "Good.", "c9": "A dog."}, note="Greedy"))
    said = text(response)
    assert response.status_code == 422
    assert "Nothing has been stored" in said
    for words in ("the text of c1 must be", "no description: c3, c4", "c9 is no clip"):
        assert words in said
    assert b'value="New-1B"' in response.content
    assert b"Greedy" in response.content
    assert not Submission.objects.exists()
    assert not System.objects.exists()


def test_a_dry_run_says_all_and_stores_nothing(
    as_ann: Client, release: Release, text: Callable[[Any], str]
) -> None:
    """Of a good file: counts, encoding, format, size, what is ignored; no name is needed."""
    content = GOOD | {"c4": " ", "c5": "Excluded."}
    response = as_ann.post(FORM, fields(content, name="", check="1"))
    said = text(response)
    assert response.status_code == 200
    for words in (
        "The file would be accepted. Nothing has been stored",
        "Clips found 4 of 4",
        "Empty descriptions 1, each scores 0",
        "json-map",
        "UTF-8",
        "1 description ignored, of clips that are excluded: c5",
    ):
        assert words in said
    assert not Submission.objects.exists()
    assert not System.objects.exists()


def test_a_dry_run_of_a_bad_file_names_all_that_is_missing(
    as_ann: Client, release: Release, text: Callable[[Any], str]
) -> None:
    """With the nearest id for an unknown one."""
    response = as_ann.post(FORM, fields({"c1": "A.", "c2": "B.", "C3": "C."}, check="1"))
    said = text(response)
    assert response.status_code == 422
    for words in ("not accepted: 2 problems", "C3 is no clip", "did you mean", "2 clips missing"):
        assert words in said


def test_missing_clips_count_as_empty_where_the_release_has_it_so(
    as_ann: Client, release: Release, text: Callable[[Any], str], sent: list[Any]
) -> None:
    """With a warning; each has an empty text from then on."""
    release.missing_clips = "zero"
    release.save()
    response = as_ann.post(FORM, fields({"c1": "A man.", "c2": "A car."}), follow=True)
    assert "here each counts as an empty description" in text(response)
    texts = dict(Submission.objects.get().descriptions.values_list("clip__key", "text"))
    assert texts == {"c1": "A man.", "c2": "A car.", "c3": "", "c4": ""}


def test_a_flag_that_the_benchmark_refuses_a_file_for(
    as_ann: Client, release: Release, text: Callable[[Any], str]
) -> None:
    """A flag elsewhere, an error here, for each clip."""
    release.benchmark.blocking_flags = ["repeated-text"]
    release.benchmark.save()
    response = as_ann.post(FORM, fields(dict.fromkeys(GOOD, "The same.")))
    assert response.status_code == 422
    assert text(response).count("One text for many clips: Several clips share a text.") == 4
    assert not Submission.objects.exists()


def test_a_first_submission_waits_where_the_benchmark_has_it_so(
    as_ann: Client, release: Release, text: Callable[[Any], str], sent: list[Any]
) -> None:
    """For a curator; nobody else sees it meanwhile, and the next one of a known person passes."""
    release.benchmark.holds_first = True
    release.benchmark.save()
    response = as_ann.post(FORM, fields(), follow=True)
    assert "Waits for a curator" in text(response)
    first = Submission.objects.get()
    assert Client().get(first.get_absolute_url()).status_code == 404
    Submission.objects.update(standing="clear")
    as_ann.post(FORM, fields())
    assert Submission.objects.filter(standing="clear").count() == 2


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("empty.json", b"", "the file is empty"),
        (
            "latin.json",
            '{"c1": "caf\xe9"}'.encode("latin-1"),
            "the file is not UTF-8: byte 0xE9 at offset 11",
        ),
        ("cut.json", b'{"c1": "A man', "line 1, column 8"),
        ("picture.png", b"\x89PNG\r\n\x1a\n\x00\x00", "this is a PNG image"),
        ("nul.json", b'{"c1": "a\\u0000b"}', "the text of c1 holds the character NUL"),
        ("surrogate.json", b'{"c1": "a\\ud800b"}', "the text of c1 holds a lone surrogate"),
        ("twice.json", b'{"c1": "a", "c1": "b"}', "c1 is described a second time"),
        ("deep.json", b"[" * 50_000, "nested more than 32 levels deep"),
    ],
)
def test_no_file_makes_the_site_fall_over(
    as_ann: Client, release: Release, text: Callable[[Any], str], name: str, data: bytes, words: str
) -> None:
    """One clear page for each, and nothing stored."""
    response = as_ann.post(FORM, fields(file=file(data, name)))
    assert response.status_code == 422
    assert "The file was not accepted" in text(response)
    assert words in text(response)
    assert not Submission.objects.exists()


def test_a_body_over_the_limit_is_refused_before_it_is_parsed(
    as_ann: Client, release: Release, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """413, with limit and size; the form's parser is never called."""
    monkeypatch.setattr("leaderboard.http.FORM_ALLOWANCE", 0)
    monkeypatch.setattr("django.http.multipartparser.MultiPartParser.parse", None)
    settings.UPLOAD_MAX_BYTES = 1000
    response = as_ann.post(FORM, fields({"c1": "x" * 2000}))
    assert response.status_code == 413
    assert b"the limit is 0.001 MB" in response.content
    assert not Submission.objects.exists()


def test_a_file_just_over_the_limit_is_a_problem_of_the_file(
    as_ann: Client, release: Release, settings: Any, text: Callable[[Any], str]
) -> None:
    """Between the two limits intake says it."""
    settings.UPLOAD_MAX_BYTES = 1000
    response = as_ann.post(FORM, fields({"c1": "x" * 2000}))
    assert response.status_code == 422
    assert "The file was not accepted" in text(response)


def test_without_a_name_or_a_file_the_form_says_so(
    as_ann: Client, release: Release, text: Callable[[Any], str]
) -> None:
    """Each fault below its field."""
    said = text(as_ann.post(FORM, {"visibility": "public"}))
    assert "Name the system that wrote the descriptions." in said
    assert "This field is required." in said


def test_somebody_elses_name_is_taken(
    as_ann: Client, release: Release, ben: Any, text: Callable[[Any], str]
) -> None:
    """And the remedy is said."""
    System.objects.create(name="New-1B", slug="new-1b", owner=ben)
    response = as_ann.post(FORM, fields())
    assert response.status_code == 422
    assert "Choose another name" in text(response)
    assert not Submission.objects.exists()


def test_an_own_system_can_be_chosen(as_ann: Client, ranked: Any, ben: Any) -> None:
    """Only one's own are offered; the next submission is a new version of the same system."""
    System.objects.create(name="Foreign", slug="foreign", owner=ben)
    page = as_ann.get(FORM).content.decode()
    assert "Foreign" not in page
    best = System.objects.get(name="Best")
    response = as_ann.post(FORM, fields(system=best.pk, name=""))
    assert response.status_code == 302
    assert best.submissions.count() == 2
    foreign = System.objects.get(name="Foreign")
    assert as_ann.post(FORM, fields(system=foreign.pk, name="")).status_code == 422


def test_a_private_submission_is_its_owners_and_staffs(
    as_ann: Client, client: Client, release: Release, sent: Any, ben: Any, admin_client: Client
) -> None:
    """Page and part alike do not exist for others."""
    as_ann.post(FORM, fields(visibility="private"))
    made = Submission.objects.get()
    for address in (made.get_absolute_url(), progress_of(made)):
        assert as_ann.get(address).status_code == 200
        assert admin_client.get(address).status_code == 200
    client.force_login(ben)
    for address in (made.get_absolute_url(), progress_of(made)):
        assert client.get(address).status_code == 404
    client.logout()
    assert client.get(made.get_absolute_url()).status_code == 404


def test_the_page_asks_until_it_is_final(
    client: Client, submit: Any, work_off: Any, text: Callable[[Any], str]
) -> None:
    """Waiting, half-way with counts and a bar, through, ranked: then it asks no more."""
    submission = submit("Best")
    address = submission.get_absolute_url()
    waiting = client.get(address).content.decode()
    assert f'hx-get="{progress_of(submission)}?finished=0"' in waiting
    assert 'hx-trigger="every 1s"' in waiting
    assert "Waiting for a worker" in waiting
    Run.objects.filter(submission=submission, judge="left").update(
        state=Run.State.RUNNING, done=3, total=12
    )
    part = client.get(progress_of(submission), headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert re.search(r'<progress max="12"\s+value="3"\s+aria-label="left">25%</progress>', part)
    assert "3 of 12" in part
    Run.objects.filter(submission=submission).update(state=Run.State.QUEUED)
    work_off()
    done = client.get(progress_of(submission), headers={"HX-Request": "true"})
    assert b"hx-get" not in done.content
    assert b'data-final="yes"' in done.content
    assert "Rank 1 of 1" in text(done)
    assert "Look again" not in text(client.get(address))


def test_only_news_are_said_aloud(client: Client, submit: Any, work_off: Any) -> None:
    """A part that brings no judge to its end changes nothing that a screen reader announces."""
    submission = submit("Best")
    headers = {"HX-Request": "true"}
    quiet = client.get(progress_of(submission), {"finished": 0}, headers=headers)
    assert b"hx-swap-oob" not in quiet.content
    work_off()
    news = client.get(progress_of(submission), {"finished": 1}, headers=headers)
    assert b"hx-swap-oob" in news.content
    assert b"2 of 2 judges are through." in news.content


def test_scores_rank_and_signatures(
    client: Client, ranked: list[Submission], text: Callable[[Any], str]
) -> None:
    """The vectors' means, their mean over judges, the place with its interval."""
    submission = ranked[1]
    said = text(client.get(submission.get_absolute_url()))
    vectors = ScoreVector.objects.filter(run__submission=submission)
    for vector in vectors:
        assert f"{vector.mean:.4f}" in said
    hm_cf = [vector.mean for vector in vectors if vector.metric == "hm_cf"]
    assert f"Mean over judges {sum(hm_cf) / 2:.4f}" in said
    row = Ranking.objects.latest("computed_at").rows[1]
    assert "Rank 2 of 3" in said
    assert f"95% interval {row['rank_low']} to {row['rank_high']}" in said
    for run in submission.runs.all():
        assert run.signature in said


def test_a_failed_judge_says_why(
    client: Client,
    submit: Any,
    work_off: Any,
    judges: Any,
    text: Callable[[Any], str],
) -> None:
    """The reason stands on the page; the submission is on the board, unranked."""

    def out_of_order(progress: object) -> None:
        raise ScoringError("The weights of this judge are not here: install them.")

    judges["right"].before = out_of_order
    submission = submit("Best")
    work_off()
    said = text(client.get(submission.get_absolute_url()))
    assert "right failed after 1 attempt" in said
    assert "The weights of this judge are not here: install them." in said
    assert "On the board, but unranked: no score by right." in said


def test_when_all_judges_fail_the_page_is_final(
    client: Client, submit: Any, text: Callable[[Any], str]
) -> None:
    """Nothing to wait for."""
    submission = submit("Best")
    Run.objects.update(state=Run.State.FAILED, error="No luck.", finished_at=timezone.now())
    response = client.get(submission.get_absolute_url())
    assert "No judge could score this submission" in text(response)
    assert b"hx-get" not in response.content


def test_long_and_empty_texts_are_counted(
    client: Client, ranked: list[Submission], text: Callable[[Any], str]
) -> None:
    """What a reader must know beside the numbers."""
    Run.objects.filter(submission=ranked[0], judge="left").update(
        counts={"cut": 3, "texts": 40, "empty": 1}
    )
    said = text(client.get(ranked[0].get_absolute_url()))
    assert "3 of 40 texts were longer than it reads" in said
    assert "1 empty description scored 0." in said
    assert "no text was longer than it reads" in said


def test_warnings_stay_with_the_submission(
    client: Client, submit: Any, text: Callable[[Any], str]
) -> None:
    """They were accepted, and are shown: what the texts show as a flag, and only there."""
    submission = submit("Placeholder", {key: key for key in GOOD} | {"c5": "Left out."})
    assert submission.warnings
    said = text(client.get(submission.get_absolute_url()))
    assert "Text is the clip id 4 clips" in said
    assert "equal their clip id" not in said
    assert "Worth a look" in said
    assert "1 description ignored" in said


def test_a_private_one_is_scored_and_not_ranked(
    as_ann: Client, submit: Any, work_off: Any, text: Callable[[Any], str]
) -> None:
    """And waits for no ranking."""
    submission = submit("Secret", visibility="private")
    work_off()
    response = as_ann.get(submission.get_absolute_url())
    assert "A private submission is not on the board" in text(response)
    assert b"hx-get" not in response.content


def test_an_older_version_says_that_a_newer_one_counts(
    client: Client, ranked: list[Submission], submit: Any, work_off: Any, text: Any
) -> None:
    """Its scores stay where they are."""
    submit("Best", {"c1": "Something else."})
    work_off()
    said = text(client.get(ranked[0].get_absolute_url()))
    assert "A newer submission of this system stands on the board" in said


def test_patience_for_the_ranking_ends(
    client: Client, ranked: list[Submission], text: Callable[[Any], str]
) -> None:
    """Asked for during two minutes after the last judge, then not any more."""
    Ranking.objects.all().delete()
    address = ranked[0].get_absolute_url()
    assert "The ranking is being computed" in text(client.get(address))
    assert b"hx-get" in client.get(address).content
    Run.objects.update(finished_at=timezone.now() - timedelta(minutes=5))
    late = client.get(address)
    assert "the ranking has not followed yet" in text(late)
    assert b"hx-get" not in late.content


def test_ones_own_submissions(
    as_ann: Client, client: Client, ranked: Any, submit: Any, ben: Any, text: Callable[[Any], str]
) -> None:
    """All of them with what their judges do; nobody else's."""
    submit("Waiting", visibility="private")
    said = text(as_ann.get("/submissions/"))
    assert said.index("Waiting") < said.index("Worst") < said.index("Best")
    assert "0 of 2 done" in said
    assert "2 of 2 done" in said
    client.force_login(ben)
    assert "You have not submitted anything yet" in text(client.get("/submissions/"))
    client.logout()
    assert client.get("/submissions/").status_code == 302


def test_queries_do_not_grow_with_systems(
    as_ann: Client,
    ranked: list[Submission],
    submit: Any,
    work_off: Any,
    django_assert_max_num_queries: Any,
) -> None:
    """On the page and on the list."""
    address = ranked[0].get_absolute_url()
    with django_assert_max_num_queries(22) as page:
        as_ann.get(address)
    with django_assert_max_num_queries(9) as listed:
        as_ann.get("/submissions/")
    for n in range(5):
        submit(f"More {n}")
    work_off()
    with django_assert_max_num_queries(len(page.captured_queries)):
        as_ann.get(address)
    with django_assert_max_num_queries(len(listed.captured_queries)):
        as_ann.get("/submissions/")


def test_a_submission_that_is_not_there(client: Client, db: None) -> None:
    """404, as for one that one may not see."""
    gone = "/submissions/00000000-0000-0000-0000-000000000000/"
    assert client.get(gone).status_code == 404
    assert client.get(f"{gone}progress/").status_code == 404
