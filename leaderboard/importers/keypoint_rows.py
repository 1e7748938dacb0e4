"""Annotation files of keypoints, and the rows that they become.

A file is JSON Lines or a JSON list, one object per clip, as ``scoring.formats`` documents it; by
hand it is best written as a list. Beside the benchmark's own fields an object may have
``subjects``, which names for readers whom a mark stands for::

    {"video_id": "0001", "duration": 93.5, "category": "sport",
     "subjects": {"<s1>": "the girl in the red shirt"},
     "events": {"main_sbj_evts": ["<s1> laces her boots."], "main_sbj_ints": [],
                "bg_desc": ["A muddy field."], "trans_desc": [], "minor_evts": ["A dog barks."]}}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from leaderboard.importers.rows import ClipData
from leaderboard.importers.source import AT_MOST, InvalidSource, SourceFile, read_bytes
from leaderboard.models import Clip, Keypoint, Release, Subject
from scoring.formats.findings import Findings
from scoring.formats.keypoint_annotations import AnnotationsError, clip_of, read_annotations
from scoring.formats.records import records
from scoring.formats.source import Source
from scoring.protocols.keypoint_types import Annotation

NAME_LENGTH = 200

Names = Mapping[str, Mapping[str, str]]
"""Clip and mark to whom it stands for."""


@dataclass(frozen=True, slots=True)
class AnnotationFile:
    """What a file holds: clips with their keypoints, in its order, and names of subjects."""

    filename: str
    annotations: Mapping[str, Annotation]
    names: Names


def read_annotation_file(path: SourceFile) -> AnnotationFile:
    """The file; InvalidSource with every fault of it."""
    return annotation_file(read_bytes(path), path.name)


def annotation_file(data: bytes, filename: str) -> AnnotationFile:
    """The content of such a file; InvalidSource with every fault of it."""
    try:
        annotations = read_annotations(data, filename)
    except AnnotationsError as error:
        faults = [f"{filename}: {problem}" for problem in error.problems]
        raise InvalidSource(faults[:AT_MOST]) from error
    return AnnotationFile(filename, annotations, _names(data, filename, annotations))


def put_keypoints(release: Release, annotation: str, file: AnnotationFile) -> int:
    """Make the release's keypoints of that annotation those of the file; how many there are.

    Once there they are frozen, since verdicts refer to them: other ones are another release's. Only
    the names of subjects, which no score follows from, may change. Raises InvalidSource.
    """
    clips = {clip.key: clip for clip in release.clips.all()}
    faults = misfits(clips, file)
    if faults:
        raise InvalidSource(faults[:AT_MOST])
    there: dict[str, list[tuple[str, str]]] = {}
    for key, kind, text in Keypoint.objects.of(release, annotation).values_list(
        "clip__key", "kind", "text"
    ):
        there.setdefault(key, []).append((kind, text))
    new = {
        key: [(point.kind, point.text) for point in one.keypoints]
        for key, one in file.annotations.items()
    }
    if not there:
        _make(clips, annotation, file)
    elif there != new:
        differing = [key for key in {**there, **new} if there.get(key) != new.get(key)]
        raise InvalidSource(
            [
                f"{file.filename}: the keypoints {annotation} of {release} are frozen, and those "
                f"of clips {', '.join(differing[:10])} differ: changed keypoints are a release of "
                "their own, under another version"
            ]
        )
    _rename(clips, annotation, file.names)
    return sum(map(len, new.values()))


def misfits(clips: Mapping[str, Clip | ClipData], file: AnnotationFile) -> list[str]:
    """Clips that the release does not have, or has with another duration."""
    faults = []
    for key, one in file.annotations.items():
        clip = clips.get(key)
        if clip is None:
            faults.append(f"{file.filename}: the release has no clip {key}")
        elif clip.duration is not None and abs(clip.duration - one.duration) > 1e-6:
            faults.append(
                f"{file.filename}: clip {key} lasts {one.duration:g} seconds here and "
                f"{clip.duration:g} in the release"
            )
    return faults


def _make(clips: Mapping[str, Clip], annotation: str, file: AnnotationFile) -> None:
    subjects = Subject.objects.bulk_create(
        Subject(clip=clips[key], annotation=annotation, key=mark)
        for key, one in file.annotations.items()
        for mark in one.subjects
    )
    of = {(subject.clip.key, subject.key): subject for subject in subjects}
    points = [(key, point) for key, one in file.annotations.items() for point in one.keypoints]
    places = [place for one in file.annotations.values() for place in range(len(one.keypoints))]
    rows = Keypoint.objects.bulk_create(
        Keypoint(
            clip=clips[key],
            annotation=annotation,
            position=place,
            kind=point.kind,
            text=point.text,
        )
        for (key, point), place in zip(points, places, strict=True)
    )
    through = Keypoint.subjects.through
    through.objects.bulk_create(
        through(keypoint_id=row.pk, subject_id=of[key, mark].pk)
        for (key, point), row in zip(points, rows, strict=True)
        for mark in point.subjects
    )


def _rename(clips: Mapping[str, Clip], annotation: str, names: Names) -> None:
    wanted = {(key, mark): name for key, of in names.items() for mark, name in of.items()}
    subjects = Subject.objects.filter(clip__in=clips.values(), annotation=annotation)
    changed = []
    for subject in subjects.select_related("clip"):
        name = wanted.get((subject.clip.key, subject.key), "")
        if subject.name != name:
            subject.name = name
            changed.append(subject)
    Subject.objects.bulk_update(changed, ["name"])


def _names(data: bytes, filename: str, annotations: Mapping[str, Annotation]) -> Names:
    found: dict[str, dict[str, str]] = {}
    faults = []
    for record in records(Source(data, filename), Findings(), wanted=("subjects",)):
        key = clip_of(record.fields)
        given = record.fields.get("subjects") or {}
        if not isinstance(given, dict) or not all(
            isinstance(name, str) and len(name) <= NAME_LENGTH for name in given.values()
        ):
            message = f"must map marks to names of at most {NAME_LENGTH} characters"
            faults.append(f"{filename}: {record.where}: subjects of clip {key} {message}")
            continue
        strangers = [mark for mark in given if mark not in annotations[key].subjects]
        if strangers:
            message = f"names {', '.join(strangers)}, who takes part in none of its keypoints"
            faults.append(f"{filename}: {record.where}: subjects of clip {key} {message}")
        found[key] = {mark: str(name) for mark, name in given.items()}
    if faults:
        raise InvalidSource(faults[:AT_MOST])
    return found
