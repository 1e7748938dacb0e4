"""How the interface describes itself: limits in words, and the errors that any operation has."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from django.conf import settings
from ninja import NinjaAPI
from ninja.openapi.schema import OpenAPISchema

ABOUT = (
    "Benchmarks, rankings and submissions. Reading is open; a token "
    "(`Authorization: Bearer ...`, made on your account's page) shows your "
    "private submissions and lets you upload. Errors are JSON: `error` in one sentence and, for an "
    "upload, `problems` with the line or clip of each.\n\n"
    "**Limits.** An account may ask {api} and send {upload} (dry runs count); without a token it "
    "is the address that may ask so often. Over a limit the answer is 429 with `Retry-After`, the "
    "seconds to wait. A file may have {size} bytes on every route."
)
ERROR = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorOut"}}}}


class DescribedAPI(NinjaAPI):
    """Adds to the description what is true of every operation, so that none has to repeat it."""

    _made: dict[str, OpenAPISchema] = {}

    def get_openapi_schema(self, **given: Any) -> OpenAPISchema:
        """The whole description; made once, for it takes half a second."""
        about = ABOUT.format(
            api=_words(settings.API_RATE, "requests"),
            upload=_words(settings.UPLOAD_RATE, "files"),
            size=settings.UPLOAD_MAX_BYTES,
        )
        key = repr((about, sorted(given.items())))
        if key not in self._made:
            self._made = {key: self._describe(about, **given)}
        return self._made[key]

    def _describe(self, about: str, **given: Any) -> OpenAPISchema:
        schema = super().get_openapi_schema(**given)
        schema["info"]["description"] = about
        for path, operations in schema["paths"].items():
            for operation in operations.values():
                for status in _errors(path, operation):
                    there = operation["responses"]
                    there.setdefault(status, ERROR | {"description": HTTPStatus(status).phrase})
        return schema


def _errors(path: str, operation: dict[str, Any]) -> set[int]:
    """What may always come: a bad token, too many requests, and what address and body can cause."""
    found = {401, 429}
    found |= {404} if "{" in path else set()
    found |= {422} if operation.get("parameters") else set()
    return found | ({400, 413, 422} if "requestBody" in operation else set())


def _words(rate: str, things: str) -> str:
    return f"{rate.replace('/', f' {things}/')}" if rate else f"any number of {things}"
