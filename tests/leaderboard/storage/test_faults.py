"""What a storage that fails, or has another file, does to uploads and to scoring."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.files.base import ContentFile
from django.test import Client
from django.urls import reverse

from leaderboard.intake import NotKept, allowance, steer
from leaderboard.models import ApiToken, QuotaPolicy, Release, Run, Submission, System
from leaderboard.pipeline import run_log
from leaderboard.pipeline.score import score_run
from tests.leaderboard.conftest import TEXTS

pytestmark = pytest.mark.django_db
Submit = Callable[..., Submission]
DATA = json.dumps(TEXTS)


@pytest.fixture
def upload(client: Client, ann: User, release: Release, sent: Any) -> Callable[[], Any]:
    """Ann's, through the API."""
    _, secret = ApiToken.objects.issue(user=ann, name="t")

    def made() -> Any:
        return client.post(
            "/api/v1/benchmarks/small/submissions?system=Model",
            DATA,
            content_type="application/json",
            headers={"Authorization": f"Bearer {secret}"},
        )

    return made


def test_an_upload_that_cannot_be_kept(
    upload: Any, down: Any, client: Client, ann: User, release: Release, sent: list[Any]
) -> None:
    """A clear refusal on both ways in; no row, no system, no message, no quota; later it works."""
    QuotaPolicy.objects.create(benchmark=release.benchmark, limit=1)
    down()
    answer = upload()
    assert answer.status_code == 503
    assert int(answer["Retry-After"]) > 0
    (problem,) = answer.json()["problems"]
    assert problem["code"] == "storage-failing"
    assert "your file is not the cause" in problem["message"]
    assert "127.0.0.1" not in answer.content.decode()
    client.force_login(ann)
    form = {"name": "Model", "visibility": "public", "file": ContentFile(DATA.encode(), "p.json")}
    page = client.post(reverse("submit", args=["small"]), form)
    assert page.status_code == 422
    assert "could not keep the file" in page.content.decode()
    assert not Submission.objects.exists()
    assert not System.objects.exists()
    assert sent == []
    assert allowance(release, ann).left == 1
    down(back=True)
    assert upload().status_code == 201
    assert allowance(release, ann).left == 0


def test_a_run_waits_for_its_file(
    submit: Submit, down: Any, judges: Any, ann: User, release: Release, settings: Any
) -> None:
    """Tried again later; failed when no attempt is left, with the reason, at no cost; retried."""
    QuotaPolicy.objects.create(benchmark=release.benchmark, limit=1)
    mine = submit()
    run = mine.runs.get(judge="left")
    mine.runs.exclude(pk=run.pk).delete()
    down()
    for attempt in range(settings.RUN_MAX_ATTEMPTS):
        outcome = score_run(run.pk)
        assert (outcome.delay > 0) == (attempt + 1 < settings.RUN_MAX_ATTEMPTS)
    run.refresh_from_db()
    assert (run.state, run.error_code) == (Run.State.FAILED, "storage-failing")
    assert "the file is not the cause" in run.error
    assert run_log.NO_FILE.format(seconds="5") in [sentence for _, sentence in run.log]
    assert judges["left"].calls == 0
    assert allowance(release, ann).left == 1
    down(back=True)
    steer.retry(mine, actor=ann)
    score_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == (Run.State.DONE, "")


@pytest.mark.parametrize("harm", ["changed", "gone"])
def test_st_01_another_file_in_its_place_is_not_scored(
    storage: Any, submit: Submit, judges: Any, ann: User, harm: str
) -> None:
    """The run fails and says why; once the file is back it can be tried again, and is scored."""
    mine = submit()
    run = mine.runs.get(judge="left")
    name, data = str(mine.file.name), mine.file.open("rb").read()
    storage.delete(name)
    if harm == "changed":
        storage.save(name, ContentFile(data + b" "))
    score_run(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error_code) == (Run.State.FAILED, "file-changed")
    assert "try again once staff have restored" in run.error
    assert judges["left"].calls == 0
    storage.delete(name)
    storage.save(name, ContentFile(data))
    steer.retry(mine, actor=ann)
    score_run(run.pk)
    run.refresh_from_db()
    assert run.state == Run.State.DONE


def test_a_file_that_comes_cut_short_is_read_again(
    storage: Any, submit: Submit, judges: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It seems whole on its way; only what was uploaded is scored, and nobody is told otherwise."""
    run = submit().runs.get(judge="left")
    whole, cut = storage.open, []

    def opened(name: str, mode: str = "rb") -> Any:
        if cut:
            return whole(name, mode)
        cut.append(name)
        return ContentFile(whole(name, mode).read()[:-9])

    monkeypatch.setattr(storage, "open", opened)
    score_run(run.pk)
    run.refresh_from_db()
    assert (len(cut), run.state) == (1, Run.State.DONE)


def test_a_file_that_is_kept_without_an_answer_is_removed(
    storage: Any, submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The upload is refused, so nothing of it stays."""
    kind: Any = storage.__class__  # of the storage behind the name
    save = kind._save

    def lost(self: Any, name: str, content: Any) -> str:
        save(self, name, content)
        raise OSError("the answer was lost")

    monkeypatch.setattr(kind, "_save", lost)
    with pytest.raises(NotKept):
        submit()
    assert storage.listdir("submissions")[1] == []


def test_st_01_one_name_is_two_files_and_each_keeps_its_score(
    storage: Any, submit: Submit, judges: Any, ann: User, ben: User
) -> None:
    """Scored again after the other upload of the name, the first one gets its own score."""
    first = submit("One", filename="predictions.json")
    run = first.runs.get(judge="left")
    score_run(run.pk)
    before = bytes(run.vectors.get(metric="hm_cf").values)
    other = dict.fromkeys(TEXTS, "Nothing of the kind.")
    second = submit("Two", other, filename="predictions.json", user=ben)
    assert first.file.name != second.file.name
    assert "predictions" not in f"{first.file.name}{second.file.name}"
    Run.objects.filter(pk=run.pk).update(state=Run.State.QUEUED)
    score_run(run.pk)
    assert bytes(run.vectors.get(metric="hm_cf").values) == before
    score_run(second.runs.get(judge="left").pk)
    values = second.runs.get(judge="left").vectors.get(metric="hm_cf").values
    assert bytes(values) != before


@pytest.mark.parametrize(
    "filename",
    [
        "my.model.v1.run.2026.11.29.submission.final.final2.with.many.dots.json",
        "x" * 240,
        "説明",
        ".json",
        "../../a\\b\0c",
    ],
)
def test_st_02_any_name_is_stored_and_read_again(
    storage: Any, submit: Submit, filename: str
) -> None:
    """The key is ours, however long or strange the name."""
    mine = submit(filename=filename)
    mine.refresh_from_db()
    assert mine.file.name == f"submissions/{mine.pk}"
    assert json.loads(mine.file.open("rb").read()) == TEXTS
    assert 0 < len(mine.original_name) <= 255
