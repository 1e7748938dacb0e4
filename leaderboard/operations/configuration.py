"""What the settings of a site that others can reach should not be."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import validate_host

from leaderboard.operations.finding import ERROR, WARNING, Finding
from leaderboard.pipeline import limits
from leaderboard.site_secret import can_be_guessed
from leaderboard.storage import configuration as storage

LOCAL = ("localhost", "127.0.0.1", "::1")


def findings() -> Iterator[Finding]:
    """All of the configuration; a site on this machine alone needs neither HTTPS nor mail."""
    if settings.DEBUG:
        yield Finding(
            ERROR, "debug", "DEBUG is on: pages of errors show code and data.", "Unset DEBUG."
        )
    yield from _secret()
    yield from _hosts()
    if slow := limits.impatience():
        yield Finding(WARNING, "broker-impatient", slow, limits.patience())
    address = urlsplit(settings.SITE_URL)
    if (address.hostname or "") in LOCAL:
        return
    if not settings.HTTPS:
        level = ERROR if address.scheme == "https" else WARNING
        what = "HTTPS is off: cookies and passwords may travel in the clear."
        yield Finding(level, "https", what, "Put a proxy with TLS before the site and set HTTPS=1.")
    yield from _links()
    if not settings.MAIL_CONFIGURED:
        what = "There is no mail server: addresses are not confirmed, passwords cannot be reset."
        yield Finding(WARNING, "mail", what, "Set EMAIL_URL and MAIL_FROM.")


def _secret() -> Iterator[Finding]:
    if can_be_guessed(str(settings.SECRET_KEY)):
        what = "SECRET_KEY can be guessed: who knows it signs in as anybody."
        remedy = "Unset it and one is made, or set 50 random characters. Sessions end."
        yield Finding(ERROR, "secret", what, remedy)
    file = settings.DATA_DIR / "secret-key"
    if file.exists() and file.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        what = "Others on this machine may read the file with the secret of the site."
        yield Finding(ERROR, "secret-file", what, f"chmod 600 {file}, and make a new one.")


def _links() -> Iterator[Finding]:
    """Browsers show no video of an address in the clear on a page that came encrypted."""
    for origin in storage.origins(settings.STORAGES["default"]):
        if settings.HTTPS and not origin.startswith("https:"):
            what = f"Links to stored files lead to {origin}, which is not encrypted."
            remedy = "Set AWS_S3_PUBLIC_ENDPOINT_URL to an https address, or AWS_S3_LINKS=0."
            yield Finding(ERROR, "links-in-the-clear", what, remedy)


def _hosts() -> Iterator[Finding]:
    if "*" in settings.ALLOWED_HOSTS:
        what = "ALLOWED_HOSTS lets every host name pass, so links in mails can be forged."
        yield Finding(ERROR, "any-host", what, "Name the hosts of the site in ALLOWED_HOSTS.")
    host = urlsplit(settings.SITE_URL).hostname or ""
    if not validate_host(f"[{host}]" if ":" in host else host, settings.ALLOWED_HOSTS):
        what = f"The site's own address is refused: {host or 'none'} is not in ALLOWED_HOSTS."
        yield Finding(ERROR, "own-host", what, "Add the host of SITE_URL to ALLOWED_HOSTS.")
