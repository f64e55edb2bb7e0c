"""Map of the law: filters, drawing, and an equivalent table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

import streamlit as st

from corpus.model import Tier
from pages.law import map_drawing
from pages.shell.context import Context
from pages.shell.widgets import choose, download_row, draw_table, pick_row
from services.law.graph.law_map import (
    MOST_NODES,
    TYPES,
    LawMap,
    MapQuery,
    Nodes,
    as_csv,
    as_json,
    communities_of,
    law_map,
    name_of,
    summary,
)
from services.law.overview import current_snapshot, statutes

_T = TypeVar("_T")
_SIZES = (50, 100, 150, 200, MOST_NODES)
_SCOPES = ("statutes", "statute", "community")
_LARGE = 30_000  # units above which communities are computed on request only


@dataclass(slots=True)
class _Asked:
    """A session's choices for the map; `turn` is part of its widgets' keys.

    A click that changes the choices also changes `turn`, so that widgets show them.
    """

    project: str
    scope: str = "statutes"
    query: MapQuery = field(default_factory=MapQuery)
    community: int = 1
    turn: int = 0
    found_in: int = 0  # a large snapshot whose communities were requested
    answers: tuple[str | None, ...] = ()  # the nodes selected in drawing and table in the last run

    def show_units_of(self, statute: str) -> None:
        """Go from a statute to its units."""
        self.scope, self.turn, self.answers = "statute", self.turn + 1, ()
        self.query = replace(self.query, statute=statute, text="")


def draw_map(context: Context, open_unit: Callable[[str], None]) -> None:
    """Draw the map with its filters; a click on a unit calls `open_unit` with its id."""
    asked = _map_choices(context)
    query = _choice(context, asked)
    if query is None:
        return
    with st.spinner(context.say("law_map.drawing")):
        drawn = law_map(*context.here, query, context.by)
    if not drawn.nodes:
        st.info(context.say("law_map.none"), icon=":material/filter_alt_off:")
        return
    st.markdown(summary(drawn, context.language))
    named = "place" if asked.scope == "statute" and query.statute else "title"
    pressed = map_drawing.canvas(drawn, named)
    map_drawing.legend(context, drawn)
    picked = _table(context, drawn, asked)
    files = {"csv": as_csv(drawn), "json": as_json(drawn)}
    download_row(context, "law_map.download_", files, f"{context.project}-map", "law-map")
    _open_selected(asked, drawn, (pressed, picked), open_unit)


def _map_choices(context: Context) -> _Asked:
    asked = st.session_state.get("law_map")
    if not isinstance(asked, _Asked) or asked.project != context.project:
        asked = st.session_state["law_map"] = _Asked(context.project)
    return asked


def _choice(context: Context, asked: _Asked) -> MapQuery | None:
    """Draw the filters; return the query, None if a choice is still missing."""
    key = f"law-map-{asked.turn}"
    asked.scope = choose(
        context, "law_map.show", _SCOPES, "law_map.scope", f"{key}-scope", asked.scope, titled=True
    )
    query = replace(asked.query, nodes=Nodes.UNITS, community=0)
    if asked.scope == "statutes":
        query = replace(query, nodes=Nodes.STATUTES, statute="")
    elif asked.scope == "statute":
        query = replace(query, statute=_statute(context, query.statute, f"{key}-statute"))
    else:
        found = _community(context, asked, f"{key}-community")
        if not found:
            return None
        query = replace(query, statute="", community=found)
    asked.query = _with_filters(context, query, key)
    return asked.query


def _statute(context: Context, chosen: str, key: str) -> str:
    snapshot = current_snapshot(*context.here, context.by)
    titles = {"": context.say("law_map.all_statutes")}
    titles |= {line.statute_id: line.title for line in statutes(context.workspace, snapshot.id)}
    names = list(titles)
    at = names.index(chosen) if chosen in titles else 0
    label = context.say("law_map.of_statute")
    return str(st.selectbox(label, names, at, format_func=lambda name: titles[name], key=key))


def _community(context: Context, asked: _Asked, key: str) -> int:
    """Return the number of the chosen community; 0 if they are not computed."""
    snapshot = current_snapshot(*context.here, context.by)
    units = sum(line.units for line in statutes(context.workspace, snapshot.id))
    if units > _LARGE and asked.found_in != snapshot.id:
        st.info(context.say("law_map.large", units=f"{units:,}"), icon=":material/schedule:")
        if not st.button(context.say("law_map.find"), key=f"{key}-find"):
            return 0
        asked.found_in = snapshot.id
        st.rerun()
    with st.spinner(context.say("law_map.finding")):
        lines = {one.number: one for one in communities_of(*context.here, context.by)}
    if not lines:
        st.info(context.say("graph_report.communities_none"))
        return 0
    names = {
        number: context.say(
            "law_map.community",
            number=number,
            units=one.units,
            statute=one.statute,
            share=one.share,
        )
        for number, one in lines.items()
    }
    label, at = context.say("law_map.of_community"), min(asked.community, len(lines)) - 1
    asked.community = st.selectbox(label, list(names), at, format_func=lambda n: names[n], key=key)
    return asked.community


def _with_filters(context: Context, query: MapQuery, key: str) -> MapQuery:
    """Draw further filters; return the query with them. No tier or type chosen means all."""
    say = context.say
    with st.container(horizontal=True, vertical_alignment="bottom"):
        words, sizes = say("law_map.text"), say("law_map.most")
        text = st.text_input(words, query.text, max_chars=200, key=f"{key}-text", width=260)
        at = _SIZES.index(query.most)
        most = st.selectbox(sizes, _SIZES, at, key=f"{key}-most", width=130)
        with st.popover(say("law_map.more"), icon=":material/filter_alt:"):
            tiers = _pills(context, "tiers", tuple(Tier), query.tiers, key)
            types = _pills(context, "types", TYPES, query.types, key)
    return replace(query, text=text, most=most, tiers=tiers, types=types)


def _pills(
    context: Context, name: str, options: tuple[_T, ...], chosen: tuple[_T, ...], key: str
) -> tuple[_T, ...]:
    """Draw a multiple choice; none chosen means all."""
    words = {"tiers": "mapping.tier.", "types": "corpus.edge."}[name]
    found = st.pills(
        context.say(f"law_map.{name}"),
        options,
        selection_mode="multi",
        default=None if chosen == options else chosen,
        format_func=lambda each: context.say(f"{words}{each}"),
        key=f"{key}-{name}",
    )
    return tuple(each for each in options if each in found) or options


def _table(context: Context, drawn: LawMap, asked: _Asked) -> str | None:
    """Draw nodes and edges as tables; return the id of the node whose row is selected."""
    say, names = context.say, {node.id: name_of(node) for node in drawn.nodes}
    st.caption(say(f"law_map.pick.{drawn.query.nodes}"))
    columns = {
        "node": list(names.values()),
        "tier": [say(f"mapping.tier.{int(node.tier)}") for node in drawn.nodes],
        "degree": [node.degree for node in drawn.nodes],
    }
    row = pick_row(context, "law_map.column", columns, f"law-map-{hash(drawn.query)}", wide="node")
    with st.expander(say("law_map.all_edges"), icon=":material/arrow_right_alt:"):
        columns = {
            "source": [names[edge.source] for edge in drawn.edges],
            "type": [say(f"corpus.edge.{edge.type}") for edge in drawn.edges],
            "target": [names[edge.target] for edge in drawn.edges],
            "citations": [edge.count for edge in drawn.edges],
        }
        draw_table(context, "law_map.column", columns)
    return None if row is None else drawn.nodes[row].id


def _open_selected(
    asked: _Asked,
    drawn: LawMap,
    answers: tuple[str | None, ...],
    open_unit: Callable[[str], None],
) -> None:
    """Open the node that was clicked in this run: selections persist across runs."""
    before = asked.answers or (None,) * len(answers)
    new = [now for now, then in zip(answers, before, strict=True) if now and now != then]
    asked.answers = answers
    if not new:
        return
    if drawn.query.nodes is Nodes.UNITS:
        open_unit(new[0])
    else:
        asked.show_units_of(new[0])
        st.rerun()
