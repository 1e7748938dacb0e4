"""Clips of a release: the list, and the page of one."""

from csp.decorators import csp_update
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from leaderboard import access, tables
from leaderboard.media import served
from leaderboard.tables.system import known_slugs
from leaderboard.tables.video import FRAME_HOSTS, player

PER_PAGE = 50
VIDEO_SECONDS = 3600
"""A link to a video stays good while somebody watches it; such videos are anybody's anyway."""


def clips(request: HttpRequest, slug: str, version: str) -> HttpResponse:
    """All scored clips, a page at a time, with what systems reach on them."""
    release = access.release(slug, version)
    track = None
    if access.shows_scores(request.user, release):
        track = tables.scoring_track(release, request.GET.get("track", ""))
    found = tables.clip_list(release, track, sort=request.GET.get("sort", ""))
    page = Paginator(found.lines, PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "release": release,
        "benchmark": release.benchmark,
        "track": track,
        "sort": found.sort,
        "page": page,
        "linked": known_slugs({line.best_system for line in page}),
        "ranking": found.ranking,
        "metric": found.metric,
        "has_categories": any(line.clip.category for line in found.lines),
        "has_durations": any(line.clip.duration is not None for line in found.lines),
        "excluded": release.clips.filter(excluded=True),
    }
    return render(request, "clip/list.html", context)


@csp_update({"frame-src": list(FRAME_HOSTS)})  # type: ignore[arg-type]  # views take more
def clip(request: HttpRequest, slug: str, version: str, key: str) -> HttpResponse:
    """The reference beside what systems said, with their scores."""
    found = access.clip(slug, version, key)
    wanted = request.GET.get("submission", "")
    asked = access.submission_of(request.user, found.release, wanted) if wanted else None
    if asked is not None and not access.shows_scores_of(request.user, asked):
        asked = None
    references = access.shows_references(request.user, found.release)
    page = tables.clip_page(
        found,
        tables.scoring_track(found.release, request.GET.get("track", "")),
        systems=request.GET.getlist("system"),
        judge=request.GET.get("judge", ""),
        subject=request.GET.get("subject", ""),
        submission=asked,
        names=access.names(request.user, asked) if asked else None,
        shows_references=references,
        shows_others=access.shows_scores(request.user, found.release),
    )
    shown = [said.entry.submission for said in page.said]
    flags = tables.flags_of_clip(request.user, found, shown)
    context = {"page": page, "clip": found, "release": found.release, "clip_flags": flags}
    context["linked"] = known_slugs(said.entry.slug for said in page.said)
    context |= {"hides_references": not references}
    context |= {"benchmark": found.release.benchmark, "player": player(found.link)}
    return render(request, "clip/page.html", context)


def media(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The clip's own video, whole or the range of bytes that a player asks for."""
    found = access.clip_with_media(pk)
    return served(request, found.media, seconds=VIDEO_SECONDS)
