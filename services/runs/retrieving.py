"""Runs of retrieval methods over all questions, stored with cost and environment.

A run ranks every question of its project, whatever the gold: figures are computed later from the
gold in use. Only a method that learns from gold depends on it. A stored run that lacks questions is
asked only these.
"""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from types import MappingProxyType
from typing import Any

from sqlmodel import Session

from annotation.gold.derivation import evidence_of
from annotation.people.roles import Act, reading_as, require_by
from corpus.long_work import Progress, keeping
from errors import UserError
from retrieval.core.method import Method, Resources
from retrieval.core.model import MAX_DEPTH, Corpus, Query, Spec
from retrieval.core.presets import describe, rerankers
from retrieval.core.registry import complete, learns_from_gold, make
from retrieval.graph.cited import noise_effects
from services.gold.gold_set import GoldSet, ProjectGold, require_judged
from services.models.call_counts import counting_calls
from services.runs.costs import QUERIES, QUESTIONS, TRAINED
from services.runs.methods.preparation import (
    POOLS,
    learning_from,
    levels_of,
    params_of,
    pools_param,
    prepared,
    query_of,
    resources,
    searched_corpus,
    trained_on,
)
from services.runs.scoring import kept_scores
from storage.db.atomic_files import published_file
from storage.db.workspace import Workspace, at_one_moment
from storage.export.trec import write_run
from storage.law.corpus import SnapshotView, snapshot_of
from storage.law.passages import Levels
from storage.projects import ProjectView, find_project
from storage.runs.experiments import RecordView, keep_record
from storage.runs.run_store import (
    Ranking,
    RunKey,
    RunView,
    extend_run,
    find_runs,
    keep_run,
    questions_asked,
    run_by_id,
    run_hits,
)
from storage.runs.search_levels import levels_searched

# What a ranking or a measure may depend on.
PACKAGES = (
    "PyStemmer",
    "kiwipiepy",
    "milvus-lite",
    "numpy",
    "pymilvus",
    "pytrec-eval-terrier",
    "scikit-learn",
    "scipy",
    "sentence-transformers",
    "torch",
    "transformers",
)


@cache
def environment() -> dict[str, Any]:
    """Return the versions of Python and packages, the platform and the number of cores."""
    return {
        "python": platform.python_version(),
        "platform": platform.platform(),
        "cores": os.cpu_count(),
        "packages": {name: found for name in PACKAGES if (found := _installed_version(name))},
    }


