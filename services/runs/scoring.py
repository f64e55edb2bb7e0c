"""Scores of stored runs against gold, and of run files against qrels.

Scores are cached on disk per question, so that a leaderboard only reads them. A run never changes,
so its score on a question depends on that question's gold alone. Each row stores the hash of its
gold; where that has changed, only this row is recomputed. The files lie in the workspace's cache
folder, one per run and gold set, named after all else that their content depends on and written
atomically. A missing, damaged or unwritable file only costs time, and replicas on separate disks
each keep their own.

Coverage of a run: how many questions with gold it answers, leaves unanswered or never asked.

A question without gold counts in no figure. A method that finds nothing for a question has failed
on it and scores 0. A run file that omits a question, or a run made before the question existed,
never asked it. Runs are compared on the questions that all of them rank; a run that lacks questions
most others rank would shrink that set, so it is left out unless requested.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from enum import StrEnum
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
    own_measures,
    parse_measure,
)
from normalization.hashing import text_hash
from retrieval.core.model import MAX_DEPTH
from services.gold.gold_set import GoldSet, GoldSets, gold_set, gold_sets
from services.runs.costs import trained_questions
from services.runs.methods.preparation import depth_of
from storage.db.atomic_files import published_file
from storage.db.workspace import ByDatabase, Workspace
from storage.export.trec import read_qrels, read_run
from storage.runs.experiments import RecordView, records_of
from storage.runs.run_store import RunView, project_slug, run_by_id, run_hits, run_rankings

_RULE = 1  # raise it when what is written, or how anything is scored, changes
_NAMED = 5  # questions named in an error
_MOST = 60  # measures kept of a run: whoever asks for ever new ones must not fill the disk


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """Scores of a run on one question: units returned, ranks of gold units, values per measure.

    `gold` is the hash of the gold scored on, "" where the question is not decided. `ranks` are
    ascending. `values` follow the order of the stored measures; empty where nothing can be scored.
    """

    gold: str
    count: int
    ranks: tuple[int, ...]
    values: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class KeptScores:
    """Cached scores of a run by `measures` (keys); `rows` by ascending question id."""

    measures: tuple[str, ...]
    rows: Mapping[str, ScoreRow]

    def table(self, measures: Sequence[str]) -> dict[str, dict[str, float | None]]:
        """Return question → measure → value of questions with final gold; None if not scorable."""
        places = [(key, self.measures.index(key)) for key in measures]
        return {
            query: {key: row.values[at] if row.values else None for key, at in places}
            for query, row in self.rows.items()
            if row.gold
        }


def kept_scores(
    ws: Workspace,
    run: RunView,
    gold: GoldSet,
    measures: Sequence[Measure] = (),
    rankings: Mapping[str, Sequence[str]] | None = None,
) -> KeptScores:
    """Return a run's scores on `gold` from the cache; missing or outdated ones are added to it.

    Covers at least all offered measures and `measures`. `rankings` are the run's, read if needed.
    """
    file, changed = _cache_file(ws, run, gold), None
    kept = _cached_scores(file)
    if kept is None or not {repr(measure) for measure in measures} <= set(kept.measures):
        kept = KeptScores(_measures_to_keep(kept, measures), {})
    else:
        now = gold.question_hashes
        changed = {query for query, row in kept.rows.items() if row.gold != now.get(query, "")}
        if not changed:
            return kept
    if rankings is None:
        with ws.reading() as session:
            rankings = run_rankings(session, run.id, changed)
    rows = {**kept.rows, **_score_rows(rankings, gold, kept.measures)}
    found = KeptScores(kept.measures, dict(sorted(rows.items())))
    _write_scores(file, found)
    return found


def _measures_to_keep(cached: KeptScores | None, measures: Sequence[Measure]) -> tuple[str, ...]:
    """Return the measures to cache: those already cached, unless too many, plus `measures`."""
    wanted = [repr(each) for each in (*OFFERED, *measures)]
    together = dict.fromkeys([*(cached.measures if cached else ()), *wanted])
    return tuple(together if len(together) <= _MOST else dict.fromkeys(wanted))


def _score_rows(
    rankings: Mapping[str, Sequence[str]], gold: GoldSet, measures: Sequence[str]
) -> dict[str, ScoreRow]:
    """Return the scores of each question of a run."""
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


def _cache_file(ws: Workspace, run: RunView, gold: GoldSet) -> Path:
    """Return the file of a run's scores on a gold set, named after all that they depend on."""
    said = f"{_RULE} {_scorer_version()} {run.identity} {gold.label}"
    return ws.cache / "scores" / f"{text_hash(said)[:32]}.json"


