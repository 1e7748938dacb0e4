"""The forms of the site, one noun a file."""

from leaderboard.forms.account import SignUpForm, TokenForm
from leaderboard.forms.privacy import VisibilityForm, WithdrawForm
from leaderboard.forms.submission import SubmissionForm
from leaderboard.forms.system import CARD, SystemForm

__all__ = [
    "CARD",
    "SignUpForm",
    "SubmissionForm",
    "SystemForm",
    "TokenForm",
    "VisibilityForm",
    "WithdrawForm",
]
