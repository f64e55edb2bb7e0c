"""Commands that build the citation graph and walk it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from commands.state import State
from errors import UserError

if TYPE_CHECKING:
    from corpus.graph.model import Edge, EdgeType
    from services.law.graph.citation_graph import Neighbourhood

_TYPES = typer.Option("--type", help="Walk only edges of this type; may be repeated.")
_HOPS = typer.Option("--hops", min=1, max=4, help="How many steps to walk.")
_LIMIT = typer.Option("--limit", min=1, help="How many nodes to show at most.")


def build(context: typer.Context) -> None:
    """Build the citation graph of the snapshot in use. A graph that is there stays as it is."""
    from services.law.graph.citation_graph import build as build_graph

    state: State = context.obj
    with state.progress("Reading citations") as report:
        done = build_graph(state.workspace, state.project_slug(), report)
    verb = "Built a graph of" if done.new else "Already there: a graph of"
    lines = [f"{verb} {done.edges:,} edges from {done.references:,} citations."]
    lines += [f"  {kind}: {count:,}" for kind, count in done.by_type.items()]
    state.emit(done.as_dict(), lines)


def neighbours(
    context: typer.Context,
    unit: Annotated[str, typer.Argument(help="A unit's id, such as 건축법_64조.")],
    types: Annotated[list[str] | None, _TYPES] = None,
    hops: Annotated[int, _HOPS] = 1,
    limit: Annotated[int, _LIMIT] = 60,
) -> None:
    """Show the units around one unit in the citation graph, nearest first."""
    from services.law.graph.citation_graph import neighbourhood
    from services.law.outline import current_snapshot

    state: State = context.obj
    snapshot = current_snapshot(state.workspace, state.project_slug()).id
    wanted = _edge_types(types)
    found = neighbourhood(state.workspace, snapshot, unit, wanted, hops, limit)
    state.emit(_as_dict(found), _lines(found))


def _edge_types(names: list[str] | None) -> list[EdgeType] | None:
    from corpus.graph.model import EdgeType

    known = [kind.value for kind in EdgeType]
    for name in names or ():
        if name not in known:
            raise UserError("edge_type_unknown", type=name, known=", ".join(known))
    return [EdgeType(name) for name in names] if names else None


def _as_dict(found: Neighbourhood) -> dict[str, object]:
    nodes = [
        {
            "unit": node.unit_id,
            "statute": node.statute,
            "label": node.label,
            "heading": node.heading,
            "tier": int(node.tier),
        }
        for node in found.nodes
    ]
    return {"nodes": nodes, "edges": [_edge(e) for e in found.edges], "capped": found.capped}


def _edge(edge: Edge) -> dict[str, object]:
    return {
        "source": edge.source,
        "target": edge.target,
        "type": edge.type.value,
        "origin": edge.origin.value,
        "start": edge.start,
        "end": edge.end,
        "pinpoint": edge.pinpoint,
        "part": edge.part,
    }


def _lines(found: Neighbourhood) -> list[str]:
    lines = [f"{node.unit_id}  {node.heading}".rstrip() for node in found.nodes]
    lines += [_said(edge) for edge in found.edges]
    if found.capped:
        lines.append(f"There are more; only the first {len(found.nodes)} nodes are shown.")
    return lines


def _said(edge: Edge) -> str:
    """Return the edge with the part that it comes from and where its words stand there."""
    source = f"{edge.source}{f' {edge.part}' if edge.part else ''}"
    words = f" [{edge.start}-{edge.end}]" if edge.end else ""
    return f"{source}{words} --{edge.type.value}--> {edge.target} {edge.pinpoint}".rstrip()
