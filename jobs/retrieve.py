"""Run a retrieval method over the gold questions, and keep what it returned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from types import MappingProxyType
from typing import Any

from annotation.roles import Act
from annotation.standing import allow, require_by
from errors import UserError
from jobs.environment import environment
from jobs.gold_set import GoldSet, chosen_snapshot, required_gold
from jobs.index import CORPUS_RULE
from jobs.methods import corpus_of, prepared, resources
from retrieval.method import Method
from retrieval.model import MAX_DEPTH, Query
from retrieval.parameters import Spec
from retrieval.registry import complete, make
from storage.corpus import load_items
from storage.experiments import RecordView, keep_record
from storage.export.trec import write_run
from storage.folders import published_file
from storage.passages import outside_retrieval_corpus
from storage.projects import ProjectView, find_project
from storage.runs import Ranking, RunKey, find_run, keep_run, run_by_id, run_hits
from storage.workspace import Workspace

AT_ONCE = 16
"""Questions asked together: enough for a method to work in batches, few enough to show progress."""

BM25 = MappingProxyType({"method": "bm25"})

Progress = Callable[[int, int], None]


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
) -> int:
    """Answer every gold question with the method `spec` describes; return the run's id.

    It searches the snapshot in use unless another is named, with the gold that holds for it. The
    best `k` units (1 to 1,000) of each question are kept. Where an equal run is there (method,
    parameters, snapshot and gold), its id is returned and nothing is computed. `progress` is
    called with (questions done, questions). `by` is the person who asks for it, None for the
    operator; `label` is what a run made now is called. Raises UserError for who may not, for an
    unknown project or snapshot, a spec that cannot be, a number out of range, and when no question
    is settled.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    if not 1 <= k <= MAX_DEPTH:
        raise UserError("retrieve_depth", k=k, limit=MAX_DEPTH)
    spec = complete(spec)
    snapshot_id = chosen_snapshot(ws, project_slug, snapshot_id).id
    gold = required_gold(ws, project_slug, snapshot_id)
    using = resources(ws, snapshot_id, project_slug)
    with ws.reading() as session:
        project = find_project(session, project_slug)
        key = _key(project, snapshot_id, spec, k, gold, make(spec, using).versions)
        known = find_run(session, key)
        outside = outside_retrieval_corpus(session, snapshot_id, gold.units)
    if known is not None:
        return known
    method, fitting = prepared(ws, spec, corpus_of(ws, snapshot_id, outside), using)
    answers, cost = _answers(method, _queries(ws, project, gold), k, progress)
    record = RecordView(label, "computed", environment(), fitting.as_json() | cost, by)
    with ws.writing() as session:
        # Somebody else may have made the same run meanwhile.
        run = find_run(session, key) or keep_run(session, key, answers, ws.clock())
        keep_record(session, run, record, ws.clock())
        return run


def _answers(
    method: Method, queries: Sequence[Query], k: int, progress: Progress | None
) -> tuple[dict[str, Ranking], dict[str, Any]]:
    """Return the rankings, and what the search has cost and come to."""
    answers: dict[str, Ranking] = {}
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
    per_query = round(1000 * seconds / len(queries), 3)
    return answers, {"search_ms_per_query": per_query, "notes": dict(sorted(notes.items()))}


def export_run(ws: Workspace, run_id: int, file: Path, by: int | None = None) -> int:
    """Write a stored run as a TREC run file; return the number of lines.

    Raises UserError for an unknown run, a file that cannot be written, and for `by` (None: the
    operator) who may not run retrieval.
    """
    with ws.reading() as session:
        key = run_by_id(session, run_id).key
        require_by(session, key.project_id, by, Act.RUN_RETRIEVAL)
        hits = run_hits(session, run_id)
    with published_file(file) as part:
        return write_run(part, hits, f"touchstone-{key.method}")


def _key(
    project: ProjectView, snapshot_id: int, spec: Spec, k: int, gold: GoldSet, versions: str
) -> RunKey:
    params = {name: value for name, value in spec.items() if name != "method"}
    params |= {"k": k, "version": f"{versions}.{CORPUS_RULE}"}
    return RunKey(project.id, snapshot_id, spec["method"], params, gold.hash)


def _queries(ws: Workspace, project: ProjectView, gold: GoldSet) -> list[Query]:
    with ws.reading() as session:
        items = load_items(session, project.id)
    texts = {item.question.external_id: item.question.text for item in items}
    return [Query(item.external_id, texts[item.external_id]) for item in gold.items]
