"""Preparation of retrieval methods on a snapshot: corpus, resources, fitting with cache.

Key of a run: its method's parameters, depth, levels and versions.

Depth, versions, the levels searched and a hash of the questions' jurisdictions are stored beside
the parameters under names that no method uses: RRF has a ``k`` of its own.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from corpus.graph.model import Graph
from corpus.long_work import in_bulk
from corpus.model import Question
from errors import UserError
from normalization.hashing import text_hash
from retrieval.core.method import DamagedIndexError, Method, Resources
from retrieval.core.model import Corpus, Document, JudgedQuestion, Query, Spec
from retrieval.core.registry import complete, method_class, part_specs
from retrieval.engines.local import MILVUS_TOKEN, MILVUS_URI
from services.gold.gold_set import GoldSet
from services.models.llm_adapter import ProjectAsker, WorkspaceEmbedder
from services.runs.methods.index_cache import (
    FitCost,
    Measured,
    cost_of,
    measured,
    saved_index,
    total,
)
from storage.db.workspace import ByDatabase, Workspace
from storage.law.corpus import snapshot_by_id, snapshot_year
from storage.law.graph import METHOD as GRAPH_METHOD
from storage.law.graph import load_graph
from storage.law.parallel_groups import declared_version
from storage.law.passages import (
    RETRIEVED_LEVELS,
    Levels,
    Passage,
    retrieval_ids,
    retrieval_jurisdictions,
    retrieval_passages,
)
from storage.reformulation import parentages
from storage.runs.run_store import RunKey
from storage.runs.search_levels import in_order, level_counts

CORPUS_RULE = 1  # raise it when what is indexed of a unit, or how text is cut, changes
CODES = frozenset(
    {
        # models in files
        *("model_missing", "model_download", "model_folder", "model_unreadable"),
        # models of a server, their settings, and the wordings they are asked in
        *("method_needs_model", "method_needs_embedder", "models_role_unset", "models_unreadable"),
        "pikerag_loop_needs_model",
        *("models_setting", "models_key_in_file", "prompt_unknown", "prompt_unreadable"),
        "prompt_places",
        # servers that search, the citation graph, and gold
        *("method_needs_milvus", "method_graph", "parallel_undeclared", "method_gold"),
    }
)
"""Errors of a method whose requirements are missing here; its description may be valid."""

# Variables of the environment that name a Milvus server; without, search is local.
_MILVUS = {MILVUS_URI: "TOUCHSTONE_MILVUS_URI", MILVUS_TOKEN: "TOUCHSTONE_MILVUS_TOKEN"}


def is_not_here(error: UserError) -> bool:
    """Return True if `error` is about something missing on this machine or its servers."""
    return error.code in CODES


def corpus_of(
    ws: Workspace, snapshot_id: int, levels: Levels = RETRIEVED_LEVELS, digest: str = ""
) -> Corpus:
    """Return the corpus of a snapshot: its units of `levels` that are not deleted.

    Texts are read on demand and not kept in memory; ids stay cached. `digest` is the snapshot's
    content hash, read unless given. Raises KeyError for an unknown snapshot.
    """
    if not digest:
        with ws.reading() as session:
            digest = snapshot_by_id(session, snapshot_id).content_hash
    said = [digest, CORPUS_RULE, list(map(str, levels))]
    fingerprint = text_hash(repr(said))
    return _corpus(ByDatabase.of(ws), snapshot_id, levels, fingerprint).without_documents()


@lru_cache(maxsize=4)
def _corpus(source: ByDatabase, snapshot_id: int, levels: Levels, fingerprint: str) -> Corpus:
    """Return the corpus of a snapshot, its texts read when first needed."""
    with source.ws.reading() as session:
        ids = retrieval_ids(session, snapshot_id, levels)
        of = retrieval_jurisdictions(session, snapshot_id, levels)

    def read() -> Sequence[Document]:
        """Read the texts, ascending by id."""
        with in_bulk(), source.ws.reading() as session:
            documents = map(document_of, retrieval_passages(session, snapshot_id, levels))
            return sorted(documents, key=lambda document: document.id)

    return Corpus(ids, fingerprint, read, of)


def searched_corpus(ws: Workspace, snapshot_id: int, levels: Levels, digest: str = "") -> Corpus:
    """Return the corpus of `corpus_of`. Raises UserError where it is empty."""
    corpus = corpus_of(ws, snapshot_id, levels, digest)
    if not len(corpus):
        with ws.reading() as session:
            counts = level_counts(session, snapshot_id)
        there = ", ".join(level for level, units in counts.items() if units) or "–"
        raise UserError("levels_empty", levels=", ".join(levels), there=there)
    return corpus


def query_of(question: Question) -> Query:
    """Return a question as a query for methods: its text and jurisdiction."""
    return Query(question.external_id, question.text, question.jurisdiction)


def text_key(question: str) -> str:
    """Return the hash by which a question is known to a model that was trained on it."""
    return text_hash(" ".join(question.split()))


def trained_on(method: Method, queries: Sequence[Query]) -> list[dict[str, Any]]:
    """Return the gold that a method's models were trained on; `seen` are the queries among it."""
    found = []
    for gold in method.trained_on:
        texts = set(gold["texts"])
        seen = sorted(query.id for query in queries if text_key(query.text) in texts)
        found.append({key: gold[key] for key in gold if key != "texts"} | {"seen": seen})
    return found


