"""A project whose answers were cut into claims, and people to review them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import Session, col, select

from annotation.forms import form as form_commands
from annotation.people.members import add_person
from annotation.work import commands
from corpus.model import Level, Statute, Tier, Unit
from services.attribution.items import make_review_items
from storage.db.migrate import migrate
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import create_project, find_project
from storage.tables.answers import AnswerClaims, AttributionCase, ClaimLabels
from storage.tables.core import Item
from storage.tasks import Task, of_task
from tests.projects.answer_rows import judge_case
from tests.projects.project_cache import kept

SLUG = "attributed"
PEOPLE = (
    ("Ann", "annotator"),
    ("Ben", "annotator"),
    ("Cho", "adjudicator"),
    ("Dora", "researcher"),
)
SYSTEM, JUDGE = "answering-model-x", "labelling-model-y"  # which nobody who reviews may read
HOSTILE = "<img src=x onerror=alert(1)> **bold** $x$"
TEXT = "① 관계인은 소방안전관리자를 선임하여야 한다.\n② 관리자는 매년 훈련을 하여야 한다."
OTHER = "소방안전관리자를 선임하지 아니한 자에게는 300만원 이하의 과태료를 부과한다."
DUTY, FINE = "소방법_1조", "소방법_2조"
CLAIMS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("관계인이 소방안전관리자를 선임한다.", (DUTY,)),
    ("선임하지 않으면 과태료 500만원이다.", (f"[{FINE}/1항]", "소방법_9조")),
    (f"신고는 14일 안에 한다. {HOSTILE}", ()),
)
GOLD = ("관계인은 소방안전관리자를 두어야 한다.", "위반하면 300만원 이하의 과태료를 낸다.")
LABELS = (
    {"label": "match", "gold": 0, "supported": True},
    {"label": "match", "gold": 1, "supported": True},
    {"label": "none", "gold": None, "supported": None},
)
SAID: dict[str, Any] = {
    "label_1": "match",
    "gold_1": 1,
    "supported_1": "yes",
    "label_2": "partial",
    "gold_2": 2,
    "supported_2": "partly",
    "label_3": "none",
    "supported_3": "uncited",
}
_Ids = tuple[int, int, int, int, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class AttributionHouse:
    """The workspace, its people by id, and items in the order of the queue."""

    ws: Workspace
    ann: int
    ben: int
    judge: int
    lead: int
    items: tuple[int, ...]


def law(text: str = TEXT) -> list[Statute]:
    """Return an act of two articles."""
    article = Unit(DUTY, "소방법", Level.ARTICLE, "제1조", "선임", text, 1)
    other = Unit(FINE, "소방법", Level.ARTICLE, "제2조", "과태료", OTHER, 2)
    return [Statute("소방법", "소방법", "act", Tier.ACT, "ko", (article, other), file="a.md")]


def answered(
    session: Session,
    project_id: int,
    name: str,
    at: datetime,
    labels: Sequence[Mapping[str, Any]] = LABELS,
    claims: Sequence[tuple[str, Sequence[str]]] = CLAIMS,
    gold: Sequence[str] = GOLD,
    system: str = SYSTEM,
    footer: str = "",
) -> int:
    """Keep an answer cut into claims, with the labels of a judge; return the attribution case."""
    told: dict[str, Any] = {"project_id": project_id, "question": f"누가 선임하나? {name}"}
    told |= {"reference": " ".join(gold), "language": "ko"}
    told |= {"answer": " ".join(text for text, _ in claims) + footer}
    case = add_row(session, judge_case(at, name, system, **told))
    own = _claims(project_id, case, name, claims, at)
    official = _claims(project_id, None, name, [(text, ()) for text in gold], at)
    session.add_all([own, official])
    session.flush()
    row = AttributionCase(
        project_id=project_id,
        case_id=case,
        predicted_id=own.id or 0,
        gold_id=official.id or 0,
        at=at,
    )
    number = add_row(session, row)
    if labels:
        add_labels(session, number, JUDGE, labels, at)
    return number


def add_labels(
    session: Session, case: int, judge: str, labels: Sequence[Mapping[str, Any]], at: datetime
) -> None:
    """Keep what a judge said of a case; without labels, that nothing could be read."""
    said, state = [dict(each) for each in labels], "said" if labels else "unread"
    row = ClaimLabels(attribution_case_id=case, judge=judge, state=state, labels=said, at=at)
    add_row(session, row)


def _claims(
    project_id: int,
    case_id: int | None,
    name: str,
    claims: Sequence[tuple[str, Sequence[str]]],
    at: datetime,
) -> AnswerClaims:
    return AnswerClaims(
        project_id=project_id,
        case_id=case_id,
        question=name,
        text_sha256="0" * 64,
        splitter="form",
        state="said",
        claims=[{"text": text, "cites": list(cites)} for text, cites in claims],
        at=at,
    )


def build(
    folder: Path,
    clock: Callable[[], datetime] | None = None,
    suggestions: str | None = None,
    answers: int = 3,
    people: bool = True,
) -> AttributionHouse:
    """Return the project with so many answers, each an item; without people, for a file's."""
    ws = Workspace(folder, clock) if clock else Workspace(folder)
    recipe = "attribution", suggestions, answers, people
    made = kept(recipe, ws, lambda: _made(ws, suggestions, answers, people))
    return AttributionHouse(ws, *made)


def _made(ws: Workspace, suggestions: str | None, answers: int, people: bool) -> _Ids:
    migrate(ws)
    create_project(ws, SLUG, "주장", 2)
    keep_statutes(ws, SLUG, law(), "law")
    known = [add_person(ws, SLUG, name, role).id for name, role in PEOPLE if people]
    ann, ben, judge, lead = known or (0, 0, 0, 0)
    with ws.writing() as session:
        project_id = find_project(session, SLUG).id
        for number in range(1, answers + 1):
            answered(session, project_id, f"q{number}", ws.clock())
    make_review_items(ws, SLUG, suggestions=suggestions)
    with ws.reading() as session:
        query = select(Item.id).where(of_task(project_id, Task.ATTRIBUTION))
        items = tuple(each or 0 for each in session.exec(query.order_by(col(Item.order))))
    return ann, ben, judge, lead, items


def submitted(house: AttributionHouse, who: int, item: int, **said: Any) -> None:
    """Let a person judge every claim and submit; `said` replaces answers, None takes one out."""
    for field, value in {**SAID, **said}.items():
        if value is not None:
            form_commands.answer(house.ws, who, item, field, value)
    commands.submit(house.ws, who, item)
