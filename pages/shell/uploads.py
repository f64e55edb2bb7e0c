"""Uploaded files: size limits, release when their page is left, refusals."""

from __future__ import annotations

import math

import streamlit as st

from messages import say
from pages.shell.context import Context
from services.archives import MIB, Limits
from serving.uploads import own_store

_BYTES = 4  # of a character in UTF-8, at most

PLAIN_MB = Limits().file_bytes // MIB
"""Size limit of a file that is not an archive, in MiB."""
_PAGE = "page-of-uploads"


def archive_help(context: Context, *more: str) -> str:
    """Return the help text of an upload widget that takes archives; `more` comes first.

    Such a widget shows the size limit of archives, which is not that of other files.
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
    """Return the whole megabytes that hold `size` bytes, or `size` characters of any script."""
    return math.ceil(size * (_BYTES if characters else 1) / MIB)


def free_when_left(page: str) -> None:
    """Free the uploads of the page that this tab has left; `page` is the one it is on now.

    Streamlit by itself would keep them for as long as the tab is open.
    """
    before = st.session_state.get(_PAGE)
    st.session_state[_PAGE] = page
    kept = own_store()
    if kept and before not in (None, page):
        store, session = kept
        store.remove_session_files(session)


def tell_refused(language: str) -> None:
    """Show why a file was refused; the upload widget shows only that it failed."""
    kept = own_store()
    full = kept[0].refused(kept[1]) if kept else None
    if full is not None:
        words = say(full.key, language, limit=full.mebibytes)
        st.toast(words, icon=":material/upload_file:", duration="infinite")
