"""The programming interface, below `/api/`: version 1 under `v1/`, described at `docs`."""

from __future__ import annotations

from csp.decorators import csp_update
from django.http import Http404, HttpRequest
from ninja import Router

from leaderboard.api import (
    benchmarks,
    checks,
    comparison,
    curate,
    curate_again,
    curate_audit,
    curate_moderation,
    curate_news,
    curate_scores,
    direct,
    history,
    owners,
    problems,
    steer,
    submissions,
    systems,
)
from leaderboard.api.description import DescribedAPI
from leaderboard.api.parsing import StrictParser
from leaderboard.api.rendering import StrictJSONRenderer

# Swagger UI sets style attributes and draws its marks from data addresses; scripts stay ours.
_docs_policy = csp_update({"style-src": ["'self'", "'unsafe-inline'"], "img-src": ["data:"]})

# Taken last: an address that nothing else answers gets an error in the shape of every other.
nowhere = Router()


@nowhere.api_operation(
    ["GET", "POST", "PUT", "PATCH", "DELETE"], "/{path:address}", include_in_schema=False
)
def nothing_here(request: HttpRequest, address: str) -> None:
    """404 as JSON."""
    raise Http404


api = DescribedAPI(
    title="ClipRank",
    version="1",
    urls_namespace="api",
    renderer=StrictJSONRenderer(),
    parser=StrictParser(),
    docs_decorator=_docs_policy,
)
api.add_router("/v1", benchmarks.router)
api.add_router("/v1", comparison.router)
api.add_router("/v1", history.router)
api.add_router("/v1", submissions.router)
api.add_router("/v1", checks.router)
api.add_router("/v1", direct.router)
api.add_router("/v1", owners.router)
api.add_router("/v1/curate", curate_audit.router)
api.add_router("/v1/curate", curate_moderation.router)
api.add_router("/v1/curate", curate_news.router)
api.add_router("/v1/curate", curate.router)
api.add_router("/v1/curate", curate_scores.router)
api.add_router("/v1/curate", curate_again.router)
api.add_router("/v1", steer.router)
api.add_router("/v1", systems.router)
api.add_router("/v1", nowhere)
problems.register(api)
