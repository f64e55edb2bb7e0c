"""Score stored runs against the gold, and run files against judgement files.

What a stored run scores is kept on disk, question by question, so that a leaderboard only reads it.
A run never changes, so what it scores on a question hangs on the gold of that question alone. A
row says which gold it is for; where that is another now, the row is worked out anew from the run,
and no other. The files lie in the workspace's cache folder, one for each run and gold set, named
after all else that their content depends on and put in place whole. They are a cache: where one is
missing, damaged or cannot be written only time is lost, and replicas on disks of their own each
keep theirs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Generic, TypeVar

from annotation.people.roles import Act, require_by
from corpus.natural_order import in_natural_order
from corpus.run import deepest
from errors import UserError, Where
from evaluation.figure import Figure
from evaluation.ranking.compare import USUAL, Comparison, Inference, compare_tables
from evaluation.ranking.scoring import (
    LEADERBOARD,
    OFFERED,
    Evaluation,
    Measure,
    evaluate,
    parse_measure,
)
from normalization.hashing import text_hash
from retrieval.core.model import MAX_DEPTH
from services.gold.gold_set import GoldSet, gold_set
from services.runs.methods.run_key import depth_of
from storage.db.atomic_files import published_file
from storage.db.workspace import ByDatabase, Workspace
from storage.export.trec import read_qrels, read_run
from storage.runs.run_store import RunView, project_slug, run_by_id, run_hits, run_rankings

_RULE = 1  # raise it when what is written, or how anything is scored, changes
_NAMED = 5  # questions that a message names
_MOST = 60  # measures kept of a run: whoever asks for ever new ones must not fill the disk


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A question that a run was asked: how many units it returned, and where gold is among them.

    `gold` is the hash of the gold that it is scored on, "" where the question is not settled.
    `ranks` are those of the gold units that were returned, ascending. `values` are in the order of
    the measures kept; there are none where nothing can be scored.
    """

    gold: str
    count: int
    ranks: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class KeptScores:
    """What a run scores by `measures`, which are keys; `rows` are by ascending question."""

    measures: tuple[str, ...]
    rows: Mapping[str, ScoreRow]

    def table(self, measures: Sequence[str]) -> dict[str, dict[str, float | None]]:
        """Return question → measure → value, None where nothing can be scored, of settled ones."""
        places = [(key, self.measures.index(key)) for key in measures]
        return {
            query: {key: row.values[at] if row.values else None for key, at in places}
            for query, row in self.rows.items()
            if row.gold
        }


def kept_scores(
    ws: Workspace, run: RunView, gold: GoldSet, measures: Sequence[Measure] = ()
) -> KeptScores:
    """Return what a run scores on `gold`, by all measures offered, `measures`, and maybe others."""
    file = _file(ws, run, gold)
    kept = _read(file)
    if kept is None or not {repr(measure) for measure in measures} <= set(kept.measures):
        return _scored_anew(ws, run, gold, KeptScores(_with(kept, measures), {}), None, file)
    now = gold.question_hashes
    changed = {query for query, row in kept.rows.items() if row.gold != now.get(query, "")}
    return _scored_anew(ws, run, gold, kept, changed, file) if changed else kept


def _with(kept: KeptScores | None, measures: Sequence[Measure]) -> tuple[str, ...]:
    """Return the measures to keep: those kept, unless they become too many, and all of these."""
    wanted = [repr(each) for each in (*OFFERED, *measures)]
    together = dict.fromkeys([*(kept.measures if kept else ()), *wanted])
    return tuple(together if len(together) <= _MOST else dict.fromkeys(wanted))


def _scored_anew(
    ws: Workspace,
    run: RunView,
    gold: GoldSet,
    kept: KeptScores,
    changed: set[str] | None,
    file: Path,
) -> KeptScores:
    """Return `kept` with the rows of the questions `changed` (None: all) scored, and keep that."""
    with ws.reading() as session:
        rankings = run_rankings(session, run.id, changed)
    rows = {**kept.rows, **_rows(rankings, gold, kept.measures)}
    found = KeptScores(kept.measures, dict(sorted(rows.items())))
    _write(file, found)
    return found


def _rows(
    rankings: Mapping[str, Sequence[str]], gold: GoldSet, measures: Sequence[str]
) -> dict[str, ScoreRow]:
    asked = {query: gold.qrels[query] for query in rankings if query in gold.qrels}
    table = evaluate(rankings, asked, [parse_measure(key) for key in measures]).table
    return {
        query: ScoreRow(
            gold=gold.question_hashes.get(query, ""),
            count=len(units),
            ranks=tuple(rank for rank, unit in enumerate(units, 1) if unit in asked.get(query, ())),
            values=tuple(value for value in table.get(query, {}).values() if value is not None),
        )
        for query, units in rankings.items()
    }


def _file(ws: Workspace, run: RunView, gold: GoldSet) -> Path:
    said = f"{_RULE} {_library()} {run.identity} {gold.label}"
    return ws.cache / "scores" / f"{text_hash(said)[:32]}.json"


@cache
def _library() -> str:
    return version("pytrec-eval-terrier")


def _read(file: Path) -> KeptScores | None:
    """Return what the file keeps; None where it is not there, or not as it was written."""
    try:
        digest, _, text = file.read_bytes().partition(b"\n")
    except OSError:
        return None
    if digest != _digest(text):
        return None
    said = json.loads(text)
    rows = {
        query: ScoreRow(gold, count, tuple(ranks), tuple(values))
        for query, (gold, count, ranks, values) in said["rows"].items()
    }
    return KeptScores(tuple(said["measures"]), rows)


