"""Which items are cases, and how each stands: what the queue, the case and the decision read.

How an item was sent back and answered since is told of every task alike (`ItemCase`); what makes
it a case is the task's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Generic, TypedDict, TypeVar

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import Settled, reasons, settled
from annotation.adjudication.dispute_views import Cause, RoundView, State
from annotation.work.discussions import Discussion, Made, Read, discussions, earlier
from annotation.work.submissions import Submission, complete, named
from storage.tables.core import Annotation, Person
from storage.tasks import Task

Decision = TypeVar("Decision")


@dataclass(frozen=True, slots=True)
class ItemCase(Generic[Made, Decision]):
    """What was said of an item, before it was sent back and now, and what was decided.

    `submissions` are those that stand; while somebody is `revising` what they said, what each said
    last. `earlier` are those that were sent back and stand no more.
    """

    submissions: list[Made]
    earlier: list[Made]
    decision: Decision | None
    talk: Discussion | None
    revising: bool

    @property
    def sent_back(self) -> bool:
        """Whether it is sent back, and somebody has yet to answer."""
        return self.talk is not None and self.talk.open

    @property
    def discussed(self) -> bool:
        """Whether it was ever sent back to several people, the last time if more than once."""
        return self.talk is not None and not self.talk.alone

    @property
    def unsaid(self) -> bool:
        """Whether nothing follows from it: somebody revises, or some of several have yet to answer.

        What was given back to one person alone stands until they take it back.
        """
        return self.revising or (self.sent_back and self.discussed)

    @property
    def unconfirmed(self) -> bool:
        """Whether a discussion was recalled before all of several people had answered.

        Then those who answered may agree with what others had said before, but nobody confirmed it.
        """
        talk = self.talk
        if talk is None or talk.open or talk.alone:
            return False
        return talk.unanswered(self.submissions)

    @property
    def waiting(self) -> tuple[str, ...]:
        """The names of those who have yet to answer, while it is sent back."""
        if self.talk is None or not self.talk.open:
            return ()
        return tuple(self.talk.people[each] for each in self.talk.waiting)

    @property
    def ids(self) -> set[int]:
        """The ids of the submissions."""
        return {submission.annotation_id for submission in self.submissions}

    @property
    def sent(self) -> list[Made]:
        """The submissions that were sent back last; none if none ever were."""
        named_last = () if self.talk is None else self.talk.row.annotation_ids
        everything = [*self.earlier, *self.submissions]
        return [each for each in everything if each.annotation_id in named_last]

    @property
    def independent(self) -> list[Made]:
        """What each person said before anybody read another's, in the order of names."""
        order = {} if self.talk is None else {each: at for at, each in enumerate(self.talk.sent)}
        everything = [*self.earlier, *self.submissions]
        first: dict[int, Made] = {}
        for each in sorted(everything, key=lambda e: order.get(e.annotation_id, len(order))):
            first.setdefault(each.person_id, each)
        return sorted(first.values(), key=lambda each: (each.person, each.annotation_id))

    def state_of(self, open_: bool) -> State:
        """Return how it stands; `open_` says whether there is something to decide."""
        if self.sent_back:
            return "sent_back"
        if open_:
            return "open"
        return "agreed" if self.decision is None else "decided"


