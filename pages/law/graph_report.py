"""Graph report screen: statistics of the citation graph of the snapshot in use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from annotation.people.roles import Act
from corpus.graph.model import WALKED, EdgeType, Origin
from corpus.graph.report import Components, GoldTopology, GraphReport, Hub, Spread
from pages.law.law_map import draw_map
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.navigation import open_screen
from pages.shell.notices import draw_head, progress_bar
from pages.shell.widgets import choose, download_row, draw_table
from retrieval.text.tokenise import LARGEST, OFFERED, WHITESPACE, TokenCount, by_file, by_tokeniser
from services.law.graph.report import as_csv, as_markdown, graph_report
from services.law.overview import current_snapshot, statutes

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
    _downloads(context, found)
    _totals(context, found)
    left, right = st.columns(2, gap="large")
    with left:
        _nodes(context, found)
        _lengths(context, found)
    with right:
        _edges(context, found)
        _components(context, found)
        _communities(context, found)
    _references(context, found)
    for column, name, hubs in zip(
        st.columns(2, gap="large"), ("cited", "citing"), (found.cited, found.citing), strict=True
    ):
        with column:
            _hubs(context, name, hubs)
    if found.gold is not None:
        _gold(context, found.gold, found.gold_set)
    if context.may(Act.SEE_SCORES):
        st.caption(context.say("graph_report.hit_rate"))


@fragment
def _map(context: Context) -> None:
    draw_map(context, lambda unit: open_screen("corpus", unit=unit))


def _graph_report(context: Context) -> GraphReport | None:
    """Return the report with the chosen token count; None if tokens cannot be counted."""
    found = None
    with guarded(context.language):
        tokens = _tokens(context)
        with progress_bar(context, "graph_report.making") as report:
            found = graph_report(*context.here, tokens, context.by, report)
    return found


def _tokens(context: Context) -> TokenCount:
    """Draw the choice of tokeniser; white space until a file is given."""
    say = context.say
    left, right = st.columns([1, 2], vertical_alignment="bottom")
    chosen = left.selectbox(
        say("graph_report.tokeniser_label"),
        [*OFFERED, _FILE],
        format_func=lambda each: say(f"graph_report.tokeniser.{each}"),
        help=say("graph_report.tokeniser_help"),
        key="graph-report-tokens",
    )
    if chosen != _FILE:
        return by_tokeniser(str(chosen))
    file = right.file_uploader(
        say("graph_report.tokeniser_file"),
        ["json"],
        max_upload_size=LARGEST >> 20,
        key="graph-report-tokenizer",
    )
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


def _downloads(context: Context, found: GraphReport) -> None:
    files = {"csv": as_csv(found), "md": as_markdown(found)}
    name = f"{context.project}-graph"
    download_row(context, "graph_report.download_", files, name, "graph-report")


def _totals(context: Context, found: GraphReport) -> None:
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
    for column, (name, (value, hint)) in zip(st.columns(len(shown)), shown.items(), strict=True):
        column.metric(say(f"graph_report.{name}"), value, border=True, help=hint)


def _nodes(context: Context, found: GraphReport) -> None:
    say = context.say
    st.header(say("graph_report.nodes"), anchor=False)
    kinds = [kind for kind, count in found.nodes.items() if count]
    columns = {
        "kind": [say(f"graph_report.level.{kind}") for kind in kinds],
        "count": [found.nodes[kind] for kind in kinds],
        "orphans": [found.orphans.get(kind) for kind in kinds],
    }
    _table(context, columns)
    tiers = [tier for tier, count in found.tiers.items() if count]
    columns = {
        "tier": [f"{n} · {say(f'mapping.tier.{n}')}" for n in tiers],
        "count": [found.tiers[n] for n in tiers],
    }
    _table(context, columns)
    st.caption(say("graph_report.orphans_note", deleted=f"{found.orphans_deleted:,}"))


def _edges(context: Context, found: GraphReport) -> None:
    say = context.say
    st.header(say("graph_report.edges"), anchor=False)
    kinds = list(found.edges)
    origins = [o for o in Origin if any(found.edges[kind].get(o) for kind in kinds)]
    columns: dict[str, Sequence[object]] = {
        "type": [say(f"corpus.edge.{kind}") for kind in kinds],
        "total": [sum(found.edges[kind].values()) for kind in kinds],
    }
    for origin in origins:
        name = say(f"graph_report.origin.{origin}")
        columns[name] = [found.edges[kind].get(origin, 0) for kind in kinds]
    _table(context, columns)


def _lengths(context: Context, found: GraphReport) -> None:
    say = context.say
    st.header(say("graph_report.lengths"), anchor=False)
    _spreads(
        context,
        {
            "characters": found.characters,
            "tokens": found.tokens,
            "sub_items": found.sub_items,
        },
    )
    n = found.characters.n if found.characters else 0
    st.caption(
        md_literal(
            say("graph_report.lengths_note", n=f"{n:,}", tokeniser=_tokeniser_name(context, found))
        )
    )


def _spreads(context: Context, named: Mapping[str, Spread | None]) -> None:
    rows = {name: spread for name, spread in named.items() if spread is not None}
    spreads: list[Spread] = list(rows.values())
    columns = {
        "unit": [context.say(f"graph_report.{name}") for name in rows],
        "mean": [round(spread.mean, 1) for spread in spreads],
        "p50": [round(spread.p50) for spread in spreads],
        "p75": [round(spread.p75) for spread in spreads],
        "p95": [round(spread.p95) for spread in spreads],
        "largest": [spread.largest for spread in spreads],
    }
    _table(context, columns)


def _gold(context: Context, gold: GoldTopology, name: str) -> None:
    say = context.say
    st.header(say("graph_report.gold"), anchor=False)
    st.caption(say(f"gold_sets.name.{name}"))
    left, right = st.columns(2, gap="large")
    with left:
        _spreads(
            context,
            {
                "provisions_per_question": gold.provisions,
                "statutes_per_question": gold.documents,
                "hops": gold.hops,
            },
        )
        _table(
            context,
            {"hops": list(gold.by_hops), "questions": list(gold.by_hops.values())},
        )
        chains = {"chains": f"{gold.chains:,}", "several": f"{gold.several:,}"}
        st.caption(say("graph_report.gold_note", n=f"{gold.questions:,}", **chains))
    with right:
        columns = {
            "provision": [hub.unit_id for hub in gold.cited],
            "questions": [hub.degree for hub in gold.cited],
        }
        _table(context, columns)


def _tokeniser_name(context: Context, found: GraphReport) -> str:
    if found.tokeniser in OFFERED:
        return context.say(f"graph_report.tokeniser.{found.tokeniser}")
    return found.tokeniser


def _components(context: Context, found: GraphReport) -> None:
    say = context.say
    st.header(say("graph_report.components"), anchor=False)
    names = ("without_part_of", "with_part_of")
    rows: list[Components] = [found.without_part_of, found.with_part_of]
    columns = {
        "edges_used": [say(f"graph_report.{name}") for name in names],
        "count": [row.count for row in rows],
        "single": [row.single for row in rows],
        "largest_component": [row.largest for row in rows],
        "spans": [row.statutes for row in rows],
        "bridging": [row.bridging for row in rows],
    }
    _table(context, columns)
    st.caption(say("graph_report.components_note"))


def _communities(context: Context, found: GraphReport) -> None:
    say, each = context.say, found.communities
    st.header(say("graph_report.communities"), anchor=False)
    if each.modularity is None:
        st.markdown(say("graph_report.communities_none"))
        return
    method = say(f"graph_report.{each.method}")
    told = {"count": f"{each.count:,}", "modularity": f"{each.modularity:.3f}"}
    st.markdown(say("graph_report.communities_said", method=method, **told))
    columns = {
        "community": list(range(1, len(each.sizes) + 1)),
        "nodes": list(each.sizes),
        "statutes": list(each.statutes),
    }
    _table(context, columns)


def _references(context: Context, found: GraphReport) -> None:
    say, rows = context.say, found.references
    st.header(say("graph_report.references"), anchor=False)
    totals = [row.resolved + row.ambiguous + row.unresolved for row in rows]
    shares = [100 * row.resolved / total for row, total in zip(rows, totals, strict=True)]
    names = [say(f"graph_report.form_name.{row.form}") for row in rows]
    share = say("graph_report.share")
    columns = {
        "form": names,
        "resolved_count": [row.resolved for row in rows],
        "ambiguous": [row.ambiguous for row in rows],
        "unresolved": [row.unresolved for row in rows],
        share: [round(value, 1) for value in shares],
    }
    _table(context, columns)
    if found.reasons:
        columns = {
            "reason": [say(f"graph_report.why.{reason}") for reason in found.reasons],
            "count": list(found.reasons.values()),
        }
        _table(context, columns)


def _hubs(context: Context, name: str, hubs: Sequence[Hub]) -> None:
    say = context.say
    st.header(say(f"graph_report.{name}"), anchor=False)
    columns = {
        "provision": [hub.unit_id for hub in hubs],
        "degree": [hub.degree for hub in hubs],
    }
    _table(context, columns)
    st.caption(say("graph_report.hubs_note"))


def _table(context: Context, columns: Mapping[str, Any]) -> None:
    numbers = {
        name: st.column_config.NumberColumn(format="localized")
        for name, values in columns.items()
        if any(isinstance(value, (int, float)) for value in values)
    }
    shown: dict[str, Any] = {"config": numbers, "height": "content", "placeholder": "–"}
    draw_table(context, "graph_report", columns, **shown)
