"""Static files that come with a package: served from there, never copied into the repository."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import BaseFinder
from django.core.files.storage import FileSystemStorage, Storage

PLOTLY = "plotly/plotly.min.js"


def plotly_folder() -> Path | None:
    """Where the plotly wheel keeps its script; the package itself is not imported."""
    spec = find_spec("plotly")
    if spec is None or spec.origin is None:
        return None
    return Path(spec.origin).parent / "package_data"


class PlotlyFinder(BaseFinder):
    """``plotly/plotly.min.js``, and nothing else of the package."""

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """The file's place on disk, as Django's own finders answer."""
        del kwargs
        folder = plotly_folder()
        found = [str(folder / "plotly.min.js")] if folder and path == PLOTLY else []
        if find_all:
            return found
        return found[0] if found else []

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator[tuple[str, Storage]]:
        """For ``collectstatic``."""
        if folder := plotly_folder():
            storage = FileSystemStorage(location=folder)
            storage.prefix = "plotly"  # type: ignore[attr-defined] # read by collectstatic
            yield "plotly.min.js", storage
