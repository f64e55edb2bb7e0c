"""States and disputes of the items of a declared task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import current_decisions
from annotation.adjudication.dispute_state import ItemCase, item_cases
from annotation.forms.disputes import Disputes
from annotation.tasks.form import chosen_units
from annotation.tasks.spec import FLAGGED, RECALLED, DisputeSpec, TaskSpec, holds
from annotation.work.submissions import Submission
from storage.tables.core import Item
from storage.tasks import Task, of_task

WAITING, DISPUTED, AGREED = "waiting", "disputed", "agreed"


class Fate(StrEnum):
    """The outcome of an item of a task without verdicts."""

    AGREED = AGREED
    DISPUTED = DISPUTED
    WAITING = WAITING


class AnsweredItem(Protocol):
    """The attributes of a submission that decide an item's state."""

    @property
    def annotation_id(self) -> int:
        """Id of the submission."""

    @property
    def answers(self) -> Mapping[str, Any]:
        """Answers by field."""

    @property
    def flag(self) -> str:
        """Reason of the flag; empty if not flagged."""


@dataclass(frozen=True, slots=True)
class ItemState:
    """The outcome of one item.

    `causes` are the codebook's options that its verdict names, `disputes` why it is disputed, or
    was before the decision. `agreed` has what all submissions say alike, or the decision, by field.
    `annotation_ids` are the submissions it follows from, `settled` whether an adjudicator decided.
    """

    fate: Any
    causes: tuple[str, ...] = ()
    disputes: tuple[str, ...] = ()
    agreed: Mapping[str, Any] = field(default_factory=dict)
    annotation_ids: tuple[int, ...] = ()
    settled: bool = False


StateT = TypeVar("StateT", bound=ItemState)


@dataclass(frozen=True)
class Outcomes(Generic[StateT]):
    """How complete submissions and an adjudicator's decision make the states of a task's items.

    `fates` has those that the declaration names, ``waiting`` and ``disputed``. `weightiest` are
    causes that come first, in this order.
    """

    spec: TaskSpec
    state: type[StateT]
    fates: type[StrEnum]
    weightiest: Sequence[str] = ()
    task: str = ""  # the key of its items, unless it is the declaration's

    @property
    def task_of_items(self) -> Task:
        """The task that the items are of."""
        return Task(self.task or self.spec.key)

    def of(
        self, submissions: Sequence[AnsweredItem], settlement: Mapping[str, Any] | None = None
    ) -> StateT:
        """Return the state of an item with these complete submissions and this decision."""
        ids = tuple(sorted(each.annotation_id for each in submissions))
        spec = self.spec.reaching(*(each.answers for each in submissions), settlement or {})
        seen = [spec.visible(each.answers) for each in submissions]
        flagged = (FLAGGED,) if any(each.flag for each in submissions) else ()
        differing = (each.key for each in spec.differences if differ(spec, each, seen))
        disputes = (*differing, *flagged)
        if settlement is not None:
            decided = [spec.visible(settlement)]
            return self._agreed(decided, disputes=disputes, annotation_ids=ids, settled=True)
        if not submissions:
            return self.state(self.fates(WAITING))
        if disputes:
            return self.state(self.fates(DISPUTED), disputes=disputes, annotation_ids=ids)
        return self._agreed(seen, annotation_ids=ids)

    def of_case(self, case: ItemCase) -> StateT:
        """Return the state of an item; during a discussion it is waiting."""
        found = self.of(case.submissions, None if case.decision is None else case.decision.answers)
        ids = found.annotation_ids
        if case.unsaid:
            return self.state(self.fates(WAITING), disputes=found.disputes, annotation_ids=ids)
        if case.unconfirmed and not found.disputes and not found.settled:
            return self.state(self.fates(DISPUTED), disputes=(RECALLED,), annotation_ids=ids)
        return found

    def by_subject(self, session: Session, project_id: int) -> dict[int, StateT]:
        """Return the state of each item of the task, by its subject's id, in queue order."""
        task = self.task_of_items
        cases = item_cases(session, project_id, task)
        decided = current_decisions(session, project_id, task)
        query = select(Item.id, Item.subject_id).where(of_task(project_id, task))
        states = {}
        for item_id, subject_id in session.exec(query.order_by(col(Item.order))):
            case, decision = cases.get(item_id or 0), decided.get(item_id or 0)
            alone = None if decision is None else decision.answers
            states[subject_id or 0] = self.of_case(case) if case else self.of((), alone)
        return states

    def _agreed(self, seen: Sequence[Mapping[str, Any]], **more: Any) -> StateT:
        """Return the state of an item on which all answers `seen` agree, or that is decided."""
        fates, coded = self.spec.fates, self.spec.coded
        fate = self.fates(fates[seen[0]["verdict"]] if fates else AGREED)
        place = {cause: at for at, cause in enumerate(self.weightiest)}
        causes = {each[coded] for each in seen if coded in each}
        ordered = sorted(causes, key=lambda each: (place.get(each, len(place)), each))
        return self.state(fate, tuple(ordered), agreed=shared(self.spec, seen), **more)