def _installed_version(package: str) -> str:
    """Return the version of a package, "" if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


AT_ONCE = 16
"""Questions per batch: enough for batched methods, few enough to show progress."""

BM25 = MappingProxyType({"method": "bm25"})


def retrieve(
    ws: Workspace,
    project_slug: str,
    spec: Spec = BM25,
    k: int = 100,
    snapshot_id: int | None = None,
    *,
    by: int | None = None,
    progress: Progress | None = None,
    label: str = "",
    gold: str = "",
) -> int:
    """Run `spec` on every question, or on those that an equal run lacks; return the run's id.

    It searches the levels that the project's setting names, in the snapshot in use unless another
    is named, and stores the best `k` units (1 to 1,000) of each question. Where an equal run exists
    (method, parameters, levels, snapshot; and gold, for a method that learns from it), its id is
    returned, and only questions that it lacks are asked. `gold` names the gold set that such a
    method learns from, the widest by default. `progress` is called with (questions done,
    questions), and by slow fitting before that with (texts, texts). `by` is the requester, None for
    the operator; `label` is the name of a new run. Raises UserError for `by` without permission, an
    unknown project, snapshot or gold set, an invalid spec, a number out of range, a project without
    questions, and where the snapshot has no unit of these levels.
    """
    with (
        at_one_moment(ws) as seen,
        reading_as(seen, project_slug, by, Act.RUN_RETRIEVAL) as (session, project, _),
    ):
        number = snapshot_of(session, project, snapshot_id).id
        on = _basis(ws, seen, project, number, gold)
    return run_on(on, spec, k, by=by, progress=progress, label=label)


@dataclass(frozen=True)
class RunBasis:
    """Inputs of a run, read at one moment: snapshot, levels, and gold for methods that learn."""

    ws: Workspace
    project: ProjectView
    snapshot: SnapshotView
    gold: GoldSet
    levels: Levels
    using: Resources

    @cached_property
    def corpus(self) -> Corpus:
        """The corpus searched: units of the project's levels, independent of gold.

        Raises UserError where the snapshot has none.
        """
        return searched_corpus(self.ws, self.snapshot.id, self.levels, self.snapshot.content_hash)

    @cached_property
    def queries(self) -> Sequence[Query]:
        """All questions of the project, by ascending id. Raises UserError where it has none."""
        if not self.gold.questions:
            raise UserError("run_without_questions", slug=self.project.slug)
        return [query_of(each) for _, each in sorted(self.gold.questions.items())]

    def key(self, spec: Spec, k: int) -> RunKey:
        """Return the key that identifies a run of this spec and depth.

        Raises UserError for an invalid spec and a depth out of range.
        """
        if not 1 <= k <= MAX_DEPTH:
            raise UserError("retrieve_depth", k=k, limit=MAX_DEPTH)
        spec = complete(spec)
        versions = make(spec, self.using).versions
        params = params_of(spec, k, versions, self.levels, self._pools)
        gold = ""
        if learns_from_gold(spec):
            require_judged(self.gold, self.project.slug)
            gold = self.using.settings["gold"]
        return RunKey(self.project.id, self.snapshot.id, spec["method"], params, gold)

    def stored(self, session: Session, key: RunKey) -> RunView | None:
        """Return the oldest run with that key, whichever questions it ranks; None without any.

        Its questions must have been searched in the same parts of the corpus as they would be now.
        """
        for run in find_runs(session, key, POOLS):
            asked = (
                questions_asked(session, run.id) if self._pools or POOLS in run.key.params else ()
            )
            pools = {name: self._pools[name] for name in asked if name in self._pools}
            if pools_param(pools).get(POOLS) == run.key.params.get(POOLS):
                return run
        return None

    @cached_property
    def _pools(self) -> Mapping[str, str]:
        """Jurisdiction per question whose search is limited to part of the corpus."""
        said = [query for query in self.queries if query.jurisdiction]
        if not said:
            return {}
        corpus = self.corpus
        narrow = [each for each in said if corpus.within(each.jurisdiction) is not corpus]
        return {query.id: query.jurisdiction for query in narrow}


def ground(ws: Workspace, project_slug: str, snapshot_id: int, name: str = "") -> RunBasis:
    """Return the inputs for runs on a snapshot of the project, as they are now.

    `name` is that of the gold set to learn from. Raises UserError for an unknown project, snapshot
    or gold set.
    """
    with at_one_moment(ws) as seen, seen.reading() as session:
        return _basis(ws, seen, find_project(session, project_slug), snapshot_id, name)


def _basis(
    ws: Workspace, seen: Workspace, project: ProjectView, snapshot_id: int, name: str
) -> RunBasis:
    """Return the data that runs are made on: corpus, questions, gold."""
    with seen.reading() as session:
        read = ProjectGold(ws, project, evidence_of(session, project))
        named = read.named(session, snapshot_id, name, snapshot_id)
        gold = named.whole or named
        levels = levels_searched(session, project.id)
    using = learning_from(ws, project.id, gold, resources(ws, snapshot_id, project.slug, seen))
    return RunBasis(ws, project, read.evidence.laws[snapshot_id], gold, levels, using)


def run_on(
    on: RunBasis,
    spec: Spec,
    k: int,
    *,
    by: int | None,
    progress: Progress | None = None,
    label: str = "",
) -> int:
    """Run `spec` on the given inputs as `retrieve` does; return the run's id.

    The caller has checked that `by` may run retrieval. Raises UserError for `by` who may not have
    models run, where the method calls one and the run does not exist yet.
    """
    key = on.key(spec, k)
    with on.ws.reading() as session:
        known = on.stored(session, key)
        asked = questions_asked(session, known.id) if known else frozenset[str]()
    lacking = [query for query in on.queries if query.id not in asked]
    if known is not None and not lacking:
        return known.id
    if make(spec, on.using).calls_models:
        with on.ws.reading() as session:
            require_by(session, on.project.id, by, Act.MAKE_ITEMS)
    answers, cost = _rankings_and_cost(on, spec, lacking, k, progress)
    record = RecordView(label, "computed", environment(), cost, by)
    with keeping():
        with on.ws.writing() as session:
            # Somebody else may have made the same run meanwhile.
            there = on.stored(session, key)
            at = on.ws.clock()
            run = there.id if there else keep_run(session, key, answers, at)
            if there:
                extend_run(session, run, answers, key.params)
            keep_record(session, run, record, at)
            made = run_by_id(session, run) if there else RunView(run, key, at, len(answers))
        # Kept on disk, so that the leaderboard only reads them.
        found = {query: [unit for unit, _ in hits] for query, hits in answers.items()}
        kept_scores(on.ws, made, on.gold, rankings=None if there else found)
    return run


def _rankings_and_cost(
    on: RunBasis, spec: Spec, queries: Sequence[Query], k: int, progress: Progress | None
) -> tuple[dict[str, Ranking], dict[str, Any]]:
    """Return the rankings of `queries`, and their cost."""
    asked_of = [query.jurisdiction for query in queries]
    using = replace(on.using, progress=progress)
    method, fitting = prepared(on.ws, spec, on.corpus, using, asked_of)
    with counting_calls() as calls:
        answers, cost = _answers(method, queries, k, progress)
    cost |= {QUERIES: calls.sums.as_json(), QUESTIONS: len(queries)}
    used = {id(each): each for each in map(method.within, asked_of)}
    if effects := [effect for each in used.values() for effect in noise_effects(each)]:
        cost |= {"noise": [effect.as_json() for effect in effects]}
    # What RefWalk reranked with may be a setting of the machine.
    if named := [describe(each) for each in rerankers(complete(spec))]:
        cost |= {"rerankers": named}
    if trained := trained_on(method, on.queries):
        cost |= {TRAINED: trained}
    return answers, fitting.as_json() | cost


def _answers(
    method: Method, queries: Sequence[Query], k: int, progress: Progress | None
) -> tuple[dict[str, Ranking], dict[str, Any]]:
    """Return the rankings, with search time and notes of the method.

    A first untimed search warms up what starts lazily, such as a tokeniser. Where a language model
    is called for questions there is none: it would be called twice.
    """
    answers: dict[str, Ranking] = {}
    if not method.calls_models:
        method.search(queries[:1], k)
    before, seconds = Counter(method.notes), 0.0
    for start in range(0, len(queries), AT_ONCE):
        began = perf_counter()
        run = method.search(queries[start : start + AT_ONCE], k)
        seconds += perf_counter() - began
        answers |= {
            query: [(hit.unit_id, hit.score) for hit in hits] for query, hits in run.items()
        }
        if progress:
            progress(len(answers), len(queries))
    notes = Counter(method.notes) - before  # a method kept open has answered others before
    notes.update(method.fit_notes)
    per_query = round(1000 * seconds / len(queries), 3)
    return answers, {"search_ms_per_query": per_query, "notes": dict(sorted(notes.items()))}


def export_run(ws: Workspace, run_id: int, file: Path, by: int | None = None) -> int:
    """Write a stored run as a TREC run file; return the number of lines.

    Its tag names method and levels, e.g. ``touchstone-bm25:article+section+annex``. Raises
    UserError for an unknown run, a file that cannot be written, and for `by` (None: the operator)
    who may not run retrieval.
    """
    with ws.reading() as session:
        key = run_by_id(session, run_id).key
        require_by(session, key.project_id, by, Act.RUN_RETRIEVAL)
        hits = run_hits(session, run_id)
    levels = levels_of(key)
    searched = "" if levels is None else ":" + "+".join(levels)
    with published_file(file) as part:
        return write_run(part, hits, f"touchstone-{key.method}{searched}")


def run_text(ws: Workspace, run_id: int, by: int | None = None) -> str:
    """Return a stored run in TREC format. Raises UserError as `export_run` does."""
    with TemporaryDirectory(prefix="touchstone-run-") as folder:
        file = Path(folder) / "run.trec"
        export_run(ws, run_id, file, by)
        return file.read_text(encoding="utf-8")
