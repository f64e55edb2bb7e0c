"""Choosing the items of a batch, and their order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, func, select

from annotation.gold.derivation import gold_in
from annotation.people.roles import Act, reading_as
from annotation.work.belonging import Offered, informativeness, offered
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.projects import ProjectView
from storage.tables.core import CandidateRow, CandidateSet, Item, QuestionRow
from storage.tables.people import BatchItem, KnownAnswer
from storage.tasks import NAME, TITLE, Task, of_task

_MAX_NAMES = 10  # number of ids in an error


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
    """The items that a choice yields: those to annotate, and those with a known answer."""

    items: tuple[Match, ...]
    known: tuple[Match, ...]


def preview(ws: Workspace, project_slug: str, choice: Choice, by: int | None = None) -> Preview:
    """Return the items that a choice currently yields.

    Raises UserError as :func:`matching` does, and without permission to assign.
    """
    with reading_as(ws, project_slug, by, Act.ASSIGN) as (session, project, _):
        found = matching(session, project, choice)
    return Preview(
        tuple(each for each in found if not each.known), tuple(each for each in found if each.known)
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
    """Return the items of a task that could be sampled, in order."""
    known = set(session.exec(select(KnownAnswer.item_id)))
    query = (
        select(Item.id, NAME, TITLE, QuestionRow.language)
        .outerjoin(QuestionRow, col(QuestionRow.id) == Item.question_id)
        .where(of_task(project_id, task))
        .order_by(col(Item.order))
    )
    return [
        Match(item_id or 0, external, text, language or "", item_id in known)
        for item_id, external, text, language in session.exec(query)
    ]


def _refuse_unknown(ids: set[str], everything: Sequence[Match], taken: set[int]) -> None:
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
    query = select(CandidateSet.item_id, CandidateSet.citations).where(_in_newest_set(project_id))
    doubtful = {
        item_id: any(citation["status"] != "resolved" for citation in citations)
        for item_id, citations in session.exec(query)
        if citations
    }
    return {each.item_id for each in free if doubtful.get(each.item_id) == unresolved}


def _offered_by_item(session: Session, project_id: int) -> Mapping[int, Offered]:
    sets = session.exec(
        select(CandidateSet.id, CandidateSet.item_id, CandidateSet.citations).where(
            _in_newest_set(project_id)
        )
    ).all()
    rows: dict[int, list[tuple[int, Sequence[dict[str, Any]]]]] = {}
    query = (
        select(CandidateRow.candidate_set_id, CandidateRow.unit_id, CandidateRow.why)
        .join(CandidateSet, col(CandidateSet.id) == CandidateRow.candidate_set_id)
        .where(_in_newest_set(project_id))
    )
    for set_id, unit_id, why in session.exec(query):
        rows.setdefault(set_id, []).append((unit_id, why))
    return {
        item_id: offered(citations, rows.get(set_id or 0, []))
        for set_id, item_id, citations in sets
    }


def _in_newest_set(project_id: int) -> bool:
    newest = (
        select(func.max(col(CandidateSet.id)))
        .join(Item, col(Item.id) == CandidateSet.item_id)
        .where(of_task(project_id))
        .group_by(col(CandidateSet.item_id))
    )
    condition: bool = col(CandidateSet.id).in_(newest)  # type: ignore[assignment]
    return condition
