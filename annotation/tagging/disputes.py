"""Disputes on tags of court cases: the queue, one case with its open sub-factors, decisions.

Each decision is a settlement of the case that includes the earlier ones: a case is settled once
none of its sub-factors is open. Sub-factors that depend on a decided one are opened, or removed, by
it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session

from annotation.adjudication.dispute_state import case_reader, standing
from annotation.forms.adjudication import keep, refuse_other
from annotation.forms.disputes import Dispute, Disputes, FormDisputeView
from annotation.people.roles import adjudicator
from annotation.tagging.codebook import book_of
from annotation.tagging.tags import Evidence, TaggedCase, TagState, evidence_of, options_of, tagged
from annotation.work.commands import UNSAID
from annotation.work.submissions import checked_reason
from construction.tagging.codebook import Codebook, Factor, SubFactor
from errors import UserError, Where
from normalization.grouping import grouped
from storage.cases import judgment_of
from storage.db.workspace import Workspace
from storage.tables.cases import CourtCase
from storage.tables.core import Item
from storage.tasks import Task


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
        """The open disputes."""
        return tuple(case for case in self.cases if not case.settled)


@dataclass(frozen=True, slots=True)
class Part:
    """One sub-factor of a case: options by side, None if it did not apply, and those decided.

    `stale`: an answer has an option that is no longer in the codebook.
    """

    factor: Factor
    sub: SubFactor
    options: tuple[tuple[str, ...] | None, ...]
    evidence: tuple[tuple[Evidence, ...], ...]
    decided: tuple[str, ...]
    stale: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputeView(FormDisputeView):
    """A case: the judgment, and each sub-factor that is open or was decided.

    `left` counts the case's other open sub-factors. `agreed` are the sub-factors with equal
    answers, with their options.
    """

    parts: tuple[Part, ...] = ()
    left: int = 0
    agreed: tuple[tuple[SubFactor, tuple[str, ...]], ...] = ()

    @property
    def before(self) -> Any:
        """Options decided by sub-factor, empty for none."""
        return {part.sub.key: part.decided for part in self.parts}

    @property
    def reason(self) -> str:
        """The reason of the last decision."""
        return self.settled.reason if self.settled else ""


def queue(ws: Workspace, adjudicator_id: int) -> list[Dispute]:
    """Return the cases with sub-factors that are open or decided, in project order."""
    return DISPUTES.queue(ws, adjudicator_id)


def disputes(ws: Workspace, adjudicator_id: int) -> list[FactorDisputes]:
    """Return the cases open or decided, not those sent back, by sub-factor in lawyers' order."""
    with ws.reading() as session:
        who = adjudicator(session, adjudicator_id)
        cases = DISPUTES.cases(session, who.project_id)
    found = grouped(
        (key, DisputeEntry(case.item_id, case.external_id, key in case.decided))
        for case in cases
        if case.state != "sent_back"
        for key in (*case.open, *case.decided)
    )
    places = cases[0].places if cases else {}
    return [
        FactorDisputes(factor, sub, tuple(found[key]))
        for key, (factor, sub) in places.items()
        if key in found
    ]


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
        state = case.case.state_of(bool(case.state.open))
        how = standing(session, who.person_id, item_id, case.case, state)
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
        keep(session, who, item, _settled(case) | made, why, ws.clock(), annotation_ids)
        return tagged(session, who.project_id, book, item_id)[0].state


def _decided_options(case: TaggedCase, sub_factor: str) -> tuple[str, ...]:
    """Return the options that a settlement chose for a sub-factor, none if it did not."""
    made = case.settled.answers.get(sub_factor) if case.settled else None
    return tuple(sorted(options_of(made))) if made else ()


def _refuse_other(
    case: TaggedCase, keys: Mapping[str, Any], before: Mapping[str, Sequence[str]]
) -> None:
    """Raise UserError if the decision changed since the adjudicator saw it."""
    made = case.settled
    if made is None:
        return
    now = {key: _decided_options(case, key) for key in decidable(case)}
    for key in keys:
        said = ", ".join(now[key]) or made.reason
        seen = tuple(before.get(key, ()))
        refuse_other(seen, made, now=now[key], description=said, on_screen=now)


