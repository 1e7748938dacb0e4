"""What lies in the site's storage, seen from outside, be it a folder or a bucket."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage, storages
from django.utils import timezone


def kind() -> type[Any]:
    """The class of the storage, for tests that break it."""
    return type(storages["default"])


def names() -> list[str]:
    """Every stored file, in alphabetical order."""
    return sorted(name for name, _ in _storage().dated())


def put(name: str, data: bytes) -> None:
    """Store ``data`` under exactly this name, whatever was there."""
    default_storage.delete(name)
    assert default_storage.save(name, ContentFile(data)) == name


def clear() -> None:
    """Delete every file."""
    for name in names():
        default_storage.delete(name)


def age(monkeypatch: pytest.MonkeyPatch, *old: str, days: int = 2) -> None:
    """Let these files have been stored some days ago, which no bucket can be told."""
    dated = kind().dated
    long_ago = timezone.now() - timedelta(days=days)

    def aged(storage: Any) -> Any:
        def moment(name: str, stored: datetime) -> datetime:
            return long_ago if name in old else stored

        return ((name, moment(name, stored)) for name, stored in dated(storage))

    monkeypatch.setattr(kind(), "dated", aged)


def _storage() -> Any:
    return default_storage
