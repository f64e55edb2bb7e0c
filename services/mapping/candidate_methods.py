"""Methods of proposing candidates: the standard one, and those with a retrieval method.

A method is recreated from what is stored with its candidate sets, so that new law is searched as
the old one was. Where that is impossible, the standard method stands in and is reported.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from sqlmodel import Session

from annotation.gold.validity import Want
from annotation.people.roles import Act, allow
from construction.mapping import CandidateSet, Searched, behind_labels, pooled, propose
from corpus.citations.catalogue import Catalogue
from corpus.citations.successors import Successors, shipped
from corpus.long_work import Progress
from corpus.model import Question
from errors import UserError
from messages import say
from normalization.grouping import grouped
from normalization.hashing import text_hash
from retrieval.core.method import Method
from retrieval.core.model import Hit, Query, Spec
from retrieval.core.presets import DOWNLOAD_FREE, OURS, PRESETS, describe
from retrieval.core.registry import learns_from_gold, make
from retrieval.lexical.bm25_method import BM25Index
from services.runs.methods.preparation import corpus_of, ready, resources
from services.runs.methods.unit_search import text_index, title_index
from storage.db.workspace import Workspace
from storage.law.catalogues import catalogue, successors_of, units_of_labels
from storage.law.corpus import ItemQuestion, unit_ids, units_called
from storage.law.former_law import with_snapshots
from storage.mapping import ToKeep, keep_all_candidates, kept_spec, show_again
from storage.projects import find_project

LIMIT = 20  # candidates per item, beyond those that citations resolve to
# Increase the version when proposals change with the code; items are then rebuilt.
METHOD = "citations, titles, texts; version 3"
LABELS: Spec = {"method": "source-labels"}
"""Candidates by the standard method behind those that the source of a question labels as gold."""
BLIND: Spec = {"method": "source-labels", "blind": True}
"""Candidates for a blind audit: those labels among others, with nothing to tell them by."""

Propose = Callable[[Question, Catalogue, BM25Index, Searched, int], CandidateSet]
_NAME = 80  # characters of a method's description in the name of a candidate set


@dataclass(frozen=True, slots=True)
class CandidateMethod:
    """A method of proposing candidates: `name`, and the retrieval method `asked` for texts.

    `spec` describes the latter; both are empty for the standard method. `in_place_of` names the
    wanted method, where this one stands in.
    """

    name: str
    spec: Mapping[str, Any] = field(default_factory=dict)
    asked: Method | None = None
    in_place_of: str | None = None


@dataclass(frozen=True, slots=True)
class StandIn:
    """Candidates of `questions` questions made by another method than the `wanted` one.

    Both are display names; `used` is "" for the standard method.
    """

    wanted: str
    used: str
    questions: int
    why: UserError

    def say(self, language: str = "en") -> str:
        """Describe the substitution."""
        used = self.used or say("to_check.law.standard", language)
        told = {"count": f"{self.questions:,}", "wanted": self.wanted, "used": used}
        return say("to_check.law.stand_in", language, **told, why=self.why.what(language))

    def as_dict(self) -> dict[str, object]:
        """Return it for ``--json`` output."""
        said = {"wanted": self.wanted, "used": self.used, "questions": self.questions}
        return said | {"why": self.why.what()}


@dataclass(frozen=True, slots=True)
class Made:
    """A proposal for an item, with its method."""

    way: CandidateMethod
    proposal: CandidateSet


@dataclass(slots=True)
class MadeForWants:
    """Proposals for the wanted candidates."""

    made: dict[Want, Made] = field(default_factory=dict)
    stand_ins: list[StandIn] = field(default_factory=list)


def method_name(method: Method | None = None, successors: Successors | None = None) -> str:
    """Return the name of a candidate method, with a hash over all that it depends on.

    `method` is the method that searches the texts, None for BM25; `successors` are the project's
    declared successors of superseded instruments, where not the product's.
    """
    said = f"{METHOD} limit={LIMIT}"
    if successors not in (None, shipped()):
        said += f" successors={text_hash(repr(successors))[:8]}"
    if method is not None:
        spec = json.dumps(method.spec, sort_keys=True, ensure_ascii=False)
        short = text_hash(f"{said} {spec} {method.versions}")[:12]
        return f"{said} {describe(method.spec)[:_NAME]} {short}"
    return f"{said} {text_hash(said)[:12]}"


def offered() -> tuple[str, ...]:
    """Return the presets to choose from: those without download, then user-supplied methods.

    None learns from gold: annotators must not be shown what others' labels suggest.
    """
    own = (each for each in PRESETS if each not in OURS and not learns_from_gold(PRESETS[each]))
    return (*DOWNLOAD_FREE, *own)


def standard(ws: Workspace, snapshot_id: int) -> CandidateMethod:
    """Return the standard method: citations, then titles, then BM25 over the texts."""
    return CandidateMethod(method_name(successors=successors_of(ws, snapshot_id)))


def candidate_method(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int,
    spec: Spec | None,
    progress: Progress | None = None,
) -> CandidateMethod:
    """Return the candidate method for a retrieval spec, the standard one for none.

    Raises UserError as `make` does, and for a model that was trained on gold: annotators must not
    be shown what others' labels suggest.
    """
    if not spec:
        return standard(ws, snapshot_id)
    if spec in (LABELS, BLIND):
        how = "with labels of the source, blind" if spec == BLIND else "behind labels of the source"
        return CandidateMethod(f"{standard(ws, snapshot_id).name} {how}", spec)
    asked = make(spec, replace(resources(ws, snapshot_id, project_slug), progress=progress))
    if asked.trained_on:
        raise UserError("method_gold", method=describe(asked.spec))
    name = method_name(asked, successors_of(ws, snapshot_id))
    return CandidateMethod(name, asked.spec, asked)


def proposals(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int,
    way: CandidateMethod,
    items: Sequence[ItemQuestion],
    by: int | None,
    progress: Progress | None = None,
    proposer: Propose = propose,
) -> list[CandidateSet]:
    """Return the proposals for each item from the snapshot.

    `progress` gets (units read, units) while indexes are made, and then (items done, items to do).
    Raises UserError for `by` who may not call the method's models, and as the method does.
    """
    of = sorted({each.question.jurisdiction for each in items})
    texts: BM25Index | _SingleQuery
    if (method := way.asked) is None:
        texts = text_index(ws, snapshot_id, progress=progress, jurisdictions=of)
    else:
        if method.calls_models:
            allow(ws, project_slug, by, Act.MAKE_ITEMS)
        law = corpus_of(ws, snapshot_id)
        texts = _SingleQuery(ready(ws, method.spec, law, method.resources, of))
    cited = catalogue(ws, snapshot_id)
    titles = title_index(ws, snapshot_id, progress=progress, jurisdictions=of)
    labels = _label_units(ws, snapshot_id, items) if way.spec in (LABELS, BLIND) else {}
    found = []
    for done, each in enumerate(items, 1):
        inside = each.question.jurisdiction  # only cited law of other jurisdictions is proposed
        within = titles.within(inside), texts.within(inside)
        proposed = proposer(each.question, cited, *within, LIMIT)
        named = [labels[label] for label in each.question.gold_ids if label in labels]
        if way.spec == BLIND:
            proposed = pooled(named, proposed, each.question.external_id)
        elif named:
            proposed = behind_labels(named, proposed)
        read = with_snapshots(ws, snapshot_id, cited, proposed.citations)
        found.append(replace(proposed, citations=read))
        if progress is not None:
            progress(done, len(items))
    return found


def _label_units(ws: Workspace, snapshot_id: int, items: Sequence[ItemQuestion]) -> dict[str, str]:
    """Return the unit of the snapshot for each label of the questions that names one."""
    labels = {label for each in items for label in each.question.gold_ids}
    with ws.reading() as session:
        named = units_of_labels(session, snapshot_id, labels)
        there = units_called(session, snapshot_id, {*named.values()})
    return {label: unit for label, unit in named.items() if unit in there}


def made_for(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int,
    wants: Sequence[Want],
    items: Mapping[int, ItemQuestion],
    by: int | None,
    progress: Progress | None = None,
) -> MadeForWants:
    """Make the wanted proposals from the snapshot, each by its named method, without storing.

    The standard method stands in for one that is not stored, or not available now, such as one with
    a missing model.
    """
    found = MadeForWants()
    for name, some in grouped((want.method, want) for want in wants).items():
        asked = [items[each.item_id] for each in some]
        way, why = _recreated_method(ws, project_slug, snapshot_id, name, progress)
        at = ws, project_slug, snapshot_id
        try:
            proposed = proposals(*at, way, asked, by, progress)
        except UserError as error:
            if way.asked is None:
                raise
            way, why = replace(standard(ws, snapshot_id), in_place_of=name), error
            proposed = proposals(*at, way, asked, by, progress)
        if why is not None:
            with ws.reading() as session:
                spec = kept_spec(session, find_project(session, project_slug).id, name)
            wanted, used = (describe(spec) if spec else name), way.spec and describe(way.spec)
            found.stand_ins.append(StandIn(wanted, used or "", len(some), why))
        pairs = zip(some, proposed, strict=True)
        found.made |= {want: Made(way, proposal) for want, proposal in pairs}
    return found


def keep_made(
    ws: Workspace, session: Session, snapshot_id: int, proposals: Iterable[tuple[int, Made | int]]
) -> int:
    """Store proposals for items (by id), in this order; return the number of new ones.

    Instead of a proposal there may be the id of an equal existing set, to be shown again.
    """
    units, at, count = None, ws.clock(), 0
    for again, some in groupby(proposals, lambda each: isinstance(each[1], int)):
        if again:
            show_again(session, [each for _, each in some if isinstance(each, int)], at)
            continue
        units = unit_ids(session, snapshot_id) if units is None else units
        new = [
            ToKeep(item_id, each.way.name, each.proposal, each.way.spec, each.way.in_place_of)
            for item_id, each in some
            if isinstance(each, Made)
        ]
        count += len(keep_all_candidates(session, snapshot_id, new, units, at))
    return count


def _recreated_method(
    ws: Workspace, project_slug: str, snapshot_id: int, name: str, progress: Progress | None
) -> tuple[CandidateMethod, UserError | None]:
    """Return the named method and None, else the one that stands in and the error why."""
    usual = standard(ws, snapshot_id)
    if name == usual.name:
        return usual, None
    with ws.reading() as session:
        spec = kept_spec(session, find_project(session, project_slug).id, name)
    if spec is None:
        spec = _preset_of(ws, project_slug, snapshot_id, name)
    if spec is None:
        return replace(usual, in_place_of=name), UserError("candidates_way_unknown")
    try:
        way = candidate_method(ws, project_slug, snapshot_id, spec, progress)
    except UserError as error:
        return replace(usual, in_place_of=name), error
    if way.name == name:
        return way, None
    return replace(way, in_place_of=name), UserError("candidates_way_newer")


def _preset_of(
    ws: Workspace, project_slug: str, snapshot_id: int, name: str
) -> dict[str, Any] | None:
    """Return the preset whose method has that name, for sets stored without a spec."""
    others = (each for each in PRESETS if each not in DOWNLOAD_FREE)
    for preset in (*DOWNLOAD_FREE, *others):
        spec = PRESETS[preset]
        with suppress(UserError):
            if candidate_method(ws, project_slug, snapshot_id, spec).name == name:
                return dict(spec)
    return None


@dataclass(frozen=True, slots=True)
class _SingleQuery:
    """A retrieval method that takes one question at a time."""

    method: Method

    def within(self, jurisdiction: str) -> _SingleQuery:
        """Restrict the method to a jurisdiction."""
        return _SingleQuery(self.method.within(jurisdiction))

    def search(self, query: str, k: int) -> Sequence[Hit]:
        """Search for one query."""
        return self.method.search([Query("", query)], k)[""]
