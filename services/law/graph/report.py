"""Figures of the citation graph of the snapshot in use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache

from sqlmodel import Session

from annotation.people.roles import Act, may, reading_as
from corpus.graph.model import WALKED
from corpus.graph.report import GoldTopology, GraphReport, Hub, describe, topology
from corpus.long_work import Progress
from corpus.model import Level
from errors import UserError
from evaluation.ranking.compare import CROSSED, columns, strata
from retrieval.core.method import with_progress
from retrieval.text.tokenise import WHITESPACE as DEFAULT
from retrieval.text.tokenise import TokenCount, by_tokeniser
from services.gold.gold_set import GoldSet, gold_set
from services.gold.reference_sets import reference_sets
from services.runs.strata import no_column, query_columns
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
    split: str = "",
) -> GraphReport:
    """Return the report on the graph of the snapshot in use, cached in memory.

    `tokens` counts lengths in tokens. Readers who may see scores also get figures on the widest
    gold set, and on the strata of the column `split` (several are joined by CROSSED). `progress` is
    called with (units read, all units). Raises UserError for an unknown project, one without law,
    one whose graph has not been built, for `by` (None: the operator) of another one, for a
    tokenizer file that cannot be used, and for a column that splits nothing.
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
    with ws.reading() as session:
        names = {**found.names, **_names(session, snapshot.id, lies.cited)}
    found = replace(found, gold=lies, gold_set=str(gold.name), names=names)
    return _split(ws, project_slug, found, gold, split) if split else found


def _split(
    ws: Workspace, project_slug: str, found: GraphReport, gold: GoldSet, split: str
) -> GraphReport:
    """Return the report with the questions of each stratum of `split`, and the conditional ones."""
    (rows,) = query_columns(ws, project_slug, gold)
    known = columns(rows)
    for column in split.split(CROSSED):
        if column not in known:
            raise no_column(column, known)
    sets = reference_sets(ws, project_slug, gold).items()
    conditional = frozenset(name for name, (seen, _) in sets if seen.conditional)
    return replace(
        found, parts=strata(rows, split, every=True), split=split, conditional=conditional
    )


def _names(session: Session, snapshot_id: int, hubs: Iterable[Hub]) -> dict[str, tuple[str, str]]:
    """Return the label with heading of units, and their statute, by id."""
    numbers = unit_numbers(session, snapshot_id, {hub.unit_id for hub in hubs})
    views = node_views(session, list(numbers.values())).values()
    return {each.unit_id: (f"{each.label} {each.heading}".strip(), each.statute) for each in views}


def _gold_topology(
    ws: Workspace, snapshot_id: int, gold: Mapping[str, Mapping[str, int]]
) -> GoldTopology:
    """Return how gold lies in the graph: distances, chains, and units by level."""
    with ws.reading() as session:
        numbers = unit_numbers(
            session, snapshot_id, {unit for units in gold.values() for unit in units}
        )
        views = node_views(session, list(numbers.values()))
        edges = edges_among(session, views, WALKED)
    statutes = {view.unit_id: view.statute_id for view in views.values()}
    found = topology(gold, statutes, [(edge.source, edge.target) for edge in edges])
    levels = {view.unit_id: view.level for view in views.values()}
    counts = Counter(levels[unit] for units in gold.values() for unit in units if unit in levels)
    return replace(found, levels={str(level): counts[level] for level in Level})


@lru_cache(maxsize=4)
def _cached_report(
    source: ByDatabase, snapshot_id: int, _digest: str, _view: GraphView, tokens: TokenCount
) -> GraphReport:
    """Compute the report of a snapshot's graph, without gold; cached."""
    with source.ws.reading() as session:
        units = list(unit_facts(session, snapshot_id, tokens.count))
        edges = edge_facts(session, snapshot_id, units)
        found = describe(units, edges, reference_facts(session, snapshot_id), tokens.display_name)
        names = _names(session, snapshot_id, (*found.cited, *found.citing))
    return replace(found, names=names)
