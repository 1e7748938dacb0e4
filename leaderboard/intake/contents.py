"""What a file is said to hold, and the checks that this asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.conf import settings

from leaderboard.intake.flags import blocked, diagnosed
from leaderboard.intake.names import shown_name
from leaderboard.intake.parse import parse
from leaderboard.intake.validate import accepted, compared, with_tracks
from leaderboard.models import Kind
from leaderboard.pipeline import bridge_keypoints, bridge_pairs
from scoring.formats import packing
from scoring.formats.pair_check import check_pairs
from scoring.formats.pairs import read_pairs
from scoring.formats.released_judgements import check_judgements, read_judgements
from scoring.types import Problem, Upload

if TYPE_CHECKING:
    from leaderboard.models import Release, Track
    from leaderboard.models.track import TrackQuerySet

NO_TRACK = Problem(
    code="missing-track",
    message="Judgements are of one annotation: name the track of keypoints that they are for.",
)
NO_JUDGE = Problem(
    code="missing-judge",
    message="Name the judge that gave the judgements: the numbers are reported as that judge's.",
)
NO_ANNOTATIONS = Problem(
    code="no-annotations",
    message="The track's annotations are not on this site, so nothing can be compared with them; "
    "ask the site's staff to import them.",
)
JUDGE_LENGTH = 80
USUAL_LANGUAGE = "en"


@dataclass(frozen=True, slots=True)
class Contents:
    """What a file holds.

    Without a ``kind`` it is what the track takes, or the release, descriptions where there is a
    choice. Without a ``track`` it counts on every track of the release that takes its kind and its
    ``language``, which is the track's, else English, else the first that the release has.
    ``judged_by`` names who gave judgements made elsewhere.
    """

    kind: str = ""
    track: Track | None = None
    judged_by: str = ""
    language: str = ""

    def of(self, release: Release) -> Contents:
        """The same with kind and language; ValueError when the track is another release's."""
        if self.track is not None and self.track.release_id != release.pk:
            raise ValueError(f"{self.track} is no track of {release}")
        held = replace(self, kind=self.kind or self._usual(release), judged_by=self._judge())
        return replace(held, language=self.language or held._spoken(release))

    def _usual(self, release: Release) -> str:
        if self.track is not None:
            return self.track.takes[0]
        takes = [k for k in (Kind.DESCRIPTIONS, Kind.PAIRS) if release.tracks.taking(k).exists()]
        return takes[0] if takes else Kind.DESCRIPTIONS

    def _spoken(self, release: Release) -> str:
        languages = _tracks(release, self).languages()
        return (
            USUAL_LANGUAGE if USUAL_LANGUAGE in languages else next(iter(languages), USUAL_LANGUAGE)
        )

    def _judge(self) -> str:
        return " ".join(self.judged_by.split())


@dataclass(frozen=True, slots=True)
class Examined:
    """A file as it was read: ``found`` of ``expected`` things of its kind, each a ``noun``.

    ``missing`` are ids of clips that it has nothing for, in the order of the release.
    """

    upload: Upload
    noun: str
    found: int
    expected: int
    missing: tuple[str, ...] = ()


def read(data: bytes, filename: str, release: Release, contents: Contents) -> Upload:
    """The upload, fit to be stored; raises InvalidUpload with every problem of the file.

    ``descriptions`` is empty for the kinds of which the file itself is kept and read again.
    """
    return accepted(examine(data, filename, release, contents).upload)


def examine(data: bytes, filename: str, release: Release, contents: Contents) -> Examined:
    """What the file holds and all that is wrong with it, and nothing raised."""
    found = _READERS[contents.kind](data, filename, release, contents)
    upload = with_tracks(found.upload, _tracks(release, contents))
    return replace(found, upload=blocked(upload, release))


def packed(files: Sequence[tuple[str, bytes]]) -> tuple[bytes, str]:
    """Several files, as (name, bytes), as the one file that is stored, under names fit to show."""
    return packing.packed([(shown_name(name), data) for name, data in files])


def _descriptions(data: bytes, filename: str, release: Release, contents: Contents) -> Examined:
    tracks = _tracks(release, contents)
    upload = parse(data, filename)
    if tracks.exists() and not tracks.reading(contents.language).exists():
        upload = replace(upload, problems=(_unread(tracks, contents.language), *upload.problems))
    wanted = list(release.clips.scored().values_list("key", flat=True))
    seen = upload.positions
    missing = tuple(clip for clip in wanted if clip not in seen) if seen else ()
    checked = diagnosed(compared(upload, release), release, contents.language)
    found = sum(clip in seen for clip in wanted)
    return Examined(checked, "clip", found, len(wanted), missing)


def _unread(tracks: TrackQuerySet, language: str) -> Problem:
    return Problem(
        code="unknown-language",
        message=f"There are no references in {language!r} to score it against; choose one of "
        f"{', '.join(tracks.languages())}.",
    )


def _pairs(data: bytes, filename: str, release: Release, contents: Contents) -> Examined:
    # By the name that is stored: the test of a file may be told by its name alone, and the worker
    # reads the file again.
    found = read_pairs(data, shown_name(filename), max_bytes=settings.UPLOAD_MAX_BYTES)
    tests = bridge_pairs.pair_tests_of(release)
    found = check_pairs(found, tests)
    upload = Upload(found.format, problems=found.problems)
    answered = sum(len(one.keys) for one in found.answers)
    return Examined(upload, "pair", answered, sum(map(len, tests.values())))


def _judgements(data: bytes, filename: str, release: Release, contents: Contents) -> Examined:
    missing = [NO_JUDGE] if not contents.judged_by else []
    if len(contents.judged_by) > JUDGE_LENGTH:
        message = f"The judge's name must have at most {JUDGE_LENGTH} characters."
        missing.append(Problem("bad-judge", message))
    name = shown_name(filename)
    found = read_judgements([(name, data)], max_bytes=settings.UPLOAD_MAX_BYTES)
    expected = 0
    if contents.track is None:
        missing.append(NO_TRACK)
    else:
        annotations = bridge_keypoints.annotations_of(contents.track)
        expected = len(annotations)
        if not annotations:
            missing.append(NO_ANNOTATIONS)
        elif found.ok:
            ignored = bridge_keypoints.left_out(contents.track)
            found = check_judgements(found, annotations, ignored)
    suffix = name.rpartition(".")[2].lower() if "." in name else "unknown"
    upload = Upload(suffix[:20], problems=(*missing, *found.problems))
    return Examined(upload, "clip", len(found.stage1), expected)


def _tracks(release: Release, contents: Contents) -> TrackQuerySet:
    """The tracks that the upload would count on, whatever its language."""
    found = release.tracks.taking(contents.kind)
    return found.filter(pk=contents.track.pk) if contents.track else found


_READERS: Mapping[str, Callable[[bytes, str, Release, Contents], Examined]] = {
    Kind.DESCRIPTIONS: _descriptions,
    Kind.PAIRS: _pairs,
    Kind.JUDGEMENTS: _judgements,
}
