"""The Corpus screen: statutes, a unit beside what it cites and what cites it, its neighbours."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from corpus.place import split_id
from errors import UserError
from jobs.graph import build, neighbourhood, unit_page
from jobs.index import search_units
from jobs.outline import chapters, current_snapshot, statutes
from pages.context import Context
from pages.guard import guarded, plain, show
from pages.parts import graph_panel
from pages.parts.corpus_browser import statute_tree, unit_view
from pages.parts.corpus_data import hits_part, tree_part
from pages.parts.graph_panel import Walk
from pages.parts.notices import progress_bar
from pages.parts.unit_data import unit_part
from storage.corpus import SnapshotView

_VIEW = "corpus_view"
_UNIT = "unit"  # the address names the open unit
_HITS = 40
_TREE_HEIGHT, _UNIT_HEIGHT, _GRAPH_HEIGHT = 836, 420, 520
_PARTS = ("corpus-tree", "corpus-unit", "corpus-graph")


@dataclass(slots=True)
class View:
    """What one session looks at: the unit with its graph, the statutes unfolded in the tree."""

    snapshot_id: int
    walk: Walk
    opened: list[str] = field(default_factory=list)
    wanted: str = ""

    def act(self, wish: Any) -> None:
        """Follow what a part asked for; it is the browser's word, so the rest is left alone."""
        if not isinstance(wish, dict):
            return
        kind, statute = wish.get("kind"), wish.get("statute")
        if kind == "filter":
            self.wanted = str(wish.get("text", ""))[:200].strip()
        elif kind == "open" and isinstance(statute, str):
            self.opened.append(statute)
        elif kind == "close" and statute in self.opened:
            self.opened.remove(statute)
        else:
            self.walk = self.walk.after(wish)
            self.unfold()

    def unfold(self) -> None:
        """Unfold the open unit's statute in the tree."""
        statute, _ = split_id(self.walk.unit_id)
        if statute and statute not in self.opened:
            self.opened.append(statute)


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("corpus.title"), anchor=False)
    _browser(context, current_snapshot(context.workspace, context.project))


@st.fragment
def _browser(context: Context, snapshot: SnapshotView) -> None:
    """Draw what is browsed. A fragment, so that a step draws this and nothing else again."""
    with guarded(context.language):
        view = _view(snapshot.id)
        left, right = st.columns([3, 8], gap="medium")
        with left:
            _tree(context, snapshot, view)
        with right:
            _unit(context, snapshot.id, view)


def _view(snapshot_id: int) -> View:
    """Return this session's view; a newer snapshot is looked at from the same place."""
    view = st.session_state.get(_VIEW)
    if isinstance(view, View) and view.snapshot_id == snapshot_id:
        return view
    unit = view.walk.unit_id if isinstance(view, View) else st.query_params.get(_UNIT, "")
    view = View(snapshot_id, Walk(unit))
    view.unfold()
    st.session_state[_VIEW] = view
    return view


def _follow(view: View, part: str) -> None:
    view.act(graph_panel.asked(part))


def _tree(context: Context, snapshot: SnapshotView, view: View) -> None:
    workspace, language = context.workspace, context.language
    lines = statutes(workspace, snapshot.id)
    query = st.text_input(
        context.say("corpus.search"),
        placeholder=context.say("corpus.search_hint"),
        max_chars=200,
        key="corpus-search",
        icon=":material/search:",
    ).strip()
    if query:
        hits = search_units(workspace, snapshot.id, query, _HITS)
        st.caption(context.say("corpus.found", count=len(hits)))
        told = hits_part(query, hits, view.walk.unit_id, language)
    else:
        size = {"statutes": f"{len(lines):,}", "units": f"{sum(one.units for one in lines):,}"}
        st.caption(plain(context.say("corpus.snapshot", name=snapshot.name, **size)))
        opened = {name: chapters(workspace, snapshot.id, name) for name in view.opened}
        told = tree_part(lines, opened, view.walk.unit_id, view.wanted, language)
    statute_tree(told, _PARTS[0], _TREE_HEIGHT, lambda: _follow(view, _PARTS[0]))


def _unit(context: Context, snapshot_id: int, view: View) -> None:
    walk, language = view.walk, context.language
    if not walk.unit_id:
        st.info(context.say("corpus.pick"), icon=":material/arrow_back:")
        return
    try:
        page = unit_page(context.workspace, snapshot_id, walk.unit_id)
    except UserError as error:
        show(error, language)
        if error.code == "graph_missing":
            _offer_graph(context)
        return
    st.query_params[_UNIT] = walk.unit_id
    unit_view(unit_part(page, language), _PARTS[1], _UNIT_HEIGHT, lambda: _follow(view, _PARTS[1]))
    found = neighbourhood(
        context.workspace, snapshot_id, walk.unit_id, walk.types, walk.hops, graph_panel.LIMIT
    )
    told = graph_panel.told(walk, found, language)
    graph_panel.graph_panel(told, _PARTS[2], _GRAPH_HEIGHT, lambda: _follow(view, _PARTS[2]))


def _offer_graph(context: Context) -> None:
    if st.button(context.say("corpus.build"), icon=":material/hub:", key="corpus-build"):
        with progress_bar(context, "corpus.building") as report:
            build(context.workspace, context.project, report)
        st.rerun()
