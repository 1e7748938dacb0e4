"""The site as one Django app."""

from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    """Models, admin, templates and commands of the site."""

    name = "leaderboard"
    verbose_name = "ClipRank"
