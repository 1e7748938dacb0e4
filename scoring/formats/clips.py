"""Do the descriptions of an upload fit the clips of a release, and are they descriptions at all?"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches

from scoring.formats.quoting import counted, name, names, quote
from scoring.text import is_blank
from scoring.types import Problem, Upload

MAX_UNKNOWN = 50
"""Unknown clips that are listed one by one; further ones are counted."""
MAX_COMPARISONS = 5_000
"""Pairs of ids that the search for near matches looks at, at most."""
REPEATED = 3
"""A text that stands for so many clips is worth a remark."""

_MEDIA = re.compile(r"\.(mp4|mkv|webm|avi|mov|json|txt)$")
_API_ERROR = re.compile(
    r"\s*(?:"
    r"error code:? *\d{3}"
    r"|(?:http|api|status|server)[ _]*(?:error|code)?:? *[45]\d\d\b"
    r"|[45]\d\d (?:client |server )?error\b"
    r"|[\w.]*(?:error|exception): "
    r"|traceback \(most recent call last\)"
    r"|\{ *['\"](?:error|detail)['\"] *:"
    r"|<(?:!doctype|html)\b"
    r"|(?:rate limit|too many requests|internal server error|service unavailable|bad gateway"
    r"|gateway time-?out|request timed out|connection error|cuda out of memory)"
    r")",
    re.IGNORECASE,
)


def check_clips(
    upload: Upload,
    expected: Sequence[str],
    *,
    ignored: Collection[str] = (),
    missing_is_empty: bool = False,
) -> Upload:
    """Compare an upload with the clips it should describe, and remark on placeholder texts.

    Args:
        upload: What `read_upload` returned. One that could not be read is returned as it is.
        expected: Ids of the clips that count, in the release's order.
        ignored: Ids of clips that are known but do not count (excluded ones): their descriptions
            are dropped with a warning.
        missing_is_empty: Give each missing clip an empty text, with a warning, instead of an error.

    Returns:
        The upload with descriptions of expected clips only, in the order of `expected`, and more
        problems. Errors: ``missing-clip`` (one, with the count and the first ids), ``unknown-clip``
        (one each, with the nearest id that is missing), or, when no id matches at all, only
        ``no-clip-matches``. Warnings: ``ignored-clip``, ``blank-text`` (such texts score 0),
        ``text-is-id``, ``repeated-text``, ``api-error``, each with the number of clips.
        A clip whose text was refused counts as seen, not as missing.
    """
    if not upload.positions:
        return upload
    wanted, dropped = set(expected), set(ignored) - set(expected)
    unknown = [c for c in upload.positions if c not in wanted and c not in dropped]
    missing = [c for c in expected if c not in upload.positions]
    texts = {c: upload.descriptions[c] for c in expected if c in upload.descriptions}
    problems = [*upload.problems]
    if expected and len(missing) == len(expected) and unknown:
        problems.append(_no_match(unknown, expected))
    else:
        problems += _missing(missing, len(expected), is_empty=missing_is_empty)
        problems += _unknown(unknown, missing, upload)
    problems += _ignored([c for c in upload.positions if c in dropped])
    problems += _remarks(texts)
    if missing_is_empty:
        filled = texts | dict.fromkeys(missing, "")
        texts = {clip: filled[clip] for clip in expected if clip in filled}
    return replace(upload, descriptions=texts, problems=tuple(problems))


def is_api_error(text: str) -> bool:
    """True for a text that begins like an error of an API, a traceback or an HTML page."""
    return _API_ERROR.match(text) is not None


def _no_match(unknown: list[str], expected: Sequence[str]) -> Problem:
    message = (
        f"0 of {len(expected):,} ids matched; first unknown ids: {names(unknown, 5)}; "
        f"the ids wanted are such as {names(expected[:5])}. Is this file for another benchmark?"
    )
    return Problem("no-clip-matches", message)


def _missing(missing: list[str], total: int, *, is_empty: bool) -> Iterator[Problem]:
    if not missing:
        return
    have, them = ("has", "it") if len(missing) == 1 else ("have", "them")
    clips = counted(total, "clip")
    message = f"{len(missing):,} of {clips} {have} no description: {names(missing)}"
    only = missing[0] if len(missing) == 1 else ""
    if is_empty:
        rest = "; here each counts as an empty description, which scores 0"
        yield Problem("missing-clip", message + rest, clip=only, severity="warning")
    else:
        rest = f'; add {them} (an empty text "" is accepted and scores 0)'
        yield Problem("missing-clip", message + rest, clip=only)


def _unknown(unknown: list[str], missing: list[str], upload: Upload) -> Iterator[Problem]:
    near = _NearMatches(missing)
    for clip in unknown[:MAX_UNKNOWN]:
        match = near.of(clip)
        hint = f"; did you mean {quote(match)}?" if match else ""
        shown = name(clip) if clip.isascii() else ascii(clip)
        message = f"{shown} is no clip of this benchmark{hint}"
        yield Problem("unknown-clip", message, upload.positions[clip], clip)
    if len(unknown) > MAX_UNKNOWN:
        rest = counted(len(unknown) - MAX_UNKNOWN, "more unknown clip")
        yield Problem("unknown-clip", f"and {rest}")


def _ignored(clips: list[str]) -> Iterator[Problem]:
    if clips:
        message = (
            f"{counted(len(clips), 'description')} ignored, of clips that are excluded: "
            f"{names(clips)}"
        )
        yield Problem("ignored-clip", message, severity="warning")


class _NearMatches:
    """Finds for an unknown id the missing id that was probably meant, within a fixed effort."""

    def __init__(self, missing: Sequence[str]) -> None:
        self._missing = missing
        self._budget = MAX_COMPARISONS
        self._loose: dict[str, str | None] = {}
        for clip in missing:
            key = _loose(clip)
            # Two ids that look alike: neither can be suggested for sure.
            self._loose[key] = clip if key not in self._loose else None

    def of(self, clip: str) -> str | None:
        """The nearest missing id, or None."""
        alike = self._loose.get(_loose(clip))
        if alike is not None:
            return alike
        if not self._missing or self._budget < len(self._missing):
            return None
        self._budget -= len(self._missing)
        return next(iter(get_close_matches(clip, self._missing, n=1, cutoff=0.7)), None)


def _loose(clip: str) -> str:
    """An id without what is commonly lost or added: case, spaces, zeros in front, an extension."""
    folded = unicodedata.normalize("NFKC", clip).strip().casefold()
    return _MEDIA.sub("", folded).lstrip("0")


def _remarks(texts: dict[str, str]) -> Iterator[Problem]:
    blank = [c for c, text in texts.items() if is_blank(text)]
    if blank:
        are = "is" if len(blank) == 1 else "are"
        score = "it scores" if len(blank) == 1 else "they score"
        message = f"{counted(len(blank), 'description')} {are} blank: {score} 0 ({names(blank, 5)})"
        yield Problem("blank-text", message, severity="warning")
    same = [c for c, text in texts.items() if text.strip() == c]
    if same:
        equal = "equals its" if len(same) == 1 else "equal their"
        message = f"{counted(len(same), 'description')} {equal} clip id ({names(same, 5)})"
        yield Problem("text-is-id", message, severity="warning")
    failed = [c for c, text in texts.items() if is_api_error(text)]
    if failed:
        looks = "looks like an API error" if len(failed) == 1 else "look like API errors"
        first = quote(texts[failed[0]].strip())
        message = f"{counted(len(failed), 'description')} {looks} ({names(failed, 5)}): {first}"
        yield Problem("api-error", message, severity="warning")
    yield from _repeated(texts)


def _repeated(texts: dict[str, str]) -> Iterator[Problem]:
    counts = Counter(text.strip() for text in texts.values() if not is_blank(text))
    for text, count in counts.most_common(3):
        whole = count == len(texts) and count > 1
        if whole or count >= REPEATED:
            many = f"all {count:,}" if whole else f"{count:,} of {len(texts):,}"
            message = f"one description is used for {many} clips: {quote(text)}"
            yield Problem("repeated-text", message, severity="warning")
