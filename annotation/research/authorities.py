"""Authorities (provisions and court cases) and the question under research."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, select

from annotation.people.roles import annotator
from annotation.work.queue_service import ItemView
from errors import UserError
from storage.cases.court_cases import case_named
from storage.db.workspace import Workspace
from storage.law.passages import placed_passages_named
from storage.tables.core import CandidateSet, QuestionRow

STATUTES, CASES = "statutes", "cases"
COLLECTIONS = (STATUTES, CASES)


@dataclass(frozen=True, slots=True)
class Researched:
    """A question as its researcher sees it; `choices` may be empty."""

    external_id: str
    text: str
    choices: tuple[str, ...]
    answer: str
    language: str
    area: str


def own_question(ws: Workspace, person_id: int, item: ItemView) -> Researched:
    """Return the question of the item that the person has open.

    Raises UserError for a person who does not annotate.
    """
    with ws.reading() as session:
        who = annotator(session, person_id)
        return question_in(session, who.project_id, item.subject_id)


def question_in(session: Session, project_id: int, question_id: int) -> Researched:
    """Return a question of the project. Raises UserError for any other."""
    row = session.get(QuestionRow, question_id)
    if row is None or row.project_id != project_id:
        raise UserError("research_question", id=question_id)
    source = row.source
    choices = source.get("choices") or source.get("options") or ()
    columns = source.get("columns") or {}
    area = source.get("area") or (columns.get("area") if isinstance(columns, dict) else "")
    return Researched(
        row.external_id,
        row.text,
        tuple(map(_choice_text, choices)) if isinstance(choices, list | tuple) else (),
        row.answer,
        row.language,
        str(area or ""),
    )


def _choice_text(said: object) -> str:
    if isinstance(said, dict):
        label, text = str(said.get("label", "")), str(said.get("text", ""))
        return f"{label}. {text}" if label else text
    return str(said)


def shown_snapshots(session: Session, item_id: int) -> Sequence[int]:
    """Return the ids of the snapshots that an item has shown, newest first, deduplicated."""
    query = select(CandidateSet.snapshot_id).where(CandidateSet.item_id == item_id)
    return list(dict.fromkeys(session.exec(query.order_by(col(CandidateSet.id).desc()))))


def authority_text(
    session: Session, project_id: int, snapshot_id: int, collection: str, name: str
) -> str | None:
    """Return the text of a provision or court case, None where there is none of that id."""
    if collection == CASES:
        try:
            return case_named(session, project_id, name).text
        except UserError:
            return None
    found = placed_passages_named(session, snapshot_id, [name]).get(name)
    return None if found is None else found.passage.text
