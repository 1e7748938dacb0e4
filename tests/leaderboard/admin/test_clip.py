"""What scores follow from is fixed once a release is published; before, it can be edited."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from leaderboard.models import Clip, Reference, Release

FIXED = ("release", "key", "position", "references-0-text")


def fields(staff: Client, page: str, key: int) -> set[str]:
    """The names of the fields that can be filled in."""
    content = staff.get(reverse(f"admin:leaderboard_{page}_change", args=[key])).content.decode()
    return {name for name in (*FIXED, "title", "category", "text") if f'name="{name}"' in content}


def test_before_publication_all_can_be_edited(staff: Client, release: Release) -> None:
    Release.objects.update(published_at=None)

    assert fields(staff, "clip", Clip.objects.get(key="c1").pk) >= {*FIXED, "title"}
    assert "text" in fields(staff, "reference", Reference.objects.first().pk)


def test_afterwards_only_what_no_score_follows_from(staff: Client, release: Release) -> None:
    clip = Clip.objects.get(key="c1")

    assert fields(staff, "clip", clip.pk) == {"title", "category"}
    assert fields(staff, "reference", clip.references.get().pk) == set()


def test_a_clip_can_still_be_excluded(staff: Client, release: Release) -> None:
    clip = Clip.objects.get(key="c1")
    response = staff.post(
        reverse("admin:leaderboard_clip_change", args=[clip.pk]),
        {
            "title": "Withdrawn",
            "excluded": "on",
            "exclusion_reason": "The video is gone.",
            "references-TOTAL_FORMS": 1,
            "references-INITIAL_FORMS": 1,
            "references-0-id": clip.references.get().pk,
            "references-0-text": "Rewritten.",
        },
    )

    assert response.status_code == 302
    clip.refresh_from_db()
    assert (clip.excluded, clip.key, clip.position) == (True, "c1", 0)
    assert clip.references.get().text != "Rewritten."


def test_a_new_clip_goes_into_a_release_that_is_not_published(
    staff: Client, release: Release
) -> None:
    add = reverse("admin:leaderboard_clip_add")
    values = {
        "release": release.pk,
        "key": "new",
        "position": 9,
        "references-TOTAL_FORMS": 0,
        "references-INITIAL_FORMS": 0,
    }

    refused = staff.post(add, values)
    assert "release" in refused.context["adminform"].form.errors

    Release.objects.update(published_at=None)
    assert staff.post(add, values).status_code == 302
    assert release.clips.filter(key="new").exists()
