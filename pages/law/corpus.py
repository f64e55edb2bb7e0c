"""Corpus screen: statutes, a unit with its citations in both directions, its graph.

Citation parsing of pasted text: citations marked, each with its resolution.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import streamlit as st

from corpus.citations.model import Status
from corpus.model import split_id
from errors import UserError
from pages.law import graph_panel
from pages.law.graph_panel import Walk
from pages.law.law_map import draw_map
from pages.law.viewer_data import hits_part, tree_part, unit_part
from pages.readings import draw_counts, draw_unit_readings
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import progress_bar
from pages.shell.widgets import choose
from services.law.citations import ReadCitation, ReadText, read_citations
from services.law.graph.citation_graph import build, neighbourhood, unit_page
from services.law.overview import chapters, current_snapshot, statutes
from services.ocr.publishing import image_of, unit_sources
from services.runs.methods.unit_search import search_units
from storage.law.corpus import SnapshotView
from storage.ocr import PageOfUnit

_COLOURS = {Status.RESOLVED: "green", Status.AMBIGUOUS: "orange", Status.UNRESOLVED: "red"}


def draw_citation_reading(context: Context) -> None:
    """Draw the text box and the citations found in the text."""
    with st.form("corpus-citations", border=False):
        st.caption(context.say("citation_reading.help"))
        text = st.text_area(
            context.say("citation_reading.text"), height=220, key="corpus-citations-text"
        )
        label = context.say("citation_reading.run")
        st.form_submit_button(label, type="primary", icon=":material/frame_inspect:")
    if text.strip():
        with guarded(context.language):
            _draw(context, read_citations(*context.here, text, context.by))


def _draw(context: Context, read: ReadText) -> None:
    """Draw the citations found in a pasted text."""
    say = context.say
    if not read.citations:
        st.info(say("citation_reading.none"), icon=":material/search_off:")
        return
    counts = Counter(each.resolution.status for each in read.citations)
    by_status = {str(status): counts[status] for status in Status}
    st.markdown(say("citation_reading.counts", total=len(read.citations), **by_status))
    with st.container(border=True):
        st.markdown("".join(_marked(each.text, each.status) for each in read.segments))
    with st.expander(say("citation_reading.table"), True, icon=":material/table_rows:"):
        st.markdown("\n".join(_citation_line(context, each) for each in read.citations))


def _citation_line(context: Context, read: ReadCitation) -> str:
    """Return a citation with its status, its units, and the reason in full."""
    found, units = read.resolution, ""
    if found.targets:
        units = ", ".join(f"{each.unit_id} {each.pinpoint}".strip() for each in found.targets)
    elif found.unit_ids:
        units = context.say("citation_reading.candidates", units=", ".join(found.unit_ids))
    status = context.say(f"mapping.ui.status_{found.status}")
    cited = _marked(" ".join(found.citation.text.split()), found.status)
    named = f" · {md_literal(units)}" if units else ""
    return f"- {cited} **{status}**{named}  \n  {md_literal(read.why(context.language))}"


def _marked(text: str, status: Status | None) -> str:
    """Return a stretch of the text as Markdown; line ends are kept."""
    words = md_literal(text).replace("\n", "  \n")
    return words if status is None else f":{_COLOURS[status]}-background[{words}]"


BELOW = ("graph", "readings")
SIDES = ("provision", "map", "readings", "citations")
_VIEW = "corpus_view"
_UNIT = "unit"  # query parameter of the open unit
_HITS = 40
# A small laptop shows the unit's text and most of its graph together.
_UNIT_HEIGHT, _GRAPH_HEIGHT = "clamp(260px, 34vh, 460px)", "clamp(420px, 54vh, 640px)"
_TREE_HEIGHT = "clamp(460px, 100vh - 244px, 900px)"
_PARTS = {
    "statute_tree": "corpus-tree",
    "unit_view": "corpus-unit",
    "graph_panel": "corpus-graph",
}


def draw_pages(context: Context, sources: Sequence[PageOfUnit]) -> None:
    """Draw a choice of the unit's source pages with the chosen image, if it has any."""
    if not sources:
        return
    names = {source.page_id: md_literal(source.external_id) for source in sources}
    chosen = st.pills(
        context.say("corpus.page_images"),
        list(names),
        format_func=lambda page: f":material/image: {names[page]}",
        key=f"corpus-page-{sources[0].page_id}",
    )
    if chosen is None:
        return
    _, content = image_of(*context.here, int(chosen), context.by)
    with st.container(border=True):
        st.image(content, width="stretch")


@dataclass(slots=True)
class View:
    """A session's view of the corpus: the unit with its graph, and the tree's open statutes.

    `address` is the unit that the address named when it was last read or written. `opened_units`
    counts opened units: each switches from the map to the unit. `below` names the panel below the
    unit.
    """

    project: str
    walk: Walk
    address: str = ""
    opened: list[str] = field(default_factory=list)
    wanted: str = ""
    opened_units: int = 0
    below: str = BELOW[0]

    def act(self, wish: Any) -> None:
        """Carry out a component's request; anything invalid is ignored (it is browser input)."""
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
            self.opened_units += kind == "go"
            self.unfold()

    def follow_address(self, named: str) -> None:
        """Open the unit of a changed address (Back, Forward, edited); without a unit, stay."""
        if named not in ("", self.address):
            self.address = named
            self.walk = replace(self.walk, unit_id=named)
            self.opened_units += 1
            self.unfold()

    def unfold(self) -> None:
        """Unfold the open unit's statute in the tree."""
        statute, _ = split_id(self.walk.unit_id)
        if statute and statute not in self.opened:
            self.opened.append(statute)


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("corpus.title"), anchor=False)
    try:
        snapshot = current_snapshot(*context.here, context.by)
    except UserError as error:
        if error.code != "corpus_missing":
            raise
        st.info(context.say("corpus.empty"), icon=":material/database:")
        return
    # Not in the fragment: Back redraws the whole page, and during fast clicks the address sent with
    # a fragment's run lags behind.
    _view(context.project).follow_address(st.query_params.get(_UNIT, ""))
    _browser(context, snapshot)


