"""What changed from one stored ranking to the next, in words: pure functions of what they hold."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Kind = Literal[
    "panel",
    "setting",
    "clips",
    "joined",
    "left",
    "withdrawn",
    "newer",
    "rescored",
    "judges",
    "reported",
    "renamed",
]
GONE = "a system that is no longer public"
OF_ALL: frozenset[Kind] = frozenset({"panel", "setting", "clips"})
TITLES = {
    "primary": "metric that ranks",
    "replicates": "number of resamples",
    "seed": "seed of the resampling",
    "protocol": "protocol",
    "settings": "settings of the protocol",
}
LISTED = 8


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A stored ranking as far as it is compared: its settings, clips and entries, its places.

    ``names`` are what readers may call its systems; of those that are withheld that is ``GONE``.
    """

    settings: Mapping[str, Any]
    judges: tuple[str, ...]
    clips: tuple[str, ...] | None
    entries: Mapping[str, Mapping[str, Any]]
    places: Mapping[str, int | None]
    names: Mapping[str, str]
    hidden: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        inputs: Mapping[str, Any],
        rows: Sequence[Mapping[str, Any]],
        withheld: Collection[str] = (),
    ) -> Snapshot:
        """From ``Ranking.inputs`` and ``Ranking.rows``; ``withheld`` are ids of submissions."""
        hidden = frozenset(
            row["system"] for row in rows if str(row.get("submission")) in set(withheld)
        )
        return cls(
            settings={key: inputs.get(key) for key in TITLES},
            judges=tuple(inputs.get("judges", ())),
            clips=tuple(inputs["clips"]) if "clips" in inputs else None,
            entries={entry["system"]: entry for entry in inputs.get("entries", ())},
            places={row["system"]: row["rank"] for row in rows},
            names={row["system"]: GONE if row["system"] in hidden else row["name"] for row in rows},
            hidden=hidden,
        )


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that changed, in a sentence; ``system`` is empty for what concerns all."""

    kind: Kind
    words: str
    system: str = ""


@dataclass(frozen=True, slots=True)
class Why:
    """What became of one system: its places (None for none) and the reasons, its own first."""

    before: int | None
    after: int | None
    reasons: tuple[str, ...]

    @property
    def moved(self) -> bool:
        """Whether its place is another one."""
        return self.before != self.after


def changes(before: Snapshot, after: Snapshot) -> tuple[Event, ...]:
    """All that the later ranking was computed from and the earlier one was not."""
    return (*_settings(before, after), *_clips(before, after), *_systems(before, after))


def why(before: Snapshot, after: Snapshot, system: str) -> Why | None:
    """Why ``system`` stands where it does; None when it is in neither ranking."""
    if system not in before.places and system not in after.places:
        return None
    events = changes(before, after)
    own = [event.words for event in events if event.system == system]
    of_all = [event.words for event in events if event.kind in OF_ALL]
    was, now = before.places.get(system), after.places.get(system)
    others = list(_others(before, after, system, events)) if was and now else []
    if was != now and was and now and not (own or of_all or others):
        others = ["The points of every system changed with those that take part."]
    return Why(was, now, (*own, *of_all, *others))


def _settings(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    came = [judge for judge in after.judges if judge not in before.judges]
    went = [judge for judge in before.judges if judge not in after.judges]
    if came or went:
        said = [f"{_listed(came)} came in"] if came else []
        said += [f"{_listed(went)} went out"] if went else []
        yield Event("panel", f"The panel of judges changed: {', '.join(said)}.")
    for key, title in TITLES.items():
        old, new = before.settings.get(key), after.settings.get(key)
        if old != new and old is not None and new is not None:
            yield Event("setting", f"The {title} changed from {_plain(old)} to {_plain(new)}.")


def _clips(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    if before.clips is None or after.clips is None:
        return
    more = [clip for clip in after.clips if clip not in set(before.clips)]
    less = [clip for clip in before.clips if clip not in set(after.clips)]
    if less:
        yield Event("clips", f"{_count(less)} no longer: {_listed(less)}.")
    if more:
        yield Event("clips", f"{_count(more)} that did not before: {_listed(more)}.")


def _count(clips: Sequence[str]) -> str:
    return "1 clip counts" if len(clips) == 1 else f"{len(clips)} clips count"


def _systems(before: Snapshot, after: Snapshot) -> Iterator[Event]:
    same = dict(_renamed(before, after))
    for slug, entry in after.entries.items():
        old = before.entries.get(slug)
        if old is not None:
            yield from _of_one(slug, old, entry, after.names.get(slug, slug))
        elif slug in same:
            words = f"{before.names[same[slug]]} is called {after.names[slug]} now."
            yield Event("renamed", words, slug)
        else:
            name, place = _named(after, slug), after.places.get(slug)
            where = f"at place {place}" if place else "without a place"
            yield Event("joined", f"{name} came in {where}.", slug)
    for slug in before.entries:
        if slug not in after.entries and slug not in same.values():
            name = _named(before, slug)
            yield Event("left", f"{name} left: taken back, hidden, made private or removed.", slug)


def _renamed(before: Snapshot, after: Snapshot) -> Iterator[tuple[str, str]]:
    """(slug after, slug before) of the same submission under another name that is open to all."""
    old = {
        entry["submission"]: slug
        for slug, entry in before.entries.items()
        if entry.get("submission") and slug not in after.entries and slug not in before.hidden
    }
    for slug, entry in after.entries.items():
        was = old.get(entry.get("submission"))
        if was is not None and slug not in before.entries and slug not in after.hidden:
            yield slug, was


def _of_one(
    slug: str, old: Mapping[str, Any], new: Mapping[str, Any], name: str
) -> Iterator[Event]:
    name = _upper(name)
    if new.get("withdrawn") and not old.get("withdrawn"):
        yield Event("withdrawn", f"{name} was withdrawn and has no place any more.", slug)
    if old.get("submission") != new.get("submission"):
        yield Event("newer", f"Another submission of {_lower(name)} counts now.", slug)
        return
    had, has = old.get("runs", {}), new.get("runs", {})
    lost = [judge for judge in had if judge not in has]
    won = [judge for judge in has if judge not in had]
    if lost:
        yield Event("judges", f"{name} has no score by {_listed(lost)} any more.", slug)
    if won:
        yield Event("judges", f"{name} has a score by {_listed(won)} now.", slug)
    again = [judge for judge in has if judge in had and _differs(old, new, judge)]
    if again:
        yield Event("rescored", f"{name} was scored again by {_listed(again)}.", slug)
    if any(old.get(key) != new.get(key) for key in ("reported", "parts")):
        yield Event("reported", f"Reported numbers of {_lower(name)} changed.", slug)


def _differs(old: Mapping[str, Any], new: Mapping[str, Any], judge: str) -> bool:
    keys = ("runs", "signatures", "revisions")
    return any(old.get(key, {}).get(judge) != new.get(key, {}).get(judge) for key in keys)


def _others(
    before: Snapshot, after: Snapshot, system: str, events: Sequence[Event]
) -> Iterator[str]:
    """Who came in or left above, and who went past, each with its own reason where it has one."""
    was, now = before.places[system] or 0, after.places[system] or 0
    own = {event.system: event for event in events if event.system}
    for slug, place in after.places.items():
        if slug == system or not place:
            continue
        old = before.places.get(slug)
        reason = f" {own[slug].words}" if slug in own else ""
        if not old:
            if place <= now:
                yield own[slug].words if slug in own else f"{_named(after, slug)} has a place now."
        elif old >= was and place < now:
            yield f"{_named(after, slug)} went past it, from place {old} to {place}.{reason}"
        elif old < was and place > now:
            yield f"It went past {_lower(_named(after, slug))}, now at place {place}.{reason}"
    for slug, old in before.places.items():
        if slug != system and old and old <= was and not after.places.get(slug):
            words = own[slug].words if slug in own else f"{_named(before, slug)} has no place now."
            yield f"{words} It stood above, at place {old}."


def _named(one: Snapshot, slug: str) -> str:
    return _upper(one.names.get(slug, slug))


def _upper(name: str) -> str:
    return "A system that is no longer public" if name == GONE else name


def _lower(name: str) -> str:
    return GONE if name.lower() == GONE else name


def _listed(names: Sequence[str]) -> str:
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {value[key]}" for key in sorted(value)) or "none"
    return str(value)
