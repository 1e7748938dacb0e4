"""Files of a track's table: as shown, clip by clip, as a badge, and as it was stored."""

from typing import Any

from django.http import (
    FileResponse,
    Http404,
    HttpRequest,
    HttpResponse,
    JsonResponse,
    StreamingHttpResponse,
)
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.http import content_disposition_header
from django.views.decorators.http import condition, conditional_page, require_safe

from leaderboard import access, exports
from leaderboard.views.asked import Asked

BADGE_SECONDS = 300


@require_safe
@conditional_page
def export(request: HttpRequest, slug: str, version: str, track: str, suffix: str) -> HttpResponse:
    """The table as the page of the same query shows it, every row, in one of the formats."""
    asked = Asked.of(request, access.track(slug, version, track))
    found = exports.FORMATS.get(suffix)
    part = request.GET.get("part", "")
    shown = asked.shown(asked.ranking, part) if asked.ranking else None
    if found is None or shown is None:
        raise Http404("No such format, or nothing to write.")
    response = HttpResponse(found.write(shown), f"{found.content_type}; charset=utf-8")
    _name(response, f"{shown.name}.{suffix}", attached=suffix == "csv")
    return response


@require_safe
def scores(
    request: HttpRequest, slug: str, version: str, track: str, suffix: str
) -> HttpResponseBase:
    """The score of every clip behind the table, under the same choice."""
    asked = Asked.of(request, access.track(slug, version, track))
    shown = asked.shown(asked.ranking) if asked.ranking else None
    matrix = exports.score_matrix(shown, asked.choice) if shown else None
    if shown is None or matrix is None or suffix not in {"csv", "npz"}:
        raise Http404("There are no scores of clips, or not in this format.")
    response: HttpResponseBase
    if suffix == "csv":
        response = StreamingHttpResponse(matrix.csv_lines(), content_type="text/csv; charset=utf-8")
    else:
        response = FileResponse(matrix.npz(), content_type="application/octet-stream")
    response["Link"] = f'<{exports.permalink(shown.ranking)}>; rel="describedby"'
    _name(response, f"{matrix.name}.{suffix}", attached=True)
    return response


@require_safe
@conditional_page
def badge(request: HttpRequest, slug: str, version: str, track: str, system: str) -> HttpResponse:
    """A system's place, to be shown on another site."""
    asked = Asked.of(request, access.track(slug, version, track), whole=False)
    drawn = exports.badge(asked.ranking, system) if asked.ranking else None
    if drawn is None:
        raise Http404("The table has no such system.")
    response = HttpResponse(drawn, "image/svg+xml; charset=utf-8")
    response["Cross-Origin-Resource-Policy"] = "cross-origin"
    patch_cache_control(response, public=True, max_age=BADGE_SECONDS)
    return response


@require_safe
def stored(
    request: HttpRequest, slug: str, version: str, track: str, fingerprint: str
) -> HttpResponse:
    """One stored ranking, for ever at this address; 304 to who has it already."""
    ranked = access.track(slug, version, track)
    if not access.shows_scores(request.user, ranked.release):
        raise Http404("Rankings are under embargo.")
    found = access.stored_ranking(ranked, fingerprint)
    hidden = exports.withheld(found)

    def tag(*_: Any, **__: Any) -> str:
        return exports.etag(found, hidden)

    def changed(*_: Any, **__: Any) -> Any:
        # What is withheld was so later than the ranking was computed: no day can be given.
        return None if hidden else found.computed_at

    @condition(etag_func=tag, last_modified_func=changed)
    def answer(request: HttpRequest) -> HttpResponse:
        options = {"ensure_ascii": False, "indent": 2, "allow_nan": False}
        return JsonResponse(exports.stored(found, hidden), json_dumps_params=options)

    response = answer(request)
    patch_cache_control(response, no_cache=True)
    return response


def _name(response: HttpResponseBase, filename: str, *, attached: bool) -> None:
    response["Content-Disposition"] = content_disposition_header(attached, filename) or "inline"
