"""What the environment says of the storage. Read by the settings, so nothing heavy is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from environ import Env

Backend = dict[str, Any]
FOLDER: Backend = {"BACKEND": "leaderboard.storage.folder.FolderStorage"}
BUCKET = "leaderboard.storage.bucket.BucketStorage"
SSE = ("", "AES256", "aws:kms")


def backend(env: Env) -> Backend:
    """The default storage: a bucket where one is named, else the folder ``MEDIA_ROOT``.

    Endpoint, region and keys are read by boto itself, from the variables that all AWS tools read.
    The bucket stands in the path of addresses at an endpoint of one's own, and in the host at
    Amazon, where links to other regions than the first need it.
    """
    bucket = env.str("AWS_STORAGE_BUCKET_NAME", default="")
    if not bucket:
        return dict(FOLDER)
    sse = env.str("AWS_S3_SSE", default="")
    if sse not in SSE:
        raise ImproperlyConfigured(f"AWS_S3_SSE is {sse!r}; it may be AES256, aws:kms or nothing.")
    style = "path" if env.str("AWS_ENDPOINT_URL", default="") else "virtual"
    options = {
        "bucket_name": bucket,
        "location": env.str("AWS_LOCATION", default="media").strip("/"),
        "default_acl": env.str("AWS_DEFAULT_ACL", default="") or None,
        "addressing_style": env.str("AWS_S3_ADDRESSING_STYLE", default=style),
        "links": env.bool("AWS_S3_LINKS", default=True),
        "public_endpoint": env.str("AWS_S3_PUBLIC_ENDPOINT_URL", default=""),
        "querystring_expire": env.int("AWS_QUERYSTRING_EXPIRE", default=300),
        "direct_from": env.int("DIRECT_UPLOAD_BYTES", default=8_000_000),
        "object_parameters": encryption(sse, env.str("AWS_S3_SSE_KMS_KEY_ID", default="")),
    }
    return {"BACKEND": BUCKET, "OPTIONS": options}


def encryption(sse: str, key_id: str) -> dict[str, str]:
    """What every upload asks of the server: nothing, its own keys, or a key of the key service."""
    asked = {"ServerSideEncryption": sse} if sse else {}
    return asked | ({"SSEKMSKeyId": key_id} if sse == "aws:kms" and key_id else {})


def origins(configured: Backend) -> list[str]:
    """Where links to stored files lead, for the content security policy: at most one origin."""
    options = configured.get("OPTIONS", {})
    if not options.get("links"):
        return []
    from boto3.session import Session  # noqa: PLC0415 - only where a bucket is named
    from botocore.config import Config  # noqa: PLC0415

    config = Config(signature_version="s3v4", s3={"addressing_style": options["addressing_style"]})
    # Keys of anybody: the host of a link does not depend on them, and nothing is asked.
    anybody = Session(aws_access_key_id="-", aws_secret_access_key="-")  # noqa: S106
    client = anybody.client("s3", endpoint_url=options["public_endpoint"] or None, config=config)
    place = {"Bucket": options["bucket_name"], "Key": "x"}
    parts = urlsplit(client.generate_presigned_url("get_object", Params=place))
    return [f"{parts.scheme}://{parts.netloc}"]


def keep_apart(configured: Backend, cache: str) -> None:
    """Refuse a cache of vectors among the stored files: ``doctor`` would take it for orphans."""
    options = configured.get("OPTIONS", {})
    ours = f"s3://{options.get('bucket_name')}/" + f"{options.get('location')}/".lstrip("/")
    if options and f"{cache.rstrip('/')}/".startswith(ours):
        raise ImproperlyConfigured(
            f"EMBEDDING_CACHE ({cache}) lies where uploads lie ({ours}); give it another prefix, "
            "or set AWS_LOCATION."
        )