def document_of(passage: Passage) -> Document:
    """Return a passage as a document for methods."""
    title, label = passage.place_words
    return Document(
        id=passage.unit_id,
        statute_title=title,
        label=label,
        heading=passage.heading,
        body=passage.text,
        statute=passage.statute_id,
        tier=passage.tier,
        path=passage.path,
        order=passage.order,
        jurisdiction=passage.jurisdiction,
    )


def resources(
    ws: Workspace,
    snapshot_id: int,
    project_slug: str | None = None,
    seen: Workspace | None = None,
) -> Resources:
    """Return the resources of methods on a snapshot: graph (built if need be), models, cache.

    A language model is prompted in the wordings of the project, if one is named. `seen` is the
    workspace at the moment that is read, now unless given.
    """

    with (seen or ws).reading() as session:
        groups = declared_version(session, snapshot_id)
        year = snapshot_year(session, snapshot_id)

    def graph() -> Graph:
        """Return the citation graph, built if need be."""
        from services.law.graph.citation_graph import build_snapshot

        build_snapshot(ws, snapshot_id)
        with ws.reading() as session:
            return load_graph(session, snapshot_id)

    return Resources(
        graph=graph,
        folder=ws.cache,
        ask=ProjectAsker(ws, project_slug, year),
        embed=lambda name: WorkspaceEmbedder(ws, name),
        settings={"graph": GRAPH_METHOD, "parallel": groups}
        | {name: os.environ[said] for name, said in _MILVUS.items() if said in os.environ},
    )


def learning_from(ws: Workspace, project_id: int, gold: GoldSet, using: Resources) -> Resources:
    """Return `using` with the project's questions and their gold, for methods that learn.

    Nothing is learnt from a question without gold. The method's rankings depend on the gold and on
    which questions exist. It must only answer those very questions: annotators must not be shown
    what others' labels suggest.
    """

    def judged() -> Sequence[JudgedQuestion]:
        """Return all questions, each with its gold, if any, and its family."""
        with ws.reading() as session:
            made = parentages(session, project_id)
        families = {name: of.parent for name, of in made.items()}
        families |= {of.parent: of.parent for of in made.values()}
        return [
            JudgedQuestion(
                name,
                question.text,
                tuple(sorted(gold.qrels.get(name, ()))),
                families.get(name, ""),
            )
            for name, question in sorted(gold.questions.items())
        ]

    learnt = gold.learning_hash(gold.questions)
    return replace(using, gold=judged, settings={**using.settings, "gold": learnt})


def ready(
    ws: Workspace,
    spec: Spec,
    corpus: Corpus,
    using: Resources,
    jurisdictions: Iterable[str] = (),
) -> Method:
    """Return the method described by `spec`, fitted to `corpus`.

    Also fitted to the parts of it searched for questions of `jurisdictions`. Fitted state is cached
    in the workspace. Raises UserError as `retrieval.core.registry.make` does, and where it cannot
    be written.
    """
    return prepared(ws, spec, corpus, using, jurisdictions)[0]


