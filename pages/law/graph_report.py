"""Graph report screen: statistics of the citation graph of the snapshot in use."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from corpus.graph.model import WALKED, EdgeType
from corpus.graph.report import GraphReport
from pages.law.law_map import draw_map
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, guarded
from pages.shell.navigation import open_screen
from pages.shell.notices import draw_head, progress_bar
from pages.shell.reports import draw_report
from pages.shell.widgets import choose, draw_metrics
from retrieval.text.tokenise import LARGEST, OFFERED, WHITESPACE, TokenCount, by_file, by_tokeniser
from services.law.graph.report import graph_report
from services.law.graph.report_tables import as_report
from services.law.overview import current_snapshot, statutes
from services.runs.strata import strata_of

_LARGE = 30_000  # units above which the report is computed on request only
_FILE = "file"
_ASKED = "graph_report_asked"
_VIEW = "graph-report-view"


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "graph_report")
    if choose(context, "law_map.show", ("figures", "map"), "law_map.view", _VIEW) == "map":
        _map(context)
        return
    if not _confirmed(context):
        return
    found = _graph_report(context)
    if found is None:
        return
    _totals(context, found)
    report = as_report(found, context.language)
    chosen = draw_report(context, report, "graph")
    for section in report.filled:
        row = chosen[section.name]
        if row is not None:
            unit = section.sheet.rows[row][section.sheet.at("provision")]
            open_screen("corpus", unit=str(unit))
    if context.may(Act.SEE_SCORES):
        st.caption(context.say("graph_report.hit_rate"))


@fragment
def _map(context: Context) -> None:
    """Draw the map of the law, whose nodes open their unit."""
    draw_map(context, lambda unit: open_screen("corpus", unit=unit))


def _graph_report(context: Context) -> GraphReport | None:
    """Draw the choices of the report; return the report, None if an error was shown."""
    with guarded(context.language):
        tokens = _tokens(context)
        with progress_bar(context, "graph_report.making") as report:
            split = _split(context) if context.may(Act.SEE_SCORES) else ""
            return graph_report(*context.here, tokens, context.by, report, split)
    return None


def _split(context: Context) -> str:
    """Draw the choice of a question column to split by, if any; return it, "" for none."""
    known = strata_of(*context.here, context.by)
    if not known:
        return ""
    place, _ = Fields(context, "graph_report", "graph-report").row([1, 2])
    return place.pick("split", ["", *known], lambda each: each or "–")


def _tokens(context: Context) -> TokenCount:
    """Draw the choice of a tokeniser; return it, white space while its file is missing."""
    say = context.say
    fields = Fields(context, "graph_report", "graph-report")
    left, right = fields.row([1, 2], vertical_alignment="bottom")
    offered, words = (*OFFERED, _FILE), "graph_report.tokeniser"
    about = {"key": "tokens", "help": say("graph_report.tokeniser_help")}
    chosen = left.pick("tokeniser_label", offered, words, **about)
    if chosen != _FILE:
        return by_tokeniser(chosen)
    largest = LARGEST >> 20
    file = right.file("tokeniser_file", ["json"], max_upload_size=largest, key="tokenizer")
    if file is None:
        st.info(say("graph_report.tokeniser_wanted"), icon=":material/upload_file:")
        return by_tokeniser(WHITESPACE)
    return by_file(file.getvalue(), file.name)


def _confirmed(context: Context) -> bool:
    """Return whether to compute the report now; a large corpus needs a confirmation."""
    snapshot = current_snapshot(*context.here, context.by)
    units = sum(line.units for line in statutes(context.workspace, snapshot.id))
    if units <= _LARGE or st.session_state.get(_ASKED) == snapshot.id:
        return True
    st.info(context.say("graph_report.large", units=f"{units:,}"), icon=":material/schedule:")
    if st.button(context.say("graph_report.make"), type="primary", key="graph-report-make"):
        st.session_state[_ASKED] = snapshot.id
        st.rerun()
    return False


def _totals(context: Context, found: GraphReport) -> None:
    """Draw the numbers of nodes, edges and resolved citations."""
    say = context.say
    citations = sum(
        sum(origins.values())
        for kind, origins in found.edges.items()
        if kind in WALKED and kind is not EdgeType.PARALLEL  # which is not read from the text
    )
    resolved = sum(row.resolved for row in found.references)
    total = sum(row.resolved + row.ambiguous + row.unresolved for row in found.references)
    share = f"{resolved / total:.1%}" if total else "–"
    counts = say("graph_report.resolved_help", resolved=f"{resolved:,}", total=f"{total:,}")
    shown = {
        "statutes": (f"{found.statutes:,}", None),
        "units": (f"{found.units:,}", None),
        "citations": (f"{citations:,}", say("graph_report.citations_help")),
        "resolved": (share, counts),
    }
    draw_metrics({say(f"graph_report.{name}"): each for name, each in shown.items()})
