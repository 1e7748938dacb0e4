"""Kind: what an uploaded file holds."""

from django.db import models


class Kind(models.TextChoices):
    """Descriptions become rows; of the other kinds the stored file is the truth."""

    DESCRIPTIONS = "descriptions", "A description of each clip"
    PAIRS = "pairs", "Answers to pair tests"
    JUDGEMENTS = "judgements", "Judgements of keypoints, made elsewhere"
