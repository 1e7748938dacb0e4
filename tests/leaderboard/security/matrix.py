"""Who may do what: one line for every address and every operation of the interface.

Deny by default: an address without a line here fails ``test_access.py``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tests.support.world import ROLES

ALL = frozenset(ROLES)
PEOPLE = ALL - {"anonymous"}
TEAM = frozenset({"team member", "owner"})
OWNER = frozenset({"owner"})
STAFF = frozenset({"staff"})
CURATOR = frozenset({"curator", "staff"})
CURATORS = CURATOR | {"curator of another"}
NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Line:
    """A request as somebody would make it who may: ``who`` they are, ``at`` what of the address.

    ``of`` takes another submission than the public one: ``private`` or ``anonymous``.
    """

    method: str
    who: frozenset[str]
    sent: dict[str, Any] = field(default_factory=dict)
    at: dict[str, Any] = field(default_factory=dict)
    of: str = "submission"
    file: bool = False


def get(who: frozenset[str], of: str = "submission", **at: Any) -> Line:
    """Reading."""
    return Line("get", who, at=at, of=of)


def post(who: frozenset[str], of: str = "submission", **sent: Any) -> Line:
    """A form, or a body for scripts."""
    return Line("post", who, sent, of=of)


def both(who: frozenset[str], **sent: Any) -> list[Line]:
    """A page with a form."""
    return [get(who), post(who, **sent)]


TRACK = {
    "slug": "facts-2",
    "name": "Facts",
    "protocol": "facts",
    "judges": ["facts-baseline"],
    "primary_metric": "llm_facts_f1",
}
REASON = {"reason": "The video is gone."}
NEWS = {"title": "News", "text": "*There* are."}
NUMBER = {
    "system": "Best",
    "judge": "left",
    "metric": "hm_cf",
    "mean": 0.5,
    "source": "https://example.org/paper",
}
DRAFT = {"version": "1.1"}
QUOTA = {"limit": 3, "window": "day", "hours": 24, "per": "team"}
BANNED, SENDER = {"username": "banned"}, {"username": "ann"}
BEGIN = {"filename": "p.json", "size": 1000}
NEW = {"name": "N", "slug": "n", "summary": "S"}
SEES_PRIVATE = TEAM | STAFF
STEERS = TEAM | STAFF
SEES_FILE = TEAM | CURATOR

READ_BY_ALL = """
    home benchmark news news-feed clips clip ranking scores export badge stored-ranking summary
    history system-history claims reliability compare explore clip-media search healthz readyz
"""
OPEN = """
    account_login account_signup account_inactive account_email_verification_sent
    account_confirm_email account_reset_password account_reset_password_done
    account_reset_password_from_key account_reset_password_from_key_done account_logout
    account_confirm_login_code mfa_authenticate socialaccount_login_cancelled
    socialaccount_login_error socialaccount_signup
"""
OWN = """
    account_reauthenticate account_request_reauthentication_code
    account_confirm_reauthentication_code account_email account_change_password
    account_set_password mfa_index mfa_reauthenticate mfa_activate_totp mfa_deactivate_totp
    mfa_view_recovery_codes mfa_generate_recovery_codes mfa_download_recovery_codes
    socialaccount_connections
"""
SERVICES = """
    github_login github_callback orcid_login orcid_callback openid_connect_login
    openid_connect_callback
