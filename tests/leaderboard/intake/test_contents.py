"""Answers to pair tests and judgements made elsewhere: the same way in, the same guarantees."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User

from leaderboard.intake import Contents, InvalidUpload, Named, packed, receive
from leaderboard.models import (
    Clip,
    Description,
    Keypoint,
    Kind,
    Release,
    Run,
    Submission,
    System,
    Track,
)
from leaderboard.pipeline.score import score_run
from scoring.types import Upload
from tests.support import stored
from tests.support.judgements import judgement_files
from tests.support.small_tests import (
    annotations,
    answers,
    as_csv,
    as_jsonl,
    keypoints_track,
    pairs_track,
)

pytestmark = pytest.mark.django_db
Send = Callable[..., Submission]


@pytest.fixture
def track(release: Release) -> Track:
    """Pair tests beside the small site's track of descriptions."""
    return pairs_track(release)


@pytest.fixture
def send(release: Release, ann: User, sent: list[Any]) -> Send:
    """``send(data, "name", Contents(...))``."""
    system = System.objects.create(name="Model", slug="model", owner=ann)

    def made(data: bytes, filename: str, contents: Contents | None = None) -> Submission:
        return receive(
            release=release,
            user=ann,
            system=system,
            data=data,
            filename=filename,
            contents=contents,
        )

    return made


def _refused(send: Send, *arguments: Any) -> Upload:
    """What the submitter is told; and nothing has been stored, no file either."""
    with pytest.raises(InvalidUpload) as caught:
        send(*arguments)
    assert not Submission.objects.exists()
    assert not Run.objects.exists()
    assert stored.names() == []
    return caught.value.upload


def _codes(upload: Upload) -> list[str]:
    return [problem.code for problem in upload.errors]


