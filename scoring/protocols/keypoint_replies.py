"""What a chat judge of keypoints replies, read with the parser of all chat judges.

Only closed labels count, after trimming and case folding. A reply that names a subject that was not
asked about, leaves one out, or does not put every reference into exactly one group is unreadable:
it is asked again, never mended by guessing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Literal

from scoring.judges.verdicts import UnreadableReply, read_object, storable
from scoring.text import is_blank

Said = Literal["correct", "partial", "not mentioned"]
SAID: tuple[Said, ...] = ("correct", "partial", "not mentioned")
MAX_DESCRIPTION = 300
"""Characters of the words by which a text refers to a subject."""

_VERDICT = {"reason": {"type": "string"}, "verdict": {"type": "string", "enum": list(SAID)}}


def _schema(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return MappingProxyType(
        {
            "type": "object",
            "properties": dict(properties),
            "required": list(properties),
            "additionalProperties": False,
        }
    )


KEYPOINT_SCHEMA = _schema(_VERDICT)
"""JSON schema of the reply about a keypoint without subjects."""
SUBJECT_KEYPOINT_SCHEMA = _schema(
    {
        **_VERDICT,
        "subjects": {
            "type": "array",
            "items": dict(
                _schema(
                    {
                        "subject": {"type": "string"},
                        "description": {"type": ["string", "null"]},
                    }
                )
            ),
        },
    }
)
"""JSON schema of the reply about a keypoint with subjects."""
GROUPS_SCHEMA = _schema(
    {
        "reason": {"type": "string"},
        "groups": {"type": "array", "items": {"type": "array", "items": {"type": "integer"}}},
    }
)
"""JSON schema of the reply about a subject's references; the reason comes before the groups."""


@dataclass(frozen=True, slots=True)
class Mention:
    """How a text tells one keypoint.

    ``descriptions`` has the words for each subject asked about, in that order, or None.
    """

    verdict: Said
    reason: str = ""
    descriptions: tuple[str | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Groups:
    """References, by their numbers from 0, grouped by whom a reader takes them for."""

    groups: tuple[tuple[int, ...], ...]
    reason: str = ""


def read_mention(raw: str, subjects: Sequence[str]) -> Mention:
    """The reply about a keypoint in which `subjects` take part (none for the other kinds).

    Raises:
        UnreadableReply: no JSON object, a verdict outside `SAID`, subjects other than those asked
            about, words for a subject of a keypoint that is not mentioned, or, when it is
            mentioned, words for none of them.
    """
    reply = read_object(raw)
    verdict = reply.get("verdict")
    folded = verdict.strip().casefold() if isinstance(verdict, str) else ""
    if folded not in SAID:
        raise UnreadableReply(f"the verdict is not one of {', '.join(SAID)}", raw)
    descriptions = _descriptions(reply.get("subjects", []), subjects, raw)
    if folded == "not mentioned" and any(words is not None for words in descriptions):
        problem = "the keypoint is not mentioned, so every description must be null"
        raise UnreadableReply(problem, raw)
    if folded != "not mentioned" and subjects and not any(descriptions):
        problem = f"the keypoint is {folded}, so at least one subject needs its words"
        raise UnreadableReply(problem, raw)
    return Mention(folded, _reason(reply), descriptions)


def read_groups(raw: str, count: int) -> Groups:
    """The reply about `count` references: every number from 1 to `count` in exactly one group.

    Raises:
        UnreadableReply: no JSON object, or a number that is missing, repeated or unknown.
    """
    reply = read_object(raw)
    groups = reply.get("groups")
    if not isinstance(groups, list) or not all(isinstance(group, list) for group in groups):
        raise UnreadableReply("groups must be a list of lists of numbers", raw)
    placed = [number for group in groups for number in group]
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in placed):
        raise UnreadableReply("a reference is named by its number", raw)
    given = Counter(placed)
    wrong = {
        "missing": [n for n in range(1, count + 1) if n not in given],
        "in more than one place": sorted(n for n, times in given.items() if times > 1),
        "unknown": sorted(n for n in given if not 1 <= n <= count),
    }
    faults = [f"{fault}: {numbers[:10]}" for fault, numbers in wrong.items() if numbers]
    if faults:
        raise UnreadableReply(f"{count} references were given; {'; '.join(faults)}", raw)
    found = tuple(tuple(number - 1 for number in group) for group in groups if group)
    return Groups(found, _reason(reply))


def _descriptions(given: object, subjects: Sequence[str], raw: str) -> tuple[str | None, ...]:
    if not isinstance(given, list) or not all(isinstance(entry, dict) for entry in given):
        raise UnreadableReply("subjects must be a list of objects", raw)
    words: dict[str, str | None] = {}
    for entry in given:
        subject, said = _mark(entry.get("subject")), entry.get("description")
        if subject in words:
            raise UnreadableReply(f"the subject {subject} is named twice", raw)
        if not (said is None or isinstance(said, str)) or len(said or "") > MAX_DESCRIPTION:
            problem = f"the description of {subject} must be null or a few words"
            raise UnreadableReply(problem, raw)
        words[subject] = None if said is None or is_blank(said) else " ".join(said.split())
    if set(words) != set(subjects):
        named = ", ".join(words) or "none"
        wanted = ", ".join(subjects) or "none"
        raise UnreadableReply(f"the subjects must be {wanted}; it names {named}", raw)
    found = [words[subject] for subject in subjects]
    return tuple(said if said is None else storable(said) for said in found)


def _mark(subject: object) -> str:
    """A subject with its angle brackets, which judges like to drop."""
    name = subject.strip() if isinstance(subject, str) else ""
    return name if name.startswith("<") else f"<{name}>"


def _reason(reply: Mapping[str, Any]) -> str:
    reason = reply.get("reason")
    return storable(reason) if isinstance(reason, str) else ""
