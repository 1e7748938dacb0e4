"""Reading what a language-model judge replied: the one parser of all chat judges.

A reply is read strictly first; only when that fails, the last JSON object in it is mended by
`json-repair` (single quotes, trailing commas, comments). A reply that was cut off is never mended:
closing its brackets would drop the last fact without a word. What cannot be read so is an
`UnreadableReply`, never a number. Verdicts belong to facts by their numbers, not by their order.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal, NoReturn, TypeVar, get_args

import json_repair
from pydantic import BaseModel, BeforeValidator, ValidationError

from scoring.judges.base import JudgeFailed
from scoring.text import is_blank

Label = Literal["entailment", "contradiction", "neutral"]
LABELS: tuple[Label, ...] = get_args(Label)

FACTS_SCHEMA: Mapping[str, Any] = MappingProxyType(
    {
        "type": "object",
        "properties": {"facts": {"type": "array", "items": {"type": "string"}}},
        "required": ["facts"],
        "additionalProperties": False,
    }
)
"""JSON schema of the reply that `read_facts` reads."""

_Reply = TypeVar("_Reply", bound=BaseModel)
_THOUGHT = "</think>"
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class UnreadableReply(JudgeFailed):
    """A reply from which no verdict may be taken. `raw` keeps it; the message does not quote it."""

    code = "unreadable-reply"

    def __init__(self, problem: str, raw: str) -> None:
        self.problem = problem
        self.raw = raw
        super().__init__(f"the judge's reply could not be read: {problem}")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the judge says of one fact, and why in its own words (may be empty)."""

    label: Label
    reason: str = ""


def verdicts_schema(count: int) -> dict[str, Any]:
    """JSON schema of the reply that `read_verdicts` reads about `count` facts.

    The reason comes before the label, and the count is fixed: under a schema small models go on
    and on otherwise.
    """
    verdict = {
        "type": "object",
        "properties": {
            "fact": {"type": "integer"},
            "reason": {"type": "string"},
            "label": {"type": "string", "enum": list(LABELS)},
        },
        "required": ["fact", "reason", "label"],
        "additionalProperties": False,
    }
    verdicts = {"type": "array", "items": verdict, "minItems": count, "maxItems": count}
    return {
        "type": "object",
        "properties": {"verdicts": verdicts},
        "required": ["verdicts"],
        "additionalProperties": False,
    }


def storable(text: str) -> str:
    """`text` with NUL and lone surrogates, which no database keeps, as replacement characters."""
    return _UNSTORABLE.sub("\ufffd", text)


def read_facts(raw: str) -> tuple[str, ...]:
    """The facts of a reply `{"facts": ["...", ...]}`, in order.

    White space inside a fact becomes single spaces; blank facts and literal repeats are left out.

    Raises:
        UnreadableReply: no such object, or a fact that is no string.
    """
    facts: dict[str, str] = {}
    for fact in _validated(_FactsReply, raw).facts:
        if not is_blank(fact):
            line = " ".join(storable(fact).split())
            facts.setdefault(line.casefold(), line)
    return tuple(facts.values())


def read_verdicts(raw: str, count: int) -> tuple[Verdict, ...]:
    """The verdicts of a reply `{"verdicts": [{"fact": 1, "reason": ..., "label": ...}, ...]}`.

    Returns:
        One verdict per fact, fact 1 first, whatever their order in the reply. A label counts when
        it is one of `LABELS` after trimming and case folding.

    Raises:
        UnreadableReply: no such object, a label outside the set, or fact numbers that are not
            1 to `count`, each once.
    """
    found = _validated(_VerdictsReply, raw).verdicts
    given = Counter(verdict.fact for verdict in found)
    expected = range(1, count + 1)
    wrong = {
        "missing": [n for n in expected if n not in given],
        "given more than once": sorted(n for n, times in given.items() if times > 1),
        "unknown": sorted(n for n in given if n not in expected),
    }
    faults = [f"{fault}: {_numbers(numbers)}" for fault, numbers in wrong.items() if numbers]
    if faults:
        raise UnreadableReply(
            f"{count} facts were asked about; verdicts by fact number {'; '.join(faults)}", raw
        )
    by_number = {verdict.fact: verdict for verdict in found}
    return tuple(Verdict(by_number[n].label, storable(by_number[n].reason)) for n in expected)


