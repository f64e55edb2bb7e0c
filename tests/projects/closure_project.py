"""A project on the little law of closure, with gold that lacks something and gold that does not.

q1 agreed, lacks the fine and its criteria; q2 agreed, lacks what is applied; q3 agreed, complete,
and its answer cites a paragraph that its article does not have; q4 agreed on no provision; q5 by
the adjudicator, lacks the penalty and joint liability; q6 not begun; aug-0001 lacks its parallel.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.adjudication.disputes import decide
from annotation.mapping.commands import add_unit, set_no_provision
from annotation.people.members import add_person
from annotation.work.commands import submit
from annotation.work.queue_service import open_item, queue
from annotation.work.versioned_texts import PARALLEL_GROUPS
from corpus.model import Question
from services.law.graph.citation_graph import build as build_graph
from services.mapping.candidates import build_candidates
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.corpus import unit_ids
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from tests.projects.cascade_project import augmented
from tests.projects.closure_law import (
    APPROVAL,
    GROUPS,
    INSPECTION,
    RAFTS,
    REPORT,
    UNIVERSITY,
    law,
)
from tests.projects.project_cache import kept

SLUG = "ferry"
_ASKED = {
    "q1": ("신고하지 않으면 과태료를 냅니까?", "「나루법」 제1조에 따라 신고하여야 합니다."),
    "q2": ("뗏목도 검사를 받아야 합니까?", "「나루법」 제3조를 보십시오."),
    "q3": ("누구에게 신고합니까?", "「나루법」 제1조제2항 및 제2조제2항에 따라 시장입니다."),
    "q4": ("다리를 건너도 됩니까?", "정한 바가 없습니다."),
    "q5": ("검사를 받지 않으면 처벌됩니까?", "「나루법」 제2조제1항을 보십시오."),
    "q6": ("정원은 몇 명입니까?", "「나루법」 제4조를 보십시오."),
}
GOLD = {"q1": REPORT, "q2": RAFTS, "q3": REPORT}


@dataclass(frozen=True, slots=True)
class Ferry:
    """The workspace, its people by id, and the items by their question's external id."""

    ws: Workspace
    ann: int
    ben: int
    judge: int
    lead: int
    items: dict[str, int]

    def accept(self, person: int, question: str, *units: str) -> None:
        """Accept the units on an item beside what the draft has, and submit it."""
        with self.ws.reading() as session:
            numbers = unit_ids(session, 1)
        open_item(self.ws, person, self.items[question])
        for unit in units:
            add_unit(self.ws, person, self.items[question], numbers[unit])
        submit(self.ws, person, self.items[question])


def ferry(folder: Path, clock: Any = None) -> Ferry:
    """Make the project in a new workspace."""
    ws = Workspace(folder) if clock is None else Workspace(folder, clock)
    return Ferry(ws, *kept("ferry-closure", ws, lambda: _made(ws)))


def _made(ws: Workspace) -> tuple[int, int, int, int, dict[str, int]]:
    migrate(ws)
    create_project(ws, SLUG, "Ferry law")
    keep_statutes(ws, SLUG, law(), "first")
    asked = [Question(name, *texts, "ko") for name, texts in _ASKED.items()]
    keep_questions(ws, SLUG, asked, "questions.jsonl")
    build_graph(ws, SLUG)
    PARALLEL_GROUPS.save(ws, SLUG, GROUPS, "", 1)
    build_candidates(ws, SLUG)
    people = (("Ann", "annotator"), ("Ben", "annotator"), ("Judge", "adjudicator"))
    ann, ben, judge = (add_person(ws, SLUG, *each).id for each in people)
    lead = add_person(ws, SLUG, "Lee", "researcher").id
    items = {each.external_id: each.item_id for each in queue(ws, ann)}
    made = Ferry(ws, ann, ben, judge, lead, items)
    for person in (made.ann, made.ben):
        for question, unit in GOLD.items():
            made.accept(person, question, unit)
        open_item(ws, person, items["q4"])
        set_no_provision(ws, person, items["q4"], True)
        submit(ws, person, items["q4"])
    made.accept(made.ann, "q5", INSPECTION)
    made.accept(made.ben, "q5", APPROVAL)
    with ws.reading() as session:
        inspection = unit_ids(session, 1)[INSPECTION]
    decide(ws, made.judge, items["q5"], [inspection], False, "it is", 5)
    _augment(ws)
    return made.ann, made.ben, made.judge, made.lead, items


def _augment(ws: Workspace) -> None:
    asked = "저희 대학은 간접비를 얼마까지 계상할 수 있습니까?"
    said = "직접비의 100분의 20까지입니다."
    with ws.writing() as session:
        session.add(augmented(1, ws, asked, units=(UNIVERSITY,), answer=said))
