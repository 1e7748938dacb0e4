"""ClipRank's scoring library: descriptions and references in, reproducible numbers out.

Pure Python: no Django, no clock, no environment, no network outside a judge's ``load()``.
"""

__version__ = "0.1.0"
