"""What a system is called where its submission hides its names."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.crypto import salted_hmac


@dataclass(frozen=True, slots=True)
class Names:
    """What a reader calls a system: in addresses, and in words. ``hidden`` marks a pseudonym."""

    slug: str
    name: str
    hidden: bool = False


def pseudonym(system_id: int, release_id: int) -> Names:
    """``Anonymous 1a2b``: the same for all anonymous submissions of one system to one release.

    It comes from the site's secret, so that nobody can try out which system gives it; the release
    is part of it, so that a system that is named elsewhere is not named here.
    """
    mark = salted_hmac("leaderboard.pseudonym", f"{system_id}:{release_id}").hexdigest()
    return Names(f"anonymous-{mark[:10]}", f"Anonymous {mark[:4]}", hidden=True)