class MappingDispute(ItemCase[Submission, Settled]):
    """An item that needs or had an adjudicator."""

    __slots__ = ()

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Why the item needs an adjudicator."""
        return reasons(self.submissions, self.talk)

    @property
    def state(self) -> State:
        """How the case stands."""
        return self.state_of(self.decision is None and bool(self.causes))


Case = TypeVar("Case")


def item_cases(
    submitted: Mapping[int, list[Made]],
    decided: Mapping[int, Decision],
    talks: Mapping[int, Discussion],
    read: Read[Made],
    make: Callable[[list[Made], list[Made], Decision | None, Discussion | None, bool], Case],
) -> dict[int, Case]:
    """Return what was said of each item that is complete or was sent back, as `make` makes it.

    `submitted` are the submissions of complete items, `decided` the decisions that stand. Sent
    back, an item stays here while somebody revises what they said.
    """
    past = earlier(talks, submitted, read)
    found: dict[int, Case] = {}
    for item in dict.fromkeys([*submitted, *talks]):
        made, talk = list(submitted.get(item, ())), talks.get(item)
        revising = not made and talk is not None and talk.open
        if revising and talk is not None:
            made = sorted(read(sorted(talk.voices.values())), key=lambda each: each.person)
        ids = {each.annotation_id for each in made}
        before = [each for each in past.get(item, ()) if each.annotation_id not in ids]
        if made:
            found[item] = make(made, before, decided.get(item), talk, revising)
    return found


def cases(
    session: Session, project_id: int, item_id: int | None = None
) -> dict[int, MappingDispute]:
    """Return the cases of a project by item; with `item_id`, that of this item alone.

    An item is a case when all its submissions are in and they give a cause, when it was ever sent
    back, and when it is decided.
    """
    found = item_cases(
        complete(session, project_id, item_id),
        settled(session, project_id, item_id),
        discussions(session, project_id, item_id, Task.CITATION_MAPPING),
        partial(named, session, project_id),
        MappingDispute,
    )
    return {
        item: case
        for item, case in found.items()
        if case.state != "agreed" or case.talk is not None
    }


class Standing(TypedDict):
    """How a case stands, as `annotation.adjudication.dispute_views.CaseView` has it."""

    state: State
    rounds: tuple[RoundView, ...]
    revising: bool
    own: datetime | None


def standing(
    session: Session, person_id: int, item_id: int, case: ItemCase[Made, Decision], state: State
) -> Standing:
    """Return how a case stands for an adjudicator who looks at it."""
    return {
        "state": state,
        "rounds": rounds(session, case.talk),
        "revising": case.revising,
        "own": own_answers(session, person_id, [item_id]).get(item_id),
    }


def rounds(session: Session, talk: Discussion | None) -> tuple[RoundView, ...]:
    """Return each time that a case was sent back, oldest first."""
    if talk is None:
        return ()
    people = _names(session, talk)
    found: list[RoundView] = []
    for row, after in zip(talk.rows, [*talk.rows[1:], None], strict=True):
        if not row.annotation_ids:
            continue
        recall = after if after is not None and not after.annotation_ids else None
        waiting = talk.waiting if row is talk.row and talk.open else ()
        view = RoundView(
            person=people["person", row.person_id],
            at=row.at,
            reason=row.reason,
            people=tuple(people["annotation", number] for number in row.annotation_ids),
            waiting=tuple(talk.people[each] for each in waiting),
            recalled=None if recall is None else recall.at,
            recall_reason="" if recall is None else recall.reason,
        )
        found.append(view)
    return tuple(found)


def own_answers(session: Session, person_id: int, items: Sequence[int]) -> dict[int, datetime]:
    """Return when the person last submitted an answer of their own on each of the items."""
    query = select(Annotation.item_id, Annotation.at).where(
        Annotation.person_id == person_id, Annotation.kind == "submit"
    )
    wanted = set(items)
    rows = session.exec(query.order_by(col(Annotation.id)))
    return {item: at for item, at in rows if item in wanted}


def _names(session: Session, talk: Discussion) -> dict[tuple[str, int], str]:
    """Return the names of who sent back and, by their submission, of who was asked."""
    asked = select(Annotation.id, Person.name).join(Person, col(Person.id) == Annotation.person_id)
    rows = session.exec(asked.where(col(Annotation.id).in_(talk.sent))).all()
    people = select(Person.id, Person.name).where(
        col(Person.id).in_([row.person_id for row in talk.rows])
    )
    found = {("annotation", number or 0): name for number, name in rows}
    return found | {("person", number or 0): name for number, name in session.exec(people)}
