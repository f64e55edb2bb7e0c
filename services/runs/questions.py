"""Per-question results of a run, and citation paths to missed gold units.

Shortest citation path from the top retrieved units of a run to a gold unit it missed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sqlmodel import Session

from corpus.graph.model import WALKED, Edge, EdgeType
from corpus.model import Question
from corpus.natural_order import Key, in_natural_order, natural_key
from errors import UserError
from evaluation.ranking.scoring import LEADERBOARD, Measure
from retrieval.core.model import MAX_DEPTH
from retrieval.core.registry import METHODS
from retrieval.text.highlight import Span, densest_window, matched_spans
from retrieval.text.tokenise import DEFAULT
from services.gold.gold_set import GoldSets
from services.gold.search_coverage import NotSearched, gold_not_searched
from services.runs.methods.preparation import (
    corpus_of,
    depth_of,
    is_other_code,
    learning_from,
    levels_of,
    query_of,
    ready,
    resources,
    spec_of,
)
from services.runs.scoring import ScoredRun, require_scores, score_run
from services.runs.strata import Stratum, questions_in
from storage.db.workspace import Workspace
from storage.law.neighbours import NodeView, edges_among, node_views, pairs_at, unit_numbers
from storage.law.passages import Passage, passages_by_id
from storage.runs.run_store import runs_asked as stored_runs_asked

SNIPPET_LENGTH = 300


@dataclass(frozen=True, slots=True)
class QueryLine:
    """One question of a run with its scores.

    `values` holds its score by measure key, None where it cannot be scored (no provision, or no
    longer decided). `gold` counts its gold units, `not_searched` those that the run did not search.
    `ranks` are those of the ones that were found, ascending, and `units` counts what was returned
    at all. `settled` says whether the question is decided now.
    `difference` is how far it scores above the run that it is compared with, None without such a
    run or where either has no score.
    """

    external_id: str
    question: str
    gold: int
    values: dict[str, float | None]
    not_searched: int
    difference: float | None = None
    ranks: tuple[int, ...] = ()
    units: int = 0
    settled: bool = True

    @property
    def first(self) -> int | None:
        """The best rank of a gold unit; None if none was found."""
        return self.ranks[0] if self.ranks else None

    def missed(self, k: int) -> int:
        """Return the number of its gold units not in the first `k`."""
        return self.gold - sum(rank <= k for rank in self.ranks)


@dataclass(frozen=True, slots=True)
class UnitPlace:
    """A unit by its id, and what it is called."""

    semantic_id: str
    statute: str
    label: str
    heading: str


def place_of(unit_id: str, passage: Passage | None) -> tuple[str, str, str, str]:
    """Return a unit's id, statute, label and heading; without `passage` the label is the id."""
    if passage is None:
        return unit_id, "", unit_id, ""
    return unit_id, passage.statute, passage.label, passage.heading


@dataclass(frozen=True, slots=True)
class RetrievedUnit(UnitPlace):
    """A retrieved unit with a snippet.

    `snippet` is the part of its text that matches the question best, with `marks` the matching
    spans of `snippet`.
    """

    rank: int
    score: float
    is_gold: bool
    snippet: str
    marks: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class GoldUnit(UnitPlace):
    """A gold unit of a question, with its rank in the run.

    For a unit the run did not store, `rank` is where the method ranks it further down; None when it
    is not found at all, or where gold units had been added to what the run searched, which makes
    its rank unknowable. `not_searched` is why the run could not find it, as
    `storage.law.passages.not_searched` gives it; "" where it could.
    """

    text: str
    rank: int | None
    not_searched: str


@dataclass(frozen=True, slots=True)
class QueryDetail:
    """One question of a run with its retrieved, gold and missed units.

    `k` is the run's depth. `missed` are the gold units not among the stored ones.
    """

    external_id: str
    question: str
    answer: str
    language: str
    values: dict[str, float | None]
    k: int
    retrieved: tuple[RetrievedUnit, ...]
    gold: tuple[GoldUnit, ...]
    missed: tuple[GoldUnit, ...]


