"""What the texts of an upload show by themselves: shown to people, or refused where that is so."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.db import transaction

from leaderboard.intake.validate import accepted
from leaderboard.pipeline import bridge, bridge_copies
from scoring.diagnostics import OF_REFERENCES, Diagnosis, Flag, diagnose
from scoring.text_flags import instruction_like
from scoring.types import Problem, Upload

if TYPE_CHECKING:
    from leaderboard.models import Release, Submission, System
    from scoring.diagnostics.copies import Sketches

AIMED = "instruction-like"
LISTED = 100
"""Clips of a flag that a refusal names one by one."""


@dataclass(frozen=True, slots=True)
class Compared:
    """An upload beside the others of its release: its flags, and what others are held against."""

    diagnosis: Diagnosis
    sketches: Sketches


def diagnosed(upload: Upload, release: Release, language: str) -> Upload:
    """The upload with its diagnosis, and a warning for each text aimed at a judge."""
    texts = {clip: t for clip, t in upload.descriptions.items() if clip in upload.positions}
    found = _diagnosis(texts, release, language)
    aimed = [clip for flag in found.flags if flag.code == AIMED for clip in flag.clips]
    warnings = tuple(_aimed(clip, upload) for clip in aimed)
    return replace(upload, diagnosis=found, problems=(*upload.problems, *warnings))


def blocked(upload: Upload, release: Release) -> Upload:
    """The upload, in which what the benchmark refuses a file for are errors, clip by clip."""
    codes = set(release.benchmark.blocking_flags)
    if not codes:
        return upload
    found = upload.diagnosis.flags if upload.diagnosis else ()
    refused = [flag for flag in found if flag.code in codes and flag.code != AIMED]
    told = {flag.code for flag in refused}
    problems = [
        replace(problem, severity="error") if problem.code in codes else problem
        for problem in upload.problems
        if problem.code not in told
    ]
    for flag in refused:
        problems += _refusals(flag, upload, release)
    return replace(upload, problems=tuple(problems))


def compared_with_others(upload: Upload, release: Release, system: System) -> Compared | None:
    """The diagnosis with copies of other submissions in it; None where no texts are looked at.

    Raises ``InvalidUpload`` where the benchmark refuses copies.
    """
    found = with_copies(upload, release, [system.pk])
    if found is None:
        return None
    compared, sketches = found
    accepted(compared)
    return Compared(compared.diagnosis, sketches) if compared.diagnosis else None


def with_copies(
    upload: Upload, release: Release, own: Collection[int]
) -> tuple[Upload, Sketches] | None:
    """The upload with copies of other systems' submissions among its flags, and its sketches.

    Where the benchmark refuses copies they are errors. ``own`` are keys of systems that are not
    other ones. None where no texts are looked at.
    """
    if upload.diagnosis is None:
        return None
    texts = {clip: t for clip, t in upload.descriptions.items() if clip in upload.positions}
    sketches = bridge_copies.sketches_of(release, texts)
    flag = bridge_copies.copies_of_submissions(release, own, texts, sketches)
    problems = upload.problems
    if flag.clips and flag.code in release.benchmark.blocking_flags:
        problems = (*problems, *_refusals(flag, upload, release))
    found = replace(upload, diagnosis=upload.diagnosis.with_flag(flag), problems=problems)
    return found, sketches


def look_again(submission: Submission) -> None:
    """Diagnose a stored submission anew: its own texts, and against those that were sent before."""
    release = submission.release
    texts = bridge.descriptions_of(submission)
    found = _diagnosis(texts, release, submission.language)
    sketches = bridge_copies.sketches_of(release, texts)
    copies = bridge_copies.copies_of_submissions(
        release, [submission.system_id], texts, sketches, before=submission.created_at
    )
    submission.diagnostics = found.with_flag(copies).to_json()
    with transaction.atomic():
        submission.save(update_fields=["diagnostics"])
        bridge_copies.keep_sketches(submission, sketches)


def _diagnosis(texts: Mapping[str, str], release: Release, language: str) -> Diagnosis:
    return diagnose(
        texts,
        bridge.all_references_of(release, language),
        language=language,
        forbids_proper_nouns=release.benchmark.forbids_proper_nouns,
    )


def _aimed(clip: str, upload: Upload) -> Problem:
    flags = instruction_like(upload.descriptions[clip])
    kinds = ", ".join(dict.fromkeys(flag.code for flag in flags))
    message = (
        f"The text reads like instructions to a judge ({kinds}): “{flags[0].excerpt}”. "
        "Judges read it as data, so no score changes; people may look at it."
    )
    where = upload.positions.get(clip, "")
    return Problem(AIMED, message, where=where, clip=clip, severity="warning")


def _refusals(flag: Flag, upload: Upload, release: Release) -> Iterator[Problem]:
    """An error for each clip of a flag, the first ones; of a hidden test set none is named."""
    if release.references_hidden and flag.code in OF_REFERENCES:
        yield Problem(flag.code, f"{flag.kind.title}, in {_clips(flag.clips)}. {REFUSED}")
        return
    words = {example.clip: example.text for example in flag.examples}
    for clip in flag.clips[:LISTED]:
        said = f" “{words[clip]}”" if clip in words else ""
        message = f"{flag.kind.title}: {flag.kind.meaning}{said} {REFUSED}"
        yield Problem(flag.code, message, where=upload.positions.get(clip, ""), clip=clip)
    if len(flag.clips) > LISTED:
        more = f"{flag.kind.title}, in {_clips(flag.clips[LISTED:])} more."
        yield Problem(flag.code, more)


REFUSED = "This benchmark takes no such texts: write the clip's description anew."


def _clips(clips: Collection[str]) -> str:
    return "1 clip" if len(clips) == 1 else f"{len(clips)} clips"
