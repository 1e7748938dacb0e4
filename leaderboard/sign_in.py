"""Sign-in services: what django-allauth is told of each, and where their forms lead."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

HOSTS = {
    "github": "https://github.com",
    "orcid": "https://orcid.org",
    "huggingface": "https://huggingface.co",
}


def offered(credentials: Mapping[str, tuple[str, str]]) -> list[str]:
    """The services that have both a client id and a secret."""
    return [name for name, (client, secret) in credentials.items() if client and secret]


def providers(credentials: Mapping[str, tuple[str, str]]) -> dict[str, Any]:
    """``SOCIALACCOUNT_PROVIDERS``: an app for each service that is offered, and none else."""
    apps: dict[str, list[dict[str, Any]]] = {name: [] for name in credentials}
    for name in offered(credentials):
        client, secret = credentials[name]
        apps[name] = [{"client_id": client, "secret": secret, "key": ""}]
    for app in apps["huggingface"]:
        app |= {
            "provider_id": "huggingface",
            "name": "Hugging Face",
            "settings": {"server_url": HOSTS["huggingface"]},
        }
    return {
        "github": {"APPS": apps["github"], "SCOPE": ["read:user", "user:email"]},
        "orcid": {"APPS": apps["orcid"]},
        "openid_connect": {"APPS": apps["huggingface"]},
    }