def read_object(raw: str) -> dict[str, Any]:
    """The JSON object that a reply is, or ends with.

    Raises:
        UnreadableReply: there is none, it is cut off, or it names a key twice.
    """
    text = _after_thoughts(raw).strip()
    if not text:
        raise UnreadableReply("it is empty", raw)
    found = _strict(text, raw)
    if found is None:
        last = _last_object(text, raw)
        found = _strict(last, raw)
        if found is None:
            found = _repaired(last, raw)
    if not isinstance(found, dict):
        raise UnreadableReply("it is not a JSON object", raw)
    return found


def _after_thoughts(raw: str) -> str:
    """The reply without the thoughts that some models write before it."""
    if raw.lstrip().startswith("<think>") and _THOUGHT not in raw:
        raise UnreadableReply("it ends before the judge had done thinking", raw)
    return raw.rpartition(_THOUGHT)[2]


def _strict(text: str, raw: str) -> Any:
    """The value of a text that is JSON and nothing else; None when it is not."""

    def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) != len(pairs):
            raise UnreadableReply("it names a key twice in one object", raw)
        return found

    def refuse(constant: str) -> NoReturn:
        raise UnreadableReply(f"it holds {constant}, which is no JSON", raw)

    try:
        return json.loads(text, object_pairs_hook=once, parse_constant=refuse)
    except (json.JSONDecodeError, RecursionError):
        return None


def _last_object(text: str, raw: str) -> str:
    """The last outermost `{...}` of a text, brackets inside double quotes not counted."""
    depth, start, last, quoted, escaped = 0, 0, "", False, False
    for place, char in enumerate(text):
        if escaped:
            escaped = False
        elif quoted and char == "\\":
            escaped = True
        elif depth and char == '"':
            quoted = not quoted
        elif not quoted and char in "{[" and (depth or char == "{"):
            start = start if depth else place
            depth += 1
        elif not quoted and char in "}]" and depth:
            depth -= 1
            last = last if depth else text[start : place + 1]
    if depth:
        raise UnreadableReply("it is cut off, or its brackets do not match", raw)
    if not last:
        raise UnreadableReply("it holds no JSON object", raw)
    return last


def _repaired(text: str, raw: str) -> Any:
    found, log = json_repair.repair_json(text, return_objects=True, logging=True)
    if any("missed the closing" in str(entry.get("text")) for entry in log):
        raise UnreadableReply("its quotes or brackets do not match", raw)
    return found


def _trimmed(value: object) -> object:
    return value.strip().casefold() if isinstance(value, str) else value


def _number(value: object) -> object:
    """A whole number, or one written in digits; neither a truth value nor 4.8."""
    if isinstance(value, str) and value.strip().isdecimal():
        return int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError("a fact is named by its number")  # noqa: TRY004 - what pydantic reports
    return value


class _FactsReply(BaseModel):
    facts: list[str]


class _NumberedVerdict(BaseModel):
    fact: Annotated[int, BeforeValidator(_number)]
    label: Annotated[Label, BeforeValidator(_trimmed)]
    reason: Annotated[str, BeforeValidator(lambda value: "" if value is None else value)] = ""


class _VerdictsReply(BaseModel):
    verdicts: list[_NumberedVerdict]


def _validated(model: type[_Reply], raw: str) -> _Reply:
    try:
        return model.model_validate(read_object(raw))
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(step) for step in first["loc"])
        raise UnreadableReply(f"{place}: {first['msg']}", raw) from None


def _numbers(numbers: Sequence[int]) -> str:
    shown = ", ".join(str(number) for number in numbers[:10])
    return f"{shown}, ..." if len(numbers) > 10 else shown
