"""Disputes on tags of court cases: the queue, one case with its open sub-factors, decisions.

Each decision is a settlement of the case that includes the earlier ones: a case is settled once
none of its sub-factors is open. Sub-factors that depend on a decided one are opened, or removed, by
it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from annotation.adjudication.decisions import RoundView, State
from annotation.adjudication.dispute_state import Standing, case_reader, own_answers, standing
from annotation.adjudication.tasks import refuse_other
from annotation.forms.adjudication import Settled, checked_reason, keep
from annotation.people.roles import adjudicator
from annotation.tagging.codebook import book_of
from annotation.tagging.tags import Evidence, TaggedCase, TagState, evidence_of, options_of, tagged
from annotation.work.commands import UNSAID
from annotation.work.submissions import Submission
from construction.tagging.codebook import Codebook, Factor, SubFactor
from errors import UserError, Where
from storage.db.workspace import Workspace
from storage.tables.cases import CourtCase
from storage.tables.core import Item
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class CaseDispute:
    """A case with sub-factors that are open or decided, in the lawyers' order.

    `places` has the sub-factors of the codebook by key, each with its factor. `waiting` are those
    who have yet to answer while it is sent back; `own` is the time of the adjudicator's own
    submission on it, None if there is none.
    """

    item_id: int
    external_id: str
    open: tuple[str, ...]
    decided: tuple[str, ...]
    decision: Settled | None
    places: Mapping[str, tuple[Factor, SubFactor]]
    state: State = "open"
    waiting: tuple[str, ...] = ()
    own: datetime | None = None

    @property
    def causes(self) -> tuple[str, ...]:
        """The sub-factors that are open, else those that were decided."""
        return self.open or self.decided


@dataclass(frozen=True, slots=True)
class DisputeEntry:
    """A case in which a sub-factor is open or was decided."""

    item_id: int
    external_id: str
    settled: bool


@dataclass(frozen=True, slots=True)
class FactorDisputes:
    """The cases in which one sub-factor is open or was decided, in queue order."""

    factor: Factor
    sub: SubFactor
    cases: tuple[DisputeEntry, ...]

    @property
    def waiting(self) -> tuple[DisputeEntry, ...]:
        """The open ones."""
        return tuple(case for case in self.cases if not case.settled)


@dataclass(frozen=True, slots=True)
class Side:
    """One person's answer; `options` is None if the sub-factor did not apply for them."""

    annotation_id: int
    person: str
    options: tuple[str, ...] | None
    evidence: tuple[Evidence, ...]
    comment: str
    flag: str


@dataclass(frozen=True, slots=True)
class Part:
    """One sub-factor of a case: the answer of each side, and the earlier decision.

    `stale`: an answer has an option that is no longer in the codebook.
    """

    factor: Factor
    sub: SubFactor
    sides: tuple[Side, ...]
    decided: tuple[str, ...]
    stale: bool


@dataclass(frozen=True, slots=True)
class DisputeView:
    """A case: the judgment, and each sub-factor that is open or was decided.

    `reason` is that of the last decision; `left` counts the case's other open sub-factors. `agreed`
    are the sub-factors with equal answers, with their options. `earlier` are superseded submissions
    that were sent back; `state`, `rounds`, `revising` and `own` are as in
    `annotation.adjudication.decisions.CaseView`.
    """

    item_id: int
    external_id: str
    title: str
    court: str
    date: str
    language: str
    text: str
    sections: tuple[tuple[str, int, int], ...]
    parts: tuple[Part, ...]
    reason: str
    left: int
    agreed: tuple[tuple[SubFactor, tuple[str, ...]], ...] = ()
    settled: Settled | None = None
    earlier: tuple[Submission, ...] = ()
    state: State = "open"
    rounds: tuple[RoundView, ...] = ()
    revising: bool = False
    own: datetime | None = None

    @property
    def annotation_ids(self) -> tuple[int, ...]:
        """Ids of the submissions shown."""
        return tuple(side.annotation_id for side in self.parts[0].sides)

    @property
    def before(self) -> dict[str, tuple[str, ...]]:
        """Options decided by sub-factor, empty for none."""
        return {part.sub.key: part.decided for part in self.parts}


def queue(ws: Workspace, adjudicator_id: int) -> list[CaseDispute]:
    """Return the cases with sub-factors that are open or decided, in project order.

    Raises UserError for anybody but an adjudicator.
    """
    return _queue(ws, adjudicator_id)[1]