@fragment
def _browser(context: Context, snapshot: SnapshotView) -> None:
    """Draw tree and unit as a fragment, so that a step redraws only them."""
    view = _view(context.project)
    left, right = st.columns([3, 8], gap="medium")
    with left:
        _tree(context, snapshot, view)
    with right:
        _reading_or_map(context, snapshot.id, view)


def _reading_or_map(context: Context, snapshot_id: int, view: View) -> None:
    """Draw the chosen side: open unit, map, readings of the law, or pasted text."""
    key = f"corpus-side-{view.opened_units}"  # a new widget, back at its default
    side = choose(context, "law_map.show", SIDES, "law_map.view", key)
    if side == "map":
        draw_map(context, lambda unit: _open_unit(view, unit))
    elif side == "citations":
        draw_citation_reading(context)
    elif side == "readings":
        draw_counts(context, lambda unit: _open_unit(view, unit, "readings"))
    else:
        _unit(context, snapshot_id, view)


def _open_unit(view: View, unit: str, below: str = "") -> None:
    """Open a unit in the view, with the panel `below` if given; reruns the page."""
    view.below = below or view.below
    view.act({"kind": "go", "unit": unit})
    st.rerun()


def _view(project: str) -> View:
    """Return this session's view, kept when a newer snapshot is put in use."""
    view = st.session_state.get(_VIEW)
    if isinstance(view, View) and view.project != project:
        st.query_params.pop(_UNIT, None)  # it names a unit of another project
        view = None
    if not isinstance(view, View):
        view = st.session_state[_VIEW] = View(project, Walk(""))
    return view


def _panel(view: View, kind: str, data: dict[str, Any], height: str) -> None:
    """Draw a component, whose requests the view carries out."""
    key = _PARTS[kind]
    graph_panel.draw_panel(
        kind, data, key, height, lambda: view.act(graph_panel.panel_request(key))
    )


def _tree(context: Context, snapshot: SnapshotView, view: View) -> None:
    """Draw the statutes as a tree with a search field."""
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
        with st.spinner(context.say("corpus.searching")):
            hits = search_units(workspace, snapshot.id, query, _HITS + 1)  # one more: are there?
        words = "corpus.found_first" if len(hits) > _HITS else "corpus.found"
        st.caption(context.say(words, count=min(len(hits), _HITS)))
        told = hits_part(query, hits[:_HITS], view.walk.unit_id, language)
    else:
        size = {"statutes": f"{len(lines):,}", "units": f"{sum(one.units for one in lines):,}"}
        st.caption(md_literal(context.say("corpus.snapshot", name=snapshot.name, **size)))
        opened = {name: chapters(workspace, snapshot.id, name) for name in view.opened}
        told = tree_part(lines, opened, view.walk.unit_id, view.wanted, language)
    _panel(view, "statute_tree", told, _TREE_HEIGHT)


def _unit(context: Context, snapshot_id: int, view: View) -> None:
    """Draw the open unit: text, citations, graph."""
    walk, language = view.walk, context.language
    if not walk.unit_id:
        st.info(context.say("corpus.pick"), icon=":material/arrow_back:")
        return
    try:
        page = unit_page(context.workspace, snapshot_id, walk.unit_id)
    except UserError as error:
        if error.code == "graph_missing":
            _draw_build_graph(context)
        else:
            said = context.say("corpus.not_here", unit=walk.unit_id)
            st.info(md_literal(said), icon=":material/arrow_back:")
        return
    st.query_params[_UNIT] = view.address = walk.unit_id
    sources = unit_sources(*context.here, snapshot_id, walk.unit_id, context.by)
    told = unit_part(page, language, sources)
    _panel(view, "unit_view", told, _UNIT_HEIGHT)
    draw_pages(context, sources)
    view.below = choose(
        context, "readings.below", BELOW, "readings.show", "corpus-below", view.below
    )
    if view.below == "readings":
        draw_unit_readings(context, walk.unit_id)
        return
    found = neighbourhood(
        context.workspace, snapshot_id, walk.unit_id, walk.types, walk.hops, graph_panel.LIMIT
    )
    _panel(view, "graph_panel", graph_panel.panel_data(walk, found, language), _GRAPH_HEIGHT)


def _draw_build_graph(context: Context) -> None:
    """Draw the button that builds the citation graph."""
    st.info(context.say("corpus.no_graph"), icon=":material/hub:")
    if st.button(context.say("corpus.build"), icon=":material/hub:", key="corpus-build"):
        with progress_bar(context, "corpus.building") as report:
            build(*context.here, report)
        st.rerun()
