"""Files of pair tests, and the rows that they become.

A file is JSON, JSON Lines, CSV or TSV with ``test_name``, ``video_id``, ``event`` (may be empty),
``pos`` and ``neg``, as ``scoring.formats`` documents it. Names of tests are those of the paper or
of its released code. In an ``ivat`` test ``pos`` and ``neg`` describe two events of the clip; in
``control_t2v``, which asks for the video of a caption, ``neg`` is the caption of another clip.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from leaderboard.importers.source import AT_MOST, InvalidSource, SourceFile, read_bytes
from leaderboard.models import CaptionPair, Release
from scoring.formats.pair_tests import PairTestsError, read_pair_tests
from scoring.protocols.pair_tests import TITLES, PairTests, item_names
from scoring.protocols.pair_tests import CaptionPair as Pair

LONGEST = {"test": 40, "clip": 120, "event": 120}

Row = tuple[str, str, str, str, str, str]
"""Test, key, clip, event, positive and negative caption."""


def read_pair_files(paths: Iterable[SourceFile]) -> dict[str, tuple[Pair, ...]]:
    """Test to its pairs, in the order of the paper's tables; InvalidSource with every fault.

    Each test stands in one file, whole.
    """
    return pair_tests((path.name, read_bytes(path)) for path in paths)


def pair_tests(files: Iterable[tuple[str, bytes]]) -> dict[str, tuple[Pair, ...]]:
    """The same of files by name and content."""
    tests: dict[str, tuple[Pair, ...]] = {}
    faults: list[str] = []
    for name, data in files:
        try:
            found = read_pair_tests(data, name)
        except PairTestsError as error:
            faults += [f"{name}: {problem}" for problem in error.problems]
            continue
        twice = [test for test in found if test in tests]
        faults += [f"{name}: the test {test} stands in another file, too" for test in twice]
        faults += [f"{name}: {fault}" for pairs in found.values() for fault in _long(pairs)]
        tests |= found
    if faults:
        raise InvalidSource(faults[:AT_MOST])
    order = list(TITLES)
    return {test: tests[test] for test in sorted(tests, key=lambda test: _place(test, order))}


def put_pairs(release: Release, tests: PairTests) -> int:
    """Make the release's caption pairs these; how many there are.

    Once there they are frozen, since answers refer to them: other ones are another release's.
    Raises InvalidSource, also where a clip is not the release's.
    """
    clips = dict(release.clips.values_list("key", "pk"))
    strangers = {pair.clip: None for pairs in tests.values() for pair in pairs}.keys() - clips
    if strangers:
        names = ", ".join(sorted(strangers)[:10])
        raise InvalidSource([f"{release} has no clips {names}, which pair tests are about"])
    new = [row for pairs in tests.values() for row in _rows(pairs)]
    there: list[Row] = list(
        release.caption_pairs.order_by("position").values_list(
            "test_name", "key", "clip__key", "event", "positive", "negative"
        )
    )
    if there and there != new:
        raise InvalidSource([_difference(release, there, new)])
    if not there:
        CaptionPair.objects.bulk_create(
            (
                CaptionPair(
                    release=release,
                    position=position,
                    test_name=test,
                    key=key,
                    clip_id=clips[clip],
                    event=event,
                    positive=positive,
                    negative=negative,
                )
                for position, (test, key, clip, event, positive, negative) in enumerate(new)
            ),
            batch_size=500,
        )
    return len(new)


def clips_of(tests: Mapping[str, Sequence[Pair]]) -> list[str]:
    """The clips that the tests are about, in their order, each once."""
    return list(dict.fromkeys(pair.clip for pairs in tests.values() for pair in pairs))


def _rows(pairs: Sequence[Pair]) -> list[Row]:
    keys = item_names((pair.clip, pair.event) for pair in pairs)
    return [
        (pair.test, key, pair.clip, pair.event, pair.positive, pair.negative)
        for pair, key in zip(pairs, keys, strict=True)
    ]


def _difference(release: Release, there: Sequence[Row], new: Sequence[Row]) -> str:
    differing = sorted({row[0] for row in set(there) ^ set(new)})
    where = f"those of {', '.join(differing)}" if differing else "their order"
    return (
        f"the caption pairs of {release} are frozen, and {where} differ: changed pairs are a "
        "release of their own, under another version"
    )


def _long(pairs: Iterable[Pair]) -> list[str]:
    return [
        f"{what} of the pair {pair.clip[:40]} {pair.event[:40]} has more than {most} characters"
        for pair in pairs
        for what, most in LONGEST.items()
        if len(getattr(pair, what)) > most
    ]


def _place(test: str, order: Sequence[str]) -> tuple[int, str]:
    return (order.index(test) if test in order else len(order), test)