def prepared(
    ws: Workspace,
    spec: Spec,
    corpus: Corpus,
    using: Resources,
    jurisdictions: Iterable[str] = (),
) -> tuple[Method, FitCost]:
    """Return the method as `ready` does, with the cost of fitting it and its parts.

    For cached parts this is the cost of the original fitting.
    """
    costs: dict[str, FitCost] = {}
    spec = complete(spec)
    method = _fitted(ws.indexes, spec, corpus, using, costs)
    for part in searched_for(corpus, jurisdictions):
        if part is not corpus:
            # Each has an index of its own, found again by what is in it as any other is.
            inside = part.without_documents()
            method.take_narrower(_fitted(ws.indexes, spec, inside, using, costs))
    return method, total(costs.values())


def searched_for(corpus: Corpus, jurisdictions: Iterable[str]) -> list[Corpus]:
    """Return the distinct corpora searched for questions of these jurisdictions."""
    parts = [corpus.within(each) for each in sorted(set(jurisdictions))]
    return list({part.fingerprint: part for part in parts}.values())


def _fitted(
    shelf: Path, spec: dict[str, Any], corpus: Corpus, using: Resources, costs: dict[str, FitCost]
) -> Method:
    """Return a method fitted to a corpus, cached if possible; its costs are added to `costs`."""
    kind = method_class(spec["method"])
    within = kind.part_corpus(spec, corpus)
    parts = [_fitted(shelf, each, within, using, costs) for each in part_specs(spec)]
    fresh = kind(spec, parts, using)
    content = fresh.content_for(corpus)
    if not kind.KEEPS:
        seconds, calls = measured(lambda: fresh.fit(corpus))
        costs[content] = FitCost(seconds, 0, calls)
        return fresh

    def build() -> Measured:
        """Fit the method and measure its cost."""
        return Measured(fresh, *measured(lambda: fresh.fit(corpus)))

    def load(folder: Path) -> Method:
        """Load the fitted method."""
        # It may stay open for long: neither the texts nor who waits for it now stay with it.
        kept = kind(spec, parts, replace(using, progress=None))
        try:
            kept.load(folder, corpus.without_documents())
        except UserError as error:
            if error.code != "index_other_corpus":
                raise
            raise DamagedIndexError(f"{folder}: {error}") from error
        return kept

    folder = shelf / f"{kind.NAME}-{content[:24]}"
    method = saved_index(folder, build, load)
    costs[content] = cost_of(folder)
    if parts:  # one that is open knows the parts, and the model, of who opened it
        with suppress(DamagedIndexError):
            return load(folder)
    return method


DEPTH, VERSION, LEVELS = "run_depth", "run_version", "run_levels"
POOLS = "run_jurisdictions"
IMPORTED = "imported"
"""The method of a run that came from a file."""


def params_of(
    spec: Spec,
    depth: int,
    versions: str,
    levels: Levels,
    pools: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the parameters of a run's key; `spec` must be complete.

    `pools` maps questions to the jurisdiction whose part of the corpus is searched.
    """
    said = {name: value for name, value in spec.items() if name != "method"}
    beside = {DEPTH: depth, VERSION: f"{versions}.{CORPUS_RULE}", LEVELS: list(map(str, levels))}
    return said | beside | pools_param(pools or {})


def pools_param(pools: Mapping[str, str]) -> dict[str, str]:
    """Return the key parameter that hashes the questions' jurisdictions; empty without any."""
    if not pools:
        return {}
    return {POOLS: text_hash(repr(sorted(pools.items())))[:16]}


def spec_of(key: RunKey) -> dict[str, Any]:
    """Return the spec of the method that a stored run was made with."""
    beside = (DEPTH, VERSION, LEVELS, POOLS)
    said = {name: value for name, value in key.params.items() if name not in beside}
    return {"method": key.method} | said


def depth_of(key: RunKey, otherwise: int) -> int:
    """Return the run's depth, `otherwise` where it is not stored."""
    return int(key.params.get(DEPTH, otherwise))


def version_of(key: RunKey) -> str:
    """Return the versions of method, parts and corpus of a stored run; "" if unknown."""
    return str(key.params.get(VERSION, ""))


def is_other_code(key: RunKey, versions: str) -> bool:
    """Return True if a stored run used other code of a user's own method than `versions`.

    Only user-supplied methods have the hash of their code in the version
    (`retrieval.core.contained`).
    """
    said = version_of(key)
    return "@" in said and said != f"{versions}.{CORPUS_RULE}"


def levels_of(key: RunKey) -> Levels | None:
    """Return the levels that a stored run searched; None for a run from a file."""
    return in_order(key.params[LEVELS]) if LEVELS in key.params else None