def disputes(ws: Workspace, adjudicator_id: int) -> list[FactorDisputes]:
    """Return the open and decided cases by sub-factor, in the lawyers' order."""
    book, cases = _queue(ws, adjudicator_id)
    found: dict[str, list[DisputeEntry]] = {}
    for case in cases:
        if case.state == "sent_back":
            continue
        for key in (*case.open, *case.decided):
            entry = DisputeEntry(case.item_id, case.external_id, key in case.decided)
            found.setdefault(key, []).append(entry)
    places = _places(book)
    return [FactorDisputes(*places[key], tuple(found[key])) for key in book.order if key in found]


def _queue(ws: Workspace, adjudicator_id: int) -> tuple[Codebook, list[CaseDispute]]:
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        book, _ = book_of(session, who.project_id)
        cases = tagged(session, who.project_id, book, sent_back=True)
        own = own_answers(session, who.person_id, [case.item_id for case in cases])
    found, places = [], _places(book)
    for case in cases:
        keys, open_ = _settled_keys(case), case.state.open
        open_ |= case.discussed if case.case.sent_back else frozenset()
        waiting = tuple(key for key in book.order if key in open_)
        rest = tuple(key for key in book.order if key in keys and key not in waiting)
        if decidable(case):
            entry = CaseDispute(
                *(case.item_id, case.external_id, waiting, rest, case.settled, places),
                *(_state(case), case.case.waiting, own.get(case.item_id)),
            )
            found.append(entry)
    return book, found


def open_dispute(
    ws: Workspace, adjudicator_id: int, item_id: int, sub_factor: str = ""
) -> DisputeView:
    """Return a case with the judgment and all answers, to one `sub_factor` or to all.

    Raises UserError for anybody but an adjudicator, and for a case that needs none.
    """
    with ws.reading() as session:
        who, item = case_reader(session, adjudicator_id, item_id, ws.clock())
        book, _ = book_of(session, who.project_id)
        asked = [sub_factor] if sub_factor else []
        case = _decidable_case(tagged(session, who.project_id, book, item_id, True), item, asked)
        judgment = session.get_one(CourtCase, case.court_case_id)
        how = standing(session, who.person_id, item_id, case.case, _state(case))
        return _dispute_view(book, case, judgment, asked or decidable(case), how)


def decide(
    ws: Workspace,
    adjudicator_id: int,
    item_id: int,
    answers: Mapping[str, Sequence[str]],
    reason: str,
    annotation_ids: Sequence[int] | None = None,
    before: Any = UNSAID,
) -> TagState:
    """Decide sub-factors of a case, each by its options; return the case's tags.

    Passages that people attached to the chosen options are kept with them. A later decision
    supersedes. `before` maps sub-factors to the decided options on the screen, empty for none: it
    refuses to replace any other decision. Raises UserError as
    `annotation.forms.adjudication.settle` does, and for sub-factors that are not open.
    """
    why = checked_reason(reason)
    with ws.writing(item_id=item_id, person_id=adjudicator_id) as session:
        who, item = case_reader(session, adjudicator_id, item_id, ws.clock())
        book, _ = book_of(session, who.project_id)
        case = _decidable_case(tagged(session, who.project_id, book, item_id, True), item, answers)
        if not answers:
            raise UserError("tag_nothing")
        if before is not UNSAID:
            _refuse_other(case, answers, before)
        made = {key: _decided_value(case, key, options) for key, options in answers.items()}
        keep(session, who, item, _still_asked(case) | made, why, ws.clock(), annotation_ids)
        return tagged(session, who.project_id, book, item_id)[0].state


def _decided_options(case: TaggedCase, sub_factor: str) -> tuple[str, ...]:
    made = case.settled.answers.get(sub_factor) if case.settled else None
    return tuple(sorted(options_of(made))) if made else ()


def _refuse_other(
    case: TaggedCase, keys: Mapping[str, Any], before: Mapping[str, Sequence[str]]
) -> None:
    made = case.settled
    if made is None:
        return
    now = {key: _decided_options(case, key) for key in decidable(case)}
    for key in keys:
        said = ", ".join(now[key]) or made.reason
        refuse_other(tuple(before.get(key, ())), now[key], made.person, made.at, said, now)


def decidable(case: TaggedCase) -> frozenset[str]:
    """Return the sub-factors that are open, decided, or agreed on after the case was sent back."""
    agreed = case.discussed & case.state.tags.keys()
    return case.state.open | _settled_keys(case) | agreed


def _settled_keys(case: TaggedCase) -> frozenset[str]:
    before = case.settled.answers if case.settled else {}
    return frozenset(key for key in before if key in case.state.tags)


