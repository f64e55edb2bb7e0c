"""A project with a task of its own: relevance of a passage, with evidence, of three rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlmodel import col, select

from annotation.people.members import add_person
from services.tasks.own_tasks import add_task
from services.tasks.rows import read_task
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project, find_project
from storage.tables.core import Item
from storage.tasks import Task, of_task
from tests.projects.project_cache import kept

SLUG = "own"
TASK = Task("own:relevance")
HOSTILE = "<script>alert(1)</script> 등대는 흰색으로 한다."
DECLARATION = """\
task: relevance
title: Relevance of a provision
guideline: |
  3 answers it whole.

  0 does not bear on it.
subject: {kind: text, file: pairs.csv, id: id, title: question, show: [question, provision]}
fields:
- {field: relevance, kind: scale, least: 0, most: 3, label: How relevant is it?}
- field: evidence
  kind: spans
  options: [answers, limits]
  least: 1
  shown_when: {relevance: [1, 2, 3]}
- {field: why, kind: text, required_when: {relevance: 0}}
"""
ROWS = f"""\
id,question,provision
p1,난간 높이는?,난간은 1.2미터 이상으로 한다.
p2,등대 색은?,{HOSTILE}
p3,점검 주기는?,매년 신고한다.
"""
PER_CLAIM = """\
task: claims
subject: {kind: text, file: pairs.csv, id: id, show: [question]}
fields:
- {field: supported, repeat: claims, kind: yes_no, label: Is it supported?}
- {field: why, repeat: claims, kind: text, shown_when: {supported: "no"}}
"""
CLAIM_ROWS = """\
id,question,claims
c1,난간 높이는?,"높이는 1.2미터이다.
<b>재료</b>는 강재이다."
"""
SPAN = {"column": "provision", "start": 0, "end": 2, "label": "answers"}


@dataclass(frozen=True, slots=True)
class OwnHouse:
    """The workspace, its people by id, and the items in the order of the queue."""

    ws: Workspace
    ann: int
    ben: int
    judge: int
    lead: int
    items: tuple[int, ...]


def own_task(folder: Path, text: str = DECLARATION, rows: str = ROWS) -> tuple[Path]:
    """Write the declaration with its rows into a folder; return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pairs.csv").write_text(rows, "utf-8")
    file = folder / "task.yaml"
    file.write_text(text, "utf-8")
    return (file,)


def claims_item(house: OwnHouse) -> int:
    """Add the task that is asked of each claim; return its item."""
    files = own_task(house.ws.folder / "claims", PER_CLAIM, CLAIM_ROWS)
    key = add_task(house.ws, SLUG, read_task(*files))
    with house.ws.reading() as session:
        query = select(Item.id).where(of_task(find_project(session, SLUG).id, key))
        return session.exec(query).one() or 0


def build(folder: Path, clock: Callable[[], datetime] | None = None) -> OwnHouse:
    """Return a project without law that has the task, and two people to answer."""
    ws = Workspace(folder, clock) if clock else Workspace(folder)
    return OwnHouse(ws, *kept("own task", ws, lambda: _made(ws)))


def _made(ws: Workspace) -> tuple[int, int, int, int, tuple[int, ...]]:
    migrate(ws)
    create_project(ws, SLUG, "Own", 2)
    people = ("Ann", "annotator"), ("Ben", "annotator"), ("Cho", "adjudicator")
    ann, ben, judge = (add_person(ws, SLUG, name, role).id for name, role in people)
    lead = add_person(ws, SLUG, "Dora", "administrator").id
    add_task(ws, SLUG, read_task(*own_task(ws.folder / "files")))
    with ws.reading() as session:
        query = select(Item.id).where(of_task(find_project(session, SLUG).id, TASK))
        items = tuple(each or 0 for each in session.exec(query.order_by(col(Item.order))))
    return ann, ben, judge, lead, items
