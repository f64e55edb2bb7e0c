"""Curation items for augmented questions, and the stage of each question.

Admission of curated questions to the project.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from annotation.curation.state import WAITING, CurationState, Fate, curation_states
from annotation.people.roles import Act, reading_as, writing_as
from errors import UserError, Where
from storage.cascade.results import Passage, passages
from storage.curation import Admitted, admissions, layer_results, origins, questions
from storage.curation import admit as keep
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use
from storage.mapping import newest_set_id
from storage.subjects import Subject, add_candidate_set, add_items, shown_of
from storage.tables.augmentation import AugmentedQuestion
from storage.tables.core import CandidateSet, Item
from storage.tasks import Task, of_task

_TITLE = 200  # characters of a question shown in a queue


@dataclass(frozen=True, slots=True)
class Given:
    """Result of adding questions to curation.

    `items` are new, `unchecked` of them not seen by any layer; `before` were in curation already,
    `renewed` of them show other law or another run from now on. `held` have not passed the cascade,
    `unseen` were seen by no layer and left out.
    """

    items: int
    unchecked: int
    before: int
    renewed: int
    held: int
    unseen: int


def give_to_curation(
    ws: Workspace, project_slug: str, unchecked: bool = False, by: int | None = None
) -> Given:
    """Make items of the questions through the cascade that have none, and renew existing items.

    With `unchecked`, also of those not seen by any layer: for a project with all layers off.
    Existing items show the law in use and the latest run from now on; drafts keep theirs. Raises
    UserError for `by` without permission, and for an unknown project.
    """
    with writing_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        rows, runs, at = questions(session, project.id), passages(session, project.id), ws.clock()
        have = _items(session, project.id)
        free = [row for row in rows if row.id not in have]
        through = [row for row in free if row.id in runs and runs[row.id or 0].through]
        unseen = [row for row in free if row.id not in runs]
        chosen = [row for row in free if row in through or (unchecked and row in unseen)]
        subjects = [
            Subject(row.id or 0, row.external_id, row.text[:_TITLE], _shown(row.id or 0, runs))
            for row in chosen
        ]
        add_items(session, project.id, Task.CURATION, subjects, at)
        law = id_in_use(session, project.id)
        renewed = sum(
            _renew(session, item, _shown(number, runs), law, at) for number, item in have.items()
        )
    return Given(
        items=len(chosen),
        unchecked=len(chosen) - len(through),
        before=len(have),
        renewed=renewed,
        held=len(free) - len(through) - len(unseen),
        unseen=0 if unchecked else len(unseen),
    )


def _items(session: Session, project_id: int) -> dict[int, int]:
    """Return the id of the curation item of each augmented question, in the order of the queue."""
    query = select(Item.subject_id, Item.id).where(of_task(project_id, Task.CURATION))
    return {
        subject or 0: item or 0 for subject, item in session.exec(query.order_by(col(Item.order)))
    }


def _shown(number: int, runs: Mapping[int, Passage]) -> dict[str, Any]:
    """Return the ids of question and cascade run, as an item shows them."""
    return {"augmented": number, "run": runs[number].run_id if number in runs else None}


def _renew(
    session: Session, item_id: int, shown: dict[str, Any], law: int | None, at: datetime
) -> bool:
    """Update an item to the law in use and the latest run; return True if it changed."""
    newest = newest_set_id(session, item_id) or 0
    before = session.get_one(CandidateSet, newest).snapshot_id
    if shown == shown_of(session, newest) and law in (None, before):
        return False
    add_candidate_set(session, item_id, shown, at)
    return True


@dataclass(frozen=True, slots=True)
class QuestionLine:
    """An augmented question with its stage.

    `stage` is ``unseen`` (seen by no layer), ``held`` (in the cascade), ``through``, the outcome of
    one in curation, or ``admitted``.
    """

    id: int
    external_id: str
    text: str
    type: str
    target: str
    stage: str
    state: CurationState

    def as_dict(self) -> dict[str, Any]:
        """Return the line as JSON values."""
        return {
            "id": self.external_id,
            "text": self.text,
            "type": self.type,
            "target": self.target,
            "stage": self.stage,
            "difficulty": self.state.difficulty,
            "gold": list(self.state.gold),
            "causes": list(self.state.causes),
            "disputes": [str(each) for each in self.state.disputes],
        }


def question_lines(ws: Workspace, project_slug: str, by: int | None = None) -> list[QuestionLine]:
    """Return every augmented question of the project, in order of id.

    Raises UserError for `by` who may not read others' labels, and for an unknown project.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        return lines_in(session, project.id)


def lines_in(session: Session, project_id: int) -> list[QuestionLine]:
    """:func:`question_lines` in an open session, without the permission check."""
    runs, states = passages(session, project_id), curation_states(session, project_id)
    admitted = admissions(session, project_id)
    return [
        QuestionLine(
            id=number,
            external_id=row.external_id,
            text=row.text,
            type=str(row.axes.get("type", "")),
            target=str(row.axes.get("difficulty", "")),
            stage=_stage(number, runs, states, number in admitted),
            state=states.get(number, WAITING),
        )
        for row in questions(session, project_id)
        for number in (row.id or 0,)
    ]


def _stage(
    number: int, runs: Mapping[int, Passage], states: Mapping[int, CurationState], admitted: bool
) -> str:
    """Return a question's stage: unseen, held, through, its fate in curation, or admitted."""
    if admitted:
        return "admitted"
    if number in states:
        return str(states[number].fate)
    if number not in runs:
        return "unseen"
    return "through" if runs[number].through else "held"


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
        known = {rows[number].external_id for number in (*stand, *before)}
        if unknown := sorted(set(only) - known):
            named = ", ".join(unknown[:_NAMED])
            raise UserError("curation_not_kept", Where(field="id"), ids=named)
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


def _admitted_rows(
    session: Session, project_id: int, chosen: list[tuple[AugmentedQuestion, CurationState]]
) -> list[Admitted]:
    """Return kept or edited questions as they are admitted: as agreed, with origin and layers."""
    came, runs = origins(session, project_id), passages(session, project_id)
    items, found = _items(session, project_id), []
    for row, state in chosen:
        number = row.id or 0
        run = runs[number].run_id if number in runs else None
        said = [
            {"layer": each.layer, "outcome": each.outcome, "restored": each.restored}
            for each in layer_results(session, number, run)
        ]
        words = state.edited
        found.append(
            Admitted(
                augmented_question_id=number,
                item_id=items[number],
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
