"""What figures about neighbourhoods stand on: a dense method, the citation graph, the gold.

The seeds of a question are the best units of the dense method. Its neighbours by cosine are the
units whose vectors are nearest; its neighbours in the citation graph those that its citations lead
to, units of the corpus alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from corpus.graph.model import Direction, EdgeType, Graph
from errors import UserError
from jobs.gold_set import GoldSet, chosen_snapshot, required_gold
from jobs.methods import corpus_of, ready, resources
from retrieval.method import Dense
from retrieval.model import Query
from retrieval.parameters import Spec
from storage.by_database import ByDatabase
from storage.corpus import SnapshotView, load_items
from storage.passages import outside_retrieval_corpus
from storage.projects import find_project
from storage.workspace import Workspace

MOST = 100  # seeds, and neighbours of each
# Edges that say nothing about another unit's content.
_NOT_WALKED = (EdgeType.PART_OF, EdgeType.DEFINES)
WALKED = tuple(kind for kind in EdgeType if kind not in _NOT_WALKED)
DIRECTIONS: tuple[Direction, ...] = ("out", "in", "both")


@dataclass(frozen=True, slots=True)
class View:
    """How neighbourhoods are made.

    `spec` describes a dense method, `seeds` is how many of its best units are seeds, `neighbours`
    how many nearest neighbours each has. `direction` says which way citations are walked, `types`
    which of them.
    """

    spec: Spec = field(default_factory=lambda: {"method": "lsa"})
    seeds: int = 10
    neighbours: int = 10
    direction: Direction = "out"
    types: tuple[EdgeType, ...] = WALKED

    def check(self) -> None:
        """Raise UserError for numbers out of range and words that are not there."""
        for name in ("seeds", "neighbours"):
            if not 1 <= getattr(self, name) <= MOST:
                raise UserError("figure_number", name=name, value=getattr(self, name), limit=MOST)
        if self.direction not in DIRECTIONS:
            known = ", ".join(DIRECTIONS)
            raise UserError("figure_direction", value=str(self.direction), known=known)


STANDARD = View()


class Ground:
    """Neighbourhoods of the gold questions of one snapshot."""

    def __init__(self, dense: Dense, graph: Graph, view: View) -> None:
        """Take a fitted method and the graph of its snapshot."""
        self.dense, self.view = dense, view
        self._graph = graph

    def seeds(self, queries: Sequence[Query]) -> dict[str, tuple[str, ...]]:
        """Return the seeds of each query, best first."""
        run = self.dense.search(queries, self.view.seeds)
        return {query: tuple(hit.unit_id for hit in hits) for query, hits in run.items()}

    def cited(self, units: Sequence[str]) -> dict[str, list[str]]:
        """Return where the citations of each unit lead within the corpus, by ascending id."""
        inside, view = self.dense.corpus.positions, self.view
        return {
            unit: [
                end
                for end in self._graph.neighbours(unit, view.types, view.direction)
                if end in inside
            ]
            for unit in units
            if unit in self._graph
        }

    def nearest(self, units: Sequence[str], k: int) -> dict[str, list[str]]:
        """Return the `k` units nearest to each unit, itself left out, nearest first."""
        if not units or k < 1:
            return {}
        rows = [self.dense.corpus.positions[unit] for unit in units]
        asked = [Query(unit, "") for unit in units]
        found = self.dense.nearest(asked, self.dense.vectors[rows], k + 1)
        return {
            unit: [hit.unit_id for hit in found[unit] if hit.unit_id != unit][:k] for unit in units
        }


def ground(
    ws: Workspace, project_slug: str, view: View, snapshot_id: int | None = None
) -> tuple[Ground, GoldSet, Mapping[str, Query]]:
    """Return neighbourhoods of a snapshot, its gold, and the gold questions by external id.

    Raises UserError for an unknown project or snapshot, one without gold, a view that cannot be,
    and a method that is not dense.
    """
    view.check()
    snapshot = chosen_snapshot(ws, project_slug, snapshot_id)
    gold = required_gold(ws, project_slug, snapshot.id)
    with ws.reading() as session:
        items = load_items(session, find_project(session, project_slug).id)
        outside = outside_retrieval_corpus(session, snapshot.id, gold.units)
    texts = {item.question.external_id: item.question.text for item in items}
    using = resources(ws, snapshot.id)
    method = ready(ws, view.spec, corpus_of(ws, snapshot.id, outside), using)
    if not isinstance(method, Dense):
        raise UserError("figure_not_dense", method=str(view.spec["method"]))
    graph = _graph(ByDatabase.of(ws), snapshot)
    asked = {
        each.external_id: Query(each.external_id, texts[each.external_id]) for each in gold.items
    }
    return Ground(method, graph, view), gold, asked


@lru_cache(maxsize=2)
def _graph(source: ByDatabase, snapshot: SnapshotView) -> Graph:
    """Return the graph of a snapshot, which never changes; the citations are read if need be."""
    found = resources(source.ws, snapshot.id).graph
    if found is None:
        raise RuntimeError("a workspace always has a graph to give")
    return found()
