"""Report on the citation graph of the snapshot in use: figures, CSV, Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import lru_cache

from annotation.people.roles import Act, may, reading_as
from corpus.graph.model import WALKED, Origin
from corpus.graph.report import (
    Components,
    FormCount,
    GoldTopology,
    GraphReport,
    Hub,
    Spread,
    describe,
    topology,
)
from corpus.long_work import Progress
from errors import UserError
from evaluation.tables import csv_text, markdown_lines
from retrieval.core.method import with_progress
from retrieval.text.tokenise import WHITESPACE as DEFAULT
from retrieval.text.tokenise import TokenCount, by_tokeniser
from services.gold.gold_set import gold_set
from storage.db.workspace import ByDatabase, Workspace
from storage.law.corpus import count_units, required_snapshot
from storage.law.graph import GraphView, edge_facts, graph_view, reference_facts, unit_facts
from storage.law.neighbours import edges_among, node_views, unit_numbers

WHITESPACE = by_tokeniser(DEFAULT)


def graph_report(
    ws: Workspace,
    project_slug: str,
    tokens: TokenCount = WHITESPACE,
    by: int | None = None,
    progress: Progress | None = None,
) -> GraphReport:
    """Return the report on the graph of the snapshot in use, cached in memory.

    `tokens` counts lengths in tokens. Readers who may see scores also get figures on the widest
    gold set. `progress` is called with (units read, all units). Raises UserError for an unknown
    project, one without law, one whose graph has not been built, for `by` (None: the operator) of
    another one, and for a tokenizer file that cannot be used.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project, person):
        snapshot = required_snapshot(session, project)
        view, units = graph_view(session, snapshot.id), count_units(session, snapshot.id)
    if view is None:
        raise UserError("graph_missing")
    told = replace(tokens, count=lambda texts: with_progress(tokens.count(texts), units, progress))
    found = _cached_report(ByDatabase.of(ws), snapshot.id, snapshot.content_hash, view, told)
    if person is not None and not may(person.role, Act.SEE_SCORES):
        return found
    gold = gold_set(ws, project_slug, name="")
    if not any(gold.qrels.values()):
        return found
    lies = _gold_topology(ws, snapshot.id, gold.qrels)
    return replace(found, gold=lies, gold_set=str(gold.name))


def _gold_topology(
    ws: Workspace, snapshot_id: int, gold: Mapping[str, Mapping[str, int]]
) -> GoldTopology:
    with ws.reading() as session:
        numbers = unit_numbers(
            session, snapshot_id, {unit for units in gold.values() for unit in units}
        )
        views = node_views(session, list(numbers.values()))
        edges = edges_among(session, views, WALKED)
    statutes = {view.unit_id: view.statute_id for view in views.values()}
    return topology(gold, statutes, [(edge.source, edge.target) for edge in edges])


@lru_cache(maxsize=4)
def _cached_report(
    source: ByDatabase, snapshot_id: int, _digest: str, _view: GraphView, tokens: TokenCount
) -> GraphReport:
    with source.ws.reading() as session:
        units = list(unit_facts(session, snapshot_id, tokens.count))
        edges = edge_facts(session, snapshot_id, units)
        return describe(units, edges, reference_facts(session, snapshot_id), tokens.said)


Cell = str | int | float
_HEAD = ("table", "row", "figure", "value")


