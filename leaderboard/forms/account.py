"""Signing up, and the tokens of scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.models import User

from leaderboard.models import ApiToken

if TYPE_CHECKING:
    TokenModelForm = forms.ModelForm[ApiToken]
    UserForm = UserCreationForm[User]
else:
    TokenModelForm = forms.ModelForm
    UserForm = UserCreationForm


class SignUpForm(UserForm):
    """A name and a password: nothing else is kept of a person."""

    class Meta(UserCreationForm.Meta):
        model = User


class TokenForm(TokenModelForm):
    """A name that tells one's tokens apart."""

    class Meta:
        model = ApiToken
        fields = ("name",)
        labels = {"name": "Name of the new token"}
        widgets = {"name": forms.TextInput(attrs={"placeholder": "laptop"})}