def _write(file: Path, kept: KeptScores) -> None:
    rows = {query: [row.gold, row.count, row.ranks, row.values] for query, row in kept.rows.items()}
    said = {"measures": kept.measures, "rows": rows}
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()
    with suppress(UserError), published_file(file) as part:
        part.write_bytes(_digest(text) + b"\n" + text)


def _digest(text: bytes) -> bytes:
    return sha256(text).hexdigest().encode()


Hits = dict[str, list[tuple[str, float]]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A stored run with its scores against the gold of its snapshot as it stands now.

    `asked` holds each question that the run was asked, by ascending id. Only those that are settled
    now are scored. `learnt_otherwise` says that its method learnt from other gold.
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
    def learnt_otherwise(self) -> bool:
        """Whether its method learnt from other gold than that which it is scored on."""
        learnt = self.run.key.gold_hash
        return bool(learnt) and learnt != self.gold.learnt(self.asked)


def evaluate_run(
    ws: Workspace,
    run_id: int,
    by: int | None = None,
    measures: Sequence[Measure] = LEADERBOARD,
    inference: Inference = USUAL,
    gold: str = "",
) -> list[Figure]:
    """Return the figures of a stored run on the gold set of that name.

    Raises UserError for an unknown run or gold set, and for `by` (None: the operator) who may not
    see scores.
    """
    require_scores(ws, run_id, by)
    scored = score_run(ws, run_id, measures=measures, name=gold)
    return scored.evaluation.figures_by(inference.resamples)


def gold_of_run(ws: Workspace, run_id: int, by: int | None = None, name: str = "") -> GoldSet:
    """Return the gold set of that name that a stored run is scored on.

    Raises UserError as :func:`evaluate_run` does.
    """
    require_scores(ws, run_id, by)
    return score_run(ws, run_id, measures=(), name=name).gold


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
    name: str = "",
) -> ScoredRun:
    """Return a stored run with its scores by `measures` on the gold set `name`.

    `gold`, that of the run's snapshot, may be handed in by who has derived it. Raises UserError
    for an unknown run or gold set.
    """
    with ws.reading() as session:
        run = run_by_id(session, run_id)
        slug = project_slug(session, run.key.project_id)
    on = gold or gold_set(ws, slug, run.key.snapshot_id, name)
    return scored_on(ws, run, slug, on, measures)


def scored_on(
    ws: Workspace, run: RunView, slug: str, gold: GoldSet, measures: Sequence[Measure]
) -> ScoredRun:
    """Return a run of the project `slug` that has been read, with its scores on `gold`."""
    source = ByDatabase.of(ws)
    by_content = _By(run.identity, run), _By(f"{gold.label} {gold.hash}", gold)
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
    others = tuple(measure for measure in measures if measure not in OFFERED)
    kept, qrels = _kept(source, run, gold, others), gold.value.qrels
    keys = tuple(map(repr, measures))
    empty = (query for query, row in kept.rows.items() if not row.count)
    evaluation = Evaluation(
        table=kept.table(keys),
        measures=keys,
        missing=tuple(query for query in empty if qrels.get(query)),
        unjudged=tuple(query for query in kept.rows if query not in qrels),
    )
    return kept.rows, evaluation.within(depth_of(run.value.key, MAX_DEPTH))


def evaluate_files(
    qrels: Path,
    run: Path,
    measures: Sequence[Measure] = LEADERBOARD,
    inference: Inference = USUAL,
) -> list[Figure]:
    """Return the figures of a TREC run file against a TREC or BEIR judgement file.

    A judged question that the run leaves out scores 0; one without a relevant unit is not scored.
    A measure that looks deeper than the file's longest ranking has no value. Raises UserError
    naming file and line for anything that cannot be read, and where the files have no question in
    common.
    """
    return evaluated(run, qrels, measures).figures_by(inference.resamples)


def evaluated(run: Path, qrels: Path, measures: Sequence[Measure]) -> Evaluation:
    """Return what a run file scores; see `evaluate_files`."""
    rankings, judged = read_run(run), read_qrels(qrels)
    if not rankings.keys() & judged.keys():
        theirs, ours = (", ".join(in_natural_order(each)[:_NAMED]) for each in (rankings, judged))
        raise UserError("evaluate_no_question", Where(str(run)), theirs=theirs, ours=ours)
    return evaluate(rankings, judged, measures).within(deepest(rankings))


def compare_files(
    qrels: Path,
    run: Path,
    against: Path,
    measures: Sequence[Measure] = LEADERBOARD,
    inference: Inference = USUAL,
) -> dict[str, Comparison]:
    """Return how a TREC run file differs from another by each measure, on the judged questions.

    Within a measure one pair of runs leaves nothing to correct for; over the table p is corrected
    for all measures. Raises as :func:`evaluate_files` does.
    """
    first, other = (evaluated(file, qrels, measures) for file in (run, against))
    return compare_evaluated(first, other, inference)


def compare_evaluated(
    run: Evaluation, against: Evaluation, inference: Inference = USUAL
) -> dict[str, Comparison]:
    """Return how a run differs from another by each measure; see `compare_files`."""
    tables = {"run": run.table, "against": against.table}
    return compare_tables(tables, "run", run.measures, inference)["against"]
