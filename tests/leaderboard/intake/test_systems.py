"""Whose system an upload is for."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from leaderboard.intake import SystemTaken, system_for
from leaderboard.models import System

pytestmark = pytest.mark.django_db


def test_a_new_name_makes_a_system_of_ones_own(ann: User) -> None:
    """With its card."""
    system = system_for(user=ann, name="  My   Model ", frames=16, open_weights=True)
    assert (system.name, system.slug, system.owner) == ("My Model", "my-model", ann)
    assert (system.frames, system.open_weights) == (16, True)


def test_the_same_name_is_the_same_system(ann: User) -> None:
    """Whatever its case; the card that is there stays."""
    system = system_for(user=ann, name="My Model", family="first")
    assert system_for(user=ann, name="my model", family="second") == system
    system.refresh_from_db()
    assert system.family == "first"


def test_somebody_elses_name_is_taken(ann: User, ben: User) -> None:
    """So is that of a system which nobody owns, such as one from a paper."""
    system_for(user=ann, name="My Model")
    System.objects.create(name="Paper Model", slug="paper-model")
    for name in ("My Model", "paper model"):
        with pytest.raises(SystemTaken, match="Choose another name"):
            system_for(user=ben, name=name)


def test_staff_may_submit_for_every_system(ann: User, ben: User) -> None:
    """A curator rescoring a paper's system does not own it."""
    system = system_for(user=ann, name="My Model")
    ben.is_staff = True
    assert system_for(user=ben, name="My Model") == system


def test_names_that_make_no_slug_still_get_one_each(ann: User) -> None:
    """A name in another script is a name."""
    first, second = system_for(user=ann, name="模型一"), system_for(user=ann, name="模型二")
    assert first.slug != second.slug


@pytest.mark.parametrize(
    ("name", "card"),
    [
        ("", {}),
        ("   ", {}),
        ("x" * 121, {}),
        ("a\0b", {}),
        ("a\ud800b", {}),
        ("Fine", {"link": "javascript:alert(1)"}),
        ("Fine", {"organisation": "x" * 121}),
    ],
)
def test_what_cannot_be_stored_is_refused(ann: User, name: str, card: dict[str, str]) -> None:
    """With the field's name."""
    with pytest.raises(ValidationError) as caught:
        system_for(user=ann, name=name, **card)
    assert set(caught.value.message_dict) == (set(card) or {"name"})
    assert not System.objects.exists()