def decidable(case: TaggedCase) -> frozenset[str]:
    """Return the sub-factors that are open, decided, or agreed on after the case was sent back."""
    agreed = case.discussed & case.state.tags.keys()
    return case.state.open | _settled(case).keys() | agreed


def _decidable_case(
    cases: Sequence[TaggedCase], item: Item, sub_factors: Iterable[str]
) -> TaggedCase:
    """Return the case. Raises UserError if its sub-factors cannot be decided."""
    if item.task != Task.FACTOR_TAGGING or not cases:
        raise UserError("not_complete")
    here = decidable(cases[0])
    for key in sub_factors:
        if key not in here:
            raise UserError("factor_settled", Where(field="factor"), factor=key)
    if not here:
        raise UserError("case_closed_to_you")
    return cases[0]


def _settled(case: TaggedCase) -> dict[str, Any]:
    """Return the earlier decisions on sub-factors that still apply, with existing options."""
    before: Mapping[str, Any] = case.settled.answers if case.settled else {}
    return {key: value for key, value in before.items() if key in case.state.tags}


def _decided_value(case: TaggedCase, sub_factor: str, options: Sequence[str]) -> dict[str, Any]:
    """Return a decided answer: the options, with the passages that any side gave for them."""
    answers = [each.answers[sub_factor] for each in case.said if sub_factor in each.answers]
    passages = {each for answer in answers for each in evidence_of(answer)}
    kept = sorted(passage for passage in passages if passage.option in options)
    return {"options": list(options), "evidence": [each._asdict() for each in kept]}


def _dispute_view(
    book: Codebook, case: TaggedCase, row: CourtCase, keys: Container[str], how: Mapping[str, Any]
) -> DisputeView:
    """Return the view of a case with the sub-factors of `keys` as parts; `how` is its standing."""
    places, tags = _sub_factors_by_key(book), case.state.tags
    shown = [key for key in places if key in keys]
    return DisputeView(
        external_id=case.external_id,
        disputes=tuple(shown),
        question=judgment_of(row),
        sides=tuple(case.said),
        settled=case.settled,
        earlier=tuple(case.case.earlier),
        parts=tuple(_part(case, *places[key]) for key in shown),
        left=len(case.state.open.difference(shown)),
        agreed=tuple(
            (places[key][1], tags[key].options)
            for key in places
            if key not in shown and key in tags and tags[key].how == "agreed"
        ),
        **how,
    )


def _part(case: TaggedCase, factor: Factor, sub: SubFactor) -> Part:
    """Return a sub-factor with each side's options and passages."""
    said = [each.answers.get(sub.key) for each in case.said]
    return Part(
        factor,
        sub,
        options=tuple(None if each is None else tuple(each["options"]) for each in said),
        evidence=tuple(() if each is None else evidence_of(each) for each in said),
        decided=_decided_options(case, sub.key),
        stale=sub.key in case.state.stale,
    )


def _sub_factors_by_key(book: Codebook) -> dict[str, tuple[Factor, SubFactor]]:
    """Return factor and sub-factor by the sub-factor's key, in the lawyers' order."""
    found = book.places
    return {key: found[key] for key in book.order}


class TagDisputes(Disputes):
    """Disputes of factor tagging: a decision maps sub-factors to options."""

    open_dispute = staticmethod(open_dispute)

    def cases(self, session: Session, project_id: int, item_id: int | None = None) -> list[Dispute]:
        """Return the cases with sub-factors that are open or decided, in project order."""
        book, _ = book_of(session, project_id)
        places = _sub_factors_by_key(book)
        found = []
        for each in tagged(session, project_id, book, item_id, sent_back=True):
            waits = each.state.open | (each.discussed if each.case.sent_back else frozenset())
            open_ = tuple(key for key in places if key in waits)
            rest = tuple(key for key in places if key in _settled(each).keys() - waits)
            about = each.item_id, open_ or rest, open_, each.case, each.external_id
            if decidable(each):
                found.append(Dispute(*about, decided=rest, places=places))
        return found

    def decide(
        self,
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


DISPUTES = TagDisputes(Task.FACTOR_TAGGING)
