"""Choosing the items of a batch, and their order.

The sample of a blind audit of a source's labels: stratified, drawn by seed, with as many questions
of each stratum as its share, and at least two. Strata too small for that are drawn from together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Literal

from sqlalchemy import String, cast
from sqlmodel import Session, col, select

from annotation.gold.derivation import gold_in
from annotation.people.roles import Act, reading_as
from annotation.work.audits import AuditSample
from annotation.work.belonging import Offered, informativeness, offered
from errors import UserError, Where, require_known
from normalization.grouping import grouped
from storage.db.workspace import Workspace
from storage.imported_files import has_labels
from storage.law.catalogues import units_of_labels
from storage.law.corpus import ItemQuestion, load_items, required_snapshot, units_called
from storage.overlap import curated
from storage.projects import ProjectView
from storage.subjects import is_newest_set
from storage.tables.core import CandidateRow, CandidateSet, DraftEvent, Item, QuestionRow
from storage.tables.people import BatchItem, KnownAnswer
from storage.tasks import NAME, TITLE, Task, of_task

_MAX_NAMES = 10  # number of ids in an error
Strata = Literal["all", "labels", "statute", "language", "jurisdiction"]
STRATA: tuple[Strata, ...] = ("all", "labels", "statute", "language", "jurisdiction")
OTHER = "other"  # the stratum of those too small for one of their own
_LEAST = 2  # questions of a stratum, without which its variance is unknown
_MANY = 3  # labels of a question, from which their number is no stratum of its own


@dataclass(frozen=True, slots=True)
class Choice:
    """The criteria for a batch's items of a task; None for no restriction.

    For citation mapping: `language` of the question; `unresolved` True for items with a citation
    that could not be resolved to one place, False for items with citations that all were; `gold`
    for items that are (or are not) gold. `external_ids` selects exactly these items. Items in a
    batch are never chosen.
    """

    language: str | None = None
    unresolved: bool | None = None
    gold: bool | None = None
    external_ids: tuple[str, ...] | None = None
    task: str = Task.CITATION_MAPPING


@dataclass(frozen=True, slots=True)
class Match:
    """An item that meets the criteria; `known`: it has a known answer."""

    item_id: int
    external_id: str
    question: str
    language: str
    known: bool


@dataclass(frozen=True, slots=True)
class Preview:
    """The items that a choice yields: those to annotate, and those with a known answer.

    `labelled`: the project has questions with labels of their source, which can be audited.
    """

    items: tuple[Match, ...]
    known: tuple[Match, ...]
    labelled: bool


def preview(ws: Workspace, project_slug: str, choice: Choice, by: int | None = None) -> Preview:
    """Return the items that a choice currently yields, apart those with a known answer.

    Raises UserError as :func:`matching` does, and without permission to assign.
    """
    with reading_as(ws, project_slug, by, Act.ASSIGN) as (session, project, _):
        found = matching(session, project, choice)
        labelled = choice.task == Task.CITATION_MAPPING and has_labels(session, project.id)
    return Preview(
        tuple(each for each in found if not each.known),
        tuple(each for each in found if each.known),
        labelled,
    )


def matching(session: Session, project: ProjectView, choice: Choice) -> list[Match]:
    """Return the items in no batch that meet the criteria, in project order.

    Raises UserError for unknown ids, and for questions that are in a batch already.
    """
    everything = _items(session, project.id, choice.task)
    taken = set(session.exec(select(BatchItem.item_id)))
    wanted = None
    if choice.external_ids is not None:
        wanted = set(choice.external_ids)
        _refuse_unknown(wanted, everything, taken)
    free = [each for each in everything if each.item_id not in taken]
    tests: list[set[int]] = []
    if choice.unresolved is not None:
        tests.append(_with_unresolved(session, project.id, free, choice.unresolved))
    if choice.gold is not None:
        gold = gold_in(session, project)
        tests.append({each.item_id for each in gold if each.settled == choice.gold})
    return [
        each
        for each in free
        if (wanted is None or each.external_id in wanted)
        and (choice.language in (None, each.language))
        and all(each.item_id in test for test in tests)
    ]


def in_informative_order(session: Session, project_id: int, items: Iterable[Match]) -> list[Match]:
    """Sort the items by decreasing informativeness; ties keep their order."""
    suggested = _offered_by_item(session, project_id)
    return sorted(items, key=lambda each: -informativeness(suggested.get(each.item_id)))


def _items(session: Session, project_id: int, task: str) -> list[Match]:
    """Return every item of a task, in a batch or not, in order."""
    known = set(session.exec(select(KnownAnswer.item_id)))
    query = (
        select(Item.id, NAME, TITLE, QuestionRow.language)
        .outerjoin(QuestionRow)
        .where(of_task(project_id, task))
        .order_by(col(Item.order))
    )
    return [
        Match(item_id or 0, external, text, language or "", item_id in known)
        for item_id, external, text, language in session.exec(query)
    ]


def _refuse_unknown(ids: set[str], everything: Sequence[Match], taken: set[int]) -> None:
    """Raise UserError if a batch names questions that are unknown or already assigned."""
    there = {each.external_id: each.item_id for each in everything}
    unknown = sorted(ids - there.keys())
    if unknown:
        where, named = Where(field="items"), shortened(unknown)
        raise UserError("questions_unknown", where, ids=named, count=len(unknown))
    assigned = sorted(name for name in ids if there[name] in taken)
    if assigned:
        raise UserError("items_assigned", ids=shortened(assigned), count=len(assigned))


def shortened(names: Sequence[str]) -> str:
    """Return the names as one text, only the first ten of many."""
    return ", ".join(names[:_MAX_NAMES]) + (", …" if len(names) > _MAX_NAMES else "")


def _with_unresolved(
    session: Session, project_id: int, free: Sequence[Match], unresolved: bool
) -> set[int]:
    """Return the free items with an unresolved citation, or (False) with resolved ones only."""
    query = select(CandidateSet.item_id, CandidateSet.citations).where(is_newest_set(project_id))
    doubtful = {
        item_id: any(citation["status"] != "resolved" for citation in citations)
        for item_id, citations in session.exec(query)
        if citations
    }
    return {each.item_id for each in free if doubtful.get(each.item_id) == unresolved}


def _offered_by_item(session: Session, project_id: int) -> Mapping[int, Offered]:
    """Return the candidates and citations of each item's newest set."""
    sets = session.exec(
        select(CandidateSet.id, CandidateSet.item_id, CandidateSet.citations).where(
            is_newest_set(project_id)
        )
    ).all()
    query = (
        select(CandidateRow.candidate_set_id, CandidateRow.unit_id, CandidateRow.why)
        .join(CandidateSet, col(CandidateSet.id) == CandidateRow.candidate_set_id)
        .where(is_newest_set(project_id))
    )
    rows = grouped((set_id, (unit_id, why)) for set_id, unit_id, why in session.exec(query))
    return {
        item_id: offered(citations, rows.get(set_id or 0, []))
        for set_id, item_id, citations in sets
    }


