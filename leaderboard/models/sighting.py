"""Sighting: an account was used from a machine, which is known by a keyed hash only."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Sighting(models.Model):
    """One row for an account, a network address and a kind of browser.

    ``digest`` is an HMAC of the address under a key that follows from the site's secret: it tells
    that two accounts came from one address, and not which. Days are kept, no times of day; rows
    that are older than the site keeps them are deleted by the sweep.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="sightings"
    )
    digest = models.CharField(max_length=64, db_index=True)
    browser = models.CharField(max_length=40, blank=True)
    first_on = models.DateField()
    last_on = models.DateField(db_index=True)

    class Meta:
        ordering = ["-last_on", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "digest", "browser"], name="sighting_once")
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.last_on}"
