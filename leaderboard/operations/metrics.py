"""Numbers for Prometheus: of requests from the processes, of runs from the database.

``prometheus_client`` is imported only where metrics are on. All web processes write to files in one
folder, so that whichever is asked answers for all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from functools import lru_cache
from time import perf_counter
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from leaderboard.operations import board_metrics

if TYPE_CHECKING:
    from prometheus_client import Counter, Histogram
    from prometheus_client.core import Metric

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
"""Seconds."""


def enabled() -> bool:
    """Somebody has asked for them, by a token or by opening them to all who reach the site."""
    return bool(settings.METRICS_TOKEN or settings.METRICS_OPEN)


@lru_cache(maxsize=1)
def _requests() -> tuple[Counter, Histogram]:
    """Counts by view, method and status, and durations by view, shared by all processes.

    The library chooses how it keeps values when it is first imported.
    """
    settings.METRICS_DIR.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(settings.METRICS_DIR))
    from prometheus_client import CollectorRegistry, Counter, Histogram  # noqa: PLC0415

    own = CollectorRegistry()
    asked = Counter(
        "cliprank_http_requests",
        "Requests by view, method and status.",
        ["view", "method", "status"],
        registry=own,
    )
    took = Histogram(
        "cliprank_http_request_seconds",
        "Seconds until the answer began.",
        ["view"],
        buckets=BOUNDS,
        registry=own,
    )
    return asked, took


class RequestMetricsMiddleware:
    """Counts requests under the name of their view: an address may hold a private one's id."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not enabled():
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """The answer, counted."""
        began = perf_counter()
        answer = self.get_response(request)
        found = request.resolver_match
        view = (found.view_name or "unnamed") if found else "none"
        method = request.method if request.method in METHODS else "other"
        asked, took = _requests()
        asked.labels(view, method, str(answer.status_code)).inc()
        took.labels(view).observe(perf_counter() - began)
        return answer


class _Board:
    """What the database says, asked when it is collected."""

    def collect(self) -> Iterator[Metric]:
        """All families."""
        from prometheus_client.core import (  # noqa: PLC0415
            GaugeMetricFamily,
            SummaryMetricFamily,
        )

        for name, text, labels, values in board_metrics.gauges():
            gauge = GaugeMetricFamily(name, text, labels=labels)
            for key, value in values.items():
                gauge.add_metric(list(key), value)
            yield gauge
        durations = SummaryMetricFamily(
            "cliprank_run_seconds", "Seconds that done runs took.", labels=["judge"]
        )
        for judge, (count, seconds) in board_metrics.durations().items():
            durations.add_metric([judge], count_value=count, sum_value=seconds)
        yield durations


def exposition() -> tuple[bytes, str]:
    """All numbers in the text format of Prometheus, and its content type."""
    _requests()
    from prometheus_client import (  # noqa: PLC0415  # noqa: PLC0415
        CONTENT_TYPE_LATEST,
        CollectorRegistry,
        generate_latest,
        multiprocess,
    )

    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # it has no types
    registry.register(_Board())
    return generate_latest(registry), CONTENT_TYPE_LATEST
