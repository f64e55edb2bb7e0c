"""Views of other annotators' answers in a discussion, and resubmitting an unchanged answer.

Others, annotators of other items, and the same people after the discussion see nothing here:
permission is checked on every read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import Accepted
from annotation.guidelines.documents import held_versions
from annotation.people.roles import ProjectMember, annotator, require_item
from annotation.work.discussions import Discussion, open_discussions
from annotation.work.draft import active_seconds, add_event, fold, own_events
from annotation.work.slots import load_slots, refuse
from annotation.work.submissions import (
    Submission,
    add_labels,
    chain_head,
    confidence_of,
    keep_confidence,
    named,
    superseding,
)
from errors import UserError
from storage.db.columns import view_of
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.tables.core import (
    Annotation,
    AnnotationAnswer,
    AnnotationLabel,
    CandidateSet,
    Person,
    StatuteRow,
    UnitRow,
)


@dataclass(frozen=True, slots=True)
class Voice:
    """Another annotator's answer: decisions by semantic id, form answers and texts.

    `answered`: it was submitted after the item was sent back. `confidence` is 1 to 5, None if not
    given.
    """

    person: str
    at: datetime
    no_provision: bool
    decisions: dict[str, str]
    comment: str
    flag: str
    confidence: int | None
    answered: bool
    answers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DiscussionView:
    """An item sent back, as seen by one of its annotators.

    `person` sent it back, for the `reason`; `answered`: the reader has submitted again or kept
    their answer; `can_keep`: their earlier submission is still current. `beyond` are the named
    units of the reader's own snapshot on which others decided: some may not be on the reader's
    list. `alone`: it was sent back to the reader only, with nobody to discuss.
    """

    person: str
    at: datetime
    reason: str
    answered: bool
    can_keep: bool
    voices: tuple[Voice, ...]
    beyond: tuple[Accepted, ...]
    alone: bool


def open_discussion(ws: Workspace, person_id: int, item_id: int) -> DiscussionView | None:
    """Return the open discussion of the item as this person may see it; None if there is none.

    Raises UserError for an unknown person or item, and for a person who does not annotate.
    """
    with ws.reading() as session:
        who = annotator(session, person_id)
        require_item(session, who, item_id)
        found = _discussion_of(session, who, item_id)
        return None if found is None else _discussion_view(session, who, found)


def keep(ws: Workspace, person_id: int, item_id: int) -> int:
    """Resubmit, in the discussion, the person's unchanged answer; return its id.

    Raises UserError as every act does, if the item is not in discussion for this person, and if
    their earlier answer is no longer current.
    """
    with ws.writing(item_id=item_id, person_id=person_id) as session:
        at = ws.clock()
        who, found_room = load_slots(session, person_id, item_id, at)
        found = _discussion_of(session, who, item_id)
        if found is None:
            raise UserError("not_in_discussion")
        row = _current_if_sent_back(session, who, found)
        if row is None:
            raise UserError("nothing_to_keep")
        refuse(found_room, begun=True)
        return _resubmit(session, who.project_id, found_room.task, row, at)


def _discussion_of(session: Session, who: ProjectMember, item_id: int) -> Discussion | None:
    """Return the open discussion of an item that the person takes part in, else None."""
    found = open_discussions(session, who.project_id, item_id).get(item_id)
    return found if found is not None and who.person_id in found.people else None


def _resubmit(session: Session, project_id: int, task: str, row: Annotation, at: datetime) -> int:
    """Store a copy of the submission as the person's answer in the discussion; return its id."""
    who = (session, row.person_id, row.item_id)
    made = add_row(
        session,
        superseding(
            row,
            **held_versions(session, project_id, task),
            seconds=active_seconds(*who, at),
            event_id=add_event(*who, "submit", at, {"kept": True}),
            at=at,
        ),
    )
    said = select(AnnotationLabel).where(AnnotationLabel.annotation_id == row.id)
    rows = session.exec(said.order_by(col(AnnotationLabel.unit_id))).all()
    marked = {each.unit_id: each.evidence for each in rows}
    add_labels(session, made, [(each.unit_id, each.label) for each in rows], marked)
    given = select(AnnotationAnswer).where(AnnotationAnswer.annotation_id == row.id)
    session.add_all(
        AnnotationAnswer(annotation_id=made, field=each.field, value=each.value)
        for each in session.exec(given.order_by(col(AnnotationAnswer.field))).all()
    )
    keep_confidence(session, made, confidence_of(session, [row.id or 0]).get(row.id or 0))
    return made


def _discussion_view(
    session: Session, who: ProjectMember, discussion: Discussion
) -> DiscussionView:
    """Return a discussion as the person sees it; no other's answer if it was sent to them alone."""
    others_of = {} if discussion.alone else discussion.voices
    ids = [number for person, number in others_of.items() if person != who.person_id]
    made = named(session, who.project_id, ids)
    others = sorted(made, key=lambda each: each.person)
    return DiscussionView(
        person=session.get_one(Person, discussion.row.person_id).name,
        at=discussion.row.at,
        reason=discussion.row.reason,
        answered=who.person_id in discussion.answered,
        can_keep=_current_if_sent_back(session, who, discussion) is not None,
        voices=tuple(
            view_of(
                Voice,
                other,
                decisions={of.semantic_id: of.label for of in other.labels},
                answered=other.person_id in discussion.answered,
            )
            for other in others
        ),
        beyond=_units_of_others(session, who, discussion.row.item_id, others),
        alone=discussion.alone,
    )


def _current_if_sent_back(
    session: Session, who: ProjectMember, discussion: Discussion
) -> Annotation | None:
    """Return the person's submission that was sent back if it is still current, else None."""
    head = chain_head(session, who.person_id, discussion.row.item_id)
    return session.get(Annotation, head) if head in discussion.row.annotation_ids else None


def _units_of_others(
    session: Session, who: ProjectMember, item_id: int, others: Sequence[Submission]
) -> tuple[Accepted, ...]:
    """Return the units that others labelled, without those not in the person's snapshot."""
    wanted = {said.semantic_id for other in others for said in other.labels}
    if not wanted:
        return ()
    draft = fold(own_events(session, who.person_id, item_id))
    snapshot_id = session.get_one(CandidateSet, draft.candidate_set_id).snapshot_id
    query = (
        select(UnitRow.id, UnitRow.semantic_id, StatuteRow.title, UnitRow.label)
        .join(StatuteRow)
        .where(UnitRow.snapshot_id == snapshot_id, col(UnitRow.semantic_id).in_(sorted(wanted)))
    )
    rows = session.exec(query.order_by(col(UnitRow.semantic_id)))
    return tuple(
        Accepted(number or 0, semantic, f"{title} {label}")
        for number, semantic, title, label in rows
    )