"""

PAGES: dict[str, list[Line]] = {
    **{name: [get(ALL)] for name in READ_BY_ALL.split()},
    "relations": [get(NOBODY), get(NOBODY, track="facts")],
    "metrics": [get(NOBODY)],
    "submit": both(PEOPLE),
    "system": [get(ALL), get(SEES_PRIVATE, slug="secret"), get(SEES_PRIVATE, slug="hidden")],
    "submissions": [get(PEOPLE)],
    "submission": [get(ALL), get(SEES_PRIVATE, "private"), get(ALL, "anonymous")],
    "submission-progress": [get(ALL), get(SEES_PRIVATE, "private"), get(ALL, "anonymous")],
    "submission-file": [get(SEES_FILE), get(SEES_PRIVATE, "private"), get(SEES_FILE, "anonymous")],
    "submission-cancel": [post(STEERS), post(STEERS, "private"), post(STEERS, "anonymous")],
    "submission-retry": [post(STEERS), post(STEERS, "private")],
    "submission-visibility": [
        post(TEAM, visibility="private"),
        post(TEAM, "private", visibility="public"),
        post(TEAM, "anonymous", visibility="public"),
    ],
    "submission-withdraw": [post(TEAM), post(TEAM, "private"), post(TEAM, "anonymous")],
    "notices": [get(PEOPLE)],
    "read-notices": [post(PEOPLE)],
    "read-notice": [get(OWNER)],
    "system-edit": both(OWNER, name="Best"),
    "system-team": [post(OWNER, team="team")],
    "account": both(PEOPLE),
    "tokens": both(PEOPLE, name="script", scope="read", days="30"),
    "revoke-token": [post(OWNER)],
    "confirm-again": [post(ALL)],
    "delete-account": both(PEOPLE),
    "teams": both(PEOPLE, name="New team"),
    "team": [get(TEAM)],
    "invite": [Line("post", OWNER, {"who": "user", "role": "member"})],
    "accept-invitation": [post(NOBODY)],
    "decline-invitation": [post(NOBODY)],
    "leave-team": [post(TEAM)],
    "dissolve-team": [post(OWNER)],
    "take-back-invitation": [post(OWNER)],
    "remove-member": [post(OWNER)],
    "member-role": [post(OWNER, role="owner")],
    # --- the curators' workspace
    "curate": [get(PEOPLE)],
    "curate-new": both(CURATORS, **NEW),
    "curate-all-audit": [get(STAFF)],
    "curate-all-audit-file": [get(STAFF)],
    "curate-audit": [get(CURATOR)],
    "curate-audit-file": [get(CURATOR, suffix="jsonl")],
    "curate-people": both(STAFF, username="user", reason="R."),
    "curate-unban": [post(STAFF)],
    "curate-moderation": [get(CURATOR)],
    "curate-moderate": [
        post(CURATOR, do="hidden", reason="R."),
        post(CURATOR, "anonymous", do="hidden", reason="R."),
        post(STAFF, "private", do="hidden", reason="R."),
    ],
    "curate-unban-here": [Line("post", CURATOR, at=BANNED)],
    "curate-news": both(CURATOR, **NEWS),
    "curate-edit-news": both(CURATOR, **NEWS),
    "curate-remove-news": [post(CURATOR)],
    "curate-reported": both(CURATOR, **NUMBER),
    "curate-edit-reported": both(CURATOR, **NUMBER),
    "curate-remove-reported": [post(CURATOR)],
    "curate-benchmark": [get(CURATOR)],
    "curate-batches": [get(CURATOR)],
    "curate-card": both(CURATOR, name="N", summary="S"),
    "curate-quota": both(CURATOR, **QUOTA),
    "curate-curators": [post(CURATOR, curators="curator")],
    "curate-data": [get(CURATOR), Line("post", CURATOR, {"kind": "table"}, file=True)],
    "curate-store": [post(CURATOR, ticket="x")],
    "curate-release": [get(CURATOR, **DRAFT), get(CURATOR), post(CURATOR, missing_clips="zero")],
    "curate-replace": [
        get(CURATOR, **DRAFT),
        Line("post", CURATOR, {"kind": "table"}, DRAFT, file=True),
    ],
    "curate-store-replacement": [Line("post", CURATOR, {"ticket": "x"}, DRAFT)],
    "curate-publish": [Line("post", CURATOR, {}, DRAFT)],
    "curate-discard": [get(CURATOR, **DRAFT), Line("post", CURATOR, {}, DRAFT)],
    "curate-correct": [post(CURATOR, version="1.2")],
    "curate-changes": [get(CURATOR, **DRAFT)],
    "curate-rescore": [Line("post", CURATOR, {}, DRAFT)],
    "curate-clips": [get(CURATOR, **DRAFT)],
    "curate-exclude": [Line("post", CURATOR, REASON, DRAFT)],
    "curate-new-track": both(CURATOR, **TRACK),
    "curate-track": both(CURATOR, judges=["char-tfidf"]),
    "curate-uploads": [post(CURATOR, takes="no")],
    "curate-queue": [post(CURATOR)],
    "curate-again": both(CURATOR, everything="on"),
    # --- the interface's own pages
    "api:openapi-json": [get(ALL)],
    "api:openapi-view": [get(ALL)],
    "api:api-root": [get(NOBODY)],
    # --- accounts, by django-allauth
    **{name: both(ALL) for name in OPEN.split()},
    **{name: both(PEOPLE) for name in OWN.split()},
    **{name: both(NOBODY) for name in SERVICES.split()},
    **{
        f"social/{part}/": [get(ALL)]
        for part in ("login/cancelled", "login/error", "signup", "connections")
    },
}
ADMIN = STAFF
"""Every address of the admin; what each kind of staff may do there is Django's own permissions."""

