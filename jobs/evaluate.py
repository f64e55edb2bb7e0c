"""Score stored runs against the gold, and run files against judgement files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from annotation.roles import Act
from annotation.standing import require_by
from evaluation.compare import Comparison, compare
from evaluation.evaluate import Evaluation, evaluate
from evaluation.figure import Figure
from evaluation.measures import LEADERBOARD, Measure
from jobs.gold_set import GoldSet, gold_set
from storage.by_database import ByDatabase
from storage.export.trec import read_qrels, read_run
from storage.runs import RunView, project_slug, run_by_id, run_hits, run_rankings
from storage.workspace import Workspace

Hits = dict[str, list[tuple[str, float]]]
Rankings = dict[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A stored run with its scores against the gold of its snapshot as it stands now.

    `rankings` are its units by question, best first. Only questions that the run was asked and
    that are settled now are scored. `stale` says that the gold has changed since the run was made,
    so it may lack questions.
    """

    run: RunView
    project_slug: str
    gold: GoldSet
    rankings: Rankings
    evaluation: Evaluation
    source: ByDatabase

    @property
    def hits(self) -> Hits:
        """What the run returned to each question that it was asked, with scores."""
        return _hits(self.source, self.run.id)

    @property
    def stale(self) -> bool:
        """Whether the gold has changed since the run was made."""
        return self.run.key.gold_hash != self.gold.hash


def evaluate_run(
    ws: Workspace,
    run_id: int,
    by: int | None = None,
    measures: Sequence[Measure] = LEADERBOARD,
) -> list[Figure]:
    """Return the figures of a stored run.

    Raises UserError for an unknown run and for `by` (None: the operator) who may not see scores.
    """
    require_scores(ws, run_id, by)
    return score_run(ws, run_id, measures=measures).evaluation.figures


def require_scores(ws: Workspace, run_id: int, by: int | None) -> None:
    """Raise UserError for an unknown run, and unless `by` may see the scores of its project."""
    with ws.reading() as session:
        run = run_by_id(session, run_id)
        require_by(session, run.key.project_id, by, Act.SEE_SCORES)


def score_run(
    ws: Workspace,
    run_id: int,
    gold: GoldSet | None = None,
    measures: Sequence[Measure] = LEADERBOARD,
) -> ScoredRun:
    """Return a stored run with its scores by `measures`.

    `gold`, that of the run's snapshot, may be handed in by who has derived it. Raises UserError
    for an unknown run.
    """
    with ws.reading() as session:
        run = run_by_id(session, run_id)
        slug = project_slug(session, run.key.project_id)
    gold = gold or gold_set(ws, slug, run.key.snapshot_id)
    source = ByDatabase.of(ws)
    evaluation = _scores(source, run_id, _SameHash(gold), tuple(measures))
    return ScoredRun(run, slug, gold, _rankings(source, run_id), evaluation, source)


class _SameHash:
    """A gold set as a cache key: what is equal scores equally."""

    def __init__(self, gold: GoldSet) -> None:
        self.gold = gold

    def __hash__(self) -> int:
        return hash(self.gold.hash)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameHash) and other.gold.hash == self.gold.hash


# A stored run never changes, and neither does the gold of one hash. Of all runs of a leaderboard
# only the units are kept, each written once in memory; hits with scores are wanted of few runs.
@lru_cache(maxsize=64)
def _rankings(source: ByDatabase, run_id: int) -> Rankings:
    with source.ws.reading() as session:
        return run_rankings(session, run_id)


@lru_cache(maxsize=8)
def _hits(source: ByDatabase, run_id: int) -> Hits:
    with source.ws.reading() as session:
        return run_hits(session, run_id)


@lru_cache(maxsize=256)
def _scores(
    source: ByDatabase, run_id: int, key: _SameHash, measures: tuple[Measure, ...]
) -> Evaluation:
    rankings = _rankings(source, run_id)
    asked = {query_id: units for query_id, units in key.gold.qrels.items() if query_id in rankings}
    return evaluate(rankings, asked, measures)


def evaluate_files(
    qrels: Path, run: Path, measures: Sequence[Measure] = LEADERBOARD
) -> list[Figure]:
    """Return the figures of a TREC run file against a TREC or BEIR judgement file.

    A judged question that the run leaves out scores 0; one without a relevant unit is not scored.
    Raises UserError naming file and line for anything that cannot be read.
    """
    return evaluate(read_run(run), read_qrels(qrels), measures).figures


def compare_files(
    qrels: Path, run: Path, against: Path, measures: Sequence[Measure] = LEADERBOARD
) -> dict[str, Comparison]:
    """Return how a TREC run file differs from another by each measure, on the judged questions.

    Each measure's p stands alone: one pair of runs leaves nothing to correct for. Raises as
    :func:`evaluate_files` does.
    """
    judged = read_qrels(qrels)
    tables = [evaluate(read_run(file), judged, measures).table for file in (run, against)]
    return {
        key: compare(
            {"run": _column(tables[0], key), "against": _column(tables[1], key)}, "against"
        )["run"]
        for key in map(repr, measures)
    }


def _column(table: dict[str, dict[str, float | None]], key: str) -> dict[str, float | None]:
    return {query: row[key] for query, row in table.items()}
