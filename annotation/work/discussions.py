"""Discussions: items sent back to their annotators, and who has answered since.

A `Referral` row names the submissions that were sent back; one without submissions recalls the row
before it. The rest is derived from the submissions: a discussion is open until everybody named has
submitted again, an adjudicator decides, or it is recalled. The named submissions were complete at
that time, so whoever may read others' labels may read them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any

import sqlalchemy
from sqlalchemy import ColumnElement, bindparam, exists
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from annotation.work.submissions import Submission, complete, is_current, named
from normalization.grouping import grouped, nested
from storage.overlap import decided, required_submissions
from storage.tables.core import Annotation, DraftEvent, Item, Person
from storage.tables.people import Referral
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class Sent:
    """One referral of an item: by whom, when, why, and of which submissions.

    Without submissions it recalls the referral before.
    """

    item_id: int
    person_id: int
    at: datetime
    reason: str
    annotation_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Discussion:
    """The referrals of an item, and who has answered the last one.

    `rows` are all referrals, oldest first, `row` the last one that names submissions. `people` maps
    the authors of those submissions from id to name; `answered` are those who have submitted again,
    changed or not. `voices` maps each person to the id of their current submission, or else of the
    one sent back.
    """

    rows: tuple[Sent, ...]
    row: Sent
    people: dict[int, str] = field(default_factory=dict)
    voices: dict[int, int] = field(default_factory=dict)
    answered: frozenset[int] = frozenset()
    decided: bool = False

    @property
    def open(self) -> bool:
        """True while somebody has yet to answer, and it is neither decided nor recalled."""
        return not self.decided and self.rows[-1] is self.row and bool(self.waiting)

    @property
    def alone(self) -> bool:
        """True if a single submission was sent back, so there is nobody to discuss with.

        Its author is then shown nothing of the others'.
        """
        return len(self.row.annotation_ids) == 1

    @property
    def sent(self) -> tuple[int, ...]:
        """Ids of all submissions ever sent back, oldest referral first."""
        return tuple(number for row in self.rows for number in row.annotation_ids)

    @property
    def waiting(self) -> tuple[int, ...]:
        """Ids of the people who have yet to answer."""
        return tuple(each for each in self.people if each not in self.answered)

    def why(self, annotation_id: int) -> str:
        """Return the reason of the last referral of this submission, "" if it was not referred."""
        found = [row.reason for row in self.rows if annotation_id in row.annotation_ids]
        return found[-1] if found else ""

    def unanswered(self, submissions: Iterable[Submission]) -> bool:
        """Return True if one of the submissions is among those sent back."""
        return any(each.annotation_id in self.row.annotation_ids for each in submissions)


def is_resubmitted_unchanged() -> ColumnElement[bool]:
    """Return the SQL condition that an `Annotation` resubmits the one it supersedes unchanged."""
    before = aliased(Annotation)
    same = exists().where(col(before.id) == Annotation.supersedes_id, col(before.kind) == "submit")
    acted = exists().where(
        col(DraftEvent.id) == Annotation.event_id, col(DraftEvent.kind) == "submit"
    )
    return (col(Annotation.kind) == "submit") & same & acted


def discussions(
    session: Session, project_id: int, item_id: int | None = None, task: str | None = None
) -> dict[int, Discussion]:
    """Return the discussion of every item ever sent back; optionally of one item or task."""
    asked = {"project_id": project_id, "item_id": item_id, "task": task}
    made = session.execute(_referrals(item_id is None, task is None), asked)
    rows = grouped(
        (item, Sent(item, person, at, reason, tuple(ids))) for item, person, at, reason, ids in made
    )
    last = {item: row for item, sent in rows.items() for row in sent if row.annotation_ids}
    if not last:
        return {}
    people = _authors(session, [number for row in last.values() for number in row.annotation_ids])
    standing = _current_submission_ids(session, rows)
    settled = select(Item.id).where(col(Item.id).in_(sorted(rows)), decided())
    final = set(session.exec(settled))
    found = {}
    for item, row in last.items():
        authors = {number: people[number] for number in row.annotation_ids if number in people}
        now = standing.get(item, {})
        voices = {person: now.get(person, number) for number, (person, _) in authors.items()}
        answered = frozenset(
            person for person, number in voices.items() if number not in row.annotation_ids
        )
        found[item] = Discussion(
            tuple(rows[item]), row, dict(authors.values()), voices, answered, item in final
        )
    return found


@cache  # building the statement takes longer than running it, and every drawing asks several times
def _referrals(every_item: bool, every_task: bool) -> Any:
    """Query of the referrals of an item or task, with their submissions."""
    of = Referral
    shown = (of.item_id, of.person_id, of.at, of.reason, of.annotation_ids)
    query = sqlalchemy.select(*(col(each) for each in shown))
    query = query.join(Item)
    query = query.where(col(Item.project_id) == bindparam("project_id"))
    if not every_item:
        query = query.where(col(Referral.item_id) == bindparam("item_id"))
    if not every_task:
        query = query.where(col(Item.task) == bindparam("task"))
    return query.order_by(col(Referral.id))


def open_discussions(
    session: Session, project_id: int, item_id: int | None = None, task: str | None = None
) -> dict[int, Discussion]:
    """Return the open discussions by item; optionally of one item or task."""
    found = discussions(session, project_id, item_id, task)
    return {item: each for item, each in found.items() if each.open}


def earlier(
    session: Session,
    project_id: int,
    discussions: Mapping[int, Discussion],
    submitted: Mapping[int, Sequence[Submission]],
) -> dict[int, list[Submission]]:
    """Return the submissions that were sent back and are superseded, by item, oldest first."""
    now = {each.annotation_id for made in submitted.values() for each in made}
    ids = {number for each in discussions.values() for number in each.sent}
    return grouped((each.item_id, each) for each in named(session, project_id, sorted(ids - now)))


def independent(
    session: Session,
    project_id: int,
    submitted: Mapping[int, list[Submission]] | None = None,
    found: Mapping[int, Discussion] | None = None,
) -> dict[int, list[Submission]]:
    """Return the submissions of each complete item as made before anybody read another's.

    For people who discussed the item, the submission in the first referral that names them; for
    everybody else the current one. Agreement is measured on these alone, since submissions made
    after a discussion agree because of it. `submitted` and `found` are what `complete` and
    `discussions` return, where they have been read already.
    """
    submitted = dict(complete(session, project_id) if submitted is None else submitted)
    if found is None:
        found = discussions(session, project_id, task=Task.CITATION_MAPPING)
    if not found:
        return submitted
    before = _first_submissions(session, project_id, found)
    wants = dict(
        session.exec(
            select(Item.id, required_submissions()).where(col(Item.id).in_(sorted(found)))
        ).all()
    )
    for item_id, first in before.items():
        others = [each for each in submitted.get(item_id, ()) if each.person_id not in first]
        made = sorted(
            [*first.values(), *others], key=lambda each: (each.person, each.annotation_id)
        )
        if len(made) >= wants[item_id]:
            submitted[item_id] = made
        else:  # the overlap was raised since: somebody owes the item again
            submitted.pop(item_id, None)
    return submitted


def _first_submissions(
    session: Session, project_id: int, discussions: Mapping[int, Discussion]
) -> dict[int, dict[int, Submission]]:
    """Return each discussant's first submission, by item and person."""
    order = [number for each in discussions.values() for number in each.sent]
    made = {each.annotation_id: each for each in named(session, project_id, order)}
    before: dict[int, dict[int, Submission]] = {}
    for number in order:
        if number in made:
            each = made[number]
            before.setdefault(each.item_id, {}).setdefault(each.person_id, each)
    return before


def _authors(session: Session, annotation_ids: Sequence[int]) -> dict[int, tuple[int, str]]:
    """Return the author of each submission as (id, name)."""
    query = select(Annotation.id, Person.id, Person.name).join(Person)
    rows = session.exec(query.where(col(Annotation.id).in_(annotation_ids)))
    return {number or 0: (person or 0, name) for number, person, name in rows}


def _current_submission_ids(session: Session, items: Collection[int]) -> dict[int, dict[int, int]]:
    """Return the id of the current submission by item and person."""
    query = select(Annotation.item_id, Annotation.person_id, Annotation.id)
    query = query.where(col(Annotation.item_id).in_(sorted(items)), is_current())
    return nested((item, person, number or 0) for item, person, number in session.exec(query))