OF_TRACK = "benchmarks/<slug>/releases/<version>/tracks/<track>"
RELEASE = "curate/<slug>/releases/<version>"
AT_TRACK = f"{RELEASE}/tracks/<track>"
ONE = "submissions/<uuidstr:pk>"
UPLOAD = "uploads/<uuidstr:pk>"
API: dict[str, list[Line]] = {
    "benchmarks": [get(ALL)],
    "benchmarks/<slug>": [get(ALL)],
    "benchmarks/<slug>/releases/<version>": [get(ALL), get(NOBODY, **DRAFT)],
    f"{OF_TRACK}/ranking": [get(ALL), get(NOBODY, **DRAFT)],
    f"{OF_TRACK}/ranking/at/<at>": [get(ALL)],
    f"{OF_TRACK}/history": [get(ALL)],
    f"{OF_TRACK}/history/<system>": [get(ALL)],
    "benchmarks/<slug>/submissions": [Line("post", PEOPLE, {"system": "New"}, file=True)],
    "benchmarks/<slug>/check": [Line("post", PEOPLE, file=True)],
    "benchmarks/<slug>/quota": [get(PEOPLE)],
    ONE: [get(ALL), get(SEES_PRIVATE, "private"), get(ALL, "anonymous")],
    f"{ONE}/file": [get(SEES_FILE), get(SEES_PRIVATE, "private"), get(SEES_FILE, "anonymous")],
    f"{ONE}/visibility": [
        post(TEAM, visibility="private"),
        post(TEAM, "private", visibility="public"),
    ],
    f"{ONE}/withdraw": [post(TEAM), post(TEAM, "private"), post(TEAM, "anonymous")],
    f"{ONE}/cancel": [post(STEERS), post(STEERS, "private")],
    f"{ONE}/retry": [post(STEERS), post(STEERS, "private")],
    "systems/<slug>": [
        get(ALL),
        get(SEES_PRIVATE, slug="secret"),
        get(SEES_PRIVATE, slug="hidden"),
        Line("patch", OWNER, {"family": "F"}),
    ],
    "systems/<slug>/edits": [get(ALL), get(SEES_PRIVATE, slug="secret")],
    f"{OF_TRACK}/comparison": [get(ALL)],
    # Large files: there is no bucket here, and no upload under way, only one that was completed.
    "benchmarks/<slug>/uploads": [post(PEOPLE, **BEGIN)],
    UPLOAD: [Line("delete", NOBODY)],
    f"{UPLOAD}/check": [post(NOBODY)],
    f"{UPLOAD}/complete": [post(OWNER, system="New")],
    f"{UPLOAD}/parts/<int:number>": [post(NOBODY)],
    "<path:address>": [get(NOBODY), post(NOBODY)],
    "curate": [get(PEOPLE), post(CURATORS, **NEW)],
    "curate/<slug>": [get(CURATOR), Line("patch", CURATOR, {"summary": "Other."})],
    "curate/audit": [get(STAFF)],
    "curate/<slug>/audit": [get(CURATOR)],
    "curate/people/banned": [get(STAFF)],
    "curate/people/<username>/ban": [Line("put", STAFF, REASON), Line("delete", STAFF)],
    "curate/<slug>/submissions": [get(CURATOR)],
    "curate/<slug>/shared-files": [get(CURATOR)],
    "curate/<slug>/shared-machines": [get(CURATOR)],
    "curate/<slug>/bans": [get(CURATOR)],
    "curate/<slug>/bans/<username>": [
        Line("put", CURATOR, REASON, SENDER),
        Line("delete", CURATOR, at=BANNED),
    ],
    "curate/<slug>/quota": [Line("put", CURATOR, QUOTA)],
    f"{RELEASE}/clips": [get(CURATOR, **DRAFT)],
    "curate/<slug>/batches": [get(CURATOR)],
    "curate/<slug>/batches/<pk>": [get(CURATOR)],
    f"curate/<slug>/{ONE}/standing": [
        Line("put", CURATOR, {"standing": "hidden", "reason": "R."}),
        Line("put", STAFF, {"standing": "hidden", "reason": "R."}, of="private"),
    ],
    f"curate/<slug>/{ONE}/flag": [Line("put", CURATOR, REASON), Line("delete", CURATOR)],
    "curate/<slug>/news": [get(CURATOR), post(CURATOR, **NEWS)],
    "curate/<slug>/news/<int:pk>": [Line("put", CURATOR, NEWS), Line("delete", CURATOR)],
    "curate/<slug>/curators": [Line("put", CURATOR, {"curators": ["curator"]})],
    "curate/<slug>/check": [Line("post", CURATOR, file=True)],
    "curate/<slug>/releases": [Line("post", CURATOR, {"version": "3.0"}, file=True)],
    RELEASE: [
        get(CURATOR, **DRAFT),
        Line("patch", CURATOR, {"references_hidden": True}),
        Line("delete", CURATOR, {}, DRAFT),
    ],
    f"{RELEASE}/data": [Line("put", CURATOR, {}, DRAFT, file=True)],
    f"{RELEASE}/publish": [Line("post", CURATOR, {}, DRAFT)],
    f"{RELEASE}/correct": [post(CURATOR, version="1.2")],
    f"{RELEASE}/exclusions/<path:key>": [
        Line("put", CURATOR, REASON, DRAFT),
        Line("delete", CURATOR, {}, DRAFT),
    ],
    f"{RELEASE}/changes": [get(CURATOR, **DRAFT)],
    f"{RELEASE}/rescore": [Line("post", CURATOR, {}, DRAFT)],
    f"{RELEASE}/tracks": [post(CURATOR, **TRACK)],
    f"{AT_TRACK}/judges": [Line("put", CURATOR, {"judges": ["char-tfidf"]})],
    f"{AT_TRACK}/uploads": [Line("put", CURATOR, {"takes": False})],
    f"{AT_TRACK}/lacking": [get(CURATOR), post(CURATOR)],
    f"{AT_TRACK}/again": [get(CURATOR), post(CURATOR)],
    f"{AT_TRACK}/reported": [get(CURATOR), post(CURATOR, **NUMBER)],
    f"{AT_TRACK}/reported/<int:pk>": [
        Line("patch", CURATOR, {"mean": 0.4}),
        Line("delete", CURATOR),
    ],
}
