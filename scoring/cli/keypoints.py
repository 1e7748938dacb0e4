"""`cliprank score --protocol keypoints`: descriptions judged here, or judgements made elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console

from scoring.cli.bar import bar
from scoring.cli.inputs import print_problems, read_bytes, read_predictions
from scoring.cli.request import Options, Outcome, Request, WrongUsage
from scoring.cli.texts import judge_document, summary
from scoring.formats import check_clips
from scoring.formats.quoting import counted
from scoring.types import JudgeResult, ScoringError

if TYPE_CHECKING:
    from scoring.protocols.keypoint_judging import KeypointJudge
    from scoring.protocols.keypoint_types import Annotation


def score_keypoints(request: Request, console: Console) -> Outcome:
    """Acc, Cov and Ref per clip, overall, by duration and by kind of keypoint.

    Raises:
        WrongUsage: options that do not go together, or a judge that is unknown.
        ScoringError: a judge is not here or failed.
    """
    found = _judged_elsewhere if request.judged_by else _judged_here
    results = found(request, console)
    for result in results.values():
        console.print(summary(result, "acc", "cov", "ref"), soft_wrap=True)
    clips = {clip for result in results.values() for clip in result.clips}
    return Outcome(
        _document(request, results),
        all(result.complete for result in results.values()),
        f"{counted(len(clips), 'clip')}, {counted(len(results), 'judge')}",
    )


def _judged_here(request: Request, console: Console) -> dict[str, JudgeResult]:
    from scoring.judges.reply_cache import ReplyCache
    from scoring.protocols import keypoints

    options = request.options
    names = _known_judges(request)
    annotations = _annotations(request, console)
    texts = _descriptions(request, annotations, console)
    results = {}
    for name in names:
        with bar(console, name) as report:
            results[name] = keypoints.score(
                _judge(name, options),
                texts,
                annotations,
                cache=ReplyCache(options.replies),
                language=options.language,
                progress=report,
            )
    return results


def _judged_elsewhere(request: Request, console: Console) -> dict[str, JudgeResult]:
    from scoring.formats.released_judgements import check_judgements, read_judgements
    from scoring.protocols import keypoints

    request.refuse(judge=request.judges, exclude=request.exclude)
    annotations = _annotations(request, console) if request.references else None
    upload = read_judgements([(path.name, read_bytes(path)) for path in request.files])
    if annotations is not None and upload.ok:
        upload = check_judgements(upload, annotations)
    print_problems(console, request.files[0], upload.problems)
    if not upload.ok:
        raise typer.Exit(1)
    name = request.judged_by
    return {name: keypoints.judged_elsewhere(name, upload.stage1, upload.stage2, annotations)}


def _known_judges(request: Request) -> list[str]:
    """The judges, each once: the baseline and language models can judge keypoints."""
    from scoring.judges import chat_catalogue
    from scoring.protocols.keypoint_baseline import KeypointBaseline

    if not request.judges:
        message = "protocol keypoints needs a --judge, or --judged-by for judgements made elsewhere"
        raise WrongUsage(message)
    models = [e.name for e in chat_catalogue.entries(request.options.catalogue) if not e.baseline]
    known = [KeypointBaseline.name, *models]
    for name in request.judges:
        if name not in known:
            raise WrongUsage(f"no judge of keypoints is called {name!r}; try {', '.join(known)}")
    return list(dict.fromkeys(request.judges))


def _judge(name: str, options: Options) -> KeypointJudge:
    from scoring.judges import catalogue, chat_catalogue
    from scoring.protocols import keypoint_baseline
    from scoring.protocols.keypoint_judging import ChatKeypointJudge

    if name != keypoint_baseline.KeypointBaseline.name:
        model = chat_catalogue.chat_model(name, extra=options.catalogue, **options.changes)
        return ChatKeypointJudge(model)
    encoder = catalogue.load(
        keypoint_baseline.ENCODER, device=options.device, extra=options.catalogue
    )
    catalogue.check(encoder)
    return keypoint_baseline.KeypointBaseline(encoder)


def _annotations(request: Request, console: Console) -> dict[str, Annotation]:
    from scoring.formats.keypoint_annotations import AnnotationsError, read_annotations

    try:
        found = read_annotations(read_bytes(request.known), request.known.name)
    except AnnotationsError as error:
        print_problems(console, request.known, error.problems)
        raise typer.Exit(1) from None
    kept = {clip: one for clip, one in found.items() if clip not in request.exclude}
    if not kept:
        raise ScoringError("no clip is left after --exclude")
    return kept


def _descriptions(
    request: Request, annotations: Mapping[str, Annotation], console: Console
) -> Mapping[str, str]:
    upload = read_predictions(request.file)
    upload = check_clips(upload, list(annotations), ignored=set(request.exclude))
    print_problems(console, request.file, upload.problems)
    if not upload.ok:
        raise typer.Exit(1)
    return upload.descriptions


def _document(request: Request, results: Mapping[str, JudgeResult]) -> dict[str, Any]:
    from scoring.protocols.keypoints import PROTOCOL
    from scoring.signature import panel_signature

    signatures = {name: one.signature for name, one in results.items()}
    # Rows of judgements alone do not tell the kinds.
    kinds = request.references is not None
    judges = {name: judge_document(one, **_parts(one, kinds)) for name, one in results.items()}
    written = {
        "signature": panel_signature(PROTOCOL, signatures),
        "system": request.system,
        "judges": judges,
    }
    return written | ({"judged_elsewhere": True} if request.judged_by else {})


def _parts(result: JudgeResult, kinds: bool) -> dict[str, Mapping[str, Any]]:
    """Means by duration and shares by kind of keypoint; none while the judge failed on a clip."""
    from scoring.protocols import keypoints

    if not result.complete:
        return {}
    judged = [keypoints.from_evidence(clip, one) for clip, one in result.evidence.items()]
    bins = keypoints.summary([keypoints.score_clip(clip) for clip in judged])["duration_bins"]
    return {"duration_bins": bins, "kinds": keypoints.by_kind(judged) if kinds else {}}
