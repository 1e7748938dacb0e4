"""Where a clip can be watched: a player of a host that is known, or the link alone."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

# A page of the site shows frames of these hosts and of no other (see ``views/clip.py``).
FRAME_HOSTS = ("https://www.youtube-nocookie.com", "https://player.vimeo.com")
YOUTUBE = {"youtube.com", "www.youtube.com", "m.youtube.com", "www.youtube-nocookie.com"}
VIMEO = {"vimeo.com", "www.vimeo.com", "player.vimeo.com"}
VIMEO_ID = re.compile(r"[0-9]{4,12}")
YOUTUBE_ID = re.compile(r"[A-Za-z0-9_-]{11}")
SECONDS = re.compile(r"\d{1,6}")


class Player(NamedTuple):
    """A page that plays the video, to be shown in a frame, and whose it is."""

    address: str
    host: str


def player(link: str) -> Player | None:
    """The player for ``link``; None for links of other hosts.

    Only the video's id and its starting second are taken from the link.
    """
    try:
        parts = urlsplit(link)
        host = (parts.hostname or "").lower()
    except ValueError:
        return None
    path, query = parts.path.strip("/").split("/"), parse_qs(parts.query)
    if host in YOUTUBE:
        return _youtube(query.get("v", [""])[0] if path == ["watch"] else path[-1], query)
    if host == "youtu.be":
        return _youtube(path[0], query)
    if host in VIMEO and VIMEO_ID.fullmatch(path[-1]):
        return Player(f"{FRAME_HOSTS[1]}/video/{path[-1]}", "Vimeo")
    return None


def _youtube(name: str, query: dict[str, list[str]]) -> Player | None:
    if not YOUTUBE_ID.fullmatch(name):
        return None
    start = SECONDS.match((query.get("t") or query.get("start") or [""])[0])
    address = f"{FRAME_HOSTS[0]}/embed/{name}" + (f"?start={start[0]}" if start else "")
    return Player(address, "YouTube")
