"""Data behind neighbourhood figures: seeds, nearest neighbours, cited units.

The seeds of a question are the best units of the dense method. Its cosine neighbours are the units
with the nearest vectors; its graph neighbours the units of the corpus that its citations lead to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import Session

from annotation.people.accounts import places
from annotation.people.members import list_people
from annotation.people.roles import Act, allow, may, reading_as
from corpus.graph.model import WALKED, Direction, EdgeType, Origin
from corpus.long_work import Progress
from errors import UserError, require_known
from retrieval.core.method import Dense
from retrieval.core.model import Query, Spec
from retrieval.core.registry import complete, method_class
from services.figures.dataset_statistics import OtherProject
from services.gold.gold_set import GoldSet, chosen_snapshot, gold_set, required_gold
from services.gold.search_coverage import NotSearched, gold_not_searched
from services.runs.methods.preparation import query_of, ready, resources, searched_corpus, spec_of
from storage.db.workspace import Workspace
from storage.law.neighbours import node_views, pairs_at, unit_numbers
from storage.law.passages import Levels
from storage.projects import find_project, list_projects
from storage.runs.run_store import list_runs, marks_of
from storage.runs.search_levels import levels_searched

MOST = 100  # maximum of seeds, and of neighbours of each
_AT_ONCE = 500  # units per citation query
DIRECTIONS: tuple[Direction, ...] = ("out", "in", "both")


@dataclass(frozen=True, slots=True)
class View:
    """Parameters of neighbourhoods.

    `spec` is a dense method, `seeds` the number of its best units used as seeds, `neighbours` the
    nearest neighbours of each. `direction` is the direction in which citations are walked, `types`
    and `origins` which of them.
    """

    spec: Spec = field(default_factory=lambda: {"method": "lsa"})
    seeds: int = 10
    neighbours: int = 10
    direction: Direction = "out"
    types: tuple[EdgeType, ...] = WALKED
    origins: tuple[Origin, ...] = tuple(Origin)

    @property
    def walked(self) -> tuple[EdgeType | Origin, ...]:
        """Edge types walked, and origins unless all are."""
        return (*self.types, *(() if self.origins == tuple(Origin) else self.origins))

    def check(self) -> None:
        """Raise UserError for numbers out of range and unknown directions."""
        for name in ("seeds", "neighbours"):
            if not 1 <= getattr(self, name) <= MOST:
                raise UserError("figure_number", name=name, value=getattr(self, name), limit=MOST)
        require_known("figure_direction", DIRECTIONS, value=self.direction)


STANDARD = View()
EDGES: tuple[EdgeType | Origin, ...] = (*WALKED, *Origin)
"""Names for selecting edges: their types and origins."""


def edges_named(names: Sequence[str]) -> tuple[tuple[EdgeType, ...], tuple[Origin, ...]]:
    """Parse edge types and origins from `names`; all of a kind where none is named.

    Raises UserError for an unknown name.
    """
    for name in names:
        require_known("edge_type_unknown", EDGES, type=name)
    types = tuple(each for each in WALKED if each.value in names)
    return types or WALKED, tuple(each for each in Origin if each.value in names) or tuple(Origin)


class FigureData:
    """Neighbourhoods of the gold questions of one snapshot, over the levels searched.

    Gold outside them is in no neighbourhood: it is in `outside`.
    """

    def __init__(
        self,
        ws: Workspace,
        snapshot_id: int,
        dense: Dense,
        view: View,
        levels: Levels,
        outside: NotSearched,
    ) -> None:
        """`dense` must be fitted to the snapshot, and its citation graph built."""
        self.dense, self.view, self.levels, self.outside = dense, view, levels, outside
        self._ws, self._snapshot_id = ws, snapshot_id

    def seeds(self, queries: Sequence[Query]) -> dict[str, tuple[str, ...]]:
        """Return the seeds of each query, best first."""
        run = self.dense.search(queries, self.view.seeds)
        return {query: tuple(hit.unit_id for hit in hits) for query, hits in run.items()}

    def cited(self, units: Sequence[str]) -> dict[str, list[str]]:
        """Return the corpus units one citation from each unit, in the view's direction, by id."""
        inside = self.dense.corpus.positions
        found: dict[str, list[str]] = {}
        for start in range(0, len(units), _AT_ONCE):
            found |= self._citation_ends(units[start : start + _AT_ONCE])
        return {unit: sorted(end for end in ends if end in inside) for unit, ends in found.items()}

    def _citation_ends(self, units: Sequence[str]) -> dict[str, list[str]]:
        """Return the citation neighbours of units, without loading the whole graph."""
        view = self.view
        with self._ws.reading() as session:
            numbers = unit_numbers(session, self._snapshot_id, units)
            pairs = pairs_at(session, numbers.values(), view.types, view.direction, view.origins)
            names = _semantic_ids(session, sorted({end for _, end in pairs}))
        ends: dict[int, list[str]] = {number: [] for number in numbers.values()}
        for unit, end in pairs:
            if end != unit:
                ends[unit].append(names[end])
        return {unit: ends[number] for unit, number in numbers.items()}

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


