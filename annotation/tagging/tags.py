"""Tags of court cases, derived from submissions and decisions, never stored.

Only complete cases that are not waiting in a discussion are read. If all who answered a case chose
the same options of a sub-factor, that is its tag. If they differ, or only some answered a required
one, it is disputed until an adjudicator decides. A sub-factor is considered only while its
condition holds under the tags: those that depend on a disputed one wait for it.

Cases that were put into a further standard group after a person tagged them.

A typology that adds a group asks more of the case. The submission stays current, under its own
groups; the person is told, and can withdraw it to answer the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, NamedTuple

from sqlalchemy import func
from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from annotation.adjudication.decisions import Settled
from annotation.adjudication.dispute_state import ItemCase, item_cases
from annotation.people.roles import Act, require
from annotation.tagging.codebook import book_of
from annotation.work.submissions import Submission, is_current
from construction.tagging.codebook import (
    EVERYWHERE,
    Codebook,
    SubFactor,
    applies,
    asked_sub_factors,
    in_scope,
)
from normalization.grouping import grouped
from storage.db.rows import rows_with
from storage.db.workspace import Workspace
from storage.tables.core import Annotation, CandidateSet, Item
from storage.tasks import Task, of_task


@dataclass(frozen=True, slots=True)
class Joined:
    """An item whose case was put into more groups since the person submitted it."""

    item_id: int
    external_id: str
    groups: tuple[str, ...]


def joined_by(ws: Workspace, person_id: int) -> list[Joined]:
    """Return the items whose case joined groups since the person submitted, in queue order.

    Raises UserError for an unknown or inactive person.
    """
    with ws.reading() as session:
        who = require(session, person_id, Act.COMMENT)
        return joined(session, who.project_id, who.person_id)


def shown_when_resubmitted(
    session: Session, submissions: Sequence[Submission]
) -> dict[int, dict[str, Any]]:
    """Return the material shown at resubmission, for items that showed more than at first.

    For resubmissions: the draft keeps the candidate set it was begun on, although all that the
    item's groups asked by then was answered. Only if these are more than the draft's.
    """
    anew = [each for each in submissions if each.taken_back]
    query = select(CandidateSet).order_by(col(CandidateSet.id))
    rows = rows_with(session, query, CandidateSet.item_id, {each.item_id for each in anew})
    sets = grouped((row.item_id, row) for row in rows)
    found: dict[int, dict[str, Any]] = {}
    for made in anew:
        begun = [row for row in sets[made.item_id] if row.id == made.candidate_set_id]
        by_then = [row for row in sets[made.item_id] if row.created_at <= made.at]
        if begun and by_then and _shown_groups(by_then[-1]) > _shown_groups(begun[0]):
            found[made.annotation_id] = dict(by_then[-1].shown or {})
    return found


def _shown_groups(row: CandidateSet) -> set[str]:
    """Return the case groups that an item showed."""
    return set((row.shown or {}).get("groups", ()))


def joined(
    session: Session, project_id: int, person_id: int, item_id: int | None = None
) -> list[Joined]:
    """Return the items, or that item, with more groups than the person's submission had."""
    seen, now, later = aliased(CandidateSet), aliased(CandidateSet), aliased(CandidateSet)
    newest = select(func.max(col(later.id))).where(col(later.item_id) == col(Item.id))
    query = (
        select(Item.id, Item.external_id, seen.shown, now.shown)
        .join(Annotation, col(Annotation.item_id) == col(Item.id))
        .join(seen, col(seen.id) == col(Annotation.candidate_set_id))
        .join(now, col(now.item_id) == col(Item.id))
        .where(of_task(project_id, Task.FACTOR_TAGGING), is_current())
        .where(Annotation.person_id == person_id, col(seen.id) != col(now.id))
        .where(col(Annotation.at) < col(now.created_at))  # otherwise all is answered
        .where(col(now.id) == newest.correlate(Item).scalar_subquery())
        .order_by(col(Item.order))
    )
    if item_id is not None:
        query = query.where(col(Item.id) == item_id)
    found = []
    for number, name, before, after in session.exec(query):
        had = set((before or {}).get("groups", ()))
        more = tuple(each for each in (after or {}).get("groups", ()) if each not in had)
        if more:
            found.append(Joined(number or 0, name or "", more))
    return found


