"""Settling what people's tags of court cases differ in, one sub-factor of many cases after another.

Each choice is a settlement of the case that takes in what was chosen before: a case is settled once
nothing of it is open. What hangs on a choice is open, or gone, from then on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.forms.adjudication import keep, stated
from annotation.forms.submissions import FormSubmission
from annotation.people.authorization import adjudicator, require_item
from annotation.tagging.codebook import book_of
from annotation.tagging.tags import Evidence, TaggedCase, TagState, evidence_of, options_of, tagged
from annotation.work.item_session import UNSAID, DecidedMeanwhileError
from construction.tagging.codebook import Codebook, Factor, SubFactor
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.tables.cases import CourtCase
from storage.tables.core import Item
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class DisputeEntry:
    """A case of which a sub-factor is open or was settled."""

    item_id: int
    external_id: str
    settled: bool


@dataclass(frozen=True, slots=True)
class FactorDisputes:
    """The cases of which one sub-factor is open or was settled, in queue order."""

    factor: Factor
    sub: SubFactor
    cases: tuple[DisputeEntry, ...]

    @property
    def waiting(self) -> tuple[DisputeEntry, ...]:
        """Those that are open."""
        return tuple(each for each in self.cases if not each.settled)


@dataclass(frozen=True, slots=True)
class Side:
    """What one person said; `options` is None where the sub-factor was not asked of them."""

    annotation_id: int
    person: str
    options: tuple[str, ...] | None
    evidence: tuple[Evidence, ...]
    comment: str
    flag: str


@dataclass(frozen=True, slots=True)
class DisputeView:
    """One sub-factor of one case: the judgment, both sides, and what was decided before.

    `stale` says that an answer names an option that the codebook has no more; `left` counts what
    else of the case is open.
    """

    item_id: int
    external_id: str
    title: str
    court: str
    date: str
    language: str
    text: str
    sections: tuple[tuple[str, int, int], ...]
    factor: Factor
    sub: SubFactor
    sides: tuple[Side, ...]
    decided: tuple[str, ...]
    reason: str
    stale: bool
    left: int


def disputes(ws: Workspace, adjudicator_id: int) -> list[FactorDisputes]:
    """Return the sub-factors that are open or were settled, in the lawyers' order.

    Raises UserError for anybody but an adjudicator.
    """
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        book, _ = book_of(session, who.project_id)
        cases = tagged(session, who.project_id, book)
    found: dict[str, list[DisputeEntry]] = {}
    for each in cases:
        for key in decidable(each):
            entry = DisputeEntry(each.item_id, each.external_id, key not in each.state.open)
            found.setdefault(key, []).append(entry)
    places = _places(book)
    return [FactorDisputes(*places[key], tuple(found[key])) for key in book.order if key in found]


def open_dispute(ws: Workspace, adjudicator_id: int, item_id: int, sub_factor: str) -> DisputeView:
    """Return one of them with the judgment and all that was said.

    Raises UserError for anybody but an adjudicator, and for what needs none.
    """
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        item = require_item(session, who, item_id)
        book, _ = book_of(session, who.project_id)
        case = _case(tagged(session, who.project_id, book, item_id), item, sub_factor)
        judgment = session.get_one(CourtCase, case.court_case_id)
        return _view(book, case, judgment, sub_factor)


def settle_factor(
    ws: Workspace,
    adjudicator_id: int,
    item_id: int,
    sub_factor: str,
    options: Sequence[str],
    reason: str,
    annotation_ids: Iterable[int] | None = None,
    before: Any = UNSAID,
) -> TagState:
    """Decide one sub-factor of a case; return what the case's tags come to with it.

    Passages that people attached to the options chosen go with them. A later choice supersedes.
    `before` are the options decided that were on the screen, none for no decision: the choice then
    never takes the place of another one. Raises UserError as `annotation.forms.adjudication.settle`
    does, and for what is not open.
    """
    why = stated(reason)
    with ws.writing(item_id=item_id, person_id=adjudicator_id) as session:
        who = adjudicator(session, adjudicator_id)
        item = require_item(session, who, item_id)
        book, _ = book_of(session, who.project_id)
        case = _case(tagged(session, who.project_id, book, item_id), item, sub_factor)
        _refuse_other(case, sub_factor, before)
        answers = _still_asked(case) | {sub_factor: _value(case, sub_factor, options)}
        keep(session, who, item, answers, why, ws.clock(), annotation_ids)
        return tagged(session, who.project_id, book, item_id)[0].state


def _decided(case: TaggedCase, sub_factor: str) -> tuple[str, ...]:
    made = case.settled.answers.get(sub_factor) if case.settled else None
    return tuple(sorted(options_of(made))) if made else ()


def _refuse_other(case: TaggedCase, sub_factor: str, before: Any) -> None:
    now = _decided(case, sub_factor)
    if before is UNSAID or tuple(before) == now or case.settled is None:
        return
    made = case.settled
    raise DecidedMeanwhileError(made.person, made.at, ", ".join(now) or made.reason, now)


def decidable(case: TaggedCase) -> frozenset[str]:
    """Return what of a case an adjudicator decides or decided."""
    before = case.settled.answers if case.settled else {}
    return case.state.open | {key for key in before if key in case.state.tags}


def _case(found: Sequence[TaggedCase], item: Item, sub_factor: str) -> TaggedCase:
    if item.task != Task.FACTOR_TAGGING or not found:
        raise UserError("not_complete")
    if sub_factor not in decidable(found[0]):
        raise UserError("factor_settled", Where(field="factor"), factor=sub_factor)
    return found[0]


def _still_asked(case: TaggedCase) -> dict[str, Any]:
    """Return what was decided before, without what is not asked any more or names what is gone."""
    before: Mapping[str, Any] = case.settled.answers if case.settled else {}
    return {key: value for key, value in before.items() if key in case.state.tags}


def _value(case: TaggedCase, sub_factor: str, options: Sequence[str]) -> dict[str, Any]:
    answers = [each.answers[sub_factor] for each in case.said if sub_factor in each.answers]
    passages = {each for answer in answers for each in evidence_of(answer)}
    kept = sorted(each for each in passages if each.option in options)
    return {"options": list(options), "evidence": [each._asdict() for each in kept]}


def _view(book: Codebook, case: TaggedCase, row: CourtCase, sub_factor: str) -> DisputeView:
    factor, sub = _places(book)[sub_factor]
    before = case.settled.answers.get(sub_factor) if case.settled else None
    return DisputeView(
        item_id=case.item_id,
        external_id=case.external_id,
        title=row.title,
        court=row.court,
        date=row.date,
        language=row.language,
        text=row.text,
        sections=tuple((str(name), int(start), int(end)) for name, start, end in row.sections),
        factor=factor,
        sub=sub,
        sides=tuple(_side(each, sub_factor) for each in case.said),
        decided=_decided(case, sub_factor),
        reason=case.settled.reason if before and case.settled else "",
        stale=sub_factor in case.state.stale,
        left=len(case.state.open - {sub_factor}),
    )


def _side(said: FormSubmission, sub_factor: str) -> Side:
    answer = said.answers.get(sub_factor)
    return Side(
        annotation_id=said.annotation_id,
        person=said.person,
        options=None if answer is None else tuple(answer["options"]),
        evidence=() if answer is None else evidence_of(answer),
        comment=said.comment,
        flag=said.flag,
    )


def _places(book: Codebook) -> dict[str, tuple[Factor, SubFactor]]:
    return {sub.key: (factor, sub) for factor in book.factors for sub in factor.sub_factors}
