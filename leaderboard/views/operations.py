"""What watches the processes asks here: alive, ready, how much of what."""

from __future__ import annotations

import time
from functools import lru_cache

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from leaderboard.operations import metrics as numbers
from leaderboard.operations import probes

HOLDS_SECONDS = 3
"""One look serves all who ask meanwhile: asking often costs nothing."""


@require_safe
@never_cache
def healthz(request: HttpRequest) -> HttpResponse:
    """200 as long as this process answers; nothing else is asked."""
    return JsonResponse({"alive": True})


@require_safe
@never_cache
def readyz(request: HttpRequest) -> HttpResponse:
    """200 when requests can be served, else 503; each check with its state and nothing more."""
    found = looked_at(int(time.monotonic() / HOLDS_SECONDS))
    checks = {name: "ok" if holds else "failed" for name, holds in found.needed.items()}
    judges = "unknown" if found.unattended is None else "warning" if found.unattended else "ok"
    answer = {
        "ready": found.ready,
        "checks": checks | {"judges": judges},
        "judges_without_worker": list(found.unattended or ()),
    }
    return JsonResponse(answer, status=200 if found.ready else 503)


@lru_cache(maxsize=1)
def looked_at(moment: int) -> probes.Readiness:
    """What was found at that moment."""
    del moment
    return probes.look()


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The numbers of ``operations.metrics`` for who has the token; 404 where they are off."""
    if not numbers.enabled():
        raise Http404
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    given = request.headers.get("Authorization", "")
    if settings.METRICS_TOKEN and not constant_time_compare(given, wanted):
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    content, kind = numbers.exposition()
    return HttpResponse(content, content_type=kind)
