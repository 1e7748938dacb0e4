"""The names of uploaded files: shown, never used as paths."""

from pathlib import PurePath

NAME_LENGTH = 255


def shown_name(filename: str) -> str:
    """A file's own name, fit to be stored and shown: no folders, no controls, 255 characters.

    A name that is too long keeps its beginning and its end, where the suffix is.
    """
    name = PurePath(filename.replace("\\", "/")).name
    name = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in name) or "upload"
    return shortened(name, NAME_LENGTH, tail=40)


def shortened(name: str, length: int, *, tail: int) -> str:
    """The name in at most ``length`` characters, of which the last ``tail`` are its end."""
    if len(name) <= length:
        return name
    return f"{name[: length - tail - 1]}…{name[-tail:]}"