@dataclass(frozen=True, slots=True)
class Table:
    """A named table: the first cell of a row is its name, the rest are figures under `columns`."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def tables(report: GraphReport) -> list[Table]:
    """Return the report as tables, complete."""
    return [
        Table("corpus", ("count",), (("statutes", report.statutes), ("units", report.units))),
        Table("nodes", ("count",), tuple(report.nodes.items())),
        Table("tiers", ("count",), tuple((str(t), n) for t, n in report.tiers.items())),
        _edges(report),
        _dataclass_table(
            "lengths",
            Spread,
            {
                "characters": report.characters,
                "tokens": report.tokens,
                "sub_items": report.sub_items,
            },
        ),
        Table("tokeniser", ("used",), (("tokens", report.tokeniser),)),
        _dataclass_table(
            "components",
            Components,
            {"with_part_of": report.with_part_of, "without_part_of": report.without_part_of},
        ),
        Table(
            "orphans", ("count",), (*report.orphans.items(), ("deleted", report.orphans_deleted))
        ),
        _communities(report),
        _hubs("cited", report.cited),
        _hubs("citing", report.citing),
        _reference_table(report.references),
        Table("not_resolved", ("count",), tuple(report.reasons.items())),
        *([] if report.gold is None else _gold(report.gold, report.gold_set)),
    ]


def _gold(gold: GoldTopology, name: str) -> list[Table]:
    spreads = {"provisions": gold.provisions, "documents": gold.documents, "hops": gold.hops}
    counts = ("questions", gold.questions), ("several", gold.several), ("chains", gold.chains)
    return [
        Table("gold_set", ("used",), (("name", name),)),
        _dataclass_table("gold", Spread, spreads),
        Table("gold_hops", ("questions",), tuple(gold.by_hops.items())),
        Table("gold_chains", ("count",), counts),
        Table("gold_cited", ("questions",), tuple((hub.unit_id, hub.degree) for hub in gold.cited)),
    ]


def as_csv(report: GraphReport) -> str:
    """Return one CSV of all tables with a line per figure: table, row, figure, value."""
    rows = (
        (table.name, row[0], column, value)
        for table in tables(report)
        for row in table.rows
        for column, value in zip(table.columns, row[1:], strict=True)
    )
    return csv_text((_HEAD, *rows))


def as_markdown(report: GraphReport) -> str:
    """Return the tables under headings; numbers are right-aligned."""
    return "\n".join(line for table in tables(report) for line in _markdown(table))


def _markdown(table: Table) -> Iterator[str]:
    yield f"## {table.name}\n"
    rows = (list(map(_formatted_cell, row)) for row in table.rows)
    rule = "|---|" + "---:|" * len(table.columns)
    yield from markdown_lines(("", *table.columns), rows, rule=rule)
    yield ""


def _formatted_cell(cell: Cell) -> str:
    if isinstance(cell, str):
        return cell
    return f"{cell:,}" if isinstance(cell, int) else f"{cell:,.3f}"


def _edges(report: GraphReport) -> Table:
    origins = [str(each) for each in Origin]
    rows: list[tuple[Cell, ...]] = [
        (kind, sum(counts.values()), *(counts.get(origin, 0) for origin in origins))
        for kind, counts in report.edges.items()
    ]
    return Table("edges", ("count", *origins), tuple(rows))


def _dataclass_table(
    name: str,
    kind: type[Spread] | type[Components],
    found: dict[str, Spread | None] | dict[str, Components],
) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (row, *asdict(each).values()) for row, each in found.items() if each is not None
    ]
    return Table(name, tuple(field.name for field in fields(kind)), tuple(rows))


def _communities(report: GraphReport) -> Table:
    found = report.communities
    rows: list[tuple[Cell, ...]] = [("count", found.count)]
    if found.modularity is not None:
        rows.append(("modularity", found.modularity))
    rows += [(f"size {rank}", size) for rank, size in enumerate(found.sizes, 1)]
    rows += [(f"statutes {rank}", count) for rank, count in enumerate(found.statutes, 1)]
    return Table("communities", (found.method,), tuple(rows))


def _hubs(name: str, hubs: Sequence[Hub]) -> Table:
    return Table(name, ("degree",), tuple((hub.unit_id, hub.degree) for hub in hubs))


def _reference_table(counts: Sequence[FormCount]) -> Table:
    rows = tuple((one.form, one.resolved, one.ambiguous, one.unresolved) for one in counts)
    return Table("references", ("resolved", "ambiguous", "unresolved"), rows)
