"""BibTeX: the benchmark's own entry, and one for the table as it was on its day."""

from __future__ import annotations

import re

from leaderboard.exports.shown import Shown
from scoring.ranking.render import latex_text


def write(shown: Shown) -> str:
    """Both entries; the benchmark's stands exactly as its curators gave it."""
    track = shown.ranking.track
    release = track.release
    words = f"{release.benchmark.slug}-{release.version}-{track.slug}-{shown.date}"
    title = f"{release.benchmark.name} {release.version}: {track.name}"
    fields = {
        "title": f"{{{latex_text(title)}}}",
        "howpublished": rf"\url{{{_url(shown.address)}}}",
        "year": f"{shown.ranking.computed_at:%Y}",
        "note": latex_text(
            f"ClipRank table of {shown.date}, {shown.ranking.provenance} numbers, "
            f"fingerprint {shown.ranking.fingerprint}"
        ),
    }
    lines = ",\n".join(f"  {key} = {{{text}}}" for key, text in fields.items())
    entry = f"@misc{{{re.sub(r'[^A-Za-z0-9.-]+', '-', words)},\n{lines}\n}}\n"
    citation = release.benchmark.citation.strip()
    return f"{citation}\n\n{entry}" if citation else entry


def _url(address: str) -> str:
    """Braces would end the field; they are written as an address has them anyway."""
    return address.replace("{", "%7B").replace("}", "%7D").replace("\\", "%5C")