def draw_audit(
    ws: Workspace,
    project_slug: str,
    choice: Choice,
    size: int | None,
    seed: int = 0,
    strata: str = "all",
    by: int | None = None,
) -> AuditSample:
    """Draw a sample of the questions of a choice, for a blind audit of their source's labels.

    A question can be drawn if it has a label in the law in use, is in no batch, has no known
    answer, and nobody has begun it or was ever shown its labels. `size` None takes all. The same
    seed draws the same questions from the same state. Raises UserError as :func:`matching` does,
    without permission to assign, for unknown strata, and where nothing or less than `size` can be
    drawn.
    """
    require_known("audit_strata_unknown", STRATA, Where(field="audit"), strata=strata)
    if size is not None and size < 1:
        raise UserError("sample_size", Where(field="sample"), size=size)
    with reading_as(ws, project_slug, by, Act.ASSIGN) as (session, project, _):
        free = {each.item_id for each in matching(session, project, choice) if not each.known}
        items = [e for e in load_items(session, project.id) if e.item_id in free]
        items = [each for each in items if each.question.gold_ids]
        labels = _labels_in_law(session, required_snapshot(session, project).id, items)
        unfit = _unfit_reasons(session, project.id, items, labels)
    frame = [each for each in items if each.item_id not in unfit]
    left_out = dict(sorted(Counter(unfit.values()).items()))
    if len(frame) < (size or 1):
        code = "audit_too_large" if frame else "audit_without_labels"
        counts = {each: left_out.get(each, 0) for each in ("outside", "begun", "shown")}
        raise UserError(code, Where(field="sample"), size=size or 0, count=len(frame), **counts)
    named = _merged({e.item_id: _stratum(e, labels[e.item_id], strata) for e in frame}, size)
    sizes = dict(sorted(Counter(named.values()).items()))
    drawn: dict[int, str] = {}
    for name, count in _allocation(sizes, size or len(frame)).items():
        these = [item for item, of in named.items() if of == name]
        drawn |= dict.fromkeys(Random(f"{seed} {name}").sample(these, count), name)
    stratum = {item: drawn[item] for item in named if item in drawn}
    return AuditSample(strata, seed, sizes, stratum, {e: labels[e] for e in stratum}, left_out)


