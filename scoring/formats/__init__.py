"""Reading of uploads and references: every problem of a file at once, with its line and clip.

`read_upload` turns bytes into an `Upload`, `check_clips` compares it with the clips of a release,
`read_references` reads the texts to compare with. Formats are listed in `registry`.
"""

from scoring.formats.clips import check_clips
from scoring.formats.reading import (
    MAX_BYTES,
    ReferencesError,
    read_references,
    read_upload,
    too_large,
)

__all__ = [
    "MAX_BYTES",
    "ReferencesError",
    "check_clips",
    "read_references",
    "read_upload",
    "too_large",
]
