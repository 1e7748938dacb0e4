"""Policies of a release: when it is open, and what becomes of clips that a file leaves out."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from leaderboard.intake import InvalidUpload, NotOpen, receive
from leaderboard.models import Release, Submission
from tests.leaderboard.conftest import TEXTS

Submit = Callable[..., Submission]
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("opens", "closes", "said"),
    [(HOUR, None, "from"), (-HOUR, timedelta(0), "until"), (None, -HOUR, "until")],
)
def test_a_release_that_is_not_open_takes_nothing(
    release: Release, submit: Submit, opens: Any, closes: Any, said: str
) -> None:
    """The refusal says from when or until when."""
    now = timezone.now()
    release.opens_at = opens and now + opens
    release.closes_at = closes if closes is None else now + closes
    release.save()
    with pytest.raises(NotOpen, match=said):
        submit()
    assert not Submission.objects.exists()
    assert submit(user=None).pk, "importers and curators may at any time"


def test_a_release_that_is_open_takes_files(release: Release, submit: Submit) -> None:
    """Between its two moments."""
    now = timezone.now()
    release.opens_at, release.closes_at = now - HOUR, now + HOUR
    release.save()
    assert submit().pk


def test_missing_clips_count_as_empty_where_the_release_says_so(
    release: Release, submit: Submit, sent: list[Any]
) -> None:
    """Else the file is refused; with a warning that names them."""
    some = json.dumps({key: TEXTS[key] for key in ("c1", "c3")}).encode()
    given = {"data": some, "system": submit("A").system, "filename": "p.json", "user": None}

    with pytest.raises(InvalidUpload, match="c2"):
        receive(release=release, **given)
    release.missing_clips = "zero"
    stored = receive(release=release, **given)
    texts = dict(stored.descriptions.values_list("clip__key", "text"))
    assert texts == {"c1": TEXTS["c1"], "c2": "", "c3": TEXTS["c3"], "c4": ""}
    (warning,) = [one for one in stored.warnings if one["code"] == "missing-clip"]
    assert "c2, c4" in warning["message"]
    strange = given | {"data": b'{"x": "y"}'}
    with pytest.raises(InvalidUpload, match="0 of 4"):
        receive(release=release, **strange)
