"""A project of court cases to tag under a small codebook, and people who tag them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from annotation.forms import form as form_commands
from annotation.guidelines.documents import EVERY
from annotation.guidelines.editing import new_version
from annotation.people.members import add_person
from annotation.work import commands
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project, find_project
from storage.subjects import Subject, add_items
from storage.tasks import Task
from tests.projects.court_cases import add_court_cases
from tests.projects.project_cache import kept

SLUG = "court"
GROUP = "violence.injury"
PEOPLE = (
    ("Ann", "lawyer"),
    ("Ben", "annotator"),
    ("Cho", "adjudicator"),
    ("Dora", "researcher"),
)
FACTS = "The defendant, who was drunk, struck the victim with a knife on the arm."
CLAIMS = "The defendant says that he was out of his mind with drink."
SENTENCE = "He has apologised and paid for the treatment."
HOSTILE = "<img src=x onerror=alert(1)> **bold** $x$"
BOOK = """
factors:
  - key: means
    label: {en: Means, ko: 수단}
    help: {en: How it was done., ko: 범행의 방법.}
    scope: ["violence"]
    sub_factors:
      - key: weapon
        label: {en: Weapon, ko: 흉기}
        help: {en: What was used., ko: 무엇을 썼는가.}
        options:
          - {key: none, label: {en: None, ko: 없음}, help: {en: Bare hands., ko: 맨손.}}
          - {key: knife, label: {en: Knife, ko: 칼}, help: {en: A blade., ko: 날붙이.}}
          - {key: gun, label: {en: Gun, ko: 총}, help: {en: A firearm., ko: 총기.}}
      - key: blade
        label: {en: Blade, ko: 날}
        help: {en: How long it was., ko: 길이.}
        when: {weapon: [knife]}
        options:
          - {key: short, label: {en: Short, ko: 짧음}, help: {en: Under 10 cm., ko: 10 cm 미만.}}
          - {key: long, label: {en: Long, ko: 긺}, help: {en: 10 cm or more., ko: 10 cm 이상.}}
  - key: person
    label: {en: Person, ko: 사람}
    help: {en: About the defendant., ko: 피고인에 관하여.}
    scope: ["*"]
    sub_factors:
      - key: motives
        label: {en: Motives, ko: 동기}
        help: {en: Why., ko: 왜.}
        exclusive: false
        options:
          - {key: money, label: {en: Money, ko: 돈}, help: {en: Gain., ko: 이득.}}
          - {key: fear, label: {en: Fear, ko: 두려움}, help: {en: Fright., ko: 공포.}}
      - key: insanity_claim
        label: {en: Insanity, ko: 심신미약}
        help: {en: Is it pleaded?, ko: 주장하는가?}
        claim: true
"""
ALL_SAY = {
    "weapon": "knife",
    "blade": "short",
    "motives": "not_stated",
    "insanity_claim": "claimed_not_accepted",
}


_Ids = tuple[int, int, int, int, tuple[int, ...], tuple[int, ...], int]


@dataclass(frozen=True, slots=True)
class TagHouse:
    """The workspace, its people by id, and items and court cases in the order of the queue."""

    ws: Workspace
    ann: int
    ben: int
    judge: int
    lead: int
    items: tuple[int, ...]
    cases: tuple[int, ...]
    project_id: int


def build(
    folder: Path,
    clock: Callable[[], datetime] | None = None,
    number: int = 3,
    overlap: int = 2,
    language: str = "en",
) -> TagHouse:
    """Return the project with `number` court cases, called case-1 and so on, all of one group."""
    ws = Workspace(folder, clock) if clock else Workspace(folder)
    recipe = "court", number, overlap, language
    return TagHouse(ws, *kept(recipe, ws, lambda: _made(ws, number, overlap, language)))


def _made(ws: Workspace, number: int, overlap: int, language: str) -> _Ids:
    """Make the project and return its ids."""
    migrate(ws)
    create_project(ws, SLUG, "법원", overlap)
    new_version(ws, SLUG, "codebook", Task.FACTOR_TAGGING, {EVERY: BOOK}, "ours", 1)
    people = (add_person(ws, SLUG, name, role).id for name, role in PEOPLE)
    ann, ben, judge, lead = people
    with ws.writing() as session:
        project_id = find_project(session, SLUG).id
        told = (_case(each, language) for each in range(number))
        rows = add_court_cases(session, project_id, ws.clock(), told)
        shown = {"typology": 1, "groups": [GROUP], "suggestions": "after", "suggested": 0}
        subjects = [Subject(row.id or 0, row.external_id, row.title, shown) for row in rows]
        items = add_items(session, project_id, Task.FACTOR_TAGGING, subjects, ws.clock())
        cases = tuple(row.id or 0 for row in rows)
    return ann, ben, judge, lead, tuple(items), cases, project_id


def judgment(number: int) -> str:
    """Return the text of a case: facts, claims, sentencing."""
    return f"Case {number + 1}.\n{FACTS}\n{CLAIMS}\n{SENTENCE}"


def says(
    answers: Mapping[str, str], evidence: Mapping[str, Sequence[tuple[str, str]]] | None = None
) -> dict[str, dict[str, Any]]:
    """Return answers as the form takes them; options are joined by +.

    `evidence` names by sub-factor the options and passages of the first case's text.
    """
    text = judgment(0)
    found: dict[str, dict[str, Any]] = {}
    for key, options in answers.items():
        passages = [
            {"option": option, "start": text.index(quote), "end": text.index(quote) + len(quote),
             "quote": quote}
            for option, quote in (evidence or {}).get(key, ())
        ]  # fmt: skip
        found[key] = {"options": options.split("+"), "evidence": passages}
    return found


def tag(
    house: TagHouse,
    who: int,
    at: int,
    evidence: Mapping[str, Sequence[tuple[str, str]]] | None = None,
    comment: str = "",
    **changed: str,
) -> int:
    """Let somebody tag the case at that place of the queue and submit; "" leaves a field out.

    Without changes everybody says the same. Returns the id of the submission.
    """
    answers = {key: said for key, said in (ALL_SAY | changed).items() if said}
    if answers.get("weapon") != "knife" and "blade" not in changed:
        answers.pop("blade", None)
    for key, value in says(answers, evidence).items():
        form_commands.answer(house.ws, who, house.items[at], key, value)
    if comment:
        commands.set_comment(house.ws, who, house.items[at], comment)
    return commands.submit(house.ws, who, house.items[at])


def _case(number: int, language: str) -> dict[str, Any]:
    text = judgment(number)
    starts = [text.index(each) for each in (FACTS, CLAIMS, SENTENCE)]
    ends = [*starts[1:], len(text)]
    names = ("facts", "claims", "sentencing")
    return {
        "external_id": f"case-{number + 1}",
        "court": "Lake Court",
        "date": "2024-05-06",
        "title": f"Injury {number + 1}",
        "charges": ["Injury"],
        "provisions": ["Criminal Act 257(1)"],
        "language": language,
        "text": text,
        "sections": [list(each) for each in zip(names, starts, ends, strict=True)],
    }
