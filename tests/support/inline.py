"""What a page must not hold: inline scripts, handlers, styles, and links that run something."""

from __future__ import annotations

from html.parser import HTMLParser
from urllib.parse import urlsplit

DATA = {"application/json"}
LINKS = {"href", "src", "action", "formaction", "xlink:href", "hx-get", "hx-post", "poster"}
PLAIN = {"", "http", "https", "mailto", "data"}


class Faults(HTMLParser):
    """Collects them in ``found``."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Look at one element."""
        given = {name: value or "" for name, value in attrs}
        scripted = tag == "script" and not given.get("src") and given.get("type") not in DATA
        if tag == "style" or scripted:
            self.found.append(f"<{tag}>")
        for name, value in given.items():
            runs = name in LINKS and urlsplit(value.strip()).scheme.lower() not in PLAIN
            if name.startswith("on") or name in {"style", "srcdoc"} or runs:
                self.found.append(f"<{tag} {name}={value[:60]!r}>")


def inline_faults(page: str) -> list[str]:
    """All of them, in order."""
    parser = Faults()
    parser.feed(page)
    parser.close()
    return parser.found
