"""The names of uploaded files: shown, never used as paths."""

from pathlib import PurePath

NAME_LENGTH = 255


def shown_name(filename: str) -> str:
    """A file's own name, fit to be stored and shown: no folders, no controls, 255 characters.

    A name that is too long keeps its beginning and its end, where the suffix is.
    """
    name = PurePath(filename.replace("\\", "/")).name
    name = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name) or "upload"
    if len(name) <= NAME_LENGTH:
        return name
    tail = 40
    return f"{name[: NAME_LENGTH - tail - 1]}…{name[-tail:]}"