def query_list(
    ws: Workspace,
    run_id: int,
    by: int | None = None,
    measures: Sequence[Measure] = LEADERBOARD,
    against: int | None = None,
    stratum: Stratum | None = None,
    gold: str | GoldSets = "",
) -> tuple[QueryLine, ...]:
    """Return the questions of a run, of a stratum or all, with their scores on a gold set.

    `gold` names it, or has the sets where they are known. In natural order of ids. With `against`,
    another run, each has its difference by the first of `measures`, ordered by largest loss first,
    those without a difference last. Raises UserError for an unknown run or stratum, and for `by`
    who may not see scores.
    """
    scored = score_run(ws, run_id, measures, gold, by)
    lines = _query_lines(scored, not_searched(ws, scored))
    if stratum is not None:
        among = questions_in(ws, scored.project_slug, scored.gold, stratum, gold)
        lines = tuple(line for line in lines if line.external_id in among)
    if against is None or not measures:
        return lines
    other = score_run(ws, against, measures, gold, by).evaluation.table
    first, told = repr(measures[0]), list[QueryLine]()
    for line in lines:
        own, theirs = line.values.get(first), other.get(line.external_id, {}).get(first)
        if own is not None and theirs is not None:
            line = replace(line, difference=own - theirs)
        told.append(line)
    return tuple(sorted(told, key=_losses_first))


def _losses_first(line: QueryLine) -> tuple[bool, float, Key]:
    """Return the sort key that puts the largest losses first, missing differences last."""
    return line.difference is None, line.difference or 0.0, natural_key(line.external_id)


def query_detail(
    ws: Workspace, run_id: int, external_id: str, by: int | None = None, gold: str = ""
) -> QueryDetail:
    """Return one question of a run in detail, on a gold set.

    Raises UserError for a run or question that is not there, and for `by` who may not see scores.
    """
    scored = score_run(ws, run_id, gold=gold, by=by)
    if external_id not in scored.hits:
        raise UserError("run_lacks_question", run=run_id, question=external_id)
    question = scored.gold.questions[external_id]
    ranking = scored.hits[external_id]
    kept = {unit_id: rank for rank, (unit_id, _) in enumerate(ranking, 1)}
    wanted = sorted(scored.gold.qrels.get(external_id, ()))
    with ws.reading() as session:
        passages = passages_by_id(session, scored.run.key.snapshot_id, [*kept, *wanted])
    outside = not_searched(ws, scored).units
    deeper = [unit for unit in wanted if unit not in kept and unit not in outside]
    ranks = kept | _deeper_ranks(ws, scored, question, deeper)
    units = tuple(
        GoldUnit(
            *place_of(unit, passages.get(unit)),
            passages[unit].text if unit in passages else "",
            ranks.get(unit),
            outside.get(unit, ""),
        )
        for unit in wanted
    )
    cut = scored.run.key.params.get("tokeniser", DEFAULT)
    return QueryDetail(
        external_id=external_id,
        question=question.text,
        answer=question.answer,
        language=question.language,
        values=_scores_of(scored, external_id),
        k=depth_of(scored.run.key, len(ranking)),
        retrieved=tuple(
            RetrievedUnit(
                *place_of(unit, passages.get(unit)),
                *(kept[unit], score, unit in wanted),
                *_snippet(question.text, passages.get(unit), cut),
            )
            for unit, score in ranking
        ),
        gold=units,
        missed=tuple(unit for unit in units if unit.semantic_id not in kept),
    )


def runs_asked(
    ws: Workspace, run_ids: Sequence[int], external_id: str, by: int | None = None
) -> frozenset[int]:
    """Return the runs among `run_ids` that were asked a question.

    Raises UserError for an unknown run and for `by` who may not see scores.
    """
    for run_id in run_ids:
        require_scores(ws, run_id, by)
    with ws.reading() as session:
        return stored_runs_asked(session, run_ids, external_id)


def not_searched(ws: Workspace, scored: ScoredRun) -> NotSearched:
    """Return the gold that a run did not search; empty where its levels are unknown."""
    key = scored.run.key
    levels = levels_of(key)
    if levels is None:
        return NotSearched()
    with ws.reading() as session:
        return gold_not_searched(session, key.snapshot_id, levels, scored.gold)


def _query_lines(scored: ScoredRun, outside: NotSearched) -> tuple[QueryLine, ...]:
    """Return a line for each question of a run, in natural order of ids."""
    return tuple(
        QueryLine(
            external_id=name,
            question=scored.gold.questions[name].text,
            gold=len(scored.gold.qrels.get(name, ())),
            values=_scores_of(scored, name),
            not_searched=len(outside.questions.get(name, ())),
            ranks=scored.asked[name].ranks,
            units=scored.asked[name].count,
            settled=name in scored.gold.qrels,
        )
        for name in in_natural_order(scored.asked)
    )


