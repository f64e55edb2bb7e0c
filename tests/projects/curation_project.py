"""A project with questions that a model wrote, and people to curate them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from annotation.forms import form as form_commands
from annotation.people.members import add_person
from annotation.work import commands
from corpus.model import Level, Part, Statute, Tier, Unit
from services.curation.items import give_to_curation
from storage.db.migrate import migrate
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use
from storage.law.imports import keep_statutes
from storage.projects import create_project, find_project
from storage.tables.augmentation import CascadeLayersRow
from storage.tables.core import Item
from storage.tasks import Task, of_task
from tests.projects.cascade_project import augmented, run_of
from tests.projects.project_cache import kept

SLUG = "wharf"
PEOPLE = (
    ("Ann", "annotator"),
    ("Ben", "annotator"),
    ("Cho", "adjudicator"),
    ("Dora", "researcher"),
)
HOSTILE = "<img src=x onerror=alert(1)> **bold** $x$"
MEANT = "② 난간의 높이는 1.2미터 이상으로 한다."  # what the questions were written on
LAYERS = """\
layers:
- layer: gate
  on: true
  patterns:
  - {key: compares, label: {en: Compares, ko: 비교}, any: [비교하시오]}
- {layer: people, on: true}
"""
LAYER = "judge-of-criteria"  # the name of a layer, which stands nowhere else
TARGET = "L3"  # the level that every question was written for
RAIL, LAMP, CRANE = "부두법_1조", "부두법_2조", "부두법_3조"
MEETS = {"voice": "yes", "context": "yes", "framing": "yes", "one_view": "yes"}
ALONE: tuple[tuple[str, Any], ...] = (*MEETS.items(), ("difficulty", "L2"))
GOLD = {RAIL: "yes", LAMP: "no"}
_Ids = tuple[int, int, int, int, tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class CurationHouse:
    """The workspace, its people by id, and items and questions in the order of the queue."""

    ws: Workspace
    ann: int
    ben: int
    judge: int
    lead: int
    items: tuple[int, ...]
    questions: tuple[int, ...]


def build(
    folder: Path,
    clock: Callable[[], datetime] | None = None,
    number: int = 3,
    overlap: int = 2,
    people: bool = True,
) -> CurationHouse:
    """Return the project with `number` questions in curation, called aug-0001 and so on.

    Without `people` there is nobody in it yet, and the house names those that will come first.
    """
    ws = Workspace(folder, clock) if clock else Workspace(folder)
    recipe = "wharf", number, overlap, people
    return CurationHouse(ws, *kept(recipe, ws, lambda: _made(ws, number, overlap, people)))


def _made(ws: Workspace, number: int, overlap: int, people: bool) -> _Ids:
    migrate(ws)
    create_project(ws, SLUG, "부두", overlap)
    keep_statutes(ws, SLUG, [statute()], "law")
    for name, role in PEOPLE if people else ():
        add_person(ws, SLUG, name, role)
    with ws.writing() as session:
        session.add(CascadeLayersRow(project_id=1, number=2, text=LAYERS, at=ws.clock()))
    for each in range(1, number + 1):
        written(ws, f"aug-{each:04d}")
    give_to_curation(ws, SLUG)
    with ws.reading() as session:
        project_id = find_project(session, SLUG).id
        query = select(Item.id, Item.subject_id).where(of_task(project_id, Task.CURATION))
        rows = session.exec(query.order_by(col(Item.order))).all()
    items, questions = tuple(i or 0 for i, _ in rows), tuple(q or 0 for _, q in rows)
    return 1, 2, 3, 4, items, questions


def written(
    ws: Workspace,
    name: str,
    outcomes: Sequence[str] = ("passed", "passed"),
    axes: Mapping[str, Any] | None = None,
) -> int:
    """Keep a question with what the layers of a run said of it; none where it has had no run."""
    with ws.writing() as session:
        project_id = find_project(session, SLUG).id
        text = f"우리 부두({name})에 난간을 놓으려는데 얼마나 높아야 합니까? {HOSTILE}"
        row = augmented(project_id, ws, text, answer=f"1.2미터 이상이어야 합니다. {HOSTILE}")
        row.external_id, row.snapshot_id = name, id_in_use(session, project_id) or 0
        row.axes = {
            "type": "exception-paired",
            "difficulty": TARGET,
            "facets": {"lifecycle": "building"},
            "domain": "quay",
            "group": "",
            **(axes or {}),
        }
        row.gold = [
            {"unit": RAIL, "pinpoint": "2항", "role": "governing"},
            {"unit": LAMP, "pinpoint": "", "role": "exception"},
        ]
        number = add_row(session, row)
        said = zip((number, number), ("gate", LAYER), outcomes, strict=False)
        reasons = [{"code": "textbook", "values": {"term": HOSTILE}}]
        if outcomes:
            run_of(session, ws, *said, layers=2, reasons=reasons)
        return number


def answer(house: CurationHouse, who: int, item: int, said: Sequence[tuple[str, Any]]) -> None:
    """Answer the fields in order."""
    for field, value in said:
        form_commands.answer(house.ws, who, item, field, value)


def steps(verdict: str = "keep", **more: Any) -> list[tuple[str, Any]]:
    """Return a whole form: the question by itself, then gold and verdict with what is `more`."""
    alone = [(field, more.pop(field, value)) for field, value in ALONE]
    gold = [] if verdict == "reject" else [("gold", more.pop("gold", GOLD))]
    return [*alone, ("revealed", True), *gold, ("verdict", verdict), *more.items()]


def submitted(
    house: CurationHouse, who: int, item: int, verdict: str = "keep", flag: str = "", **more: Any
) -> int:
    """Answer the item and submit it; return the annotation's id."""
    answer(house, who, item, steps(verdict, **more))
    if flag:
        commands.set_flag(house.ws, who, item, flag)
    return commands.submit(house.ws, who, item)


def statute(more: str = "") -> Statute:
    """Return the law: three articles, the first of two paragraphs; `more` stands in its second."""
    rail = f"① 부두의 관계인은 난간을 설치하여야 한다.\n{MEANT}{more}"
    start = rail.index("②")
    texts = {
        RAIL: (rail, (Part("1항", 0, start - 1), Part("2항", start, len(rail)))),
        LAMP: ("등불이 있는 부두는 난간을 설치하지 아니할 수 있다.", ()),
        CRANE: ("기중기는 매년 검사를 받아야 한다.", ()),
    }
    units = tuple(
        Unit(name, "부두법", Level.ARTICLE, f"제{at}조", "설비", text, at, parts=parts)
        for at, (name, (text, parts)) in enumerate(texts.items(), 1)
    )
    return Statute("부두법", "부두법", "법률", Tier.ACT, "ko", units)
