"""Proposing candidates for every item: citations first, then titles, then texts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from time import perf_counter

from annotation.roles import Act
from annotation.standing import allow, require_by
from construction.candidates import CandidateSet, Searched, propose
from corpus.citations.catalogue import Catalogue
from corpus.citations.model import Reason
from corpus.model import Question
from errors import UserError
from jobs.index import catalogue, text_index, title_index
from jobs.methods import corpus_of, ready, resources
from retrieval.bm25 import BM25Index
from retrieval.describe import describe
from retrieval.method import Method
from retrieval.model import Hit, Query
from retrieval.parameters import Spec
from retrieval.registry import make
from storage.candidates import keep_candidates, newest_methods
from storage.corpus import ItemQuestion, load_items, required_snapshot, unit_ids
from storage.projects import find_project
from storage.snapshot_use import id_in_use
from storage.workspace import Workspace

LIMIT = 20  # candidates per item, beyond those that citations resolve to
# Raise the number when a change of code changes what is proposed; items are then built anew.
METHOD = "citations, titles, texts; version 2"

Propose = Callable[[Question, Catalogue, BM25Index, Searched, int], CandidateSet]
_NAME = 80  # characters of a method's description in the name of a candidate set


@dataclass(frozen=True, slots=True)
class CandidateReport:
    """What a build came to.

    `items` is how many the project has, `built` how many got a new candidate set, `kept` how many
    had a current one. `citations` counts the citation strings of the built items by status, and
    `absent` those that name an instrument that the corpus lacks.
    """

    items: int
    built: int
    kept: int
    candidates: int
    seconds: float
    citations: dict[str, int] = field(default_factory=dict)
    absent: int = 0

    def as_dict(self) -> dict[str, object]:
        """Return the report for ``--json`` output."""
        return asdict(self)


def build_candidates(
    ws: Workspace,
    project_slug: str,
    progress: Callable[[int, int], None] | None = None,
    proposer: Propose = propose,
    *,
    spec: Spec | None = None,
    by: int | None = None,
) -> CandidateReport:
    """Propose candidates from the snapshot in use for every item that lacks current ones.

    `spec` describes the retrieval method that searches the texts, in place of BM25.

    A set is current when it was made from that snapshot by the same method with the same
    parameters. All sets of a build are saved together or not at all. `progress` gets (units read,
    units) while indexes are made, and then (items done, items to do). `by` is the person who asks
    for it, None for the operator. Raises UserError for who may not, for an unknown project, for one
    without statutes or questions, and for a spec that cannot be.
    """
    began = perf_counter()
    with ws.reading() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, Act.BUILD_CANDIDATES)
        snapshot = required_snapshot(session, project)
        items = load_items(session, project.id)
        newest = newest_methods(session, project.id)
    if not items:
        raise UserError("questions_missing", slug=project_slug)
    using = replace(resources(ws, snapshot.id, project_slug), told=progress)
    asked = make(spec, using) if spec else None
    method = method_name(asked)
    todo = [each for each in items if newest.get(each.item_id) != (snapshot.id, method)]
    texts = _texts(ws, project_slug, snapshot.id, asked, by, progress) if todo else None
    proposals = _proposals(ws, snapshot.id, texts, todo, proposer, progress) if texts else []
    if todo:
        proposals = _keep(ws, project.id, snapshot.id, method, todo, proposals)
    return CandidateReport(
        items=len(items),
        built=len(proposals),
        kept=len(items) - len(proposals),
        candidates=sum(len(proposal.candidates) for proposal in proposals),
        seconds=perf_counter() - began,
        citations=_by_status(proposals),
        absent=_absent(proposals),
    )


def method_name(asked: Method | None = None) -> str:
    """Return the name of how candidates are proposed, with a hash over all that they depend on.

    `asked` is the method that searches the texts, None for BM25.
    """
    said = f"{METHOD} limit={LIMIT}"
    if asked is not None:
        spec = json.dumps(asked.spec, sort_keys=True, ensure_ascii=False)
        short = sha256(f"{said} {spec} {asked.versions}".encode()).hexdigest()[:12]
        return f"{said} {describe(asked.spec)[:_NAME]} {short}"
    return f"{said} {sha256(said.encode()).hexdigest()[:12]}"


@dataclass(frozen=True, slots=True)
class _Method:
    """A retrieval method, asked one question at a time."""

    method: Method

    def search(self, query: str, k: int) -> Sequence[Hit]:
        return self.method.search([Query("", query)], k)[""]


def _texts(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int,
    asked: Method | None,
    by: int | None,
    progress: Callable[[int, int], None] | None,
) -> Searched:
    if asked is None:
        return text_index(ws, snapshot_id, told=progress)
    if asked.calls_models:
        allow(ws, project_slug, by, Act.MAKE_ITEMS)
    return _Method(ready(ws, asked.spec, corpus_of(ws, snapshot_id), asked.resources))


def _proposals(
    ws: Workspace,
    snapshot_id: int,
    texts: Searched,
    todo: Sequence[ItemQuestion],
    proposer: Propose,
    progress: Callable[[int, int], None] | None,
) -> list[CandidateSet]:
    cited, titles = catalogue(ws, snapshot_id), title_index(ws, snapshot_id, told=progress)
    found = []
    for done, each in enumerate(todo, 1):
        found.append(proposer(each.question, cited, titles, texts, LIMIT))
        if progress is not None:
            progress(done, len(todo))
    return found


def _keep(
    ws: Workspace,
    project_id: int,
    snapshot_id: int,
    method: str,
    todo: Sequence[ItemQuestion],
    proposals: Sequence[CandidateSet],
) -> list[CandidateSet]:
    """Keep the proposals that are still wanted and return them.

    Another build may have ended meanwhile, and its equal sets stay newest; or other law may have
    come into use, and then none are wanted.
    """
    kept: list[CandidateSet] = []
    with ws.writing() as session:
        if id_in_use(session, project_id) != snapshot_id:
            return kept
        units, at = unit_ids(session, snapshot_id), ws.clock()
        newest = newest_methods(session, project_id)
        for each, proposal in zip(todo, proposals, strict=True):
            if newest.get(each.item_id) != (snapshot_id, method):
                keep_candidates(session, each.item_id, snapshot_id, method, proposal, units, at)
                kept.append(proposal)
    return kept


def _by_status(proposals: Sequence[CandidateSet]) -> dict[str, int]:
    counts = Counter(str(each.status) for proposal in proposals for each in proposal.citations)
    return dict(sorted(counts.items()))


def _absent(proposals: Sequence[CandidateSet]) -> int:
    return sum(
        citation.reason is Reason.NO_SUCH_INSTRUMENT
        for proposal in proposals
        for citation in proposal.citations
    )
