"""The forms of the site, one noun a file."""

from leaderboard.forms.account import DeleteAccountForm, ProfileForm, TokenForm
from leaderboard.forms.privacy import VisibilityForm, WithdrawForm
from leaderboard.forms.submission import SubmissionForm
from leaderboard.forms.system import CARD, HandOverForm, SystemForm
from leaderboard.forms.team import InviteForm, RoleForm, TeamForm

__all__ = [
    "CARD",
    "DeleteAccountForm",
    "HandOverForm",
    "InviteForm",
    "ProfileForm",
    "RoleForm",
    "SubmissionForm",
    "SystemForm",
    "TeamForm",
    "TokenForm",
    "VisibilityForm",
    "WithdrawForm",
]