def _state(case: TaggedCase) -> State:
    return case.case.state_of(bool(case.state.open))


def _decidable_case(
    cases: Sequence[TaggedCase], item: Item, sub_factors: Iterable[str]
) -> TaggedCase:
    if item.task != Task.FACTOR_TAGGING or not cases:
        raise UserError("not_complete")
    here = decidable(cases[0])
    for key in sub_factors:
        if key not in here:
            raise UserError("factor_settled", Where(field="factor"), factor=key)
    if not here:
        raise UserError("case_closed_to_you")
    return cases[0]


def _still_asked(case: TaggedCase) -> dict[str, Any]:
    """Return the earlier decisions on sub-factors that still apply, with existing options."""
    before: Mapping[str, Any] = case.settled.answers if case.settled else {}
    return {key: value for key, value in before.items() if key in case.state.tags}


def _decided_value(case: TaggedCase, sub_factor: str, options: Sequence[str]) -> dict[str, Any]:
    answers = [each.answers[sub_factor] for each in case.said if sub_factor in each.answers]
    passages = {each for answer in answers for each in evidence_of(answer)}
    kept = sorted(passage for passage in passages if passage.option in options)
    return {"options": list(options), "evidence": [each._asdict() for each in kept]}


def _dispute_view(
    book: Codebook, case: TaggedCase, row: CourtCase, keys: Container[str], how: Standing
) -> DisputeView:
    places = _places(book)
    shown = [key for key in book.order if key in keys]
    return DisputeView(
        item_id=case.item_id,
        external_id=case.external_id,
        title=row.title,
        court=row.court,
        date=row.date,
        language=row.language,
        text=row.text,
        sections=tuple((str(name), int(start), int(end)) for name, start, end in row.sections),
        parts=tuple(_part(case, *places[key]) for key in shown),
        reason=case.settled.reason if case.settled else "",
        left=len(case.state.open.difference(shown)),
        agreed=tuple(
            (places[key][1], case.state.tags[key].options)
            for key in book.order
            if key not in shown and key in case.state.tags and case.state.tags[key].how == "agreed"
        ),
        settled=case.settled,
        earlier=tuple(case.case.earlier),
        **how,
    )


def _part(case: TaggedCase, factor: Factor, sub: SubFactor) -> Part:
    sides = tuple(_side(each, sub.key) for each in case.said)
    return Part(factor, sub, sides, _decided_options(case, sub.key), sub.key in case.state.stale)


def _side(submission: Submission, sub_factor: str) -> Side:
    answer = submission.answers.get(sub_factor)
    return Side(
        annotation_id=submission.annotation_id,
        person=submission.person,
        options=None if answer is None else tuple(answer["options"]),
        evidence=() if answer is None else evidence_of(answer),
        comment=submission.comment,
        flag=submission.flag,
    )


def _places(book: Codebook) -> dict[str, tuple[Factor, SubFactor]]:
    return {sub.key: (factor, sub) for factor in book.factors for sub in factor.sub_factors}


class TagDisputes:
    """Disputes of factor tagging, following the protocol of `annotation.adjudication.tasks`.

    A decision maps sub-factors to options.
    """

    queue = staticmethod(queue)
    open_dispute = staticmethod(open_dispute)

    @staticmethod
    def states(session: Session, project_id: int) -> dict[int, State]:
        """Return the state of each case of the queue."""
        book, _ = book_of(session, project_id)
        found = tagged(session, project_id, book, sent_back=True)
        return {case.item_id: _state(case) for case in found if decidable(case)}

    @staticmethod
    def in_dispute(session: Session, item: Item) -> tuple[list[Submission], tuple[str, ...]]:
        """Return the submissions of a complete case, and its disputed sub-factors."""
        book, _ = book_of(session, item.project_id)
        found = tagged(session, item.project_id, book, item.id)
        if not found:
            return [], ()
        return found[0].said, tuple(key for key in book.order if key in found[0].state.open)

    @staticmethod
    def decide(
        ws: Workspace,
        adjudicator_id: int,
        item_id: int,
        answers: Mapping[str, Any],
        reason: str,
        annotation_ids: Sequence[int] | None = None,
        before: Any = UNSAID,
        seconds: float = 0.0,
    ) -> int:
        """Decide these sub-factors; return the number of others still open."""
        after = decide(ws, adjudicator_id, item_id, answers, reason, annotation_ids, before)
        return len(after.open)


DISPUTES = TagDisputes()
