"""Subjects and keypoints, which come with a release's annotations."""

from __future__ import annotations

from django.contrib import admin

from leaderboard.admin.base import ComputedAdmin, FrozenOncePublished
from leaderboard.models import Keypoint, Release, Subject


@admin.register(Keypoint)
class KeypointAdmin(FrozenOncePublished[Keypoint], ComputedAdmin[Keypoint]):
    """One thing that a description should tell. Verdicts are aligned to positions: it stays."""

    list_display = ["clip", "annotation", "position", "kind", "beginning"]
    list_filter = ["clip__release__benchmark", "annotation", "kind"]
    list_select_related = ["clip"]
    search_fields = ["clip__key", "text"]
    ordering = ["clip__release", "annotation", "clip__position", "position"]

    def release_of(self, row: Keypoint) -> Release:
        """That of its clip."""
        return row.clip.release

    @admin.display(description="text")
    def beginning(self, keypoint: Keypoint) -> str:
        """Its first words."""
        return keypoint.text[:80]


@admin.register(Subject)
class SubjectAdmin(FrozenOncePublished[Subject], ComputedAdmin[Subject]):
    """Who takes part in a clip."""

    list_display = ["clip", "annotation", "key", "name"]
    list_filter = ["clip__release__benchmark", "annotation"]
    list_select_related = ["clip"]
    search_fields = ["clip__key", "key", "name"]

    def release_of(self, row: Subject) -> Release:
        """That of its clip."""
        return row.clip.release
