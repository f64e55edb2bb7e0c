"""Decisions on wordings of options: approve, edit, or refuse.

An approved wording becomes a question of the project in the same transaction. It is not an item,
since nobody annotates it: its gold is inherited (`annotation.gold.derivation`). Questions are
permanent, so an approval is final; a refused wording can still be approved.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Any

from sqlmodel import Session, select

from annotation.people.roles import Act, writing_as
from annotation.work.editions import clean
from construction.reformulation import answer_of, child_id
from corpus.limits import NOTE, QUESTION, within
from errors import UserError, Where
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.projects import ProjectView
from storage.reformulation import Worded, wordings
from storage.tables.core import QuestionRow
from storage.tables.mcq import ReformulationDecision


class Verdict(StrEnum):
    """The decision on a wording."""

    APPROVE = "approve"
    EDIT = "edit"
    REFUSE = "refuse"


def approve(
    ws: Workspace, slug: str, wording_id: int, wording: str = "", by: int | None = None
) -> str:
    """Approve a wording, unchanged or edited; return the external id of the resulting question.

    `by` is the person, None for the operator. Raises UserError without permission, for a wording
    that is not the newest of its option, an option that was approved before, a text that is too
    long, and an id that the project has.
    """
    said = within(clean(wording).strip(), QUESTION, Where(field="wording"))
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        shown = _open_wording(session, project, wording_id)
        edited = bool(said) and said != shown.wording
        question = _add_question(session, project, shown, said if edited else shown.wording)
        kind = Verdict.EDIT if edited else Verdict.APPROVE
        made = {"wording": question.text, "made_question_id": question.id}
        session.add(_decision(ws, shown, kind, by, **made))
        return question.external_id


def refuse(
    ws: Workspace, slug: str, wording_id: int, reason: str = "", by: int | None = None
) -> None:
    """Refuse a wording, so the option becomes no question. Raises UserError as `approve` does."""
    why = within(clean(reason).strip(), NOTE, Where(field="reason"))
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        shown = _open_wording(session, project, wording_id)
        session.add(_decision(ws, shown, Verdict.REFUSE, by, reason=why))


def _decision(
    ws: Workspace, shown: Worded, kind: Verdict, by: int | None, **said: Any
) -> ReformulationDecision:
    """Return the row of a decision on a wording."""
    return ReformulationDecision(
        reformulation_id=shown.id, kind=kind, person_id=by, at=ws.clock(), **said
    )


def _open_wording(session: Session, project: ProjectView, wording_id: int) -> Worded:
    """Return the wording of that id. Raises UserError if it can no longer be decided."""
    found = {each.id: each for each in wordings(session, project.id).values()}
    if wording_id not in found:
        raise UserError("reformulation_unknown", id=wording_id)
    shown = found[wording_id]
    if shown.state == "approved" and shown.said is not None:
        raise UserError("reformulation_approved", id=wording_id, question=shown.said.made)
    return shown


def _add_question(
    session: Session, project: ProjectView, worded: Worded, wording: str
) -> QuestionRow:
    """Add the question of an option, with its parent's attributes. UserError for a taken id."""
    parent = session.get_one(QuestionRow, worded.question_id)
    name = child_id(parent.external_id, worded.place)
    here = select(QuestionRow.id).where(QuestionRow.project_id == project.id)
    if session.exec(here.where(QuestionRow.external_id == name)).first() is not None:
        raise UserError("reformulation_id_taken", question=name)
    kept = ("file", "columns")
    row = QuestionRow(
        project_id=project.id,
        external_id=name,
        text=wording,
        answer=answer_of(worded.correct, parent.language),
        language=parent.language,
        source={key: parent.source[key] for key in kept if key in parent.source},
        jurisdiction=parent.jurisdiction,
    )
    add_row(session, row)
    return row
