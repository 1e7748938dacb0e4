"""Logins for a local site, made once."""

from __future__ import annotations

import io

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

pytestmark = pytest.mark.django_db


def said(*arguments: str) -> str:
    """What the command writes."""
    out = io.StringIO()
    call_command("demo_user", *arguments, stdout=out)
    return out.getvalue()


def test_the_demo_user_can_sign_in_and_is_nobody_special() -> None:
    first, second = said(), said()

    assert first == second
    name, password = first.split()[3], first.split()[-1]
    assert Client().login(username=name, password=password)
    demo = User.objects.get()
    assert not demo.is_staff
    assert not demo.is_superuser


def test_an_administrator_gets_a_password_of_its_own_that_is_printed_once() -> None:
    password = said("--staff").split()[-1]

    assert len(password) >= 12
    assert Client().login(username="admin", password=password)
    assert User.objects.get().is_superuser
    again = said("--staff")
    assert "changepassword admin" in again
    assert password not in again
    assert Client().login(username="admin", password=password)


def test_a_user_who_changed_the_password_keeps_it() -> None:
    User.objects.create_user("demo", password="my own secret")

    assert "a password of its own" in said()
    assert Client().login(username="demo", password="my own secret")
