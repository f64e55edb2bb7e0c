"""A project of three questions to research, with law and court cases to search, and its people."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from annotation.forms import form as form_commands
from annotation.people.members import add_person
from annotation.work import commands
from corpus.model import Level, Part, Statute, Tier, Unit
from services.cases.importing import import_court_cases
from services.research.search import make_research_items
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project, find_project
from storage.tables.core import Item, QuestionRow
from storage.tasks import Task, of_task

SLUG = "research"
PEOPLE = (
    ("Ann", "annotator"),
    ("Ben", "annotator"),
    ("Cho", "adjudicator"),
    ("Dora", "researcher"),
)
SECOND = "② 소방안전관리자는 매년 소방훈련을 하여야 한다."
TEXT = "① 관계인은 소방안전관리자를 선임하여야 한다.\n  1. 신고\n  2. 과태료의 부과\n" + SECOND
RULE = "관계인은 소방안전관리자를 선임하여야 한다."
OTHER = "소방안전관리자를 선임하지 아니한 자에게는 과태료를 부과한다."
CASE = "피고인은 소방안전관리자를 선임하지 않았다.\n선임 의무는 관계인에게 있다."
PARTS = (
    Part("1항", 0, TEXT.index(SECOND)),
    Part("1항/1호", TEXT.index("1."), TEXT.index("2.")),
    Part("1항/2호", TEXT.index("2."), TEXT.index(SECOND)),
    Part("2항", TEXT.index(SECOND), len(TEXT)),
)
ARTICLE = {"collection": "statutes", "id": "소방법_1조"}
HOSTILE = "<img src=x onerror=alert(1)> **bold** $x$"


@dataclass(frozen=True, slots=True)
class ResearchHouse:
    """The workspace, its people by id, and items in the order of the queue."""

    ws: Workspace
    ann: int
    ben: int
    judge: int
    lead: int
    items: tuple[int, ...]


def law(text: str = TEXT) -> list[Statute]:
    """Return an act of two articles."""
    article = Unit("소방법_1조", "소방법", Level.ARTICLE, "제1조", "선임", text, 1, parts=PARTS)
    other = Unit("소방법_2조", "소방법", Level.ARTICLE, "제2조", "과태료", OTHER, 2)
    units = (article, other)
    return [Statute("소방법", "소방법", "act", Tier.ACT, "ko", units, file="a.md")]


def build(
    folder: Path, clock: Callable[[], datetime] | None = None, number: int = 3
) -> ResearchHouse:
    """Return the project with `number` questions; the first has choices."""
    ws = Workspace(folder, clock) if clock else Workspace(folder)
    migrate(ws)
    create_project(ws, SLUG, "조사", 2)
    keep_statutes(ws, SLUG, law(), "law")
    ann, ben, judge, lead = (add_person(ws, SLUG, name, role) for name, role in PEOPLE)
    cases = folder / "cases.jsonl"
    row = {"id": "2020도1", "court": "대법원", "title": "소방법위반", "text": CASE}
    cases.write_text(json.dumps(row), encoding="utf-8")
    import_court_cases(ws, SLUG, cases)
    with ws.writing() as session:
        project_id = find_project(session, SLUG).id
        for each in range(1, number + 1):
            texts = ("관계인", HOSTILE) if each == 1 else ()
            choices = {"choices": [{"label": "", "text": text} for text in texts]}
            session.add(
                QuestionRow(
                    project_id=project_id,
                    external_id=f"q{each}",
                    text=f"누가 소방안전관리자를 선임하나? {each}",
                    answer="관계인이 선임합니다.",
                    language="ko",
                    source=choices,
                )
            )
    make_research_items(ws, SLUG)
    with ws.reading() as session:
        query = select(Item.id).where(of_task(project_id, Task.RESEARCH))
        items = tuple(each or 0 for each in session.exec(query.order_by(col(Item.order))))
    return ResearchHouse(ws, ann.id, ben.id, judge.id, lead.id, items)


def passage(quote: str = RULE, text: str = TEXT, **where: str) -> dict[str, Any]:
    """Return a gold passage: where `quote` stands in the text of an authority."""
    start = text.index(quote)
    return {**(where or ARTICLE), "start": start, "end": start + len(quote), "quote": quote}


def submitted(house: ResearchHouse, who: int, item: int, *passages: dict[str, Any]) -> None:
    """Let a person state a rule, mark passages and submit; without any, say that there is none."""
    said = {"outcome": "found", "rule": "관계인이 선임한다."} if passages else {"outcome": "none"}
    for field, value in said.items():
        form_commands.answer(house.ws, who, item, field, value)
    if passages:
        form_commands.answer(house.ws, who, item, "passages", list(passages))
    commands.submit(house.ws, who, item)
