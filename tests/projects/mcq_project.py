"""A project with multiple-choice questions on linked provisions, and people to check them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from annotation.forms import form as form_commands
from annotation.people.members import add_person
from annotation.work import commands
from construction.mcq.model import CANNOT_TELL, Mcq, Pair, Passage, wording_of
from corpus.graph.model import EdgeType
from corpus.model import Level, Statute, Tier, Unit
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, unit_ids
from storage.law.imports import keep_statutes
from storage.mcq.questions import Attempt, attempt_row, keep_making, passages_of, question_by_id
from storage.projects import create_project, find_project
from storage.subjects import Subject, add_items
from storage.tables.core import Item
from storage.tables.mcq import McqMaking, McqVote
from storage.tasks import Task, of_task
from tests.projects.project_cache import kept

SLUG = "quay"
PEOPLE = (
    ("Ann", "annotator"),
    ("Ben", "annotator"),
    ("Cho", "adjudicator"),
    ("Dora", "researcher"),
)
HOSTILE = "<img src=x onerror=alert(1)> **bold** $x$"
ALONE = (("alone_answerable", "no"), ("alone_choice", 4), ("alone_sure", 4))
BOTH = (("both_answerable", "yes"), ("both_choice", 1), ("both_sure", 5))
SECOND = "시행령이 정한 길이는"  # stands in every second provision and nowhere else
WHY = "법에는 길이가 없고"  # stands in every explanation
_Ids = tuple[int, int, int, int, tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class McqHouse:
    """The workspace, its people by id, and items and questions in the order of the queue."""

    ws: Workspace
    ann: int
    ben: int
    judge: int
    lead: int
    items: tuple[int, ...]
    mcqs: tuple[int, ...]


def build(
    folder: Path, clock: Callable[[], datetime] | None = None, number: int = 3, overlap: int = 2
) -> McqHouse:
    """Return the project with `number` questions, called mcq-001 and so on."""
    ws = Workspace(folder, clock) if clock else Workspace(folder)
    return McqHouse(ws, *kept(("quay", number, overlap), ws, lambda: _made(ws, number, overlap)))


def _made(ws: Workspace, number: int, overlap: int) -> _Ids:
    """Make the project and return its ids."""
    migrate(ws)
    create_project(ws, SLUG, "부두", overlap)
    keep_statutes(ws, SLUG, [_act(number), _decree(number)], "law")
    ann, ben, judge, lead = (add_person(ws, SLUG, name, role) for name, role in PEOPLE)
    mcqs = _questions(ws, number)
    with ws.reading() as session:
        project_id = find_project(session, SLUG).id
        query = select(Item.id).where(of_task(project_id, Task.MCQ_SOLVABILITY))
        items = tuple(each or 0 for each in session.exec(query.order_by(col(Item.order))))
    return ann.id, ben.id, judge.id, lead.id, items, mcqs


def answer(house: McqHouse, who: int, item: int, said: Sequence[tuple[str, Any]]) -> None:
    """Answer the fields in order."""
    for field, value in said:
        form_commands.answer(house.ws, who, item, field, value)


def steps(verdict: str = "keep", right: str = "yes", **more: Any) -> list[tuple[str, Any]]:
    """Return a whole form: both steps, then the comparison and the verdict with what is `more`."""
    last = [("stored_right", right), ("verdict", verdict), *more.items()]
    return [*ALONE, ("revealed", True), *BOTH, ("compared", True), *last]


def submitted(
    house: McqHouse, who: int, item: int, verdict: str = "keep", flag: str = "", **more: Any
) -> int:
    """Answer the item and submit it; return the annotation's id."""
    answer(house, who, item, steps(verdict, **more))
    if flag:
        commands.set_flag(house.ws, who, item, flag)
    return commands.submit(house.ws, who, item)


def vote(
    house: McqHouse,
    mcq: int,
    model: str,
    setting: str,
    choice: int | None,
    wording: str = "",
    server: str = "http://localhost",
) -> None:
    """Keep what a model answered to the question as it is, or to another `wording`."""
    with house.ws.writing() as session:
        project_id = find_project(session, SLUG).id
        asked = question_by_id(session, project_id, mcq).question
        session.add(
            McqVote(
                mcq_id=mcq,
                setting=setting,
                server=server,
                model=model,
                repeat=0,
                choice=choice,
                state="chosen" if choice is not None else "unparsed",
                raw=HOSTILE if choice is None else str(choice + 1),
                logprobs=None,
                wording=wording or wording_of(asked),
                at=house.ws.clock(),
            )
        )


def _questions(ws: Workspace, number: int) -> tuple[int, ...]:
    with ws.writing() as session:
        project = find_project(session, SLUG)
        snapshot = id_in_use(session, project.id) or 0
        units = unit_ids(session, snapshot)
        passages = passages_of(session, units.values())
        attempts = [_attempt(each, units, passages) for each in range(1, number + 1)]
        making = McqMaking(
            project_id=project.id,
            kind="import",
            snapshot_id=snapshot,
            wanted={},
            seed=0,
            at=ws.clock(),
        )
        kept = keep_making(session, making, attempts)
        subjects = [Subject(n, each.id, each.query, {"mcq": n}) for n, each in kept]
        add_items(session, project.id, Task.MCQ_SOLVABILITY, subjects, ws.clock())
        return tuple(n for n, _ in kept)


def _attempt(number: int, units: dict[str, int], passages: dict[int, Passage]) -> Attempt:
    name = f"mcq-{number:03d}"
    a, b = units[f"부두법_{number}조"], units[f"부두법시행령_{number}조"]
    question = Mcq(
        id=name,
        pair=Pair(passages[a], passages[b], (EdgeType.DELEGATES_TO,)),
        query=f"{number}번 부두의 관계인은 난간을 몇 미터까지 설치하여야 하는가? {HOSTILE}",
        options=(*(f"{number + more}미터" for more in range(4)), CANNOT_TELL["ko"]),
        answer=2,
        explanation=f"{WHY} 시행령이 정한다. {HOSTILE}",
    )
    return Attempt(attempt_row(name, (a, b), question.pair.types, outcome="kept"), question)


def _act(number: int) -> Statute:
    text = "부두의 관계인은 대통령령으로 정하는 길이까지 난간을 설치하여야 한다."
    return _statute("부두법", Tier.ACT, [text] * number)


def _decree(number: int) -> Statute:
    texts = [f"{SECOND} {each + 1}미터이다." for each in range(1, number + 1)]
    return _statute("부두법시행령", Tier.DECREE, texts)


def _statute(name: str, tier: Tier, texts: Sequence[str]) -> Statute:
    units = tuple(
        Unit(f"{name}_{at}조", name, Level.ARTICLE, f"제{at}조", "난간", text, at)
        for at, text in enumerate(texts, 1)
    )
    return Statute(name, name, "법률", tier, "ko", units)
