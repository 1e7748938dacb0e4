"""The ClipRank site: a Django project around the scoring library."""

from leaderboard.celery import app as celery_app

__all__ = ["celery_app"]