@dataclass(frozen=True, slots=True)
class TaggedCase:
    """A case with its submissions and tags; `aided`: a suggestion was visible before answering.

    `discussed` are the sub-factors in dispute when the case was last sent back.
    """

    court_case_id: int
    item_id: int
    external_id: str
    groups: tuple[str, ...]
    case: ItemCase
    state: TagState
    aided: bool = field(default=False)
    discussed: frozenset[str] = frozenset()

    @property
    def said(self) -> list[Submission]:
        """The submissions."""
        return self.case.submissions

    @property
    def settled(self) -> Settled | None:
        """The current decision."""
        return self.case.decision


def tags(session: Session, project_id: int) -> dict[int, TagState]:
    """Return the tags of every complete case that is not in discussion, by the case's id."""
    book, _ = book_of(session, project_id)
    return {each.court_case_id: each.state for each in tagged(session, project_id, book)}


def tagged(
    session: Session,
    project_id: int,
    book: Codebook,
    item_id: int | None = None,
    sent_back: bool = False,
) -> list[TaggedCase]:
    """Return the complete cases with their submissions and tags.

    Those `sent_back` and not answered yet are left out unless requested.
    """
    cases = item_cases(session, project_id, Task.FACTOR_TAGGING, item_id)
    wanted = [case for case in cases.values() if sent_back or not case.unsaid]
    made = [each for case in wanted for each in case.submissions]
    sets = {each.candidate_set_id for each in made}
    query = select(CandidateSet.id, CandidateSet.shown)
    shown = {
        number: dict(material or {})
        for number, material in rows_with(session, query, CandidateSet.id, sets)
    }
    again = shown_when_resubmitted(session, made)
    books: dict[tuple[str, ...], Codebook] = {}  # few groups, many cases
    found = []
    for case in wanted:
        seen = [
            again.get(each.annotation_id, shown[each.candidate_set_id]) for each in case.submissions
        ]
        groups = _groups(seen)
        if groups not in books:
            books[groups] = _in_scope_of(book, groups)
        found.append(_tagged_case(books[groups], groups, case, seen))
    return found


def _in_scope_of(book: Codebook, groups: tuple[str, ...]) -> Codebook:
    """Return the part of the codebook that is in scope of the groups, for faster lookup."""
    return Codebook(
        factors=tuple(
            replace(factor, scope=(EVERYWHERE,))
            for factor in book.factors
            if applies(factor.scope, groups)
        ),
        order=tuple(each.key for each in in_scope(book, groups)),
    )


def _tagged_case(
    book: Codebook,
    groups: tuple[str, ...],
    case: ItemCase,
    material: Sequence[Mapping[str, Any]],
) -> TaggedCase:
    """Return a case with its tags; `material` is what each submission was shown."""
    first, settled = case.submissions[0], case.decision.answers if case.decision else None
    sent = () if case.talk is None or case.talk.alone else case.sent
    discussed = tag_state(book, groups, [each.answers for each in sent]).open
    answers = [each.answers for each in case.submissions]
    held = discussed if case.unconfirmed else frozenset[str]()
    return TaggedCase(
        court_case_id=first.subject_id,
        item_id=first.item_id,
        external_id=first.external_id,
        groups=groups,
        case=case,
        state=tag_state(book, groups, answers, settled, held),
        discussed=discussed,
        aided=any(
            each.get("suggestions") == "shown" and each.get("suggested") for each in material
        ),
    )


