"""Screens: one module per page, each with ``render(context)``; no rules of their own."""

import streamlit as st
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

# Streamlit runs the files of a folder named "pages" as scripts of their own until st.navigation
# has been called once in the process. If the first request after a start is a deep link, it runs
# one of our modules, which draws nothing; the import of this package is the first thing that
# happens then, so here the old way is switched off and the run begins again at app.py. Where the
# package is imported before the first request, it is switched off for that one too.
_old_way = PagesManager.uses_pages_directory
PagesManager.uses_pages_directory = False
if _old_way and get_script_run_ctx(suppress_warning=True) is not None:
    st.rerun()
