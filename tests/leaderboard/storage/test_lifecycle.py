"""The bucket's own rules: ours are set once, others' stay, and a server without any is named."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.stub import Stubber
from django.core.management import CommandError, call_command

from leaderboard.storage import lifecycle
from leaderboard.storage.bucket import BucketStorage

OTHERS = {"ID": "archive", "Status": "Enabled", "Prefix": "old/", "Expiration": {"Days": 900}}
STALE = {"ID": "cliprank-media-parts", "Status": "Disabled", "Filter": {"Prefix": "x"}}
SET = "put_bucket_lifecycle_configuration"
GET = "get_bucket_lifecycle_configuration"


@pytest.fixture
def said() -> Iterator[tuple[BucketStorage, Stubber]]:
    """A bucket that nobody serves, and what its server is made to say."""
    bucket = BucketStorage(
        bucket_name="site", location="media", access_key="k", secret_key="s", region_name="eu-x-1"
    )
    with Stubber(bucket.client) as stubbed:
        yield bucket, stubbed
        stubbed.assert_no_pending_responses()


def rules(bucket: BucketStorage) -> dict[str, Any]:
    """Ours, as a server would answer with them."""
    return {"Rules": lifecycle.wanted(bucket, 3)}


def test_ours(said: Any) -> None:
    """Parts everywhere below the prefix, files in the folders where nothing stays; no other."""
    found = {rule["ID"]: rule for rule in lifecycle.wanted(said[0], 3)}
    parts = found["cliprank-media-parts"]
    assert parts["Filter"] == {"Prefix": "media/"}
    assert parts["AbortIncompleteMultipartUpload"] == {"DaysAfterInitiation": 3}
    assert "Expiration" not in parts
    expiring = [rule for rule in found.values() if "Expiration" in rule]
    prefixes = {rule["Filter"]["Prefix"] for rule in expiring}
    assert prefixes == {"media/uploads/", "media/staged/", "media/probes/"}


def test_rules_of_others_stay_as_they_are(said: Any) -> None:
    """Ours come after them, a stale one of ours is replaced."""
    bucket, server = said
    ours = lifecycle.wanted(bucket, 3)
    server.add_response(
        GET,
        {"Rules": [STALE, OTHERS], "TransitionDefaultMinimumObjectSize": "varies_by_storage_class"},
        {"Bucket": "site"},
    )
    asked = {
        "Bucket": "site",
        "LifecycleConfiguration": {"Rules": [OTHERS, *ours]},
        "TransitionDefaultMinimumObjectSize": "varies_by_storage_class",
    }
    server.add_response(SET, {}, asked)
    server.add_response(GET, {"Rules": [OTHERS, *ours]})
    assert lifecycle.set_rules(bucket, 3)


def test_a_second_time_nothing_is_changed(said: Any) -> None:
    """Nothing is even asked for."""
    bucket, server = said
    server.add_response(GET, {"Rules": [OTHERS, *lifecycle.wanted(bucket, 3)]})
    assert not lifecycle.set_rules(bucket, 3)


def test_a_bucket_without_rules(said: Any) -> None:
    """Servers say so with an error."""
    bucket, server = said
    server.add_client_error(GET, "NoSuchLifecycleConfiguration", http_status_code=404)
    server.add_response(SET, {}, {"Bucket": "site", "LifecycleConfiguration": rules(bucket)})
    server.add_response(GET, rules(bucket))
    assert lifecycle.set_rules(bucket, 3)


@pytest.mark.parametrize(
    ("code", "words"),
    [("AccessDenied", "s3:PutLifecycleConfiguration"), ("NotImplemented", "says NotImplemented")],
)
def test_a_server_that_will_not(said: Any, code: str, words: str) -> None:
    """Why, and what happens without."""
    bucket, server = said
    server.add_client_error(GET, code)
    with pytest.raises(lifecycle.NoRules, match=words) as caught:
        lifecycle.set_rules(bucket, 3)
    assert "workers drop unfinished uploads" in str(caught.value)


def test_a_real_server_that_has_none(bucket: BucketStorage) -> None:
    """Is told apart from one that has."""
    with pytest.raises(CommandError, match="keeps no lifecycle rules"):
        call_command("storage_lifecycle")


def test_what_the_command_says(bucket: BucketStorage) -> None:
    """Each rule with what it is about; twice is once."""
    out = io.StringIO()
    with Stubber(bucket.client) as server:
        server.add_response(GET, {})
        server.add_response(SET, {})
        server.add_response(GET, rules(bucket))
        call_command("storage_lifecycle", stdout=out)
        server.add_response(GET, rules(bucket))
        call_command("storage_lifecycle", stdout=out)
    assert "cliprank-media-uploads: media/uploads/" in out.getvalue()
    assert "The rules are set." in out.getvalue()
    assert "The rules were there already." in out.getvalue()


def test_there_is_nothing_to_do_for_a_folder(down: Any, settings: Any) -> None:
    """And a server that does not answer is said to."""
    down()
    with pytest.raises(CommandError, match=r"127\.0\.0\.1:9"):
        call_command("storage_lifecycle")
    with pytest.raises(CommandError, match="at least 2"):
        call_command("storage_lifecycle", "--days", "1")
    folder = {"BACKEND": "leaderboard.storage.folder.FolderStorage"}
    settings.STORAGES = settings.STORAGES | {"default": folder}
    with pytest.raises(CommandError, match="folder"):
        call_command("storage_lifecycle")
