"""Uploaded files: how large they may be, freed when their page is left, and why one was refused."""

from __future__ import annotations

import math

import streamlit as st

from messages import say
from pages.shell.context import Context
from services.directory import MIB, Limits
from serving.uploads import own_store

_BYTES = 4  # of a character in UTF-8, at most

PLAIN_MB = Limits().file_bytes // MIB
"""What a file that is no archive may have."""
_PAGE = "page-of-uploads"


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


def free_when_left(page: str) -> None:
    """Free what was sent on another page of this tab: its widgets are gone, and nothing reads it.

    Streamlit by itself would keep it for as long as the tab is open.
    """
    before = st.session_state.get(_PAGE)
    st.session_state[_PAGE] = page
    kept = own_store()
    if kept and before not in (None, page):
        store, session = kept
        store.remove_session_files(session)


def tell_refused(language: str) -> None:
    """Say why a file was refused; the widget that sent it shows no more than that it failed."""
    kept = own_store()
    full = kept[0].refused(kept[1]) if kept else None
    if full is not None:
        words = say(full.key, language, limit=full.mebibytes)
        st.toast(words, icon=":material/upload_file:", duration="infinite")
