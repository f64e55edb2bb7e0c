"""Identifiers that explain the hits of generative retrieval, recomputed on request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from corpus.model import Question
from errors import UserError
from retrieval.core.model import Query, Spec
from retrieval.core.registry import make
from retrieval.generative.legalsearchlm import Identifier, LegalSearchLM
from services.runs.methods.preparation import (
    CORPUS_RULE,
    corpus_of,
    levels_of,
    query_of,
    ready,
    resources,
    spec_of,
    version_of,
)
from services.runs.questions import place_of
from services.runs.scoring import require_scores
from storage.db.workspace import Workspace
from storage.law.corpus import load_questions
from storage.law.passages import Passage, passages_by_id
from storage.runs.run_store import RunView, run_hits

FIRST = 10  # default number of hits explained
_AROUND = 40  # characters of the text shown before and after an identifier
_ASKS_THE_QUESTION = frozenset(
    {"rrf", "wrrf", "rrm", "minmax", "weighted", "sar", "rerank", "nativerag"}
)
"""Methods whose parts are asked the question itself, so that what these write is for it."""


@dataclass(frozen=True, slots=True)
class StandingIdentifier:
    """An identifier with its context in the unit's title or text.

    `before` and `after` are empty where its position is unknown.
    """

    identifier: Identifier
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class IdentifiedHit:
    """A hit with the identifiers it was found by, largest contribution first.

    `score` is the run's; the identifiers' scores sum to it unless other methods contribute.
    """

    rank: int
    score: float
    semantic_id: str
    statute: str
    label: str
    heading: str
    identifiers: tuple[StandingIdentifier, ...]


def tells_identifiers(method: str, params: Mapping[str, Any]) -> bool:
    """Return True if runs of this method and parameters have identifiers."""
    return next(_generative_specs({"method": method, **params}), None) is not None


def identifiers_found(
    ws: Workspace, run_id: int, external_id: str, first: int = FIRST, by: int | None = None
) -> tuple[IdentifiedHit, ...]:
    """Return the first hits of one question of a run with identifiers, generated anew.

    The model generates anew for the question. Raises UserError for an unknown run, a question it
    was not asked, a method without identifiers, a model that has changed or is missing, and for
    `by` (None: the operator) who may not see its scores.
    """
    run = require_scores(ws, run_id, by)
    with ws.reading() as session:
        hits = run_hits(session, run_id).get(external_id)
        question = load_questions(session, run.key.project_id).get(external_id)
        if hits is None or question is None:
            raise UserError("run_lacks_question", run=run_id, question=external_id)
        ranked = list(hits)[: max(0, first)]
        passages = passages_by_id(session, run.key.snapshot_id, [unit for unit, _ in ranked])
    writer = _generative_method(ws, run, question)
    inside = [unit for unit, _ in ranked if unit in writer.corpus.positions]
    found = writer.identifiers(Query(question.external_id, question.text), inside)
    return tuple(
        IdentifiedHit(
            *(rank, score, *place_of(unit, passages[unit])),
            tuple(_in_text(each, passages[unit]) for each in found.get(unit, ())),
        )
        for rank, (unit, score) in enumerate(ranked, 1)
        if unit in passages
    )


def _generative_method(ws: Workspace, run: RunView, question: Question) -> LegalSearchLM:
    """Return the generative method of a run, fitted to the law of the question's jurisdiction."""
    key, levels = run.key, levels_of(run.key)
    spec = next(_generative_specs(spec_of(key)), None)
    if levels is None or spec is None:
        raise UserError("identifiers_none", run=run.id)
    using = resources(ws, key.snapshot_id)
    version = version_of(key)
    if make(spec, using).versions not in version or not version.endswith(f".{CORPUS_RULE}"):
        raise UserError("identifiers_changed", run=run.id)
    asked = query_of(question)
    law = corpus_of(ws, key.snapshot_id, levels)
    method = ready(ws, spec, law, using, [asked.jurisdiction]).within(asked.jurisdiction)
    return cast(LegalSearchLM, method)


def _generative_specs(spec: Spec) -> Iterator[Spec]:
    """Yield the generative specs nested in `spec` that are asked the question itself."""
    name = spec.get("method")
    if name == LegalSearchLM.NAME:
        yield spec
    elif name in _ASKS_THE_QUESTION:
        for value in spec.values():
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, Mapping):
                    yield from _generative_specs(part)


def _in_text(identifier: Identifier, passage: Passage) -> StandingIdentifier:
    """Return an identifier with what stands around it in the title or text of its unit."""
    start, end = identifier.start, identifier.end
    if start is None or end is None:
        return StandingIdentifier(identifier, "", "")
    title = " ".join(filter(None, (passage.statute, passage.label, passage.heading)))
    text = title if identifier.in_title else passage.text
    before, after = text[max(0, start - _AROUND) : start], text[end : end + _AROUND]
    return StandingIdentifier(identifier, before, after)
