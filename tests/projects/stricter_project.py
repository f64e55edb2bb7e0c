"""A project of court cases, tagged alike to several lengths, and people of every kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from annotation.forms import form as form_commands
from annotation.guidelines.editing import new_version
from annotation.people.members import add_person
from annotation.work import commands
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project, find_project
from storage.subjects import Subject, add_items
from storage.tables.cases import CourtCase
from storage.tasks import Task
from tests.projects.court_cases import add_court_cases, suggestion
from tests.projects.project_cache import kept

SLUG = "alike"
INSULT, FRAUD = "defamation.insult", "fraud.fraud"
HOSTILE = "<img src=x onerror=alert(1)> **bold** $x$"
BOOK = """\
factors:
  - key: words
    label: {en: What was said, ko: 발언}
    help: {en: What was said., ko: 발언.}
    scope: ["*"]
    sub_factors:
      - {key: place, label: {en: Place, ko: 장소}, help: {en: Where., ko: 어디서.}, options: [
          {key: street, label: {en: Street, ko: 길}, help: {en: In a street., ko: 길에서.}},
          {key: online, label: {en: Online, ko: 온라인}, help: {en: On a site., ko: 누리집에서.}}]}
      - {key: readers, label: {en: Readers, ko: 독자}, help: {en: How many., ko: 몇 명.},
         when: {place: [online]}, options: [
          {key: few, label: {en: Few, ko: 적음}, help: {en: Under ten., ko: 열 명 미만.}},
          {key: many, label: {en: Many, ko: 많음}, help: {en: Ten or more., ko: 열 명 이상.}}]}
      - {key: regret, label: {en: Regret, ko: 반성}, help: {en: Regret., ko: 반성.}, options: [
          {key: shown, label: {en: Shown, ko: 있음}, help: {en: Shown., ko: 있음.}},
          {key: denied, label: {en: Denied, ko: 없음}, help: {en: Denied., ko: 없음.}}]}
      - {key: record, label: {en: Record, ko: 전과}, help: {en: Record., ko: 전과.},
         required: false, options: [
          {key: clean, label: {en: Clean, ko: 없음}, help: {en: Clean., ko: 없음.}},
          {key: earlier, label: {en: Earlier, ko: 있음}, help: {en: Earlier., ko: 있음.}}]}
"""
# Case → its charge and what both lawyers answer; c5 differs between them, c6 has one submission.
CASES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "c1": ("모욕", {"place": "online", "readers": "many", "regret": "shown", "record": "clean"}),
    "c2": ("모욕", {"place": "street", "regret": "shown"}),
    "c3": ("모욕", {"place": "online", "readers": "many", "regret": "denied"}),
    "c4": ("모욕", {"place": "online", "readers": "few", "regret": "shown"}),
    "c5": ("모욕", {"place": "street", "regret": "denied"}),
    "c6": ("모욕", {"place": "street", "regret": "denied"}),
    "c7": ("사기", {"place": "street", "regret": "denied"}),
    "c8": ("사기", {"place": "street", "regret": "denied"}),
    "c9": ("없는죄명", {}),
}
_Ids = tuple[int, int, int, Mapping[str, int], Mapping[str, int]]


@dataclass(frozen=True, slots=True)
class StricterHouse:
    """The workspace, its people by id, and items and cases by external id."""

    ws: Workspace
    ann: int
    ben: int
    lead: int
    items: Mapping[str, int]
    cases: Mapping[str, int]


def build(folder: Path, clock: Callable[[], datetime] | None = None) -> StricterHouse:
    """Return the project. Of the insults, c1 and c3 are most alike; the frauds are the same."""
    ws = Workspace(folder, clock) if clock else Workspace(folder)
    return StricterHouse(ws, *kept("alike", ws, lambda: _made(ws)))


def _made(ws: Workspace) -> _Ids:
    """Make the project and return its ids."""
    migrate(ws)
    create_project(ws, SLUG, "닮은 판례", 2)
    new_version(ws, SLUG, "codebook", Task.FACTOR_TAGGING, {"mul": BOOK}, "for tests", 1)
    people = ("Ann", "lawyer"), ("Ben", "lawyer"), ("Dora", "researcher")
    ann, ben, lead = (add_person(ws, SLUG, name, role).id for name, role in people)
    cases, items = add_cases(ws)
    house = StricterHouse(ws, ann, ben, lead, items, cases)
    for name, (_, answers) in CASES.items():
        if answers:
            tag(house, ann, name, answers)
            if name != "c6":
                tag(house, ben, name, dict(answers) | ({"regret": "shown"} if name == "c5" else {}))
    return ann, ben, lead, items, cases


def tag(house: StricterHouse, who: int, name: str, answers: Mapping[str, str]) -> int:
    """Answer a case and submit it; return the annotation's id."""
    for key, option in answers.items():
        value = {"options": [option], "evidence": []}
        form_commands.answer(house.ws, who, house.items[name], key, value)
    return commands.submit(house.ws, who, house.items[name])


MODEL = "tagger-1"


def suggest(
    house: StricterHouse, name: str, answers: Mapping[str, str], state: str = "unquoted"
) -> None:
    """Keep what the model MODEL says of a case."""
    case, at = house.cases[name], house.ws.clock()
    with house.ws.writing() as session:
        for key, option in answers.items():
            session.add(suggestion(case, key, [option], at, model=MODEL, state=state))


def suggest_all(house: StricterHouse) -> None:
    """Have the model find c2 and c4 most alike; c5 cannot be read, c6 says too little."""
    online = {"place": "online", "readers": "few", "regret": "shown"}
    suggest(house, "c2", online)
    suggest(house, "c4", online)
    suggest(house, "c1", {"place": "street", "regret": "shown"})
    suggest(house, "c3", {"place": "online", "readers": "tenfold", "regret": "denied"})
    suggest(house, "c5", {"place": "street"})
    suggest(house, "c5", {"regret": "shown"}, "unparsed")
    suggest(house, "c6", {"place": "street", "readers": "many"})
    suggest(house, "c6", {"place": "online"})  # anew: the newest counts


def add_cases(ws: Workspace) -> tuple[dict[str, int], dict[str, int]]:
    """Bring the cases in and make their items; return the ids of both by external id."""
    with ws.writing() as session:
        project, at = find_project(session, SLUG), ws.clock()
        told = (_case(name, charge) for name, (charge, _) in CASES.items())
        rows = add_court_cases(session, project.id, at, told)
        cases = {row.external_id: row.id or 0 for row in rows}
        items = add_items(session, project.id, Task.FACTOR_TAGGING, map(_subject, rows), at)
        return cases, dict(zip(cases, items, strict=True))


def _case(name: str, charge: str) -> dict[str, Any]:
    facts = f"{name} 피고인은 피해자에게 욕설을 하였다. {HOSTILE}"
    return {
        "external_id": name,
        "title": f"{charge} {HOSTILE}",
        "charges": [charge],
        "text": f"판결\n{facts}\n주문과 같이 판결한다.",
        "sections": [["head", 0, 3], ["facts", 3, 3 + len(facts)]],
    }


def _subject(row: CourtCase) -> Subject:
    groups = {"모욕": [INSULT], "사기": [FRAUD]}.get(row.charges[0], [])
    shown = {"typology": 1, "groups": groups, "suggestions": "hidden", "suggested": 0}
    return Subject(row.id or 0, row.external_id, row.title, shown)