def _labels_in_law(
    session: Session, snapshot_id: int, items: Sequence[ItemQuestion]
) -> dict[int, tuple[str, ...]]:
    """Return the semantic ids in the law that the source labels in each item, ascending."""
    labels = {label for each in items for label in each.question.gold_ids}
    units = units_of_labels(session, snapshot_id, labels)
    there = units_called(session, snapshot_id, {*units.values()})
    named = {e.item_id: {units[label] for label in e.question.gold_ids} for e in items}
    return {item: tuple(sorted(some & there.keys())) for item, some in named.items()}


def _unfit_reasons(
    session: Session,
    project_id: int,
    items: Iterable[ItemQuestion],
    labels: Mapping[int, tuple[str, ...]],
) -> dict[int, str]:
    """Return why items cannot be audited blind: outside the law, curated, begun, labels shown."""
    here = select(Item.id).where(of_task(project_id))
    begun = select(DraftEvent.item_id).where(col(DraftEvent.item_id).in_(here))
    marked = (
        select(CandidateSet.item_id)
        .join(CandidateRow)
        .where(col(CandidateSet.item_id).in_(here))
        .where(cast(col(CandidateRow.why), String).contains('"source": "source"'))
    )
    reasons: dict[str, set[int | None]] = {
        "shown": {*session.exec(marked.distinct())},
        "begun": {*session.exec(begun.distinct())},
        "curated": {*session.exec(here.where(curated()))},
        "outside": {item for item, units in labels.items() if not units},
    }
    return {
        each.item_id: reason
        for each in items
        for reason, those in reasons.items()
        if each.item_id in those
    }


def _stratum(item: ItemQuestion, labels: Sequence[str], strata: str) -> str:
    """Return an item's stratum: by number of labels, first statute, or a column of the question."""
    if strata == "labels":
        return str(len(labels)) if len(labels) < _MANY else f"{_MANY}+"
    if strata == "statute":
        return labels[0].rpartition("_")[0] or OTHER
    return "all" if strata == "all" else str(getattr(item.question, strata)) or OTHER


def _merged(strata: Mapping[int, str], size: int | None) -> dict[int, str]:
    """Return the stratum of each item, `OTHER` for strata too small for two of the sample."""
    sizes, total = Counter(strata.values()), len(strata)
    small = {name for name, of in sizes.items() if of * (size or total) < _LEAST * total}
    return {item: OTHER if name in small else name for item, name in strata.items()}


def _allocation(sizes: Mapping[str, int], size: int) -> dict[str, int]:
    """Divide the sample among the strata by size, but at least two from each where it has them."""
    total, least = sum(sizes.values()), min(_LEAST, size // len(sizes))
    if size == total:
        return dict(sizes)
    drawn = {name: min(of, least) for name, of in sizes.items()}
    for _ in range(size - sum(drawn.values())):
        lacking = {n: of * size / total - drawn[n] for n, of in sizes.items() if drawn[n] < of}
        drawn[max(lacking, key=lacking.__getitem__)] += 1
    return drawn
