"""How brokers are spoken to, and that of the embedded set-up: kombu's filesystem transport, safe
to read at any time.
"""

from __future__ import annotations

import json
import time
import uuid
from pathlib import Path
from typing import Any

from kombu.transport import filesystem


class Channel(filesystem.Channel):
    """Messages appear whole.

    Kombu opens a message's file under its final name and writes it then; a worker that looks in
    between reads an empty file, loses the message and stops. Here the file is renamed when it is
    complete. The name begins with the time, so that messages are taken in the order of sending.
    """

    # Kombu's own classes disagree about the second argument's name.
    def _put(self, queue: str, message: Any, **_: Any) -> None:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        name = f"{time.time_ns()}_{uuid.uuid4()}.{queue}.msg"
        unfinished = folder / f"{name}.part"
        unfinished.write_text(json.dumps(message))
        unfinished.replace(folder / name)


class Transport(filesystem.Transport):
    """`filesystem://` with that channel."""

    Channel = Channel


def in_folder(folder: Path) -> dict[str, Any]:
    """Options of the transport above. Both directions share one folder: what a producer writes,
    the worker reads. The default poll of one second would make every task take a second.
    """
    messages, control = folder / "messages", folder / "control"
    for needed in (messages, control):
        needed.mkdir(parents=True, exist_ok=True)
    return {
        "data_folder_in": str(messages),
        "data_folder_out": str(messages),
        "control_folder": str(control),
        "polling_interval": 0.05,
    }


def on_redis(visibility: int) -> dict[str, Any]:
    """Options for Redis, which delivers again what is not acknowledged for ``visibility`` seconds.

    An upload does not wait long for a host that does not answer: the sweep sends its messages.
    """
    return {
        "visibility_timeout": visibility,
        "socket_connect_timeout": 5,
        "socket_keepalive": True,
    }
