"""Messages as files: whole, and in the order of sending."""

from __future__ import annotations

from pathlib import Path
from queue import Empty
from typing import Any

import pytest
from kombu import Connection

from leaderboard.broker import Channel


@pytest.fixture
def channel(tmp_path: Path) -> Channel:
    """A channel over an empty folder."""
    for name in ("messages", "control"):
        (tmp_path / name).mkdir()
    folder = str(tmp_path / "messages")
    options = {
        "data_folder_in": folder,
        "data_folder_out": folder,
        "control_folder": str(tmp_path / "control"),
    }
    connection = Connection(
        "filesystem://localhost",
        transport="leaderboard.broker:Transport",
        transport_options=options,
    )
    made = connection.channel()
    assert isinstance(made, Channel)
    return made


def test_messages_come_in_the_order_of_sending(channel: Channel) -> None:
    """To their own queue, also when names have dots."""
    for number in range(5):
        channel._put("judge.a", {"number": number})
    channel._put("judge.b", {"number": 9})
    assert [channel._get("judge.a")["number"] for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(Empty):
        channel._get("judge.a")
    assert channel._size("judge.b") == 1


def test_a_message_being_written_is_not_seen(
    channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader in the middle finds nothing rather than half of it."""
    write = Path.write_text
    looked = []

    def half_way(path: Path, text: str, *rest: Any) -> int:
        write(path, text[: len(text) // 2])
        with pytest.raises(Empty):
            channel._get("judge.a")
        looked.append(path)
        return write(path, text, *rest)

    monkeypatch.setattr(Path, "write_text", half_way)
    channel._put("judge.a", {"number": 1})
    assert len(looked) == 1
    assert channel._get("judge.a") == {"number": 1}
