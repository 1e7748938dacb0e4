"""What staff change in the admin, written into the audit trail as everything else is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.files import File
from django.db import models, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from leaderboard import audit
from leaderboard.http import signed_in
from leaderboard.models import Benchmark

if TYPE_CHECKING:
    Base = admin.ModelAdmin[Any]
else:
    Base = object

OWNERS = ("benchmark", "release", "track", "clip", "submission", "run")
SECRET = frozenset(
    {"digest", "password", "password1", "password2", "usable_password"}
    | {"secret", "token", "token_secret", "data"}
)
"""Names of fields whose values are nobody's to read."""
PLAIN = (str, int, float, bool, type(None))


class Audited(Base):
    """Each row that is added, changed or deleted makes an entry, in the transaction of the change.

    Of a change the entry holds the fields that changed and no others; rows edited on the same page
    are named.
    """

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """After the row and those on its page are stored: write down what became of them."""
        super().save_related(request, form, formsets, change)
        changed = [name for name in form.changed_data if name not in SECRET]
        after = {name: plain(form.cleaned_data.get(name)) for name in changed}
        before = {name: plain(_initial(form, name)) for name in changed} if change else {}
        if change:
            after |= dict.fromkeys(SECRET & set(form.changed_data), "set anew")
        after |= _beside(formsets)
        if after or not change:
            self.write_down(request, form.instance, "change" if change else "add", before, after)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        """With what it held."""
        self.write_down(request, obj, "delete", held(obj), {})
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        """An entry for each."""
        for obj in queryset:
            self.write_down(request, obj, "delete", held(obj), {})
        super().delete_queryset(request, queryset)

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """What is done to chosen rows is stored with its entries, or not at all."""
        with transaction.atomic():
            return super().changelist_view(request, extra_context)

    def write_down(
        self,
        request: HttpRequest,
        obj: models.Model,
        verb: str,
        before: Mapping[str, Any],
        after: Mapping[str, Any],
    ) -> None:
        """One entry, ``admin.track.change``."""
        audit.record(
            actor=signed_in(request),
            action=f"admin.{obj._meta.model_name}.{verb}",
            target=obj,
            benchmark=benchmark_of(obj),
            before=dict(before),
            after=dict(after),
        )


def benchmark_of(obj: models.Model) -> Benchmark | None:
    """The benchmark that a row belongs to, however far up; None for people, systems and teams."""
    at: Any = obj
    for _ in OWNERS:
        if isinstance(at, Benchmark):
            return at
        name = next((one for one in OWNERS if _leads_up(at, one)), None)
        if name is None:
            return None
        at = getattr(at, name)
    return at if isinstance(at, Benchmark) else None


def held(obj: models.Model) -> dict[str, Any]:
    """The fields of a row that can be read again."""
    fields = (field for field in obj._meta.concrete_fields if field.name not in SECRET)
    kinds = (models.BinaryField,)
    return {
        field.name: plain(getattr(obj, field.attname))
        for field in fields
        if not isinstance(field, kinds)
    }


def plain(value: Any) -> Any:
    """``value`` as the trail can hold it."""
    if isinstance(value, models.Model):
        return str(value)
    if isinstance(value, (QuerySet, set, tuple, frozenset)):
        return sorted(str(one) for one in value)
    if isinstance(value, File):
        return str(value.name or "")
    return value


def _initial(form: Any, name: str) -> Any:
    value = form.initial.get(name)
    field = form.fields[name]
    choices = getattr(field, "queryset", None)
    if choices is None or value is None:
        return value
    if isinstance(value, (list, tuple, QuerySet)):
        return [str(one) for one in value]
    return choices.model._base_manager.filter(pk=getattr(value, "pk", value)).first() or value


def _beside(formsets: Iterable[Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for formset in formsets:
        kinds = {
            "added": [str(obj) for obj in formset.new_objects],
            "changed": [f"{obj}: {', '.join(names)}" for obj, names in formset.changed_objects],
            "deleted": [str(obj) for obj in formset.deleted_objects],
        }
        name = formset.model._meta.verbose_name_plural
        found |= {f"{name} {kind}": rows for kind, rows in kinds.items() if rows}
    return found


def _leads_up(obj: Any, name: str) -> bool:
    links = (field for field in obj._meta.concrete_fields if field.is_relation)
    return name in {field.name for field in links} and getattr(obj, name) is not None
