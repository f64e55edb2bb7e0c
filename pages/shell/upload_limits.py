"""How large a file may be that is sent through the browser, for the widget to say so."""

from __future__ import annotations

import math

import streamlit as st

from pages.shell.context import Context
from services.uploads import MIB, Limits

_BYTES = 4  # of a character in UTF-8, at most

PLAIN_MB = Limits().file_bytes // MIB
"""What a file that is no archive may have."""


def archive_help(context: Context, *more: str) -> str:
    """Return what a widget says that takes archives too, after what it says else.

    Such a widget shows the largest archive that the server takes, which is no bound of other files.
    """
    limits = Limits()
    bounds = context.say(
        "upload.bounds",
        sent=st.get_option("server.maxUploadSize"),
        whole=limits.total_bytes // MIB,
        file=limits.file_bytes // MIB,
    )
    return "\n\n".join([*more, bounds])


def megabytes(size: int, characters: bool = False) -> int:
    """Return the whole megabytes that hold `size` bytes, or so many characters of any script."""
    return math.ceil(size * (_BYTES if characters else 1) / MIB)
