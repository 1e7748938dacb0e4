"""Why a change is refused, and the one check that published data does not change."""

from __future__ import annotations

from leaderboard.curation.sources import Data
from leaderboard.models import Release


class Refused(Exception):  # noqa: N818 - named as the fault is spoken of
    """The change cannot be made as things are; the sentence says what to do instead."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class InvalidData(Exception):  # noqa: N818
    """What was handed in is no release; ``data.problems`` says all that is wrong with it."""

    def __init__(self, data: Data) -> None:
        self.data = data
        more = len(data.errors) - 1
        super().__init__(f"{data.errors[0]}" + (f" (and {more} more)" if more else ""))


def draft(release: Release) -> Release:
    """The release, locked until the transaction ends, to have its data changed.

    Every function that changes clips, references, keypoints or pairs begins here. Raises
    ``Refused`` when it is published: scores follow from its data.
    """
    locked = Release.objects.select_for_update().select_related("benchmark").get(pk=release.pk)
    if locked.is_frozen:
        raise Refused(
            "frozen-release",
            f"{locked} is published and its data is frozen. Make a new release from it and correct "
            "that one.",
        )
    return locked


def usable(data: Data) -> Data:
    """The data; InvalidData when anything forbids to make a release of it."""
    if not data.ok:
        raise InvalidData(data)
    return data