def _scorer_version() -> str:
    """Return the version of the scoring: pytrec_eval and own measures."""
    own = (f"{name} of {each.origin}" for name, each in own_measures().items())
    return " ".join((_version("pytrec-eval-terrier"), *own))


_version = cache(version)


def _cached_scores(file: Path) -> KeptScores | None:
    """Read a cache file; None if missing or damaged."""
    try:
        digest, _, text = file.read_bytes().partition(b"\n")
    except OSError:
        return None
    if digest != sha256(text).hexdigest().encode():
        return None
    said = json.loads(text)
    rows = {
        query: ScoreRow(gold, count, tuple(ranks), tuple(values))
        for query, (gold, count, ranks, values) in said["rows"].items()
    }
    return KeptScores(tuple(said["measures"]), rows)


def _write_scores(file: Path, cached: KeptScores) -> None:
    """Write a cache file; a failure to write is ignored."""
    rows = {
        query: [row.gold, row.count, row.ranks, row.values] for query, row in cached.rows.items()
    }
    said = {"measures": cached.measures, "rows": rows}
    text = json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode()
    with suppress(UserError), published_file(file) as part:
        part.write_bytes(sha256(text).hexdigest().encode() + b"\n" + text)


Hits = dict[str, list[tuple[str, float]]]
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """A stored run with its scores on the current gold of its snapshot.

    `asked` holds each question of the run, by ascending id. Only decided ones are scored, and none
    that its models were trained on (`trained`).
    """

    run: RunView
    project_slug: str
    gold: GoldSet
    asked: Mapping[str, ScoreRow]
    evaluation: Evaluation
    source: ByDatabase
    trained: frozenset[str] = frozenset()

    @property
    def hits(self) -> Hits:
        """Rankings of each question with scores."""
        return _cached_hits(self.source, _By(self.run.identity, self.run))

    @property
    def figures(self) -> list[Figure]:
        """Its figures, in the order of the measures."""
        return self.evaluation.figures

    @property
    def learnt_otherwise(self) -> bool:
        """Whether its method learnt from other gold than it is scored on."""
        learnt = self.run.key.gold_hash
        return bool(learnt) and learnt != self.gold.learning_hash(self.asked)


def require_scores(ws: Workspace, run_id: int, by: int | None) -> RunView:
    """Return a stored run, having checked that `by` may see the scores of its project.

    Raises UserError for an unknown one, and if `by` (None: the operator) may not see the project's
    scores.
    """
    with ws.reading() as session:
        run = run_by_id(session, run_id)
        require_by(session, run.key.project_id, by, Act.SEE_SCORES)
    return run


def score_run(
    ws: Workspace,
    run_id: int,
    measures: Sequence[Measure] = LEADERBOARD,
    gold: str | GoldSets = "",
    by: int | None = None,
) -> ScoredRun:
    """Return a stored run scored by `measures` on the gold set of a name, or on one of known sets.

    Raises UserError as `require_scores` does, and for an unknown gold set.
    """
    run = require_scores(ws, run_id, by)
    with ws.reading() as session:
        slug = project_slug(session, run.key.project_id)
        trained = trained_questions(records_of(session, [run_id]).get(run_id, RecordView()).cost)
    law = run.key.snapshot_id
    if isinstance(gold, str):
        on = gold_set(ws, slug, law, gold)
    else:
        on = gold_sets(ws, slug, [law], gold).of(law)
    return scored_on(ws, run, slug, on, measures, trained)


def scored_on(
    ws: Workspace,
    run: RunView,
    slug: str,
    gold: GoldSet,
    measures: Sequence[Measure],
    trained: frozenset[str] = frozenset(),
) -> ScoredRun:
    """Return a run of the project `slug` scored on `gold`, but for its `trained` questions."""
    source = ByDatabase.of(ws)
    by_content = _By(run.identity, run), _By(f"{gold.label} {gold.hash}", gold)
    asked, evaluation = _scores(source, *by_content, tuple(measures))
    evaluation = evaluation.without(trained)
    return ScoredRun(run, slug, gold, asked, evaluation, source, trained)


@dataclass(frozen=True)
class _By(Generic[T]):
    """Cache key that wraps a value; equal where `key`, which identifies the content, is equal."""

    key: str
    value: T = field(compare=False)


# A stored run never changes, and neither does the gold of one hash.
@lru_cache(maxsize=8)
def _cached_hits(source: ByDatabase, run: _By[RunView]) -> Hits:
    """Return a run's rankings with scores, kept in memory by content."""
    with source.ws.reading() as session:
        return run_hits(session, run.value.id)


