"""Answers as strict JSON."""

from __future__ import annotations

from ninja.renderers import JSONRenderer


class StrictJSONRenderer(JSONRenderer):
    """Fails rather than writes NaN or Infinity, which no browser can read."""

    json_dumps_params = {"allow_nan": False}
