"""Commands about citations: parse a text; build, walk, describe and map the graph."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from commands.shell.arguments import argument, option
from commands.shell.groups import CITATIONS, GRAPH
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State
from commands.shell.tables import check_ending, write_table
from errors import UserError, Where, require_known

if TYPE_CHECKING:
    from corpus.graph.model import EdgeType
    from retrieval.text.tokenise import TokenCount
    from services.law.graph.citation_graph import Neighbourhood
    from services.law.graph.law_map import LawMap

_TYPES = option("Walk only edges of this type; may be repeated.", "--type")
_HOPS = option("How many steps to walk.", "--hops", min=1, max=4)
_LIMIT = option("How many nodes to show at most.", "--limit", min=1)


@GRAPH.command("build")
def build(state: State) -> None:
    """Build the citation graph of the snapshot in use. A graph that is there stays as it is."""
    from services.law.graph.citation_graph import build as build_graph

    with state.progress("Reading citations") as report:
        done = build_graph(*state.chosen, report)
    verb = "Built a graph of" if done.new else "Already there: a graph of"
    lines = [f"{verb} {done.edges:,} edges from {done.references:,} citations."]
    lines += [f"  {kind}: {count:,}" for kind, count in done.by_type.items()]
    state.emit(asdict(done), lines)


@GRAPH.command("neighbours")
def neighbours(
    state: State,
    unit: Annotated[str, argument("A unit's id, such as 건축법_64조.")],
    types: Annotated[list[str] | None, _TYPES] = None,
    hops: Annotated[int, _HOPS] = 1,
    limit: Annotated[int, _LIMIT] = 60,
) -> None:
    """Show the units around one unit in the citation graph, nearest first."""
    from services.law.graph.citation_graph import neighbourhood
    from services.law.overview import current_snapshot

    snapshot = current_snapshot(*state.chosen).id
    wanted = _edge_types(types)
    found = neighbourhood(state.workspace, snapshot, unit, wanted, hops, limit)
    state.emit(_neighbourhood_json(found), _neighbourhood_lines(found))


def _edge_types(
    names: list[str] | None, known_types: Sequence[EdgeType] = ()
) -> list[EdgeType] | None:
    """Return the edge types of these names, None without any. Raises UserError if unknown."""
    from corpus.graph.model import EdgeType

    known = [kind.value for kind in known_types or EdgeType]
    for name in names or ():
        require_known("edge_type_unknown", known, type=name)
    return [EdgeType(name) for name in names] if names else None


def _neighbourhood_json(found: Neighbourhood) -> dict[str, object]:
    shown = ("statute", "label", "heading", "tier")
    nodes = [
        {"unit": node.unit_id} | {name: getattr(node, name) for name in shown}
        for node in found.nodes
    ]
    of_edge = ("source", "target", "type", "origin", "start", "end", "pinpoint", "part")
    edges = [{name: getattr(edge, name) for name in of_edge} for edge in found.edges]
    return {"nodes": nodes, "edges": edges, "capped": found.capped}


def _neighbourhood_lines(found: Neighbourhood) -> list[str]:
    lines = [f"{node.unit_id}  {node.heading}".rstrip() for node in found.nodes]
    for each in found.edges:  # with the citing part and the offsets of the citation
        source = f"{each.source} {each.part}".rstrip()
        words = f" [{each.start}-{each.end}]" if each.end else ""
        line = f"{source}{words} --{each.type.value}--> {each.target} {each.pinpoint}"
        lines.append(line.rstrip())
    if found.capped:
        lines.append(f"There are more; only the first {len(found.nodes)} nodes are shown.")
    return lines


@GRAPH.command("report")
def report(
    state: State,
    output: Output = None,
    language: Language = "en",
    tokeniser: Annotated[
        str, option("What tokens are counted by: whitespace or morphemes.")
    ] = "whitespace",
    tokenizer_file: Annotated[
        Path | None,
        option("Count by this file instead: a tokenizer.json of Hugging Face."),
    ] = None,
    split: Annotated[
        list[str] | None,
        option("Column of the questions whose gold has figures by value; repeatable."),
    ] = None,
) -> None:
    """Describe the citation graph: counts, lengths, components, communities, hubs, references."""
    from evaluation.ranking.compare import CROSSED
    from services.law.graph.report import graph_report
    from services.law.graph.report_tables import as_report

    check_output(output)
    with state.progress("Describing") as report:
        tokens = _token_count(tokeniser, tokenizer_file)
        by = CROSSED.join(split or ())
        done = graph_report(*state.chosen, tokens, progress=report, split=by)
    emit_report(state, as_report(done, language), output)


def _token_count(name: str, file: Path | None) -> TokenCount:
    """Return what counts tokens: a ``tokenizer.json`` if given, else the tokeniser of that name."""
    from retrieval.text.tokenise import LARGEST, by_file, by_tokeniser

    if file is None:
        return by_tokeniser(name)
    try:
        with file.open("rb") as stream:
            return by_file(stream.read(LARGEST + 1), file.name)
    except OSError as error:
        raise UserError("tokenizer_unreadable", Where(str(file))) from error


@GRAPH.command("map")
def map_law(
    state: State,
    statute: Annotated[str, option("Map the units of this statute, by its id.")] = "",
    community: Annotated[
        int | None,
        option("Map the units of this community; 1 is the largest.", min=1),
    ] = None,
    units: Annotated[bool, option("Map units of all statutes, not statutes.", "--units")] = False,
    tiers: Annotated[
        list[int] | None,
        option("Only this authority tier; may be repeated.", "--tier", min=1, max=5),
    ] = None,
    types: Annotated[
        list[str] | None, option("Only edges of this type; may be repeated.", "--type")
    ] = None,
    text: Annotated[str, option("Only nodes whose name has these words.")] = "",
    limit: Annotated[int, option("How many nodes at most.", min=1, max=300)] = 150,
    output: Annotated[
        Path | None, option("Write nodes, edges and places to this file: .csv or .json.")
    ] = None,
) -> None:
    """Map the law: statutes or units joined to most others, edges among them, where they stand."""
    from corpus.model import Tier
    from services.law.graph.law_map import TYPES, MapQuery, Nodes, as_csv, as_json, law_map

    check_ending(output, ".csv", ".json", error="map_ending")
    of_units = units or bool(statute) or bool(community)
    nodes = Nodes.UNITS if of_units else Nodes.STATUTES
    chosen = tuple(Tier(tier) for tier in sorted(set(tiers or ()))) or tuple(Tier)
    kinds = tuple(_edge_types(types, TYPES) or TYPES)
    query = MapQuery(nodes, statute, community or 0, chosen, kinds, text, limit)
    drawn = law_map(*state.chosen, query)
    write_table(output, drawn, {".csv": as_csv, ".json": as_json})
    state.emit(asdict(drawn), list(_map_lines(drawn)))


def _map_lines(drawn: LawMap) -> Iterator[str]:
    from services.law.graph.law_map import name_of, summary

    yield summary(drawn)
    yield from (f"{n.degree:>6,}  {n.id}  {name_of(n)}  ({n.x}, {n.y})" for n in drawn.nodes)
    yield from (f"{e.source} --{e.type.value}--> {e.target}  {e.count:,}" for e in drawn.edges)


@CITATIONS.command("read")
def read(
    state: State,
    text: Annotated[str, argument("The text; left out where --file names one.")] = "",
    file: Annotated[Path | None, option("A text file (UTF-8).")] = None,
) -> None:
    """Read every citation of a text in the law in use: its status, the units meant, and why."""
    from corpus.files.rows import printable, read_text
    from services.law.citations import read_citations

    name = "" if file is None else printable(str(file))
    said = text if file is None else read_text(file, name)
    found = read_citations(*state.chosen, said, name=name).citations
    lines = []
    for each in found:
        at, status = each.resolution.citation, each.resolution.status
        lines += [f"[{at.start}-{at.end}] {at.text}: {status}", f"  {each.why()}"]
        if each.resolution.unit_ids:
            lines.append(f"  Candidates: {', '.join(each.resolution.unit_ids)}")
    state.emit([each.as_dict() for each in found], lines or ["No citation was found."])
