"""The admin: one noun a file. What the pipeline computes can be looked at there, not edited."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin

from leaderboard.admin import (
    batch,
    benchmark,
    caption_pair,
    clip,
    clip_map,
    evidence,
    keypoint,
    people,
    policies,
    ranking,
    release,
    reported,
    run,
    score_vector,
    submission,
    system,
    token,
    track,
)

__all__ = [
    "batch",
    "benchmark",
    "caption_pair",
    "clip",
    "clip_map",
    "evidence",
    "keypoint",
    "people",
    "policies",
    "ranking",
    "release",
    "reported",
    "run",
    "score_vector",
    "submission",
    "system",
    "token",
    "track",
]

admin.site.site_header = "ClipRank administration"
admin.site.site_title = "ClipRank"
# One way to log in, with its limits and its second factor, for the admin as well.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
