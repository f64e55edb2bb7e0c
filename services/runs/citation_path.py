"""Shortest citation path from the top retrieved units of a run to a gold unit it missed."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlmodel import Session

from corpus.graph.model import WALKED, Edge, EdgeType
from services.runs.scoring import require_scores, score_run
from storage.db.workspace import Workspace
from storage.law.neighbours import NodeView, edges_among, node_views, pairs_at, unit_numbers
from storage.law.passages import passages_by_id

FARTHEST = 4  # steps: beyond it nearly every provision of a field of law is joined to every other
WIDEST = 3000  # units that one step may lead to before the search is given up
STARTS = 10  # how many of the first units of a ranking a path may start from
_AROUND = 40  # characters of the text shown before and after a citation


@dataclass(frozen=True, slots=True)
class Step:
    """One citation edge of a path; `forwards` if it is walked from the citing to the cited unit.

    `before`, `cited` and `after` are the citing words with their context in the citing unit; all
    are empty where the edge has no text span.
    """

    source: NodeView
    target: NodeView
    type: EdgeType
    forwards: bool
    before: str
    cited: str
    after: str


@dataclass(frozen=True, slots=True)
class CitationPath:
    """Shortest path to a gold unit, starting at the retrieved unit at `rank` (1-based)."""

    rank: int
    steps: tuple[Step, ...]


def citation_path(
    ws: Workspace,
    run_id: int,
    external_id: str,
    unit_id: str,
    starts: int = STARTS,
    by: int | None = None,
) -> CitationPath | None:
    """Return the shortest citation path from the first `starts` retrieved units to `unit_id`.

    Edges are walked both ways. Of equally short ways the one from the best rank is taken, then
    the one through the units that stand first in the snapshot. None where no way of at most
    FARTHEST steps is found, the snapshot has no graph, or lacks the unit. Raises UserError for an
    unknown run and for `by` (None: the operator) who may not see its scores.
    """
    (path,) = citation_paths(ws, run_id, [(external_id, unit_id)], starts, by)
    return path


def citation_paths(
    ws: Workspace,
    run_id: int,
    missed: Iterable[tuple[str, str]],
    starts: int = STARTS,
    by: int | None = None,
) -> Iterator[CitationPath | None]:
    """Yield `citation_path` for each (question, unit); reads each edge from the database once."""
    require_scores(ws, run_id, by)
    scored = score_run(ws, run_id)
    hits, snapshot = scored.hits, scored.run.key.snapshot_id
    with ws.reading() as session:
        joined = _Joined(session)
        for question, unit in missed:
            ranked = [found for found, _ in hits.get(question, ())][:starts]
            numbers = unit_numbers(session, snapshot, [*ranked, unit])
            if unit not in numbers or unit in ranked:
                yield None
                continue
            wanted = {numbers[each]: at for at, each in enumerate(ranked, 1) if each in numbers}
            way = _shortest(joined, numbers[unit], wanted)
            steps = () if way is None else _steps(session, snapshot, way)
            yield None if way is None else CitationPath(wanted[way[0]], steps)


class _Joined(dict[int, list[int]]):
    """Cache of citation neighbours per unit, by database id, ascending."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session

    def read(self, numbers: Iterable[int]) -> None:
        """Load the neighbours of units not loaded yet."""
        new = [number for number in numbers if number not in self]
        self.update((number, []) for number in new)
        for near, far in pairs_at(self._session, new, WALKED) if new else ():
            self[near].append(far)


def _shortest(joined: _Joined, goal: int, wanted: Mapping[int, int]) -> list[int] | None:
    """Return the path of ids from one of `wanted` (id → rank) to `goal`, None if too far."""
    # Walked from the goal, so that one search serves every start.
    onward: dict[int, int] = {goal: goal}
    ring = [goal]
    for _ in range(FARTHEST):
        joined.read(ring)
        reached: dict[int, int] = {}
        for near in ring:
            for far in joined[near]:
                if far not in onward:
                    reached.setdefault(far, near)
        onward |= reached
        met = [number for number in reached if number in wanted]
        if met:
            return _path_to_goal(min(met, key=wanted.__getitem__), onward)
        ring = sorted(reached)
        if not ring or len(ring) > WIDEST:
            return None
    return None


def _path_to_goal(start: int, onward: dict[int, int]) -> list[int]:
    way = [start]
    while onward[way[-1]] != way[-1]:
        way.append(onward[way[-1]])
    return way


def _steps(session: Session, snapshot_id: int, way: Sequence[int]) -> tuple[Step, ...]:
    views = node_views(session, way)
    nodes = [views[number] for number in way]
    edges = edges_among(session, views, WALKED)
    chosen = [_between(edges, here.unit_id, there.unit_id) for here, there in pairwise(nodes)]
    texts = _texts(session, snapshot_id, {edge.source for edge in chosen})
    return tuple(
        _step(edge, here, there, texts.get(edge.source, ""))
        for edge, (here, there) in zip(chosen, pairwise(nodes), strict=True)
    )


def _between(edges: Sequence[Edge], here: str, there: str) -> Edge:
    """Choose the edge to show between two units: forward edges first, then those with words."""
    joining = [edge for edge in edges if {edge.source, edge.target} == {here, there}]
    return min(joining, key=lambda edge: (edge.source != here, edge.start == edge.end, edge.start))


def _step(edge: Edge, here: NodeView, there: NodeView, text: str) -> Step:
    forwards = edge.source == here.unit_id
    source, target = (here, there) if forwards else (there, here)
    return Step(
        source=source,
        target=target,
        type=edge.type,
        forwards=forwards,
        before=text[max(0, edge.start - _AROUND) : edge.start] if edge.end else "",
        cited=text[edge.start : edge.end],
        after=text[edge.end : edge.end + _AROUND] if edge.end else "",
    )


def _texts(session: Session, snapshot_id: int, units: Collection[str]) -> dict[str, str]:
    passages = passages_by_id(session, snapshot_id, units)
    return {unit: passage.text for unit, passage in passages.items()}
