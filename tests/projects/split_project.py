"""A workspace whose gold can be divided: seven settled questions, one pending, dates, twins."""

from __future__ import annotations

from pathlib import Path

from annotation.mapping.commands import add_unit, label, set_no_provision
from annotation.people.members import add_person
from annotation.work.commands import submit
from annotation.work.queue_service import open_item, queue
from corpus.model import Question
from services.mapping.candidates import build_candidates
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.corpus import unit_ids
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from tests.conftest import FakeClock
from tests.projects.project_cache import kept
from tests.projects.small_law import ACT, RULE, law

SLUG = "harbour"
TWINS = ("q1", "q2")  # the same question in other words
SPANNING = "q7"  # its gold is in both statutes
GOLD = {
    "q1": (f"{ACT}_2조",),
    "q2": (f"{ACT}_2조",),
    "q3": (f"{ACT}_4조",),
    "q4": (f"{RULE}_article-1",),
    "q5": (f"{RULE}_article-2",),
    "q6": (),
    "q7": (f"{ACT}_4조", f"{RULE}_article-1"),
}
ASKED = {
    "q1": "2020-01-02",
    "q2": "2021. 3. 4.",
    "q3": "2022년 5월 6일",
    "q4": "20230708",
    "q5": "2024-09",
    "q6": "2025-01-01T10:00",
    "q7": "some day",
}
_TEXTS = {
    "q1": "나룻배에는 구명조끼를 몇 벌 갖추어야 하나요?",
    "q2": "나룻배에는 어른 구명조끼를 몇 벌 갖추어야 하나요?",
    "q3": "밤에 다니는 배는 등불을 켜야 합니까?",
    "q4": "Does a ferry need a lamp at night?",
    "q5": "Must the captain carry a whistle aboard?",
    "q6": "Where can tickets be bought?",
    "q7": "Which lights are asked for by act and rule together?",
    "q8": "Is a bell enough in fog?",
}


def questions() -> list[Question]:
    """Return the questions; each but the last has a column that says when it was asked."""
    return [
        Question(name, text, "–", "ko" if text[0] > "z" else "en", columns=_columns(name))
        for name, text in _TEXTS.items()
    ]


def _columns(name: str) -> tuple[tuple[str, str], ...]:
    return (("asked", ASKED[name]), ("topic", "boats")) if name in ASKED else ()


def harbour(folder: Path, clock: FakeClock) -> Workspace:
    """Return the workspace: q8 is pending, all others are gold."""
    ws = Workspace(folder, clock)
    kept("harbour", ws, lambda: _fill(ws))
    return ws


def _fill(ws: Workspace) -> None:
    migrate(ws)
    create_project(ws, SLUG, "Harbour", overlap=1)
    keep_statutes(ws, SLUG, law(), "first")
    keep_questions(ws, SLUG, questions(), "questions.jsonl")
    add_person(ws, SLUG, "Ann", "annotator")
    add_person(ws, SLUG, "Rae", "researcher")
    build_candidates(ws, SLUG)
    for name, units in GOLD.items():
        settle(ws, name, *units)


def settle(ws: Workspace, question: str, *units: str) -> None:
    """Let Ann submit these units for a question, which makes them gold."""
    with ws.reading() as session:
        ids = unit_ids(session, 1)
    ann = 1
    item = next(each.item_id for each in queue(ws, ann) if each.external_id == question)
    shown = {each.unit_id for each in open_item(ws, ann, item).candidates}
    for unit in units:
        if ids[unit] in shown:
            label(ws, ann, item, ids[unit], "accept")
        else:
            add_unit(ws, ann, item, ids[unit])
    if not units:
        set_no_provision(ws, ann, item, True)
    submit(ws, ann, item)
