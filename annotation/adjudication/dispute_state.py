"""Cases and their states, as read by the queue, the case view and the decision.

All of it is the same for every task; what makes an item disputed is defined by the task.

Versions of guideline and codebook under which a case's answers were given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import RoundView, Settled, State, current_decisions
from annotation.people.roles import ProjectMember, Role, adjudicator, require_item
from annotation.work.discussions import Discussion, discussions, earlier, open_discussions
from annotation.work.submissions import Submission, complete, is_current, named
from annotation.work.visibility import name_of
from errors import UserError
from storage.db.workspace import Workspace
from storage.tables.core import Annotation, Item, Person
from storage.tables.people import Lease
from storage.tasks import of_task


@dataclass(frozen=True, slots=True)
class ItemCase:
    """An item's submissions, before and after it was sent back, and the decision on it.

    `submissions` are the current ones; while somebody is `revising` theirs, each person's last.
    `earlier` are superseded ones that were sent back.
    """

    submissions: list[Submission]
    earlier: list[Submission]
    decision: Settled | None
    talk: Discussion | None
    revising: bool

    @property
    def sent_back(self) -> bool:
        """True while it is sent back and somebody has yet to answer."""
        return self.talk is not None and self.talk.open

    @property
    def discussed(self) -> bool:
        """True if its last referral was to several people."""
        return self.talk is not None and not self.talk.alone

    @property
    def unsaid(self) -> bool:
        """True while no outcome can be derived: somebody revises, or a discussion is open.

        An item sent back to one person alone keeps its outcome until they withdraw.
        """
        return self.revising or (self.sent_back and self.discussed)

    @property
    def unconfirmed(self) -> bool:
        """True if a discussion was recalled before all had answered.

        Those who answered may then agree with others' earlier answers, but nobody confirmed it.
        """
        talk = self.talk
        if talk is None or talk.open or talk.alone:
            return False
        return talk.unanswered(self.submissions)

    @property
    def waiting(self) -> tuple[str, ...]:
        """Names of those who have yet to answer, while it is sent back."""
        if self.talk is None or not self.talk.open:
            return ()
        return tuple(self.talk.people[each] for each in self.talk.waiting)

    @property
    def ids(self) -> set[int]:
        """Ids of the submissions."""
        return {submission.annotation_id for submission in self.submissions}

    @property
    def sent(self) -> list[Submission]:
        """The submissions named by the last referral; none if it was never sent back."""
        named_last = () if self.talk is None else self.talk.row.annotation_ids
        everything = [*self.earlier, *self.submissions]
        return [each for each in everything if each.annotation_id in named_last]

    @property
    def independent(self) -> list[Submission]:
        """Each person's submission from before they read another's, sorted by name."""
        order = {} if self.talk is None else {each: at for at, each in enumerate(self.talk.sent)}
        everything = [*self.earlier, *self.submissions]
        first: dict[int, Submission] = {}
        for each in sorted(everything, key=lambda e: order.get(e.annotation_id, len(order))):
            first.setdefault(each.person_id, each)
        return sorted(first.values(), key=lambda each: (each.person, each.annotation_id))

    def state_of(self, open_: bool) -> State:
        """Return the state; `open_`: there is something to decide."""
        if self.sent_back:
            return "sent_back"
        if open_:
            return "open"
        return "agreed" if self.decision is None else "decided"


def case_reader(
    session: Session, person_id: int, item_id: int, now: datetime
) -> tuple[ProjectMember, Item]:
    """Return the adjudicator and the item, checking that they may decide on it.

    Raises UserError for anybody who may not adjudicate, for an unknown item, and for an
    administrator whose own answer to it is still awaited: they would read the others' before.
    """
    who = adjudicator(session, person_id)
    item = require_item(session, who, item_id)
    if who.role == Role.ADMINISTRATOR:
        leased = select(Lease.id).where(
            Lease.item_id == item_id, Lease.person_id == person_id, Lease.expires_at > now
        )
        talk = open_discussions(session, who.project_id, item_id).get(item_id)
        owes = talk is not None and person_id in talk.waiting
        if owes or session.exec(leased).first() is not None:
            raise UserError("case_awaits_own", item=name_of(session, item_id))
    return who, item


def item_cases(
    session: Session, project_id: int, task: str, item_id: int | None = None
) -> dict[int, ItemCase]:
    """Return the case of each item that is complete or was sent back, in queue order.

    With `item_id`, only that item. An item sent back is included while somebody revises their
    answer.
    """
    submitted = complete(session, project_id, task, item_id)
    decided = current_decisions(session, project_id, task, item_id)
    talks = discussions(session, project_id, item_id, task)
    past = earlier(session, project_id, talks, submitted)
    found: dict[int, ItemCase] = {}
    for item in dict.fromkeys([*submitted, *talks]):
        made, talk = list(submitted.get(item, ())), talks.get(item)
        revising = not made and talk is not None and talk.open
        if revising and talk is not None:
            last = named(session, project_id, sorted(talk.voices.values()))
            made = sorted(last, key=lambda each: each.person)
        ids = {each.annotation_id for each in made}
        before = [each for each in past.get(item, ()) if each.annotation_id not in ids]
        if made:
            found[item] = ItemCase(made, before, decided.get(item), talk, revising)
    if not any(case.revising for case in found.values()):
        return found
    query = select(Item.id).where(of_task(project_id, task)).order_by(col(Item.order))
    return {item: found[item] for item in session.exec(query) if item in found}


def standing(
    session: Session, person_id: int, item_id: int, case: ItemCase, state: State
) -> dict[str, Any]:
    """Return the state of a case as seen by one adjudicator, as fields of a `DisputeCase`."""
    return {
        "item_id": item_id,
        "state": state,
        "rounds": rounds(session, case.talk),
        "revising": case.revising,
        "own": own_answers(session, person_id, [item_id]).get(item_id),
    }


def rounds(session: Session, talk: Discussion | None) -> tuple[RoundView, ...]:
    """Return the referrals of a case, each with its recall, oldest first; () if never sent back."""
    if talk is None:
        return ()
    people, authors = _names(session, talk)
    found: list[RoundView] = []
    for row, after in zip(talk.rows, [*talk.rows[1:], None], strict=True):
        if not row.annotation_ids:
            continue
        recall = after if after is not None and not after.annotation_ids else None
        waiting = talk.waiting if row is talk.row and talk.open else ()
        view = RoundView(
            person=people[row.person_id],
            at=row.at,
            reason=row.reason,
            people=tuple(authors[number] for number in row.annotation_ids),
            waiting=tuple(talk.people[each] for each in waiting),
            recalled=None if recall is None else recall.at,
            recall_reason="" if recall is None else recall.reason,
        )
        found.append(view)
    return tuple(found)


def own_answers(session: Session, person_id: int, items: Sequence[int]) -> dict[int, datetime]:
    """Return when the person last submitted an answer on each of the items."""
    query = select(Annotation.item_id, Annotation.at).where(
        Annotation.person_id == person_id, Annotation.kind == "submit"
    )
    wanted = set(items)
    rows = session.exec(query.order_by(col(Annotation.id)))
    return {item: at for item, at in rows if item in wanted}


def _names(session: Session, talk: Discussion) -> tuple[dict[int, str], dict[int, str]]:
    """Return names: of those who sent back, by person id; of those asked, by submission id."""
    senders = {row.person_id for row in talk.rows}
    people = select(Person.id, Person.name).where(col(Person.id).in_(senders))
    asked = select(Annotation.id, Person.name).join(Person)
    authors = asked.where(col(Annotation.id).in_(talk.sent))
    named, written = (
        {number or 0: name for number, name in session.exec(query)} for query in (people, authors)
    )
    return named, written


def judged_under(ws: Workspace, adjudicator_id: int, item_id: int) -> dict[str, tuple[str, ...]]:
    """Return the guideline and codebook versions of current submissions, by kind, newest first.

    Raises UserError for anybody but an adjudicator, and for an unknown item.
    """
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        require_item(session, who, item_id)
        query = (
            select(Annotation.guideline_version, Annotation.codebook_version)
            .where(Annotation.item_id == item_id, is_current())
            .order_by(col(Annotation.id).desc())
        )
        rows = session.exec(query).all()
    found = {}
    for at, kind in enumerate(("guideline", "codebook")):
        versions = dict.fromkeys(row[at] for row in rows)
        found[kind] = tuple(sorted(versions, key=_version_number, reverse=True))
    return found


def _version_number(version: str) -> int:
    """Return the number of a document version `<number>-<hash>`, 0 if it has none."""
    number = version.partition("-")[0]
    return int(number) if number.isdecimal() else 0
