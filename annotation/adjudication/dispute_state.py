"""Which items are cases, and how each stands: what the queue, the case and the decision read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import Settled, reasons, settled
from annotation.adjudication.dispute_views import Cause, RoundView, State
from annotation.work.discussions import Discussion, discussions, earlier
from annotation.work.submissions import Submission, complete, named
from storage.tables.core import Annotation, Person


@dataclass(frozen=True, slots=True)
class MappingDispute:
    """An item that needs or had an adjudicator.

    `submissions` are those that stand; while somebody is `revising` what they said, what each said
    last. `earlier` are those that were sent back and stand no more.
    """

    submissions: list[Submission]
    earlier: list[Submission]
    decision: Settled | None
    talk: Discussion | None
    revising: bool

    @property
    def causes(self) -> tuple[Cause, ...]:
        """Why the item needs an adjudicator."""
        return reasons(self.submissions, self.talk)

    @property
    def state(self) -> State:
        """How the case stands."""
        if self.decision is not None:
            return "decided"
        if self.talk is not None and self.talk.open:
            return "sent_back"
        return "open" if self.causes else "agreed"

    @property
    def waiting(self) -> tuple[str, ...]:
        """The names of those who have yet to answer, while the case is sent back."""
        if self.talk is None or self.state != "sent_back":
            return ()
        return tuple(self.talk.people[each] for each in self.talk.waiting)

    @property
    def ids(self) -> set[int]:
        """The ids of the submissions."""
        return {each.annotation_id for each in self.submissions}


def cases(
    session: Session, project_id: int, item_id: int | None = None
) -> dict[int, MappingDispute]:
    """Return the cases of a project by item; with `item_id`, that of this item alone.

    An item is a case when all its submissions are in and they give a cause, when it was ever sent
    back, and when it is decided. Sent back, it stays one while somebody revises what they said.
    """
    submitted = complete(session, project_id, item_id)
    decided = settled(session, project_id, item_id)
    talks = discussions(session, project_id, item_id)
    past = earlier(session, project_id, talks, submitted)
    found: dict[int, MappingDispute] = {}
    for item in dict.fromkeys([*submitted, *talks]):
        made, talk = submitted.get(item, []), talks.get(item)
        revising = not made and talk is not None and talk.open
        if revising and talk is not None:
            said = named(session, project_id, sorted(talk.voices.values()))
            made = sorted(said, key=lambda each: each.person)
        before = [each for each in past.get(item, ()) if each not in made]
        case = MappingDispute(made, before, decided.get(item), talk, revising)
        if made and (case.state != "agreed" or talk is not None):
            found[item] = case
    return found


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
