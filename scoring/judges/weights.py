"""Where a judge's weights lie, and whether they are the ones that the catalogue names."""

from __future__ import annotations

import hashlib
import shutil
import sys
import tempfile
import zipfile
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from scoring.judges.base import JudgeDrifted, JudgeUnavailable
from scoring.judges.entry import Entry


def present(entry: Entry) -> bool:
    """True when the judge can be loaded without a download; nothing heavy is imported."""
    if entry.path:
        return Path(entry.path).is_dir()
    if entry.archive:
        return _first_part(entry) is not None
    if entry.package:
        return find_spec(entry.package) is not None
    return _in_hub_cache(entry)


def locate(entry: Entry) -> str:
    """The folder of the weights, verified, or the model's name on the hub.

    Raises:
        JudgeUnavailable: a folder or package is not here.
        JudgeDrifted: a file is not the one whose hash the entry carries.
    """
    if entry.path and not Path(entry.path).is_dir():
        message = f"judge {entry.name}: there is no folder {entry.path}"
        raise JudgeUnavailable(message)
    if not entry.path and not entry.archive and not entry.package:
        return entry.source
    folder = Path(entry.path) if entry.path else _package_folder(entry)
    for name, expected in entry.sha256.items():
        verify(entry.name, folder / name, expected)
    return str(folder)


def verify(judge: str, file: Path, expected: str) -> None:
    """Check one file's SHA-256, once per process and state of the file.

    Raises:
        JudgeUnavailable: the file is not there.
        JudgeDrifted: its hash is another one.
    """
    try:
        status = file.stat()
    except FileNotFoundError as error:
        message = f"judge {judge}: {file} is missing; install it again"
        raise JudgeUnavailable(message) from error
    found = _sha256(file, status.st_size, status.st_mtime_ns)
    if found != expected:
        message = (
            f"judge {judge}: {file.name} is not the file that the catalogue names "
            f"(SHA-256 {found[:12]}..., expected {expected[:12]}...); install it again"
        )
        raise JudgeDrifted(message)


@lru_cache(maxsize=64)
def _sha256(file: Path, _size: int, _mtime: int) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def _package_folder(entry: Entry) -> Path:
    if entry.archive:
        return _unpacked(entry)
    spec = find_spec(entry.package)
    if spec is None or not spec.submodule_search_locations:
        message = f"judge {entry.name} is not installed: {entry.remedy}"
        raise JudgeUnavailable(message)
    return Path(spec.submodule_search_locations[0]) / entry.folder


def _in_hub_cache(entry: Entry) -> bool:
    from huggingface_hub import try_to_load_from_cache

    found = try_to_load_from_cache(entry.source, "config.json", revision=entry.revision or None)
    return isinstance(found, str)


def _first_part(entry: Entry) -> Path | None:
    places = (Path(place) / entry.archive for place in sys.path if place)
    return next((place for place in places if place.is_file()), None)


def _unpacked(entry: Entry) -> Path:
    """The folder of an archive's contents, unpacked once beside the hub's cache."""
    from huggingface_hub.constants import HF_HOME

    folder = Path(HF_HOME) / "cliprank" / f"{entry.name}-{entry.fingerprint}"
    if not folder.is_dir():
        first = _first_part(entry)
        if first is None:
            message = f"judge {entry.name} is not installed: {entry.remedy}"
            raise JudgeUnavailable(message)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            _unpack(first, Path(scratch) / "whole.zip", Path(scratch) / "tree")
            try:
                (Path(scratch) / "tree").replace(folder)
            except OSError:
                if not folder.is_dir():  # else another process was faster
                    raise
    return folder / entry.folder


def _unpack(first: Path, whole: Path, tree: Path) -> None:
    """Join `x.zip.001`, `x.zip.002`, ... (each in its own package) and unzip them."""
    with whole.open("wb") as joined:
        number = 1
        while (part := _part(first, number)).is_file():
            with part.open("rb") as source:
                shutil.copyfileobj(source, joined)
            number += 1
    with zipfile.ZipFile(whole) as archive:
        archive.extractall(tree)


def _part(first: Path, number: int) -> Path:
    package, inner, name = first.parts[-3:]
    suffix = f"{number:03d}"
    return first.parents[2] / f"{package[:-3]}{suffix}" / inner / f"{name[:-3]}{suffix}"
