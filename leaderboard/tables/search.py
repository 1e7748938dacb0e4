"""Search over benchmarks, systems and clips, in what the reader may see."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet
from django.urls import reverse

from leaderboard.models import Benchmark, Clip, Reference, Release, System

FIRST, PER_PAGE = 5, 25
LONGEST, MOST_WORDS = 200, 8
BESIDE = 70  # characters of a reference shown on either side of what was found


@dataclass(frozen=True, slots=True)
class Hit:
    """A thing that was found: where it is, what it is, and the words of a reference around it."""

    address: str
    title: str
    detail: str = ""
    quote: tuple[str, str, str] | None = None


@dataclass(frozen=True, slots=True)
class Group:
    """Everything of one kind that was found, a page of it. ``whole``: it is shown alone."""

    key: str
    title: str
    count: int
    page: Page[Any]
    hits: tuple[Hit, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class Found:
    """What was asked for, cut to what is looked at, and what was found."""

    query: str
    groups: tuple[Group, ...] = field(default=())

    @property
    def count(self) -> int:
        """Everything, in all groups."""
        return sum(group.count for group in self.groups)


def search(
    query: str,
    *,
    systems: QuerySet[System],
    references: QuerySet[Release],
    only: str = "",
    page: str = "",
) -> Found:
    """Things in which every word of ``query`` stands, whatever the case, parts of words included.

    ``systems`` are those that the reader may know; references are looked at in releases of
    ``references`` alone. ``only`` names a group that is shown alone, ``page`` by page. The number
    of queries is fixed.
    """
    asked = " ".join(query[:LONGEST].split()[:MOST_WORDS])
    if not asked:
        return Found("")
    words = asked.split()
    kinds: dict[str, Callable[[], Group]] = {
        "benchmarks": lambda: _benchmarks(words, only, page),
        "systems": lambda: _systems(words, asked, systems, only, page),
        "clips": lambda: _clips(words, references, only, page),
    }
    chosen = [only] if only in kinds else list(kinds)
    return Found(asked, tuple(kinds[key]() for key in chosen))


def _in_all(words: Sequence[str], *fields: str) -> Q:
    """Every word in one of the fields."""
    found = Q()
    for word in words:
        found &= Q(*((f"{name}__icontains", word) for name in fields), _connector=Q.OR)
    return found


def _group(
    key: str,
    found: QuerySet[Any],
    hits: Callable[[Sequence[Any]], list[Hit]],
    only: str,
    page: str,
) -> Group:
    whole = only == key
    paginator = Paginator(found, PER_PAGE if whole else FIRST)
    shown = paginator.get_page(page if whole else 1)
    return Group(
        key, key.capitalize(), paginator.count, shown, tuple(hits(list(shown.object_list))), whole
    )


def _benchmarks(words: Sequence[str], only: str, page: str) -> Group:
    published = Q(Exists(Release.objects.published().filter(benchmark=OuterRef("pk"))))
    wanted = _in_all(words, "name", "slug", "summary", "description")
    found = Benchmark.objects.filter(published & wanted).order_by("name", "pk")
    return _group(
        "benchmarks",
        found,
        lambda shown: [Hit(one.get_absolute_url(), one.name, one.summary) for one in shown],
        only,
        page,
    )


def _systems(
    words: Sequence[str], asked: str, systems: QuerySet[System], only: str, page: str
) -> Group:
    """Those whose name begins with what was asked stand first."""
    found = systems.filter(_in_all(words, "name", "slug", "organisation", "family"))
    found = found.alias(first=_true(Q(name__istartswith=asked))).order_by("-first", "name", "pk")
    return _group("systems", found, lambda shown: [_system(one) for one in shown], only, page)


def _system(one: System) -> Hit:
    detail = " · ".join(filter(None, (one.organisation, one.parameters, one.family)))
    return Hit(reverse("system", args=[one.slug]), one.name, detail)


def _clips(words: Sequence[str], references: QuerySet[Release], only: str, page: str) -> Group:
    """By key, title and category first; then by what people wrote, where it may be read."""
    named = _in_all(words, "key", "title", "category")
    texts = Reference.objects.filter(_in_all(words, "text"), clip__release__in=references)
    clips = Clip.objects.filter(release__in=Release.objects.published())
    found = (
        clips.filter(named | Q(Exists(texts.filter(clip=OuterRef("pk")))))
        .alias(first=_true(named))
        .order_by("-first", "release__benchmark__name", "-release__published_at", "position")
        .select_related("release__benchmark")
    )

    def hits(shown: Sequence[Clip]) -> list[Hit]:
        said: dict[int, str] = {}
        for clip, text in texts.filter(clip__in=shown).values_list("clip_id", "text"):
            said.setdefault(clip, text)
        return [_clip(one, said.get(one.pk, ""), words) for one in shown]

    return _group("clips", found, hits, only, page)


def _clip(one: Clip, text: str, words: Sequence[str]) -> Hit:
    release = one.release
    address = reverse("clip", args=[release.benchmark.slug, release.version, one.key])
    where = f"{release.benchmark.name} {release.version}"
    detail = " · ".join(filter(None, (one.key if one.title else "", one.category, where)))
    return Hit(address, one.title or one.key, detail, _quote(text, words))


def _quote(text: str, words: Sequence[str]) -> tuple[str, str, str] | None:
    """The first place of the longest word in a text, with what stands before and behind it."""
    match = re.search(re.escape(max(words, key=len)), text, re.IGNORECASE)
    if match is None:
        return None
    at, end = match.span()
    start = max(0, at - BESIDE)
    before = ("…" if start else "") + text[start:at]
    after = text[end : end + BESIDE] + ("…" if end + BESIDE < len(text) else "")
    return before, text[at:end], after


def _true(condition: Q) -> ExpressionWrapper[Any]:
    return ExpressionWrapper(condition, output_field=BooleanField())
