"""Score stored runs against the gold, and run files against judgement files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Generic, TypeVar

from annotation.people.roles import Act, require_by
from evaluation.figure import Figure
from evaluation.ranking.compare import Comparison, compare
from evaluation.ranking.scoring import LEADERBOARD, OFFERED, Evaluation, Measure, evaluate
from services.gold.gold_set import GoldSet, gold_set
from services.runs.score_cache import KeptScores, ScoreRow, kept_scores
from storage.db.workspace import ByDatabase, Workspace
from storage.export.trec import read_qrels, read_run
from storage.runs.run_store import RunView, project_slug, run_by_id, run_hits

Hits = dict[str, list[tuple[str, float]]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A stored run with its scores against the gold of its snapshot as it stands now.

    `asked` holds each question that the run was asked, by ascending id. Only those that are settled
    now are scored. `stale` says that the gold has changed since the run was made, so it may lack
    questions.
    """

    run: RunView
    project_slug: str
    gold: GoldSet
    asked: Mapping[str, ScoreRow]
    evaluation: Evaluation
    source: ByDatabase

    @property
    def hits(self) -> Hits:
        """What the run returned to each question that it was asked, with scores."""
        return _hits(self.source, _By(self.run.identity, self.run))

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
    return scored_on(ws, run, slug, gold or gold_set(ws, slug, run.key.snapshot_id), measures)


def scored_on(
    ws: Workspace, run: RunView, slug: str, gold: GoldSet, measures: Sequence[Measure]
) -> ScoredRun:
    """Return a run of the project `slug` that has been read, with its scores on `gold`."""
    source = ByDatabase.of(ws)
    by_content = _By(run.identity, run), _By(gold.hash, gold)
    asked, evaluation = _scores(source, *by_content, tuple(measures))
    return ScoredRun(run, slug, gold, asked, evaluation, source)


@dataclass(frozen=True)
class _By(Generic[T]):
    """A cache key: equal for what has an equal `key`, which says all that it holds."""

    key: str
    value: T = field(compare=False)


# A stored run never changes, and neither does the gold of one hash.
@lru_cache(maxsize=8)
def _hits(source: ByDatabase, run: _By[RunView]) -> Hits:
    with source.ws.reading() as session:
        return run_hits(session, run.value.id)


@lru_cache(maxsize=64)
def _kept(
    source: ByDatabase, run: _By[RunView], gold: _By[GoldSet], others: tuple[Measure, ...]
) -> KeptScores:
    return kept_scores(source.ws, run.value, gold.value, others)


@lru_cache(maxsize=512)  # each run of a board twice: without measures, and with those shown
def _scores(
    source: ByDatabase, run: _By[RunView], gold: _By[GoldSet], measures: tuple[Measure, ...]
) -> tuple[Mapping[str, ScoreRow], Evaluation]:
    others = tuple(each for each in measures if each not in OFFERED)
    kept, qrels = _kept(source, run, gold, others), gold.value.qrels
    keys = tuple(map(repr, measures))
    empty = (query for query, row in kept.rows.items() if not row.count)
    evaluation = Evaluation(
        table=kept.table(keys),
        measures=keys,
        missing=tuple(query for query in empty if qrels.get(query)),
        unjudged=tuple(query for query in kept.rows if query not in qrels),
    )
    return kept.rows, evaluation


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
