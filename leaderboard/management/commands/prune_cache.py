"""`manage.py prune_cache`: what the embedding cache holds, and less of it."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.template.defaultfilters import filesizeformat

from leaderboard.pipeline.judges import embedding_cache


class Command(BaseCommand):
    """Whatever is dropped costs time when it is needed again, and changes no number."""

    help = "Drop the vectors of the embedding cache that were not used for longest."

    def add_arguments(self, parser: CommandParser) -> None:
        """How much may stay."""
        parser.add_argument(
            "--max-bytes",
            type=int,
            default=settings.CACHE_MAX_BYTES,
            help="bytes that may stay (default: CACHE_MAX_BYTES; 0 empties the cache)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Prune, then say what is left for which judge."""
        cache = embedding_cache()
        freed = cache.prune(options["max_bytes"])
        left = cache.stats()
        self.stdout.write(f"{filesizeformat(freed)} freed, {filesizeformat(left.size)} left")
        for judge, size in sorted(left.judges.items()):
            self.stdout.write(f"{filesizeformat(size):>12}  {judge}")