def _semantic_ids(session: Session, numbers: Sequence[int]) -> dict[int, str]:
    """Return unit number → semantic id, read in batches, as hubs exceed one query."""
    found: dict[int, str] = {}
    for start in range(0, len(numbers), _AT_ONCE):
        views = node_views(session, numbers[start : start + _AT_ONCE])
        found |= {number: view.unit_id for number, view in views.items()}
    return found


def figure_inputs(
    ws: Workspace,
    project_slug: str,
    view: View,
    snapshot_id: int | None = None,
    progress: Progress | None = None,
    gold_name: str = "",
) -> tuple[FigureData, GoldSet, Mapping[str, Query]]:
    """Return what figures read: neighbourhoods, gold and its questions by id; build the graph.

    `progress` reports fitting as in `services.runs.retrieving.retrieve`. Raises UserError for an
    unknown project, snapshot or gold set, one without gold or without a unit of the levels
    searched, an invalid view, and a method that is not dense.
    """
    view.check()
    snapshot = chosen_snapshot(ws, project_slug, snapshot_id)
    gold = required_gold(ws, project_slug, snapshot.id, gold_name)
    with ws.reading() as session:
        levels = levels_searched(session, find_project(session, project_slug).id)
        outside = gold_not_searched(session, snapshot.id, levels, gold)
    asked = {each.external_id: query_of(gold.questions[each.external_id]) for each in gold.items}
    using = replace(resources(ws, snapshot.id), progress=progress)
    law = searched_corpus(ws, snapshot.id, levels)
    asked_of = [query.jurisdiction for query in asked.values()]
    method = ready(ws, view.spec, law, using, asked_of)
    if not isinstance(method, Dense):
        raise UserError("figure_not_dense", method=str(view.spec["method"]))
    if not method.unit_length:  # neighbours and distances are by cosine
        raise UserError("figure_not_cosine", method=str(view.spec["method"]))
    from services.law.graph.citation_graph import build_snapshot

    build_snapshot(ws, snapshot.id)
    return FigureData(ws, snapshot.id, method, view, levels, outside), gold, asked


def askable(
    ws: Workspace, project_slug: str, gold: str = "", *, by: int | None = None
) -> dict[str, str]:
    """Return the text of each question with gold units in the snapshot in use, by ascending id.

    Raises UserError for an unknown project or gold set, one without law, and for `by` (None: the
    operator) who may not see scores.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    found = gold_set(ws, project_slug, chosen_snapshot(ws, project_slug).id, gold)
    return {query: found.questions[query].text for query, units in found.qrels.items() if units}


def dense_specs(ws: Workspace, project_slug: str, *, by: int | None = None) -> list[dict[str, Any]]:
    """Return specs of dense methods by cosine: one without download, then of runs not retired.

    Retired runs and those with a method or parameters unknown to this version are skipped.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        runs = list_runs(session, project.id)
        marks = marks_of(session, [run.id for run in runs])
    found = [complete(STANDARD.spec)]
    for run in runs:
        if run.id in marks and marks[run.id].retired:
            continue
        spec = _dense(spec_of(run.key))
        if spec is not None and spec not in found:
            found.append(spec)
    return found


def _dense(spec: Spec) -> dict[str, Any] | None:
    """Return a complete spec if its method is dense and uses cosines, else None."""
    try:
        whole = complete(spec)
    except UserError:
        return None
    if "dot" in _similarities(whole):  # such a method has no cosines to draw
        return None
    return whole if issubclass(method_class(whole["method"]), Dense) else None


def _similarities(spec: Spec) -> set[str]:
    """Return the similarity functions of a method and its base."""
    base = spec.get("base")
    within = _similarities(base) if isinstance(base, dict) else set()
    return {str(spec.get("similarity", ""))} | within


def other_projects(
    ws: Workspace, project_slug: str, account_id: int | None, *, by: int | None = None
) -> list[OtherProject]:
    """Return the other projects whose scores the requester may see, oldest first.

    With an account they are its own projects. Without accounts the local user may be any person of
    a project, so each project is accessed as its first person with permission.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    if account_id is not None:
        known = [(place.slug, [place.person]) for place in places(ws, account_id)]
    else:
        known = [(project.slug, list_people(ws, project.slug)) for project in list_projects(ws)]
    found = []
    for slug, people in known:
        able = [each.id for each in people if each.active and may(each.role, Act.SEE_SCORES)]
        if slug != project_slug and able:
            found.append(OtherProject(slug, able[0]))
    return found