def _groups(material: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return all standard groups under which somebody tagged the case, in the order shown."""
    return tuple(dict.fromkeys(group for each in material for group in each.get("groups") or ()))


Answers = Mapping[str, Any]  # by sub-factor, in their stored form


class How(StrEnum):
    """The origin of a tag."""

    SINGLE = "single"  # one person answered
    AGREED = "agreed"  # all who answered chose the same
    SETTLED = "settled"  # an adjudicator decided


class Evidence(NamedTuple):
    """A passage that supports an option: span in the text, and wording."""

    option: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Tag:
    """The options of one sub-factor, in the codebook's order, and their origin."""

    options: tuple[str, ...]
    how: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class TagState:
    """The tags of a case. `disputed` wait for an adjudicator, `missing` nobody has answered.

    `stale` are sub-factors answered by an option no longer in the codebook.
    """

    tags: Mapping[str, Tag] = field(default_factory=dict)
    disputed: frozenset[str] = frozenset()
    stale: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()

    @property
    def open(self) -> frozenset[str]:
        """The sub-factors that an adjudicator has to decide."""
        return self.disputed | self.stale


def tag_state(
    book: Codebook,
    groups: Sequence[str],
    answers: Sequence[Answers],
    settled: Answers | None = None,
    held: frozenset[str] = frozenset(),
) -> TagState:
    """Return the tags that follow from the answers to a case of these standard groups.

    `answers` are the complete submissions of different people, `settled` the adjudicator's
    decision. Those in `held` stay disputed until decided, though the answers agree: a discussion of
    them was recalled before all had answered.
    """
    decided = settled or {}
    subs = {each.key: each for each in in_scope(book, groups)}
    tags, stale = _tags(subs, answers, decided)
    tags = {key: tag for key, tag in tags.items() if key not in held or key in decided}
    holding = asked_sub_factors(book, groups, {key: tag.options for key, tag in tags.items()})
    disputed, missing = set(), set()
    for each in holding if answers else ():
        if each.key in tags or each.key in stale:
            continue
        by_decision = each.required and any(other in decided for other in each.when)
        if by_decision or any(each.key in said for said in answers):
            disputed.add(each.key)
        elif each.required:
            missing.add(each.key)
    now = {each.key for each in holding}
    return TagState(
        tags={key: tag for key, tag in tags.items() if key in now},
        disputed=frozenset(disputed),
        stale=frozenset(stale & now),
        missing=frozenset(missing),
    )


def options_of(answer: Mapping[str, Any]) -> frozenset[str]:
    """Return the options of an answer."""
    return frozenset(answer["options"])


def evidence_of(answer: Mapping[str, Any]) -> tuple[Evidence, ...]:
    """Return the passages attached to an answer."""
    return tuple(
        Evidence(each["option"], each["start"], each["end"], each["quote"])
        for each in answer.get("evidence", ())
    )


def _tags(
    subs: Mapping[str, SubFactor], answers: Sequence[Answers], settled: Answers
) -> tuple[dict[str, Tag], set[str]]:
    """Return the tags, whether or not their conditions hold, and the stale sub-factors."""
    tags, stale = dict[str, Tag](), set[str]()
    for key, each in subs.items():
        given = [options_of(answer[key]) for answer in answers if key in answer]
        everybody = len(given) == len(answers) or not each.required
        agreed = given[0] if given and everybody and len(set(given)) == 1 else None
        options = options_of(settled[key]) if key in settled else agreed
        if options is None:
            continue
        if not options <= set(each.givable):
            stale.add(key)
            continue
        how = How.SETTLED if options != agreed else How.SINGLE if len(given) == 1 else How.AGREED
        ordered = tuple(option for option in each.givable if option in options)
        tags[key] = Tag(ordered, how, _evidence(key, options, answers, settled))
    return tags, stale


def _evidence(
    key: str, options: frozenset[str], given: Sequence[Answers], settled: Answers
) -> tuple[Evidence, ...]:
    """Return all passages attached to a chosen option, in text order."""
    answers = [each[key] for each in (*given, settled) if key in each]
    passages = {each for answer in answers for each in evidence_of(answer)}
    kept = (each for each in passages if each.option in options)
    return tuple(sorted(kept, key=lambda each: (each.start, each.end, each.option)))
