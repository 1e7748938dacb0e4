"""What scores follow from is fixed once a release is published; before, it can be edited."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from leaderboard.models import Clip, Reference, Release
from tests.support.small_tests import keypoints_track, pairs_track

FIXED = ("release", "key", "position", "references-0-text")


def fields(staff: Client, page: str, key: int) -> set[str]:
    """The names of the fields that can be filled in."""
    content = staff.get(reverse(f"admin:leaderboard_{page}_change", args=[key])).content.decode()
    return {name for name in (*FIXED, "title", "category", "text") if f'name="{name}"' in content}


def test_before_publication_all_can_be_edited(staff: Client, release: Release) -> None:
    Release.objects.update(published_at=None)

    assert fields(staff, "clip", Clip.objects.get(key="c1").pk) >= {*FIXED, "title"}
    assert "text" in fields(staff, "reference", Reference.objects.first().pk)


def test_afterwards_all_can_only_be_read(staff: Client, release: Release) -> None:
    clip = Clip.objects.get(key="c1")

    assert fields(staff, "clip", clip.pk) == set()
    assert fields(staff, "reference", clip.references.get().pk) == set()


def test_a_published_clip_is_neither_changed_nor_deleted(staff: Client, release: Release) -> None:
    """Nor what belongs to it; a correction is a release of its own."""
    keypoints_track(release)
    pairs_track(release)
    clip = Clip.objects.get(key="c1")
    rows = {
        "clip": clip,
        "reference": clip.references.get(),
        "keypoint": clip.keypoints.first(),
        "subject": clip.subjects.first(),
        "captionpair": clip.caption_pairs.first(),
    }
    for name, row in rows.items():
        for action in ("change", "delete"):
            address = reverse(f"admin:leaderboard_{name}_{action}", args=[row.pk])
            sent = {"post": "yes", "title": "Other", "excluded": "on", "text": "Other."}
            assert staff.post(address, sent).status_code == 403, (name, action)
        row.refresh_from_db()
    assert not clip.excluded


def test_a_published_release_stays_published(staff: Client, release: Release) -> None:
    address = reverse("admin:leaderboard_release_change", args=[release.pk])
    page = staff.get(address).content.decode()
    assert 'name="version"' not in page
    assert 'name="published_at' not in page
    inline = reverse("admin:leaderboard_benchmark_change", args=[release.benchmark_id])
    assert "releases-0-published_at" not in staff.get(inline).content.decode()


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
