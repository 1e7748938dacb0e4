"""Where a server of a test can listen."""

from __future__ import annotations

import socket


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return int(made.getsockname()[1])
