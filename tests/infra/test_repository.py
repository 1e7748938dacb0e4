"""What is kept under version control is written by hand, small, and nothing that was built."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LARGEST = 500_000
BUILT = (".whl", ".egg", ".zip", ".gz", ".tar", ".so", ".pyc", ".pt", ".onnx", ".safetensors")
PICTURES = ("infra/readme/",)


def faults(folder: Path, names: list[str]) -> list[str]:
    """Files that do not belong into a repository, each with why."""
    found = []
    for name in names:
        path = folder / name
        if not path.is_file():
            continue  # deleted, and not yet committed so
        if name.endswith(BUILT):
            found.append(f"{name} is built, not written")
        elif path.stat().st_size > LARGEST:
            found.append(f"{name} has more than {LARGEST:,} bytes")
        elif b"\0" in path.read_bytes() and not name.startswith(PICTURES):
            found.append(f"{name} is no text")
    return found


def test_nothing_large_and_nothing_built_is_committed() -> None:
    """Of all that git follows, also what is only about to be committed."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout of git")
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    names = [name for name in listed.stdout.split("\0") if name]
    assert len(names) > 1000
    assert faults(ROOT, names) == []


def test_what_does_not_belong_is_named(tmp_path: Path) -> None:
    """By what it is called, how large it is, and what is in it."""
    for name, data in {
        "a.whl": b"PK",
        "large.txt": b"x" * (LARGEST + 1),
        "odd": b"a\0b",
        "good.py": b"print()\n",
    }.items():
        (tmp_path / name).write_bytes(data)
    found = faults(tmp_path, ["a.whl", "large.txt", "odd", "good.py", "gone.py"])
    assert found == [
        "a.whl is built, not written",
        "large.txt has more than 500,000 bytes",
        "odd is no text",
    ]
