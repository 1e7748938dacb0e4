"""Each migration works with the code of the release before, which goes on while it is applied.

An upgrade migrates first and replaces processes afterwards, so for some minutes the old code reads
and writes the new tables. What it needs stays; a column that it does not know fills itself.
Compared are the states before and after each migration since ``RELEASED``.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.state import ModelState, ProjectState
from django.db.models.fields import NOT_PROVIDED

APP = "leaderboard"
RELEASED = "0011_attendance"
"""The newest migration of the current release; raised with every release."""

EXCEPTIONS: dict[str, str] = {}
"""What is found, word by word, to the reason why it does the release before no harm."""

FITS_INTO = {
    ("CharField", "TextField"),
    ("SlugField", "CharField"),
    ("PositiveIntegerField", "PositiveBigIntegerField"),
    ("IntegerField", "BigIntegerField"),
}
"""Types that hold all that those before them held, in the same column."""


def faults(before: ProjectState, after: ProjectState) -> Iterator[str]:
    """What code that knows ``before`` would stumble over in ``after``."""
    for key, old in before.models.items():
        if key[0] != APP:
            continue
        if key not in after.models or _table(old) != _table(after.models[key]):
            yield f"{old.name}: its table is gone or called otherwise"
            continue
        yield from (f"{old.name}.{said}" for said in _columns(old, after.models[key]))
        yield from (f"{old.name}: {said}" for said in _constraints(old, after.models[key]))


def _table(model: ModelState) -> str:
    return str(model.options.get("db_table") or f"{model.app_label}_{model.name.lower()}")


def _columns(old: ModelState, new: ModelState) -> Iterator[str]:
    kept = {_column(name, field): field for name, field in new.fields.items()}
    for name, field in old.fields.items():
        column = _column(name, field)
        if column not in kept:
            yield f"{name}: its column is gone or called otherwise"
        else:
            yield from (f"{name}: {said}" for said in _narrower(field, kept[column]))
    known = {_column(name, field) for name, field in old.fields.items()}
    for name, field in new.fields.items():
        if _column(name, field) not in known and not _fills_itself(field):
            yield f"{name}: new, and neither null nor with a db_default"


def _column(name: str, field: models.Field) -> str:
    if isinstance(field, models.ManyToManyField):
        return f"{name} (table of its own)"
    return str(field.db_column or (f"{name}_id" if field.is_relation else name))


def _fills_itself(field: models.Field) -> bool:
    return (
        field.null
        or isinstance(field, (models.ManyToManyField, models.GeneratedField))
        or field.db_default is not NOT_PROVIDED
    )


def _narrower(old: models.Field, new: models.Field) -> Iterator[str]:
    kinds = old.get_internal_type(), new.get_internal_type()
    if kinds[0] != kinds[1] and kinds not in FITS_INTO:
        yield f"{kinds[0]} has become {kinds[1]}"
    if old.max_length and new.max_length and new.max_length < old.max_length:
        yield f"{old.max_length} characters have become {new.max_length}"
    if old.null and not new.null:
        yield "null is no longer allowed"
    if new.unique and not old.unique:
        yield "has become unique"
    if old.db_default is not NOT_PROVIDED and not _fills_itself(new):
        yield "its db_default is gone"


def _constraints(old: ModelState, new: ModelState) -> Iterator[str]:
    known = {constraint.name for constraint in old.options.get("constraints", [])}
    for constraint in new.options.get("constraints", []):
        if constraint.name not in known:
            yield f"the constraint {constraint.name} is new"


@cache
def loader() -> MigrationLoader:
    """All migrations, without a database."""
    return MigrationLoader(None)


def since_the_release() -> list[str]:
    """Names of this project's migrations after ``RELEASED``, in order."""
    graph = loader().graph
    (newest,) = graph.leaf_nodes(APP)
    names = [name for app, name in graph.forwards_plan(newest) if app == APP]
    return names[names.index(RELEASED) + 1 :]


def test_each_migration_works_with_the_release_before() -> None:
    """The remedy is in CONTRIBUTING.md: in two releases what does not go in one."""
    found = set()
    for name in since_the_release():
        before = loader().project_state((APP, name), at_end=False)
        after = loader().project_state((APP, name), at_end=True)
        found |= {f"{name}: {fault}" for fault in faults(before, after)}
    assert not found - set(EXCEPTIONS), "see 'Change a table' in CONTRIBUTING.md"
    assert not set(EXCEPTIONS) - found, "these exceptions are no longer needed"
    assert all(EXCEPTIONS.values())


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (migrations.RemoveField("run", "attempts"), ["Run.attempts: its column is gone"]),
        (
            migrations.RenameField("run", "attempts", "tries"),
            ["Run.attempts: its column is gone", "Run.tries: new, and neither null"],
        ),
        (migrations.DeleteModel("Attendance"), ["Attendance: its table is gone"]),
        (migrations.RenameModel("Attendance", "Presence"), ["Attendance: its table is gone"]),
        (
            migrations.AddField("run", "host", models.CharField(max_length=9, default="")),
            ["Run.host: new, and neither null nor with a db_default"],
        ),
        (migrations.AddField("run", "host", models.CharField(max_length=9, db_default="")), []),
        (migrations.AddField("run", "host", models.CharField(max_length=9, null=True)), []),
        (
            migrations.AlterField("run", "judge", models.CharField(max_length=5, unique=True)),
            ["Run.judge: 80 characters have become 5", "Run.judge: has become unique"],
        ),
        (migrations.AlterField("run", "judge", models.TextField()), []),
        (
            migrations.AlterField("run", "judge", models.IntegerField()),
            ["Run.judge: CharField has become IntegerField"],
        ),
        (
            migrations.AlterField("run", "finished_at", models.DateTimeField()),
            ["Run.finished_at: null is no longer allowed"],
        ),
        (
            migrations.AddConstraint(
                "run", models.UniqueConstraint(fields=["judge"], name="one_each")
            ),
            ["Run: the constraint one_each is new"],
        ),
        (migrations.RunPython(migrations.RunPython.noop), []),
    ],
)
def test_what_would_stop_the_old_code_is_found(
    operation: migrations.operations.base.Operation, said: list[str]
) -> None:
    """On the tables as they are."""
    before = loader().project_state()
    after = before.clone()
    operation.state_forwards(APP, after)
    found = list(faults(before, after))
    assert len(found) == len(said)
    assert all(any(one.startswith(start) for one in found) for start in said)
