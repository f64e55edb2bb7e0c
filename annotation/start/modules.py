"""Modules of a project: what it works with beside mapping citations.

A module takes a place in the sidebar once it is on: by itself, as soon as the project has something
of it, or because a lead switched it on. Switching is an event of the lead; the newest in the
project counts. Addresses of its screens work whether it is on or not.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import exists, select
from sqlmodel import Session, col

from annotation.people.members import MODULES, note
from annotation.people.roles import Act, require
from errors import Where, require_known
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.tables.answers import AnswerRun, AttributionCase, JudgeCase
from storage.tables.augmentation import AugmentationMaking, AugmentedQuestion, CascadeRun
from storage.tables.cases import CourtCase
from storage.tables.core import Annotation, Item, Person, QuestionRow, RunRow
from storage.tables.mcq import Mcq, McqMaking
from storage.tables.models import PromptText
from storage.tables.ocr import Page
from storage.tables.people import PersonEvent
from storage.tables.runs import ExperimentRow
from storage.tasks import Task


class Module(StrEnum):
    """A part of the product that a project may do without."""

    OCR = "ocr"
    MCQ = "mcq"
    QUESTIONS = "questions"  # written by models, and curated
    ANSWERS = "answers"
    CASES = "cases"
    RESEARCH = "research"
    MODELS = "models"
    AGREEMENT = "agreement"  # and the disputes
    GOLD = "gold"  # and the runs that are scored on it


_TASKS: Mapping[Module, tuple[Task, ...]] = {
    Module.OCR: (Task.OCR_CORRECTION, Task.OCR_VERIFICATION),
    Module.MCQ: (Task.MCQ_SOLVABILITY,),
    Module.QUESTIONS: (Task.CURATION,),
    Module.ANSWERS: (Task.ANSWER_RATING, Task.JUDGE_REVIEW, Task.ATTRIBUTION),
    Module.CASES: (Task.FACTOR_TAGGING,),
    Module.RESEARCH: (Task.RESEARCH,),
}
_ROWS: Mapping[Module, tuple[Any, ...]] = {  # tables of which one row switches the module on
    Module.OCR: (Page,),
    Module.MCQ: (Mcq, McqMaking),
    Module.QUESTIONS: (AugmentedQuestion, AugmentationMaking, CascadeRun),
    Module.ANSWERS: (JudgeCase, AnswerRun, AttributionCase),
    Module.CASES: (CourtCase,),
    Module.MODELS: (PromptText,),
    Module.GOLD: (RunRow, ExperimentRow),
}
_FIRST_QUESTIONS = 50  # of a project: if any of these names its gold, there is gold to score on
_WITH_MODELS = frozenset({Module.MCQ, Module.QUESTIONS, Module.ANSWERS})  # these ask models


@dataclass(frozen=True, slots=True)
class Modules:
    """The modules of a project: `in_use` have something of theirs, `chosen` a lead switched on."""

    in_use: frozenset[Module]
    chosen: frozenset[Module]

    @property
    def on(self) -> frozenset[Module]:
        """Modules that are on, for either reason."""
        return self.in_use | self.chosen


def modules(ws: Workspace, project_slug: str) -> Modules:
    """Return the modules of a project. Raises UserError for an unknown one."""
    with ws.reading() as session:
        project_id = find_project(session, project_slug).id
        return Modules(_modules_in_use(session, project_id), _chosen(session, project_id))


def switch_modules(ws: Workspace, person_id: int, chosen: Collection[str]) -> None:
    """Switch these modules on, and all others off unless the project has something of them.

    Raises UserError for an unknown module, and for a person who may not make items.
    """
    for each in sorted(chosen):
        require_known("module_unknown", Module, Where(field="module"), module=each)
    with ws.writing() as session:
        who = require(session, person_id, Act.MAKE_ITEMS)
        if set(chosen) != _chosen(session, who.project_id):
            payload = {"modules": sorted(chosen)}
            note(session, who.person_id, MODULES, payload, who.person_id, ws.clock())


def _chosen(session: Session, project_id: int) -> frozenset[Module]:
    """Return the modules that a lead switched on in the newest choice."""
    query = (
        select(PersonEvent.payload)  # type: ignore[call-overload]
        .join(Person, col(Person.id) == PersonEvent.person_id)
        .where(col(Person.project_id) == project_id, col(PersonEvent.kind) == MODULES)
        .order_by(col(PersonEvent.id).desc())
        .limit(1)
    )
    kept = (session.execute(query).scalar() or {}).get("modules")
    return frozenset(Module(each) for each in kept or () if each in set(Module))


def _modules_in_use(session: Session, project_id: int) -> frozenset[Module]:
    """Return the modules of which the project has data."""
    submitted = exists().where(
        col(Annotation.item_id) == col(Item.id), col(Item.project_id) == project_id
    )
    asked = [(module, table) for module, tables in _ROWS.items() for table in tables]
    held = [exists().where(col(table.project_id) == project_id) for _, table in asked]
    any_submitted, *rows = session.execute(select(submitted, *held)).one()
    found = {module for (module, _), holds in zip(asked, rows, strict=True) if holds}
    tasks = select(col(Item.task)).where(col(Item.project_id) == project_id).distinct()
    there = set(session.execute(tasks).scalars())
    found |= {module for module, of in _TASKS.items() if there & {*of}}
    if any_submitted:
        found |= {Module.AGREEMENT, Module.GOLD}
    elif _has_gold(session, project_id):
        found.add(Module.GOLD)
    return frozenset(found | ({Module.MODELS} if found & _WITH_MODELS else set()))


def _has_gold(session: Session, project_id: int) -> bool:
    """Return True if any of the project's first `_FIRST_QUESTIONS` questions came with gold."""
    sources = select(col(QuestionRow.source)).where(col(QuestionRow.project_id) == project_id)
    first = session.execute(sources.order_by(col(QuestionRow.id)).limit(_FIRST_QUESTIONS))
    return any(source.get("gold_ids") for source in first.scalars())
