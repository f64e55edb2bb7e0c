"""What becomes of files that were sent to this tab: freed when left, and told of when refused."""

from __future__ import annotations

import streamlit as st

from messages import say
from serving.uploads import own_store

_PAGE = "page-of-uploads"


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
