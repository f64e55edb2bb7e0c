"""A workspace at which the sample's people work, on a clock of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import yaml
from sqlmodel import col, select

from annotation.forms import form as form_commands
from annotation.mapping import commands as mapping_commands
from annotation.people.members import list_people
from annotation.work import commands
from annotation.work.queue_service import open_item
from services.sample.loading import SAMPLE
from services.sample.people import SLUG
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, unit_ids
from storage.projects import find_project
from storage.tables.core import Item, QuestionRow
from storage.tasks import Task

WORK = SAMPLE / "work"
# A short name of a unit is an instrument's letter and a number: a9-2, d8, r5, s2.1; x: its annex.
_INSTRUMENTS = {
    "en": {
        "a": "Gaon-Fire-Safety-Act",
        "d": "Enforcement-Decree-of-the-Gaon-Fire-Safety-Act",
        "r": "Enforcement-Rule-of-the-Gaon-Fire-Safety-Act",
        "s": "Gaon-Fire-Safety-Technical-Standard-for-Smoke-Curtain-Systems-GFTC-101E",
    },
    "ko": {
        "a": "가온-화재안전-기본법",
        "d": "가온-화재안전-기본법-시행령",
        "r": "가온-화재안전-기본법-시행규칙",
        "s": "가온-연기차단막설비의-화재안전기술기준-GFTC-101",
    },
}


def unit_name(short: str, language: str) -> str:
    """Return the semantic id of a unit from its short name."""
    statute, number = _INSTRUMENTS[language][short[0]], short[1:]
    if short[0] == "s":
        return f"{statute}_{number}"
    if number.startswith("x"):
        return f"{statute}_{'annex-' if language == 'en' else '별표'}{number[1:]}"
    if language == "en":
        return f"{statute}_article-{number}"
    article, _, branch = number.partition("-")
    return f"{statute}_{article}조" + (f"의{branch}" if branch else "")


def read_yaml(name: str) -> Any:
    """Return the content of a YAML file of ``sample/work``."""
    return yaml.safe_load((WORK / name).read_text(encoding="utf-8"))


def read_lines(file: Path) -> list[Any]:
    """Return the objects of a JSONL file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def moment(when: str) -> datetime:
    """Return the time of a text like ``2026-11-02 09:20`` (UTC)."""
    return datetime.fromisoformat(when).replace(tzinfo=UTC)


class Clock:
    """A clock that stands still until the work moves it on.

    So no time depends on how often the services look at it, or from which thread.
    """

    def __init__(self, start: datetime) -> None:
        self.now = start

    def __call__(self) -> datetime:
        """Return the time."""
        return self.now

    def go_to(self, when: str) -> None:
        """Move on to a day and time, unless work has gone on until after it."""
        self.now = max(self.now, moment(when))

    def spend(self, seconds: float) -> None:
        """Move on by so many seconds."""
        self.now += timedelta(seconds=round(seconds))


class Act(NamedTuple):
    """Something that is done at a time."""

    when: str
    do: Callable[[Desk], None]


@dataclass
class Desk:
    """The workspace, its clock, and short hands for working in it."""

    ws: Workspace
    clock: Clock
    files: Path
    random: Random = field(default_factory=lambda: Random(34))

    def person(self, name: str) -> int:
        """Return the id of a person."""
        return {each.name: each.id for each in list_people(self.ws, SLUG)}[name]

    def item(self, task: Task, name: str) -> int:
        """Return the item of that name in a task."""
        query = (
            select(Item.id)
            .outerjoin(QuestionRow, col(QuestionRow.id) == Item.question_id)
            .where(Item.task == task)
            .where((col(Item.external_id) == name) | (col(QuestionRow.external_id) == name))
        )
        with self.ws.reading() as session:
            return session.exec(query).one() or 0

    def items(self, task: Task) -> dict[str, int]:
        """Return the items of a task by name, in their order."""
        query = select(Item.external_id, Item.id).where(Item.task == task)
        with self.ws.reading() as session:
            rows = session.exec(query.order_by(col(Item.order), col(Item.id))).all()
        return {name or "": number or 0 for name, number in rows}

    def units(self, short: Sequence[str], language: str) -> list[int]:
        """Return the ids of units of the law in use, from their short names."""
        with self.ws.reading() as session:
            ids = unit_ids(session, id_in_use(session, find_project(session, SLUG).id) or 0)
        return [ids[unit_name(each, language)] for each in short]

    def think(self, at_least: int = 35, most: int = 240) -> None:
        """Let the time pass that somebody needs for an item."""
        self.clock.spend(self.random.triangular(at_least, most, at_least + (most - at_least) / 4))

    def map_question(
        self, who: str, question: str, said: Mapping[str, Any], send: bool = True
    ) -> None:
        """Label the provisions of a question, and submit it."""
        person, item = self.person(who), self.item(Task.CITATION_MAPPING, question)
        listed = {each.unit_id for each in open_item(self.ws, person, item).candidates}
        self.think(60, 420)
        for decision in ("accept", "unsure", "reject"):
            for unit in self.units(str(said.get(decision, "")).split(), question[:2]):
                if unit not in listed:
                    mapping_commands.add_unit(self.ws, person, item, unit)
                mapping_commands.label(self.ws, person, item, unit, decision)
                self.clock.spend(self.random.randint(4, 20))
        if said.get("no_provision"):
            mapping_commands.set_no_provision(self.ws, person, item, True)
        self.finish(person, item, said, send)

    def answer(
        self,
        who: str,
        item: int,
        answers: Mapping[str, Any],
        about: Mapping[str, Any] | None = None,
        send: bool = True,
    ) -> None:
        """Answer the fields of a form's item in order, and submit it."""
        person = self.person(who)
        open_item(self.ws, person, item)
        self.think()
        for name, value in answers.items():
            form_commands.answer(self.ws, person, item, name, value)
            self.clock.spend(self.random.randint(3, 25))
        self.finish(person, item, about or {}, send)

    def finish(self, person: int, item: int, said: Mapping[str, Any], send: bool) -> None:
        """Add comment and flag, and submit with the confidence that is said."""
        if said.get("comment"):
            commands.set_comment(self.ws, person, item, said["comment"])
        if said.get("flag"):
            commands.set_flag(self.ws, person, item, said["flag"])
        if send:
            commands.submit(self.ws, person, item, said.get("confidence"))
