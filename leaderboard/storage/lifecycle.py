"""Rules by which the bucket itself drops what was begun and never finished."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from leaderboard.models.direct_upload import FOLDER
from scoring.s3 import os_errors

if TYPE_CHECKING:
    from leaderboard.storage.bucket import BucketStorage

Rule = dict[str, Any]
PASSING = (FOLDER, "staged", "probes")
"""Folders in which nothing is meant to stay longer than a day."""
NONE_YET = "NoSuchLifecycleConfiguration"
FORBIDDEN = frozenset({"AccessDenied", "403"})


class NoRules(Exception):  # noqa: N818 - named as the fault is spoken of
    """The server keeps no such rules, or not for these keys; the message says what then."""


def wanted(bucket: BucketStorage, days: int) -> list[Rule]:
    """The rules of this site: parts that nobody joins and passing files go after ``days``."""
    place = f"{bucket.location}/".lstrip("/")
    of_site = f"cliprank-{bucket.location}"
    parts = {"AbortIncompleteMultipartUpload": {"DaysAfterInitiation": days}}
    passing = {"Expiration": {"Days": days}}
    return [
        _rule(f"{of_site}-parts", place, parts),
        *(_rule(f"{of_site}-{name}", f"{place}{name}/", passing) for name in PASSING),
    ]


def set_rules(bucket: BucketStorage, days: int) -> bool:
    """Have the bucket keep the ``wanted`` rules, and every other rule as it is; whether anything
    changed.

    Raises ``NoRules``, and OSError when the server does not answer.
    """
    current = _current(bucket)
    ours = wanted(bucket, days)
    there = list(current.get("Rules", ()))
    ids = {rule["ID"] for rule in ours}
    if [rule for rule in there if rule.get("ID") in ids] == ours:
        return False
    others = [rule for rule in there if rule.get("ID") not in ids]
    asked: dict[str, Any] = {"LifecycleConfiguration": {"Rules": [*others, *ours]}}
    if size := current.get("TransitionDefaultMinimumObjectSize"):
        asked["TransitionDefaultMinimumObjectSize"] = size
    with os_errors(bucket.bucket_name):
        try:
            bucket.client.put_bucket_lifecycle_configuration(Bucket=bucket.bucket_name, **asked)
        except ClientError as error:
            raise _no_rules(error) from error
    if not ids <= {rule.get("ID") for rule in _current(bucket).get("Rules", ())}:
        raise NoRules(f"The server took the rules and does not have them. {WITHOUT}")
    return True


WITHOUT = (
    "Nothing is lost without them: workers drop unfinished uploads after a day, and `manage.py "
    "doctor --fix` what is left over."
)


def _rule(name: str, prefix: str, what: Rule) -> Rule:
    return {"ID": name, "Status": "Enabled", "Filter": {"Prefix": prefix}, **what}


def _current(bucket: BucketStorage) -> dict[str, Any]:
    with os_errors(bucket.bucket_name):
        try:
            found: dict[str, Any] = bucket.client.get_bucket_lifecycle_configuration(
                Bucket=bucket.bucket_name
            )
        except ClientError as error:
            if _code(error) == NONE_YET:
                return {}
            raise _no_rules(error) from error
    return found


def _no_rules(error: ClientError) -> NoRules:
    if _code(error) in FORBIDDEN:
        return NoRules(
            "The server refuses: the site's keys need the rights s3:GetLifecycleConfiguration and "
            f"s3:PutLifecycleConfiguration. {WITHOUT}"
        )
    return NoRules(f"The server keeps no lifecycle rules (it says {_code(error)}). {WITHOUT}")


def _code(error: ClientError) -> str:
    return str(error.response.get("Error", {}).get("Code", ""))
