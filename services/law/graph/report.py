"""The report on a project's citation graph: its snapshot in use, in figures."""

from __future__ import annotations

from functools import lru_cache

from annotation.people.roles import Act, reading_as
from corpus.graph.report import GraphReport, describe
from errors import UserError
from retrieval.text.tokenise import tokeniser
from storage.db.workspace import ByDatabase, Workspace
from storage.law.corpus import required_snapshot
from storage.law.graph import GraphView, graph_view
from storage.law.graph_facts import edge_facts, reference_facts, unit_facts

TOKENISER = "whitespace"  # what lengths in tokens are counted by


def graph_report(ws: Workspace, project_slug: str, by: int | None = None) -> GraphReport:
    """Return the report on the graph of the project's snapshot in use; kept in memory for it.

    Lengths in tokens are those of the whitespace tokeniser. Raises UserError for an unknown
    project, one without law, one whose graph has not been built, and for `by` (None: the operator)
    of another one.
    """
    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, project):
        snapshot = required_snapshot(session, project)
        view = graph_view(session, snapshot.id)
    if view is None:
        raise UserError("graph_missing")
    return _report(ByDatabase.of(ws), snapshot.id, snapshot.content_hash, view)


@lru_cache(maxsize=4)
def _report(source: ByDatabase, snapshot_id: int, _digest: str, _view: GraphView) -> GraphReport:
    cut = tokeniser(TOKENISER)
    with source.ws.reading() as session:
        units = list(unit_facts(session, snapshot_id, lambda text: len(cut(text))))
        edges = edge_facts(session, snapshot_id, units)
        return describe(units, edges, reference_facts(session, snapshot_id))
