"""What the texts of a submission show by themselves: flags for people, never for scores.

`diagnose` looks at all texts at once; `copies` compares submissions with each other.
"""

from scoring.diagnostics.diagnose import VERSION, Diagnosis, diagnose
from scoring.diagnostics.flags import FLAGS, OF_REFERENCES, Example, Flag, FlagKind, flag_of

__all__ = [
    "FLAGS",
    "OF_REFERENCES",
    "VERSION",
    "Diagnosis",
    "Example",
    "Flag",
    "FlagKind",
    "diagnose",
    "flag_of",
]
