"""A small project for the tests of this folder: law of five articles, three questions, people."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from sqlmodel import col, select

from annotation.adjudication.giving_back import give_back
from annotation.people.members import add_person
from corpus.model import Level, Part, Question, Statute, Tier, Unit
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.corpus import unit_ids
from storage.law.imports import keep_questions, keep_statutes
from storage.mapping import ToKeep, keep_all_candidates
from storage.projects import create_project
from storage.tables.core import Item, UnitRow
from tests.projects.project_cache import kept

SLUG = "lake"
ANSWER = "See 「Lake Act」 Article 1 (1) and the Harbour Act."


def statute(changed: str = "") -> Statute:
    """Return the Lake Act; `changed` is appended to the text of Article 1."""
    articles = tuple(article(number, changed if number == 1 else "") for number in range(1, 6))
    return Statute(
        semantic_id="lake-act",
        title="Lake Act",
        kind="act",
        tier=Tier.ACT,
        language="en",
        units=articles,
        effective=date(2026, 1, 1),
        file="lake/act.md",
    )


def article(number: int, changed: str = "") -> Unit:
    """Return one article with two paragraphs."""
    text = f"(1) Boats need lamp {number}.{changed}\n(2) Lamps are lit."
    cut = text.index("\n")
    return Unit(
        semantic_id=f"lake-act_article-{number}",
        statute_id="lake-act",
        level=Level.ARTICLE,
        label=f"Article {number}",
        heading="Lamps",
        text=text,
        order=number,
        parts=(Part("(1)", 0, cut), Part("(2)", cut + 1, len(text))),
    )


def question(number: int) -> Question:
    """Return one question."""
    return Question(
        external_id=f"q{number}",
        text=f"Which boats need a lamp, case {number}?",
        answer=ANSWER,
        language="en",
        citation_strings=("Article 1",),
        gold_ids=("lake-act_article-1",),
    )


def proposal(*numbers: int) -> Any:
    """Return a proposal of these articles, the first of them cited by the answer."""
    cited, start = "「Lake Act」 Article 1 (1)", ANSWER.index("「")
    far = "Harbour Act"
    target = SimpleNamespace(unit_id="lake-act_article-1", pinpoint="(1)")
    resolved = SimpleNamespace(
        citation=SimpleNamespace(
            text=cited, start=start, end=start + len(cited), instrument="Lake Act"
        ),
        status="resolved",
        reason=None,
        targets=(target,),
        instrument_title="Lake Act",
        unit_ids=(),
        kept_in="",
    )
    foreign = SimpleNamespace(
        citation=SimpleNamespace(
            text=far, start=ANSWER.index(far), end=ANSWER.index(far) + len(far), instrument=far
        ),
        status="unresolved",
        reason="no_such_instrument",
        targets=(),
        instrument_title=far,
        unit_ids=(),
        kept_in="",
    )
    return SimpleNamespace(
        citations=(resolved, foreign),
        candidates=tuple(
            SimpleNamespace(
                unit_id=f"lake-act_article-{number}",
                rank=rank,
                why=(_cited() if rank == 1 else _found(rank),),
            )
            for rank, number in enumerate(numbers, 1)
        ),
    )


def _cited() -> Any:
    return SimpleNamespace(source="citation", rank=None, score=None, citation=0, pinpoint="(1)")


def _found(rank: int) -> Any:
    return SimpleNamespace(source="text", rank=rank, score=9.0 / rank, citation=None, pinpoint="")


@dataclass
class House:
    """The project: its workspace, ids of its people, items (in order) and units (by number)."""

    ws: Workspace
    ann: int
    ben: int
    cho: int
    judge: int
    items: list[int]
    units: dict[int, int]


def build(folder: Path, clock: Any, overlap: int = 2) -> House:
    """Make the project in a new workspace."""
    ws = Workspace(folder, clock)
    return House(ws, *kept(("lake", overlap), ws, lambda: _made(ws, overlap)))


def _made(ws: Workspace, overlap: int) -> tuple[int, int, int, int, list[int], dict[int, int]]:
    """Make the project and return its ids."""
    migrate(ws)
    create_project(ws, SLUG, "Lake law", overlap)
    keep_statutes(ws, SLUG, [statute()], "first")
    keep_questions(ws, SLUG, [question(n) for n in range(1, 4)], "questions.jsonl")
    ann, ben, cho = (add_person(ws, SLUG, name, "annotator").id for name in ("Ann", "Ben", "Cho"))
    judge = add_person(ws, SLUG, "Judge", "adjudicator").id
    with ws.reading() as session:
        items = [n for n in session.exec(select(Item.id).order_by(col(Item.order))) if n]
        rows = session.exec(select(UnitRow)).all()
        units = {int(row.semantic_id.rpartition("-")[2]): row.id or 0 for row in rows}
    propose(House(ws, ann, ben, cho, judge, items, units), 1)
    return ann, ben, cho, judge, items, units


def given_back(house: House, person: int, item: int) -> None:
    """Give the person their locked submission on the item back, as an adjudicator does."""
    give_back(house.ws, house.judge, item, person, "Look again.")


def propose(house: House, snapshot_id: int, *numbers: int, method: str = "test") -> None:
    """Keep a new candidate set for every item: articles 1, 2, 3 unless others are named."""
    with house.ws.writing() as session:
        units = unit_ids(session, snapshot_id)
        chosen = proposal(*(numbers or (1, 2, 3)))
        proposed = [ToKeep(item, method, chosen) for item in house.items]
        keep_all_candidates(session, snapshot_id, proposed, units, house.ws.clock())


def cite(house: House, numbers: Iterable[int], status: str) -> None:
    """Keep candidates for every item anew: articles 1, 2, 3, of which the answer cites these."""
    chosen = proposal(1, 2, 3)
    targets = [
        SimpleNamespace(unit_id=f"lake-act_article-{number}", pinpoint="") for number in numbers
    ]
    chosen.citations[0].targets, chosen.citations[0].status = targets, status
    with house.ws.writing() as session:
        proposed = [ToKeep(item, "cited", chosen) for item in house.items]
        keep_all_candidates(session, 1, proposed, unit_ids(session, 1), house.ws.clock())