@lru_cache(maxsize=64)
def _scores_in_memory(
    source: ByDatabase, run: _By[RunView], gold: _By[GoldSet], others: tuple[Measure, ...]
) -> KeptScores:
    """Return a run's cached scores, kept in memory by content."""
    return kept_scores(source.ws, run.value, gold.value, others)


@lru_cache(maxsize=512)  # each run of a board twice: without measures, and with those shown
def _scores(
    source: ByDatabase, run: _By[RunView], gold: _By[GoldSet], measures: tuple[Measure, ...]
) -> tuple[Mapping[str, ScoreRow], Evaluation]:
    """Return a run's values by question, and its evaluation."""
    others = tuple(measure for measure in measures if measure not in OFFERED)
    kept, qrels = _scores_in_memory(source, run, gold, others), gold.value.qrels
    keys = tuple(map(repr, measures))
    empty = (query for query, row in kept.rows.items() if not row.count)
    evaluation = Evaluation(
        table=kept.table(keys),
        measures=keys,
        missing=tuple(query for query in empty if qrels.get(query)),
        unjudged=tuple(query for query in kept.rows if query not in qrels),
    )
    return kept.rows, evaluation.within(depth_of(run.value.key, MAX_DEPTH))


def evaluated(run: Path, qrels: Path, measures: Sequence[Measure]) -> Evaluation:
    """Return the evaluation of a TREC run file against a TREC or BEIR judgement file.

    A judged question that the run leaves out scores 0; one without a relevant unit is not scored.
    A measure that looks deeper than the file's longest ranking has no value. Raises UserError
    naming file and line for anything that cannot be read, and where the files have no question in
    common.
    """
    rankings, judged = read_run(run), read_qrels(qrels)
    if not rankings.keys() & judged.keys():
        theirs, ours = (", ".join(in_natural_order(each)[:_NAMED]) for each in (rankings, judged))
        raise UserError("evaluate_no_question", Where(str(run)), theirs=theirs, ours=ours)
    return evaluate(rankings, judged, measures).within(deepest(rankings))


def compare_evaluated(
    run: Evaluation, against: Evaluation, inference: Inference = USUAL
) -> dict[str, Comparison]:
    """Compare `run` with `against` by each measure, on the judged questions.

    Within a measure one pair of runs leaves nothing to correct for; over the table p is corrected
    for all measures.
    """
    tables = {"run": run.table, "against": against.table}
    return compare_tables(tables, "run", run.measures, inference)["against"]


class LeftOut(StrEnum):
    """Why a run is excluded from comparison by default."""

    FEWER = "fewer"  # does not rank questions with gold that most runs rank
    SNAPSHOT = "snapshot"  # made on another snapshot than the one in use


@dataclass(frozen=True, slots=True)
class Coverage:
    """Counts of a run's questions by outcome; with gold: answered, unanswered, not asked.

    `unanswered`: asked, nothing returned. `not_asked`: with gold, but not in the run. `no_gold`:
    decided to have no provision. `unsettled`: not yet judged. The last two count in no figure.
    """

    answered: int = 0
    unanswered: int = 0
    not_asked: int = 0
    no_gold: int = 0
    unsettled: int = 0

    @classmethod
    def of(cls, scored: ScoredRun) -> Coverage:
        """Count a run's questions on the gold it is scored on."""
        qrels = scored.gold.qrels
        with_gold = {query for query, units in qrels.items() if units}
        asked = [query for query in scored.asked if query in with_gold]
        answered = sum(scored.asked[query].count > 0 for query in asked)
        settled = sum(query in qrels for query in scored.asked)
        return cls(
            answered=answered,
            unanswered=len(asked) - answered,
            not_asked=len(with_gold) - len(asked),
            no_gold=settled - len(asked),
            unsettled=len(scored.asked) - settled,
        )

    @property
    def questions(self) -> int:
        """Number of questions with gold."""
        return self.answered + self.unanswered + self.not_asked

    @property
    def share(self) -> float | None:
        """Share of questions with gold that are answered; None without any."""
        return self.answered / self.questions if self.questions else None

    def as_dict(self) -> dict[str, int | float | None]:
        """Return the counts as JSON values."""
        return {"questions": self.questions, **asdict(self), "share": self.share}


def ranked_by_most(scored: Sequence[ScoredRun]) -> frozenset[str]:
    """Return the questions that more than half of the runs rank."""
    counts = Counter(query for each in scored for query in each.asked)
    return frozenset(query for query, count in counts.items() if 2 * count > len(scored))


def lacks(scored: ScoredRun, questions: Iterable[str]) -> bool:
    """Return True if the run does not rank all those of `questions` that have gold."""
    qrels = scored.gold.qrels
    return any(qrels.get(query) and query not in scored.asked for query in questions)