def differ(spec: TaskSpec, dispute: DisputeSpec, seen: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if visible answers of several submissions are such a dispute."""
    if dispute.any and not any(holds(dispute.any, each) for each in seen):
        return False
    if dispute.all and not all(holds(dispute.all, each) for each in seen):
        return False
    said = [
        [_compared(spec, name, each.get(name)) for name in dispute.fields]
        for each in seen
        if not each.keys().isdisjoint(dispute.fields)
    ]
    return any(each != said[0] for each in said[1:])


def shared(spec: TaskSpec, seen: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the answers that all submissions share, by field; judgments of units are joined."""
    first, *others = seen or [{}]
    found = {
        name: value
        for name, value in first.items()
        if all(
            each.get(name) is not None
            and _compared(spec, name, each[name]) == _compared(spec, name, value)
            for each in others
        )
    }
    for name in found.keys() & spec.units:
        found[name] = {unit: said for each in seen for unit, said in each[name].items()}
    return found


def _compared(spec: TaskSpec, name: str, value: Any) -> Any:
    """Return an answer so that like ones are equal: of provisions, those that belong."""
    return chosen_units(value) if name in spec.units else value


class DeclaredDisputes(Disputes):
    """Disputes of a declared task: a decision has the fields that an adjudicator decides."""

    def __init__(self, outcomes: Outcomes[Any]) -> None:
        super().__init__(outcomes.task_of_items)
        self.outcomes = outcomes

    def causes(self, case: ItemCase) -> tuple[str, ...]:
        """Return why the item needs an adjudicator, or did before it was decided."""
        disputes: tuple[str, ...] = self.outcomes.of_case(case).disputes
        return disputes

    def decided(
        self, answers: Mapping[str, Any], reason: str, sides: Sequence[Submission]
    ) -> Mapping[str, Any]:
        """Return the decision completed by what all sides say alike, with its reason as a field."""
        whole = completed(self.outcomes.spec, answers, sides)
        told = reason.strip() and "reason" in self.outcomes.spec.fields
        return whole | ({"reason": reason} if told else {})


def completed(
    spec: TaskSpec, answers: Mapping[str, Any], sides: Sequence[AnsweredItem]
) -> dict[str, Any]:
    """Fill undecided fields with values that all sides share, and leave out those not asked for."""
    spec = spec.reaching(answers, *(side.answers for side in sides))
    alike = {
        name: value
        for name, value in (dict(sides[0].answers) if sides else {}).items()
        if name in spec.fields
        and spec.fields[name].decided
        and name != "reason"
        and all(side.answers.get(name) == value for side in sides)
    }
    said = alike | dict(answers)
    idle = [
        name
        for name, each in spec.fields.items()
        if not (holds(each.shown_when, said) and holds(each.decided_when, said))
    ]
    return {name: value for name, value in said.items() if name not in idle}