def _zip(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return made.getvalue()


def test_answers_are_kept_as_a_file_and_get_a_run_of_the_pair_track_alone(
    send: Send, track: Track, sent: list[Any]
) -> None:
    data = as_jsonl(answers())
    submission = send(data, "answers.jsonl", Contents(Kind.PAIRS))
    assert submission.file.read() == data
    assert submission.sha256 == hashlib.sha256(data).hexdigest()
    assert (submission.kind, submission.format, submission.track) == ("pairs", "jsonl", None)
    assert not Description.objects.exists()
    run = submission.runs.get()
    assert (run.track, run.judge) == (track, "exact")


def test_descriptions_get_no_run_of_the_pair_track(submit: Any, track: Track) -> None:
    assert {run.track.slug for run in submit().runs.all()} == {"main"}


def test_a_release_of_pair_tests_alone_takes_answers_without_being_told(
    send: Send, release: Release, track: Track
) -> None:
    release.tracks.exclude(pk=track.pk).delete()
    assert send(as_jsonl(answers()), "answers.jsonl").kind == Kind.PAIRS


def test_up_12_csvs_of_the_released_scripts_in_a_zip_of_a_mac(send: Send, track: Track) -> None:
    """Folders, resource forks and the order of the files do not matter."""
    files = {f"run1/{test}.csv": as_csv(answers(tests=[test])) for test in ("chrono", "agent_iden")}
    data = _zip({"__MACOSX/run1/._chrono.csv": b"\x00\x05", ".DS_Store": b"\x00"} | files)
    submission = send(data, "run1.zip", Contents(Kind.PAIRS))
    assert submission.format == "zip"
    assert [w["code"] for w in submission.warnings] == []


def test_csvs_singly_are_packed_into_one_file(send: Send, track: Track) -> None:
    """The test of each is told by its name."""
    files = [(f"{test}.csv", as_csv(answers(tests=[test]))) for test in ("chrono", "agent_iden")]
    data, name = packed(files)
    assert (data, name) == packed(files)
    submission = send(data, name, Contents(Kind.PAIRS))
    assert (submission.original_name, submission.warnings) == ("upload.zip", [])
    assert packed(files[:1]) == (files[0][1], "chrono.csv")


def test_a_missing_test_is_a_warning_that_is_stored_and_a_missing_pair_an_error(
    send: Send, track: Track
) -> None:
    upload = _refused(send, as_jsonl(answers(clips=["c1", "c2"])), "a.jsonl", Contents(Kind.PAIRS))
    assert set(_codes(upload)) == {"missing-pair"}
    assert len(upload.errors) == 4
    submission = send(as_csv(answers(tests=["chrono"])), "chrono.csv", Contents(Kind.PAIRS))
    assert [w["code"] for w in submission.warnings] == ["missing-test"]


def test_all_that_is_wrong_is_told_at_once(send: Send, track: Track) -> None:
    rows = answers()
    rows[0]["pos_score"] = "high"
    rows[5]["video_id"] = "nowhere"
    rows.append({"test_name": "colour", "video_id": "c1", "pos_score": 1, "neg_score": 0})
    upload = _refused(send, as_jsonl(rows), "a.jsonl", Contents(Kind.PAIRS))
    assert {"not-a-number", "unknown-pair", "missing-pair", "unknown-test"} <= set(_codes(upload))


def test_up_13_an_archive_that_unpacks_without_end_is_refused(
    send: Send, track: Track, settings: Any
) -> None:
    settings.UPLOAD_MAX_BYTES = 100_000
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("chrono.csv", b" " * 600_000)
    upload = _refused(send, made.getvalue(), "a.zip", Contents(Kind.PAIRS))
    assert _codes(upload) == ["archive-too-large"]


def test_up_14_names_that_lead_out_of_the_archive_are_refused(send: Send, track: Track) -> None:
    files = {"../../chrono.csv": as_csv(answers(tests=["chrono"]))}
    upload = _refused(send, _zip(files), "a.zip", Contents(Kind.PAIRS))
    assert "archive-unsafe-name" in _codes(upload)


def test_descriptions_in_place_of_answers_are_refused(send: Send, track: Track) -> None:
    upload = _refused(send, b'{"c1": "A man."}', "a.json", Contents(Kind.PAIRS))
    assert upload.errors


def test_no_track_takes_answers(send: Send, release: Release) -> None:
    upload = _refused(send, as_jsonl(answers()), "a.jsonl", Contents(Kind.PAIRS))
    assert "closed-release" in _codes(upload)


def test_a_closed_track_of_pairs_takes_none(send: Send, track: Track) -> None:
    Track.objects.filter(pk=track.pk).update(scores_uploads=False)
    upload = _refused(send, as_jsonl(answers()), "a.jsonl", Contents(Kind.PAIRS))
    assert _codes(upload) == ["closed-release"]


def test_a_new_system_comes_with_its_answers_or_not_at_all(
    release: Release, ann: User, track: Track, sent: list[Any]
) -> None:
    given: dict[str, Any] = {"release": release, "user": ann, "system": Named("Fresh", {})}
    with pytest.raises(InvalidUpload):
        receive(data=b"{", filename="a.jsonl", contents=Contents(Kind.PAIRS), **given)
    assert not System.objects.exists()
    made = receive(
        data=as_jsonl(answers()), filename="a.jsonl", contents=Contents(Kind.PAIRS), **given
    )
    assert made.system.name == "Fresh"


def test_descriptions_can_be_meant_for_one_track(send: Send, release: Release) -> None:
    """Else they count on every track that takes them, which may cost a judge's work."""
    only = keypoints_track(release)
    data = b'{"c1": "One.", "c2": "Two.", "c3": "Three.", "c4": "Four."}'
    assert {r.track.slug for r in send(data, "a.json").runs.all()} == {"main", "keypoints"}
    narrow = send(data, "a.json", Contents(track=only))
    assert (narrow.kind, {r.track.slug for r in narrow.runs.all()}) == (
        "descriptions",
        {"keypoints"},
    )


def test_a_track_of_another_release_is_a_fault_of_the_caller(send: Send, release: Release) -> None:
    other = Release.objects.create(benchmark=release.benchmark, version="2.0")
    with pytest.raises(ValueError, match="no track of"):
        send(b"{}", "a.json", Contents(track=pairs_track(other, clips=())))


class TestJudgements:
    """The two files of the released scripts."""

    @pytest.fixture
    def track(self, release: Release) -> Track:
        """A track whose judge this site does not run."""
        return keypoints_track(release, judges=["gpt-4.1"], scores_uploads=False)

    def test_they_are_taken_where_nothing_is_scored_and_name_their_judge(
        self, send: Send, track: Track
    ) -> None:
        data, name = packed(judgement_files(annotations()))
        submission = send(data, name, Contents(Kind.JUDGEMENTS, track, " GPT 4.1 "))
        run = submission.runs.get()
        assert (run.track, run.judge, submission.judged_by) == (track, "GPT 4.1", "GPT 4.1")
        assert submission.format == "zip"

    def test_track_and_judge_are_needed(self, send: Send, track: Track) -> None:
        data, name = packed(judgement_files(annotations()))
        upload = _refused(send, data, name, Contents(Kind.JUDGEMENTS))
        assert {"missing-judge", "missing-track"} <= set(_codes(upload))
        upload = _refused(send, data, name, Contents(Kind.JUDGEMENTS, track, "x" * 81))
        assert _codes(upload) == ["bad-judge"]

    def test_one_stage_alone_is_refused(self, send: Send, track: Track) -> None:
        (name, data), _ = judgement_files(annotations())
        contents = Contents(Kind.JUDGEMENTS, track, "gpt-4.1")
        assert _codes(_refused(send, data, name, contents)) == ["missing-stage"]

    def test_judgements_of_other_keypoints_are_refused(self, send: Send, track: Track) -> None:
        """As when the file with sound was judged for the track without."""
        some = annotations()
        one = some["c1"]
        some["c1"] = type(one)(one.clip, one.duration, one.keypoints[:2], one.category)
        del some["c2"]
        data, name = packed(judgement_files(some))
        contents = Contents(Kind.JUDGEMENTS, track, "gpt-4.1")
        upload = _refused(send, data, name, contents)
        assert set(_codes(upload)) == {"missing-clip", "keypoints-differ"}

    def test_judgements_of_a_clip_that_is_left_out_are_passed_over(
        self, send: Send, track: Track
    ) -> None:
        """The benchmark's own files have them; they do not count here."""
        data, name = packed(judgement_files(annotations()))
        Clip.objects.filter(key="c2").update(excluded=True)
        submission = send(data, name, Contents(Kind.JUDGEMENTS, track, "gpt-4.1"))
        run = submission.runs.get()
        score_run(run.pk)
        run.refresh_from_db()
        assert (run.state, run.error) == (Run.State.DONE, "")
        assert run.vectors.get(metric="acc").clips == 3

    def test_without_annotations_the_reason_is_said(self, send: Send, track: Track) -> None:
        """A track may have come with published tables alone."""
        Keypoint.objects.all().delete()
        data, name = packed(judgement_files(annotations()))
        contents = Contents(Kind.JUDGEMENTS, track, "gpt-4.1")
        assert _codes(_refused(send, data, name, contents)) == ["no-annotations"]

    def test_a_track_of_descriptions_takes_none(self, send: Send, release: Release) -> None:
        data, name = packed(judgement_files(annotations()))
        contents = Contents(Kind.JUDGEMENTS, release.tracks.get(slug="main"), "gpt-4.1")
        assert "closed-release" in _codes(_refused(send, data, name, contents))
