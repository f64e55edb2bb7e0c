"""Counts of open items beside the links of the sidebar and the tabs of a place.

The links are drawn at once with the last known counts, so that no screen waits for them; new counts
are computed after the screen is drawn. While a person works, each task updates its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.navigation.page import Page

from annotation.start.waiting import Waiting, revision, waiting_for
from pages.shell import context as chosen
from pages.shell.context import Context, screen_of
from storage.db.workspace import Workspace

_SECONDS = 30  # how long submissions of others may go unnoticed
_LINKS = "open-links"  # of the run: the links of each screen
_OWN = "open-own"  # of the run: the screens that updated their own count
_COUNTS = "open-counts"  # of the session: (project, person), and the last known counts


@dataclass(frozen=True, slots=True)
class Link:
    """A link: where it is drawn, what it opens and says, whose items it counts."""

    place: DeltaGenerator
    page: Page
    title: str
    icon: str | None
    names: tuple[str, ...]
    width: Literal["stretch", "content"]


def begin(whose: tuple[str, int]) -> None:
    """Forget the last run's links, and the counts if of another (project, person)."""
    st.session_state[_LINKS], st.session_state[_OWN] = {}, set()
    if st.session_state.get(_COUNTS, (None, {}))[0] != whose:
        st.session_state[_COUNTS] = (whose, {})


def draw_link(
    names: Sequence[str],
    page: Page,
    title: str,
    icon: str | None,
    width: Literal["stretch", "content"] = "stretch",
) -> None:
    """Draw the link to these screens with their last known counts together."""
    link = Link(st.empty(), page, title, icon, tuple(names), width)
    for name in names:
        st.session_state.setdefault(_LINKS, {}).setdefault(name, []).append(link)
    _draw(link)


def update_count(name: str, count: int) -> None:
    """Update a screen's link with the count that the screen itself has computed."""
    st.session_state.setdefault(_OWN, set()).add(name)
    _tell(name, count)


def tell_all(context: Context) -> None:
    """Update every link whose count changed.

    A screen that updated its own count is left alone: its link belongs to a fragment, which draws
    it again with each answer.
    """
    told = st.session_state.get(_COUNTS, (None, {}))[1]
    now, own = dict[str, int](), st.session_state.get(_OWN, set())
    for task, count in waiting(context).open_of.items():
        now[screen_of(task)] = now.get(screen_of(task), 0) + count
    for name in st.session_state.get(_LINKS, {}):
        if name not in own and told.get(name, 0) != now.get(name, 0):
            _tell(name, now.get(name, 0))


def waiting(context: Context) -> Waiting:
    """Return the person's open work; submissions of others may be missing for seconds."""
    where = context.workspace.place, context.project, context.by
    return _waiting(*where, revision(context.workspace, context.by), context.workspace)


@st.cache_data(max_entries=256, ttl=_SECONDS, show_spinner=False)
def _waiting(place: str, project: str, person_id: int, version: str, _ws: Workspace) -> Waiting:
    """Return a person's open work, cached by the state of the database."""
    return waiting_for(_ws, person_id)


def _tell(name: str, count: int) -> None:
    """Update the count on a screen's link."""
    st.session_state.get(_COUNTS, (None, {}))[1][name] = count
    links: list[Link] = st.session_state.get(_LINKS, {}).get(name, [])
    for link in links:
        _draw(link)


def _draw(link: Link) -> None:
    """Draw the link in its place."""
    known = st.session_state.get(_COUNTS, (None, {}))[1]
    count = sum(known.get(each, 0) for each in link.names)
    label = f"{link.title} :gray-badge[{count:,}]" if count else link.title
    link.place.page_link(
        link.page, label=label, icon=link.icon, query_params=chosen.address(), width=link.width
    )
