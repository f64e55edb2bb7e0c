"""How much is open on each screen of a person's: beside its link in the sidebar, and kept right.

The links are drawn at once with what was known last, so that no screen waits for the counts; the
counts themselves come behind the screen. While a person works, each task tells its own.
"""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import Page

from annotation.start.waiting import Waiting, revision, waiting_for
from pages.shell import context as chosen
from pages.shell.context import Context
from storage.db.workspace import Workspace

_SECONDS = 30  # in which what others submit need not show
_LINKS = "open-links"  # of the run: the place of each link, and its page
_OWN = "open-own"  # of the run: the screens that have told their own
_COUNTS = "open-counts"  # of the session: whose they are, and what was told last


def begin(whose: tuple[str, int]) -> None:
    """Begin the links of a run, for a person of a project; another's counts are forgotten."""
    st.session_state[_LINKS], st.session_state[_OWN] = {}, set()
    if st.session_state.get(_COUNTS, (None, {}))[0] != whose:
        st.session_state[_COUNTS] = (whose, {})


def draw_link(name: str, page: Page) -> None:
    """Draw the link to a screen with what was told of it last."""
    st.session_state[_LINKS][name] = (st.empty(), page)
    _draw(name)


def tell(name: str, count: int) -> None:
    """Draw the link to a screen with how much is open there now, as the screen itself knows it."""
    st.session_state.setdefault(_OWN, set()).add(name)
    _tell(name, count)


def tell_all(context: Context) -> None:
    """Draw every link with how much is open there now, where that is not what was told last.

    What a screen has told itself is left: it stands in the place of a fragment, which draws it
    again with each answer.
    """
    told = st.session_state.get(_COUNTS, (None, {}))[1]
    now, own = waiting(context).open_of, st.session_state.get(_OWN, set())
    for name in st.session_state.get(_LINKS, {}):
        if name not in own and told.get(name, 0) != now.get(name, 0):
            _tell(name, now.get(name, 0))


def waiting(context: Context) -> Waiting:
    """Return what waits for the person: as it is, but for what others submitted a moment ago."""
    where = context.workspace.place, context.project, context.by
    return _waiting(*where, revision(context.workspace, context.by), context.workspace)


@st.cache_data(max_entries=256, ttl=_SECONDS, show_spinner=False)
def _waiting(place: str, project: str, person_id: int, version: str, _ws: Workspace) -> Waiting:
    return waiting_for(_ws, person_id)


def _tell(name: str, count: int) -> None:
    st.session_state.get(_COUNTS, (None, {}))[1][name] = count
    _draw(name)


def _draw(name: str) -> None:
    """Draw the link in its place, where the sidebar has one."""
    found: tuple[DeltaGenerator, Page] | None = st.session_state.get(_LINKS, {}).get(name)
    if found is None:
        return
    place, page = found
    count = st.session_state[_COUNTS][1].get(name, 0)
    label = f"{page.title} :gray-badge[{count:,}]" if count else page.title
    place.page_link(page, label=label, query_params=chosen.address())
