"""What curators do on a page, their scripts do by the interface."""

from __future__ import annotations

import re

from tests.leaderboard.security.matrix import API, PAGES

RELEASES = "{slug}/releases/{version}"
# What a page does, or shows, is done or answered by these operations.
SAME = {
    "curate": ["get "],
    "curate-new": ["post "],
    "curate-all-audit": ["get audit"],
    "curate-all-audit-file": ["get audit"],
    "curate-audit": ["get {slug}/audit"],
    "curate-audit-file": ["get {slug}/audit"],
    "curate-people": ["get people/banned", "put people/{username}/ban"],
    "curate-unban": ["delete people/{username}/ban"],
    "curate-moderation": [
        "get {slug}/submissions",
        "get {slug}/shared-files",
        "get {slug}/shared-machines",
        "get {slug}/bans",
    ],
    "curate-unban-here": ["delete {slug}/bans/{username}"],
    "curate-moderate": [
        "put {slug}/submissions/{pk}/standing",
        "put {slug}/submissions/{pk}/flag",
        "put {slug}/bans/{username}",
        "delete {slug}/submissions/{pk}/flag",
    ],
    "curate-news": ["get {slug}/news", "post {slug}/news"],
    "curate-edit-news": ["put {slug}/news/{pk}"],
    "curate-remove-news": ["delete {slug}/news/{pk}"],
    "curate-reported": [
        f"get {RELEASES}/tracks/{{track}}/reported",
        f"post {RELEASES}/tracks/{{track}}/reported",
    ],
    "curate-edit-reported": [f"patch {RELEASES}/tracks/{{track}}/reported/{{pk}}"],
    "curate-remove-reported": [f"delete {RELEASES}/tracks/{{track}}/reported/{{pk}}"],
    "curate-benchmark": ["get {slug}"],
    "curate-batches": ["get {slug}/batches", "get {slug}/batches/{pk}"],
    "curate-card": ["patch {slug}"],
    "curate-quota": ["put {slug}/quota"],
    "curate-curators": ["put {slug}/curators"],
    "curate-data": ["post {slug}/check"],
    "curate-store": ["post {slug}/releases"],
    "curate-release": [f"get {RELEASES}", f"patch {RELEASES}"],
    "curate-replace": ["post {slug}/check"],
    "curate-store-replacement": [f"put {RELEASES}/data"],
    "curate-publish": [f"post {RELEASES}/publish"],
    "curate-discard": [f"delete {RELEASES}"],
    "curate-correct": [f"post {RELEASES}/correct"],
    "curate-changes": [f"get {RELEASES}/changes"],
    "curate-rescore": [f"post {RELEASES}/rescore"],
    "curate-clips": [f"get {RELEASES}/clips"],
    "curate-exclude": [
        f"put {RELEASES}/exclusions/{{key}}",
        f"delete {RELEASES}/exclusions/{{key}}",
    ],
    "curate-new-track": [f"post {RELEASES}/tracks"],
    "curate-track": [
        f"put {RELEASES}/tracks/{{track}}/judges",
        f"get {RELEASES}/tracks/{{track}}/lacking",
    ],
    "curate-uploads": [f"put {RELEASES}/tracks/{{track}}/uploads"],
    "curate-queue": [f"post {RELEASES}/tracks/{{track}}/lacking"],
    "curate-again": [
        f"get {RELEASES}/tracks/{{track}}/again",
        f"post {RELEASES}/tracks/{{track}}/again",
    ],
}


def operation(method: str, path: str) -> str:
    """As the interface's own description writes it, from ``curate`` on."""
    named = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", path)
    return f"{method} {named.removeprefix('curate').lstrip('/')}"


def test_what_a_page_does_a_script_can_do() -> None:
    """Every page has its operations, and every operation its page."""
    there = {
        operation(line.method, path)
        for path, lines in API.items()
        for line in lines
        if path.startswith("curate")
    }
    assert set(SAME) == {name for name in PAGES if name.startswith("curate")}
    assert {one for operations in SAME.values() for one in operations} == there