def _scores_of(scored: ScoredRun, external_id: str) -> dict[str, float | None]:
    """Return a question's scores, None for measures without one."""
    unscored: dict[str, float | None] = {f.name: None for f in scored.figures}
    return unscored | scored.evaluation.table.get(external_id, {})


def _deeper_ranks(
    ws: Workspace, scored: ScoredRun, question: Question, units: list[str]
) -> dict[str, int]:
    """Search again for the ranks of units below the stored depth; {} if the method changed."""
    key = scored.run.key
    levels = levels_of(key)
    if not units or key.method not in METHODS or levels is None:
        return {}
    if scored.learnt_otherwise:
        return {}  # it ranked by gold that is not there any more
    using = learning_from(ws, key.project_id, scored.gold, resources(ws, key.snapshot_id))
    law, asked = corpus_of(ws, key.snapshot_id, levels), query_of(question)
    method = ready(ws, spec_of(key), law, using, [asked.jurisdiction])
    if is_other_code(key, method.versions):
        return {}
    found = method.search([asked], MAX_DEPTH)[asked.id]
    return {hit.unit_id: rank for rank, hit in enumerate(found, 1) if hit.unit_id in set(units)}


def _snippet(
    question: str, passage: Passage | None, tokeniser: str
) -> tuple[str, tuple[Span, ...]]:
    """Return the part of a passage that matches the question best, with the matching spans."""
    text = passage.text if passage else ""
    spans = matched_spans(question, text, tokeniser)
    start, end = densest_window(spans, len(text), SNIPPET_LENGTH)
    marks = ((a - start, b - start) for a, b in spans if start <= a and b <= end)
    return text[start:end], tuple(marks)


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
    ws: Workspace, run_id: int, external_id: str, unit_id: str, by: int | None = None
) -> CitationPath | None:
    """Return the shortest citation path from the first STARTS retrieved units to `unit_id`.

    Edges are walked both ways. Of equally short ways the one from the best rank is taken, then
    the one through the units that stand first in the snapshot. None where no way of at most
    FARTHEST steps is found, the snapshot has no graph, or lacks the unit. Raises UserError for an
    unknown run and for `by` (None: the operator) who may not see its scores.
    """
    (path,) = citation_paths(ws, run_id, [(external_id, unit_id)], by)
    return path


def citation_paths(
    ws: Workspace, run_id: int, missed: Iterable[tuple[str, str]], by: int | None = None
) -> Iterator[CitationPath | None]:
    """Yield `citation_path` for each (question, unit); reads each edge from the database once."""
    scored = score_run(ws, run_id, by=by)
    hits, snapshot = scored.hits, scored.run.key.snapshot_id
    with ws.reading() as session:
        joined = _Joined(session)
        for question, unit in missed:
            ranked = [found for found, _ in hits.get(question, ())][:STARTS]
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


def _shortest(joined: _Joined, goal: int, starts: Mapping[int, int]) -> list[int] | None:
    """Return the path of ids from one of `starts` (id → rank) to `goal`, None if too far."""
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
        met = [number for number in reached if number in starts]
        if met:
            return _path_to_goal(min(met, key=starts.__getitem__), onward)
        ring = sorted(reached)
        if not ring or len(ring) > WIDEST:
            return None
    return None


def _path_to_goal(start: int, onward: dict[int, int]) -> list[int]:
    """Follow the next steps from a unit to the goal."""
    way = [start]
    while onward[way[-1]] != way[-1]:
        way.append(onward[way[-1]])
    return way


def _steps(session: Session, snapshot_id: int, way: Sequence[int]) -> tuple[Step, ...]:
    """Return a path as steps, each with its edge and its text."""
    views = node_views(session, way)
    nodes = [views[number] for number in way]
    edges = edges_among(session, views, WALKED)
    chosen = [_between(edges, here.unit_id, there.unit_id) for here, there in pairwise(nodes)]
    passages = passages_by_id(session, snapshot_id, {edge.source for edge in chosen})
    return tuple(
        _step(edge, here, there, passages[edge.source].text if edge.source in passages else "")
        for edge, (here, there) in zip(chosen, pairwise(nodes), strict=True)
    )


def _between(edges: Sequence[Edge], here: str, there: str) -> Edge:
    """Choose the edge to show between two units: forward edges first, then those with words."""
    joining = [edge for edge in edges if {edge.source, edge.target} == {here, there}]
    return min(joining, key=lambda edge: (edge.source != here, edge.start == edge.end, edge.start))


def _step(edge: Edge, here: NodeView, there: NodeView, text: str) -> Step:
    """Return an edge of a path with the text around its reference."""
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
