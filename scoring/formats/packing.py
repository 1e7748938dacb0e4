"""Several files as the one that is read and stored."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

_PACKED_AT = (1980, 1, 1, 0, 0, 0)  # the same files give the same bytes, whenever they are packed


def packed(files: Sequence[tuple[str, bytes]]) -> tuple[bytes, str]:
    """Files, as (name, bytes), as one file's content and name: a ZIP, or the only file itself.

    Names may repeat; readers then report it as they do for any archive.
    """
    if len(files) == 1:
        name, data = files[0]
        return data, name
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name, _PACKED_AT), data)
    return made.getvalue(), "upload.zip"
