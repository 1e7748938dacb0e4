"""Do the answers of an upload fit the pair tests of a release?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches

from scoring.formats.quoting import counted, name, names
from scoring.protocols.pair_tests import (
    Answers,
    CaptionPair,
    PairsUpload,
    PairTests,
    averaged,
    item_names,
)
from scoring.types import Problem

MAX_UNKNOWN = 50
"""Rows of unknown pairs that are listed one by one; further ones are counted."""


def check_pairs(upload: PairsUpload, tests: PairTests) -> PairsUpload:
    """Compare answers with the pairs of a release.

    A row belongs to the pair of its clip and event; where a clip has one pair only, its id is
    enough. Of several pairs with one clip and event, the rows belong to them in order.

    Returns:
        The upload with its rows in the order of the tests, and more problems. Errors:
        ``unknown-test``, ``wrong-kind`` (a matrix is wanted, or none is), ``missing-pair`` (one per
        test, with the count), ``unknown-pair``, ``duplicate-pair`` (a row again, with another
        answer). Warnings: ``duplicate-row`` (again with the same answer: ignored),
        ``missing-test`` (the average then leaves the system unranked).
    """
    problems = [*upload.problems]
    answers = []
    for one in upload.answers:
        fault = _misfit(one, tests)
        if fault is not None:
            problems.append(fault)
            continue
        matched = _Matching(one, tests[one.test])
        problems += matched.problems()
        answers.append(matched.rows())
    problems += _missing_tests(answers, tests)
    return replace(upload, answers=tuple(answers), problems=tuple(problems))


def _misfit(one: Answers, tests: PairTests) -> Problem | None:
    if one.test not in tests:
        near = get_close_matches(one.test, list(tests), n=1, cutoff=0.6)
        hint = f"; did you mean {name(near[0])}?" if near else ""
        message = f"{name(one.test)} is no test of this benchmark, which has {names(list(tests))}"
        return Problem("unknown-test", message + hint, one.where[0] if one.where else "")
    if (one.kind == "matrices") != (one.test == "ivat"):
        wanted = "a 2x2 matrix of scores" if one.test == "ivat" else "two scores or two answers"
        message = f"the test {name(one.test)} wants {wanted} per row, not {one.kind}"
        return Problem("wrong-kind", message, one.where[0] if one.where else "")
    return None


@dataclass
class _Matching:
    """Which row answers which pair of one test."""

    answers: Answers
    pairs: Sequence[CaptionPair]
    row_of: dict[str, int] = field(default_factory=dict)
    unknown: list[int] = field(default_factory=list)
    repeated: list[int] = field(default_factory=list)
    contradicting: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wanted = item_names((pair.clip, pair.event) for pair in self.pairs)
        of_clip = Counter(pair.clip for pair in self.pairs)
        alone = {
            pair.clip: item
            for pair, item in zip(self.pairs, self.wanted, strict=True)
            if of_clip[pair.clip] == 1
        }
        rows_of: dict[str, list[int]] = {}
        known = set(self.wanted)
        for at, (clip, event) in enumerate(self.answers.keys):
            plain = f"{clip} {event}".strip()
            item = plain if plain in known else alone.get(clip)
            if item is None:
                self.unknown.append(at)
            else:
                rows_of.setdefault(item, []).append(at)
        for item, rows in rows_of.items():
            self._place(item, rows, known)

    def _place(self, item: str, rows: list[int], known: set[str]) -> None:
        for number, at in enumerate(rows, start=1):
            numbered = item if number == 1 else f"{item} #{number}"
            if numbered in known:
                self.row_of[numbered] = at
                continue
            same = next((old for old in rows[: number - 1] if self._same(old, at)), None)
            if same is None:
                self.contradicting.append((rows[0], at))
            else:
                self.repeated.append(at)

    def _same(self, one: int, other: int) -> bool:
        values = self.answers.values
        if values is not None:
            return bool((values[one] == values[other]).all())
        return self.answers.words[one] == self.answers.words[other]

    def rows(self) -> Answers:
        """The answers in the order of the test's pairs."""
        present = [at for at, item in enumerate(self.wanted) if item in self.row_of]
        keys = [(self.pairs[at].clip, self.pairs[at].event) for at in present]
        return self.answers.rows([self.row_of[self.wanted[at]] for at in present], keys)

    def problems(self) -> Iterator[Problem]:
        """What does not fit, errors first."""
        test = name(self.answers.test)
        missing = [item for item in self.wanted if item not in self.row_of]
        if missing:
            have = "has" if len(missing) == 1 else "have"
            message = (
                f"{len(missing)} of {counted(len(self.wanted), 'pair')} of the test {test} {have} "
                f"no row: {names(missing)}; every pair must be answered"
            )
            yield Problem("missing-pair", message)
        for at in self.unknown[:MAX_UNKNOWN]:
            message = f"{self._shown(at)} is no pair of the test {test}"
            yield Problem("unknown-pair", message, self._where(at), self.answers.keys[at][0])
        if len(self.unknown) > MAX_UNKNOWN:
            rest = counted(len(self.unknown) - MAX_UNKNOWN, "more unknown pair")
            yield Problem("unknown-pair", f"and {rest} of the test {test}")
        for first, at in self.contradicting[:MAX_UNKNOWN]:
            message = (
                f"{self._shown(at)} is answered a second time in the test {test}, otherwise than "
                f"at {self._where(first) or f'row {first + 1}'}; keep one"
            )
            yield Problem("duplicate-pair", message, self._where(at), self.answers.keys[at][0])
        if self.repeated:
            rows = counted(len(self.repeated), "duplicate row")
            message = f"{rows} of the test {test} ignored (same pair, same answer)"
            yield Problem("duplicate-row", message, severity="warning")

    def _shown(self, at: int) -> str:
        return name(" ".join(self.answers.keys[at]).strip())

    def _where(self, at: int) -> str:
        return self.answers.where[at] if self.answers.where else ""


def _missing_tests(answers: Sequence[Answers], tests: PairTests) -> Iterator[Problem]:
    there = {one.test for one in answers}
    missing = [test for test in averaged(tests) if test not in there]
    if missing:
        message = (
            f"no answers to {counted(len(missing), 'test')}: {names(missing)}; the other tests are "
            "scored, but without them there is no average and no rank"
        )
        yield Problem("missing-test", message, severity="warning")
