"""A project with court cases to tag, a small codebook of factors, and people who tag."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from annotation.forms import form as form_commands
from annotation.guidelines.editing import new_version
from annotation.people.members import add_person
from storage.db.migrate import migrate
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.projects import create_project, find_project
from storage.subjects import Subject, add_items
from storage.tasks import Task
from tests.projects.court_cases import add_court_cases, suggestion
from tests.projects.project_cache import kept

SLUG = "bench"
PEOPLE = (
    ("Ann", "annotator"),
    ("Ben", "annotator"),
    ("Cho", "adjudicator"),
    ("Dora", "researcher"),
)
HOSTILE = "<img src=x onerror=alert(1)> **bold** $x$"
GROUPS = ("fraud.fraud", "traffic.hit_and_run.death")
# Characters of two units, a combining mark, and writing of several kinds.
FACTS = (
    "피고인은 2024. 3. 5. 피해자에게 𠮷田 명의의 차용증을 보여 주며 3,000만 원을 빌렸다. "
    f"{HOSTILE}\n"
    "피고인은 갚을 의사가 없었다. 피해자는 e\u0301clat 상사의 대표이다."
)
CLAIMS = "변호인은 피고인이 심신미약 상태에 있었다고 주장한다. 그러나 이를 받아들이지 아니한다."
REASONS = "피해자와 합의하였고 👩‍⚖️ 피고인은 초범이다."


def _option(key: str, name: str) -> str:
    help_ = f"{{en: When {name}., ko: {name}인 경우.}}"
    return f"          - {{key: {key}, label: {{en: {name}, ko: {name}}}, help: {help_}}}\n"


def _sub(key: str, name: str, options: Sequence[tuple[str, str]], more: str = "") -> str:
    head = f"      - key: {key}\n        label: {{en: {name}, ko: {name}}}\n"
    lines = f"        help: {{en: About {name}., ko: {name}.}}\n{more}"
    if options:
        lines += "        options:\n" + "".join(_option(*each) for each in options)
    return head + lines


def _factor(key: str, name: str, scope: str, *subs: str) -> str:
    names = f"    label: {{en: {name}, ko: {name}}}\n    help: {{en: {name}, ko: {name}}}\n"
    return f"  - key: {key}\n{names}    scope: [{scope}]\n    sub_factors:\n{''.join(subs)}"


YES_NO = (("yes", "Yes"), ("no", "No"))
MANNERS = tuple((f"manner_{number:02d}", f"Manner {number}") for number in range(1, 13))
BOOK = "factors:\n" + "".join(
    (
        _factor(
            "deceit",
            "Deceit",
            "fraud",
            _sub("deceived", "Deceived", YES_NO),
            _sub(
                "manner",
                "Manner of deceit",
                MANNERS,
                "        exclusive: false\n        when: {deceived: [yes]}\n",
            ),
        ),
        _factor(
            "claims",
            "Claims",
            '"*"',
            _sub("insanity", "Diminished capacity", (), "        claim: true\n"),
        ),
        _factor(
            "sentencing",
            "Sentencing",
            '"*"',
            _sub("settled", "Settled with the victim", YES_NO, "        required: false\n"),
        ),
        _factor("road", "Road", "traffic", _sub("drunk", "Drunk", YES_NO)),
    )
).replace("[yes]", '["yes"]')
_Ids = tuple[int, int, int, int, tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class TaggingHouse:
    """The workspace, its people by id, and items and cases in the order of the queue."""

    ws: Workspace
    ann: int
    ben: int
    judge: int
    lead: int
    items: tuple[int, ...]
    cases: tuple[int, ...]
    text: str


def build(
    folder: Path,
    clock: Callable[[], datetime] | None = None,
    number: int = 3,
    overlap: int = 2,
    suggestions: str = "after",
    body: tuple[str, str, str] = (FACTS, CLAIMS, REASONS),
    book: str | None = BOOK,
) -> TaggingHouse:
    """Return the project with `number` cases of fraud, called case-001 and so on.

    The last of more than one is a traffic case. Each case has suggestions of one model. Without a
    `book`, the packaged codebook holds.
    """
    ws = Workspace(folder, clock) if clock else Workspace(folder)
    recipe = "bench", number, overlap, suggestions, body, book
    made = kept(recipe, ws, lambda: _made(ws, number, overlap, suggestions, body, book))
    return TaggingHouse(ws, *made, _text(body))


def _made(
    ws: Workspace,
    number: int,
    overlap: int,
    suggestions: str,
    body: tuple[str, str, str],
    book: str | None,
) -> _Ids:
    """Make the project and return its ids."""
    migrate(ws)
    create_project(ws, SLUG, "법원", overlap)
    if book is not None:
        new_version(ws, SLUG, "codebook", Task.FACTOR_TAGGING, {"mul": book}, "for tests", 1)
    ann, ben, judge, lead = (add_person(ws, SLUG, name, role) for name, role in PEOPLE)
    cases, items = _cases(ws, number, _text(body), body, suggestions)
    return ann.id, ben.id, judge.id, lead.id, items, cases


def _text(body: Sequence[str]) -> str:
    return "\n".join(("판결", *body))


def value(*options: str, evidence: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    """Return an answer."""
    return {"options": list(options), "evidence": [dict(each) for each in evidence]}


def quoted(text: str, words: str, option: str) -> dict[str, Any]:
    """Return the first place of these words as evidence for an option."""
    start = text.index(words)
    return {"option": option, "start": start, "end": start + len(words), "quote": words}


WHOLE = (("deceived", value("no")), ("insanity", value("not_mentioned")))


def answer(
    house: TaggingHouse, who: int, item: int, said: Sequence[tuple[str, Any]] = WHOLE
) -> None:
    """Answer the sub-factors in order."""
    for field, each in said:
        form_commands.answer(house.ws, who, item, field, each)


def _cases(
    ws: Workspace, number: int, text: str, body: Sequence[str], setting: str
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    with ws.writing() as session:
        project = find_project(session, SLUG)
        at = ws.clock()
        told = (_case(f"case-{each:03d}", text, body) for each in range(1, number + 1))
        rows = add_court_cases(session, project.id, at, told)
        subjects = []
        for place, row in enumerate(rows, 1):
            group = GROUPS[1] if place == number > 1 else GROUPS[0]
            newest = _suggest(session, row.id or 0, text, at)
            shown = {
                "typology": 1,
                "groups": [group],
                "suggestions": setting,
                "suggested": newest,
            }
            subjects.append(Subject(row.id or 0, row.external_id, row.title, shown))
        items = add_items(session, project.id, Task.FACTOR_TAGGING, subjects, at)
        return tuple(row.id or 0 for row in rows), tuple(items)


def _case(name: str, text: str, body: Sequence[str]) -> dict[str, Any]:
    sections, start = [["head", 0, 3]], 3
    for section, words in zip(("facts", "claims", "sentencing"), body, strict=True):
        sections.append([section, start, start + len(words)])
        start += len(words) + 1
    return {
        "external_id": name,
        "court": "한빛지방법원",
        "date": "2024-05-02",
        "title": f"사기 {HOSTILE}",
        "charges": ["사기"],
        "provisions": ["형법 제347조 제1항"],
        "text": text,
        "sections": sections,
    }


def _suggest(session: Any, case_id: int, text: str, at: datetime) -> int:
    quote = "갚을 의사가 없었다" if "갚을 의사가 없었다" in text else text[4:12]
    start = text.index(quote)
    rows: tuple[tuple[str, list[str], str, int | None, str], ...] = (
        ("deceived", ["yes"], quote, start, "quoted"),
        ("insanity", ["claimed_not_accepted"], "꾸며 낸 말", None, "unquoted"),
        ("settled", [], "", None, "not_stated"),
    )
    last = 0
    for sub, options, words, at_, state in rows:
        stop = None if at_ is None else at_ + len(words)
        told = {"quote": words, "start": at_, "stop": stop, "state": state}
        last = add_row(session, suggestion(case_id, sub, options, at, **told))
    return last
