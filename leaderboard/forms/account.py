"""Forms of an account: its profile, the tokens of scripts, its end."""

from __future__ import annotations

import zoneinfo
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib.auth.models import User
from django.utils import timezone

from leaderboard.models import ApiToken, Profile

if TYPE_CHECKING:
    ProfileModelForm = forms.ModelForm[Profile]
    TokenModelForm = forms.ModelForm[ApiToken]
else:
    ProfileModelForm = TokenModelForm = forms.ModelForm

LIFETIMES = {"30": "30 days", "90": "90 days", "365": "A year", "": "Until I revoke it"}


def _time_zones() -> list[tuple[str, str]]:
    places = (name for name in zoneinfo.available_timezones() if "/" in name)
    named = sorted(name for name in places if not name.startswith(("Etc/", "SystemV/")))
    return [(name, name.replace("_", " ")) for name in ["UTC", *named]]


class ProfileForm(ProfileModelForm):
    """What an account says of its person; all of it may stay empty."""

    time_zone = forms.ChoiceField(
        choices=_time_zones, help_text="Times on every page are shown in it."
    )

    class Meta:
        model = Profile
        fields = (
            "display_name",
            "affiliation",
            "time_zone",
            "notice_when_done",
            "notice_when_failed",
            "mail_when_done",
            "mail_when_failed",
        )
        labels = {
            "display_name": "Name to show",
            "notice_when_done": "when a submission has been scored",
            "notice_when_failed": "when scoring a submission has failed",
            "mail_when_done": "when a submission has been scored",
            "mail_when_failed": "when scoring a submission has failed",
        }
        help_texts = {"display_name": "Beside your public submissions. Empty: no name is shown."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # A zone that was stored under an old name stays what it is.
        own = self.instance.time_zone
        zone = self.fields["time_zone"]
        if isinstance(zone, forms.ChoiceField) and own not in dict(_time_zones()):
            zone.choices = [(own, own), *_time_zones()]

    @property
    def notice_fields(self) -> list[forms.BoundField]:
        """When to show a notice on the site."""
        return [self["notice_when_done"], self["notice_when_failed"]]

    @property
    def mail_fields(self) -> list[forms.BoundField]:
        """When to send a mail."""
        return [self["mail_when_done"], self["mail_when_failed"]]


class TokenForm(TokenModelForm):
    """A name that tells one's tokens apart, what the token may do, and for how long."""

    lifetime = forms.ChoiceField(
        label="Valid for", choices=list(LIFETIMES.items()), initial="90", required=False
    )

    class Meta:
        model = ApiToken
        fields = ("name", "scope")
        labels = {"name": "Name of the new token", "scope": "What it may do"}
        widgets = {"name": forms.TextInput(attrs={"placeholder": "laptop"})}

    def issue(self, user: User) -> str:
        """Make the token; its secret, which cannot be read again."""
        days = self.cleaned_data["lifetime"]
        _, secret = ApiToken.objects.issue(
            user=user,
            name=self.cleaned_data["name"],
            scope=self.cleaned_data["scope"],
            expires_at=timezone.now() + timedelta(days=int(days)) if days else None,
        )
        return secret


class DeleteAccountForm(forms.Form):
    """The account's own name, typed: nobody does that by mistake."""

    username = forms.CharField(
        label="Your username", widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_username(self) -> str:
        """It must be the name of the account that is to go."""
        typed: str = self.cleaned_data["username"]
        if typed != self.user.get_username():
            raise forms.ValidationError(f"Type {self.user.get_username()} to delete this account.")
        return typed
