"""The site as one Django app."""

from django.apps import AppConfig


class LeaderboardConfig(AppConfig):
    """Models, admin, templates and commands of the site."""

    name = "leaderboard"
    verbose_name = "ClipRank"

    def ready(self) -> None:
        """Note from which machine somebody signs in, whichever way they do."""
        from django.contrib.auth.signals import user_logged_in  # noqa: PLC0415 - apps are loaded

        from leaderboard.people import sightings  # noqa: PLC0415 - it needs the models

        user_logged_in.connect(sightings.note_login, dispatch_uid="sightings")
