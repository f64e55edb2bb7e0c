"""Run a retrieval method over the gold questions, and keep what it returned."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from annotation.roles import Act
from annotation.standing import allow, require_by
from errors import UserError
from jobs.gold_set import GoldSet, chosen_snapshot, required_gold
from jobs.index import CORPUS_RULE, Recipe, text_index
from retrieval.bm25 import DEFAULT_B, DEFAULT_K1, FORMAT
from retrieval.tokenise import DEFAULT
from storage.corpus import load_items
from storage.export.trec import write_run
from storage.folders import published_file
from storage.passages import outside_retrieval_corpus
from storage.projects import ProjectView, find_project
from storage.runs import Ranking, RunKey, find_run, keep_run, run_by_id, run_hits
from storage.workspace import Workspace

METHODS = ("bm25",)
MAX_DEPTH = 1000

Progress = Callable[[int, int], None]


def retrieve(
    ws: Workspace,
    project_slug: str,
    method: str = "bm25",
    k: int = 100,
    tokeniser: str = DEFAULT,
    progress: Progress | None = None,
    k1: float = DEFAULT_K1,
    b: float = DEFAULT_B,
    snapshot_id: int | None = None,
    *,
    by: int | None = None,
) -> int:
    """Answer every gold question with `method` on a snapshot; return the run's id.

    It is the snapshot in use unless another is named, with the gold that holds for it. The best
    `k` units (1 to 1,000) of each question are kept. Where an equal run is there
    (method, parameters, snapshot and gold), its id is returned and nothing is computed.
    `progress` is called with (questions done, questions). `by` is the person who asks for it, None
    for the operator. Raises UserError for who may not, for an unknown project, snapshot, method or
    tokeniser, a number out of range, and when no question is settled.
    """
    recipe = Recipe(tokeniser, float(k1), float(b))
    _require_known(method, recipe, k)
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    snapshot_id = chosen_snapshot(ws, project_slug, snapshot_id).id
    gold = required_gold(ws, project_slug, snapshot_id)
    with ws.reading() as session:
        project = find_project(session, project_slug)
        key = _key(project, snapshot_id, method, k, recipe, gold)
        known = find_run(session, key)
        outside = outside_retrieval_corpus(session, snapshot_id, gold.units)
    if known is not None:
        return known
    texts = _question_texts(ws, project, gold)
    index = text_index(ws, snapshot_id, recipe, also=outside)
    answers: dict[str, Ranking] = {}
    for done, (external_id, text) in enumerate(texts.items(), 1):
        answers[external_id] = [(hit.unit_id, hit.score) for hit in index.search(text, k)]
        if progress:
            progress(done, len(texts))
    with ws.writing() as session:
        # Somebody else may have made the same run meanwhile.
        return find_run(session, key) or keep_run(session, key, answers, ws.clock())


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


def _require_known(method: str, recipe: Recipe, k: int) -> None:
    if method not in METHODS:
        raise UserError("unknown_method", name=method, known=", ".join(METHODS))
    if not 1 <= k <= MAX_DEPTH:
        raise UserError("retrieve_depth", k=k, limit=MAX_DEPTH)
    recipe.check()


def _key(
    project: ProjectView, snapshot_id: int, method: str, k: int, recipe: Recipe, gold: GoldSet
) -> RunKey:
    params = asdict(recipe) | {"k": k, "version": f"{FORMAT}.{CORPUS_RULE}"}
    return RunKey(project.id, snapshot_id, method, params, gold.hash)


def _question_texts(ws: Workspace, project: ProjectView, gold: GoldSet) -> dict[str, str]:
    with ws.reading() as session:
        items = load_items(session, project.id)
    texts = {item.question.external_id: item.question.text for item in items}
    return {item.external_id: texts[item.external_id] for item in gold.items}
