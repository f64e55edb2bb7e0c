"""Admission of curated questions to the project."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, select

from annotation.curation.passages import passages
from annotation.curation.state import CurationState, Fate, curation_states
from annotation.people.roles import Act, writing_as
from errors import UserError, Where
from storage.curation.admitting import Admitted
from storage.curation.admitting import admit as keep
from storage.curation.questions import admissions, layers_said, origins, questions
from storage.db.workspace import Workspace
from storage.tables.augmentation import AugmentedQuestion
from storage.tables.core import Item
from storage.tasks import Task, of_task

ORIGIN = "curation"  # source file name of admitted questions
_NAMED = 10


@dataclass(frozen=True, slots=True)
class AdmissionReport:
    """Result of an admission: ids of the admitted questions, and the number admitted before.

    `waiting` are in curation and not decided, `rejected` were rejected.
    """

    admitted: tuple[str, ...]
    before: int
    waiting: int
    rejected: int


def admit(
    ws: Workspace, project_slug: str, only: Collection[str] = (), by: int | None = None
) -> AdmissionReport:
    """Admit questions that people kept or edited to the project, except those admitted before.

    With `only`, limited to these ids. Their wording is as agreed, their gold is derived from the
    curation (`annotation.gold.curated`). Raises UserError for `by` without permission, for an id
    that is not of a kept or edited question, and for one that is taken.
    """
    with writing_as(ws, project_slug, by, Act.IMPORT_QUESTIONS) as (session, project, who):
        states, before = curation_states(session, project.id), admissions(session, project.id)
        rows = {row.id or 0: row for row in questions(session, project.id)}
        stand = [n for n, state in states.items() if state.stands and n not in before]
        _refuse_others(only, {rows[number].external_id for number in (*stand, *before)})
        chosen = [n for n in stand if not only or rows[n].external_id in only]
        found = _admitted_rows(session, project.id, [(rows[n], states[n]) for n in chosen])
        keep(session, project.id, found, None if who is None else who.person_id, ws.clock())
    fates = [state.fate for state in states.values()]
    return AdmissionReport(
        admitted=tuple(each.external_id for each in found),
        before=len(before),
        waiting=fates.count(Fate.WAITING) + fates.count(Fate.DISPUTED),
        rejected=fates.count(Fate.REJECTED),
    )


def _refuse_others(only: Collection[str], known: set[str]) -> None:
    unknown = sorted(set(only) - known)
    if unknown:
        named = ", ".join(unknown[:_NAMED])
        raise UserError("curation_not_kept", Where(field="id"), ids=named)


def _admitted_rows(
    session: Session, project_id: int, chosen: list[tuple[AugmentedQuestion, CurationState]]
) -> list[Admitted]:
    came, runs = origins(session, project_id), passages(session, project_id)
    items = dict(
        session.exec(
            select(Item.subject_id, Item.id).where(of_task(project_id, Task.CURATION))
        ).all()
    )
    found = []
    for row, state in chosen:
        number = row.id or 0
        run = runs[number].run_id if number in runs else None
        said = [
            {"layer": each.layer, "outcome": each.outcome, "restored": each.restored}
            for each in layers_said(session, number, run)
        ]
        words = state.edited
        found.append(
            Admitted(
                augmented_question_id=number,
                item_id=items[number] or 0,
                external_id=row.external_id,
                text=row.text if words is None else words.question,
                answer=row.answer if words is None else words.answer,
                language=row.language,
                source=source_of(row, state, came[number], said),
            )
        )
    return found


def source_of(
    row: AugmentedQuestion,
    state: CurationState,
    came: Mapping[str, Any],
    layers: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return the origin stored with an admitted question, with the columns that split figures."""
    facets = {
        f"facet_{name}": str(value)
        for name, value in sorted((row.axes.get("facets") or {}).items())
        if value
    }
    columns = {
        "origin": "augmented",
        "type": str(row.axes.get("type", "")),
        "difficulty": state.difficulty,
        "target_difficulty": str(row.axes.get("difficulty", "")),
        "domain": str(row.axes.get("domain") or ""),
        **facets,
    }
    return {
        "file": ORIGIN,
        "citation_strings": [],
        "gold_ids": [],
        "columns": {name: value for name, value in columns.items() if value},
        "augmented": {
            "id": row.external_id,
            "axes": dict(row.axes),
            "layers": layers,
            "edited": state.edited is not None,
            **came,
        },
    }
