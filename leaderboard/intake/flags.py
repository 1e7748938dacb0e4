"""Descriptions that speak to a judge: accepted, scored as they are, and shown to people."""

from __future__ import annotations

from dataclasses import replace

from scoring.text_flags import instruction_like
from scoring.types import Problem, Upload

CODE = "instruction-like"


def flagged(upload: Upload) -> Upload:
    """The upload with a warning for each text that looks like instructions to a judge."""
    found = []
    for clip, text in upload.descriptions.items():
        flags = instruction_like(text)
        if flags:
            kinds = ", ".join(dict.fromkeys(flag.code for flag in flags))
            message = (
                f"The text reads like instructions to a judge ({kinds}): “{flags[0].excerpt}”. "
                "Judges read it as data, so no score changes; people may look at it."
            )
            where = upload.positions.get(clip, "")
            found.append(Problem(CODE, message, where=where, clip=clip, severity="warning"))
    return replace(upload, problems=(*upload.problems, *found)) if found else upload
