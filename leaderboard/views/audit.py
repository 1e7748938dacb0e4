"""The audit trail: of a benchmark for its curators, of the whole site for staff."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.cache import never_cache

from leaderboard import access, access_curated
from leaderboard.exports.audit_file import TRAIL_FORMATS
from leaderboard.tables.audit_trail import Search, actions_in, as_dicts, changes_of

PER_PAGE = 50


@login_required
@never_cache
def audit(request: HttpRequest, slug: str = "") -> HttpResponse:
    """Searched as the address says, a page at a time."""
    benchmark = access.curated_benchmark(request.user, slug) if slug else None
    entries = access_curated.audit_entries(request.user, benchmark)
    search = Search.parse(request.GET)
    page = Paginator(search.of(entries), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "benchmark": benchmark,
        "search": search,
        "page": page,
        "lines": [(entry, changes_of(entry)) for entry in page],
        "actions": actions_in(entries),
        "formats": TRAIL_FORMATS,
    }
    return render(request, "curate/audit.html", context)


@login_required
@never_cache
def export(request: HttpRequest, suffix: str, slug: str = "") -> HttpResponseBase:
    """Everything that the same search finds, as a file."""
    benchmark = access.curated_benchmark(request.user, slug) if slug else None
    entries = access_curated.audit_entries(request.user, benchmark)
    if suffix not in TRAIL_FORMATS:
        raise Http404("No such format.")
    found = TRAIL_FORMATS[suffix]
    lines = found.lines(as_dicts(Search.parse(request.GET).of(entries)))
    response = StreamingHttpResponse(lines, content_type=found.content_type)
    name = f"audit-{slug or 'all'}.{suffix}"
    response["Content-Disposition"] = content_disposition_header(True, name) or "attachment"
    return response
