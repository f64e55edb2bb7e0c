"""A project with questions to choose from, and answers of two models under every context.

c01 … c10 have four options of which B is right, five of each difficulty; c01 … c08 have gold. y1 is
answered with yes. f1 is free, n1 has options of which nobody says which is right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlmodel import select

from annotation.mapping.commands import add_unit
from annotation.people.members import add_person
from annotation.work.commands import submit
from annotation.work.queue_service import open_item, queue
from corpus.model import Choice, Question
from services.mapping.candidates import build_candidates
from storage.db.columns import add_rows
from storage.db.migrate import migrate
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.law.corpus import unit_ids
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from storage.runs.run_store import RunKey, keep_run
from storage.tables.answers import AnswerRun, ModelAnswer, Verdict
from storage.tables.core import QuestionRow
from storage.tables.models import LlmCall
from tests.projects.answer_rows import answer_run, judge_case
from tests.projects.closure_law import FINE, INSPECTION, PENALTY, RAFTS, REPORT, law
from tests.projects.project_cache import kept

SLUG = "ferry-choice"
CHOICES = [f"c{at:02}" for at in range(1, 11)]
WITH_GOLD = CHOICES[:8]
GOLD = {name: REPORT if at % 2 else INSPECTION for at, name in enumerate(WITH_GOLD)}
PSEUDO_TEXT = "나룻배는 신고하여야 한다고 생각합니다."
HARM = "<img src=x onerror=alert(1)> **보기**"


@dataclass(frozen=True, slots=True)
class Downstream:
    """The workspace, its people by id, the stored run, and the systems' names."""

    ws: Workspace
    ann: int
    lead: int
    run: int


def downstream(folder: Path, clock: Any = None) -> Downstream:
    """Make the project in a new workspace."""
    ws = Workspace(folder) if clock is None else Workspace(folder, clock)
    return Downstream(ws, *kept("downstream", ws, lambda: _made(ws)))


def questions() -> list[Question]:
    """Return the questions as they are imported."""
    marked = [Choice(label, f"{label}의 내용", label == "B") for label in "ABCD"]
    marked[2] = Choice("C", HARM, False)
    found = [
        Question(
            name,
            f"{name}: 나룻배를 부리려면 어떻게 합니까?",
            "신고합니다.",
            "ko",
            columns=(("difficulty", "L1" if at < 5 else "L2"),),
            choices=tuple(marked),
        )
        for at, name in enumerate(CHOICES)
    ]
    unmarked = tuple(Choice(each.label, each.text) for each in marked)
    return [
        *found,
        Question("y1", "뗏목도 검사를 받습니까?", "예", "ko"),
        Question("f1", "누구에게 신고합니까?", "시장입니다.", "ko"),
        Question("n1", "다음 중 무엇입니까?", "알 수 없음", "ko", choices=unmarked),
    ]


def _made(ws: Workspace) -> tuple[int, int, int]:
    migrate(ws)
    create_project(ws, SLUG, "Ferry choices")
    keep_statutes(ws, SLUG, law(), "first")
    keep_questions(ws, SLUG, questions(), "questions.jsonl")
    build_candidates(ws, SLUG)
    ann, ben = (add_person(ws, SLUG, name, "annotator").id for name in ("Ann", "Ben"))
    lead = add_person(ws, SLUG, "Lee", "researcher").id
    items = {each.external_id: each.item_id for each in queue(ws, ann)}
    with ws.reading() as session:
        numbers = unit_ids(session, 1)
    for person in (ann, ben):
        for question, unit in GOLD.items():
            open_item(ws, person, items[question])
            add_unit(ws, person, items[question], numbers[unit])
            submit(ws, person, items[question])
    run = _keep_run(ws)
    _small(ws, run)
    _big(ws)
    return ann, lead, run


def _keep_run(ws: Workspace) -> int:
    """Keep a run that finds the gold of c01 … c04 alone."""
    key = RunKey(1, 1, "bm25", {"k": 10, "tokeniser": "whitespace"}, "")
    found = {
        name: [(GOLD[name] if at < 4 else FINE, 2.0), (RAFTS, 1.0), (PENALTY, 0.5)]
        for at, name in enumerate(WITH_GOLD)
    }
    with ws.writing() as session:
        return keep_run(session, key, found, ws.clock())


def add_answers(
    ws: Workspace,
    system: str,
    context: Mapping[str, Any],
    said: Mapping[Any, Any],
    form: str = "choice_likelihood",
    model: str = "small",
) -> int:
    """Add a setting and its answers by hand; return its id.

    `said` maps a question, or a question and a passage, to an option, an option with its
    log-probability, or a state.
    """
    with ws.writing() as session:
        number = add_row(session, answer_run(ws.clock(), system, context, form, model=model))
        numbers = _numbers(session)
        for key, value in said.items():
            question, passage = key if isinstance(key, tuple) else (key, 0)
            answer = _answer(value)
            shown = _shown(session, ws, context, question, passage)
            session.add(
                ModelAnswer(
                    answer_run_id=number,
                    question_id=numbers[question],
                    passage=passage,
                    context=shown,
                    at=ws.clock(),
                    **answer,
                )
            )
        return number


def _answer(value: Any) -> dict[str, Any]:
    if isinstance(value, dict):
        return value
    if isinstance(value, tuple):
        label, sure = value
        others = {each: -5.0 for each in "ABCD" if each != label}
        found = {label: sure} | others
        return {"state": "answered", "raw": label, "choice": label, "logprobs": found}
    if len(value) == 1:
        return {"state": "answered", "raw": value, "choice": value, "answer": value}
    return {"state": value, "raw": f"({value})"}


def _numbers(session: Any) -> dict[str, int]:
    return {row.external_id: row.id for row in session.exec(select(QuestionRow))}


def _shown(
    session: Any, ws: Workspace, context: Mapping[str, Any], question: str, passage: int
) -> list[dict[str, Any]]:
    kind = context["kind"]
    if kind == "none":
        return []
    if kind == "pseudo":
        call = LlmCall(
            request_hash=f"pseudo-{question}-{ws.clock()}",
            role="solve",
            prompt_id="answer_pseudo",
            prompt_version="1",
            server="http://x/v1",
            model="small",
            parameters={},
            status="answered",
            response=PSEUDO_TEXT,
            finish_reason="stop",
            seconds=1.0,
            attempts=1,
            form="text",
            logprobs=None,
            vectors=[],
            at=ws.clock(),
        )
        session.add(call)
        session.flush()
        shown = _part("", "", "pseudo", len(PSEUDO_TEXT))
        return [shown | {"text": PSEUDO_TEXT, "call": call.id}]
    if kind == "run":
        units = [GOLD[question] if question in CHOICES[:4] else FINE, RAFTS, PENALTY]
        parts = [_part(unit, unit, "retrieved") for unit in units]
        return [parts[passage - 1]] if passage else parts
    return [_part(GOLD[question], GOLD[question], "gold")]


def _part(unit: str, label: str, origin: str, characters: int = 3000) -> dict[str, Any]:
    return {
        "unit": unit,
        "label": label,
        "origin": origin,
        "text_sha256": "",
        "characters": characters,
    }


def by_letters(letters: str, names: Sequence[str] = CHOICES) -> dict[str, Any]:
    """Return what was said of each question: a letter each, R, U, F, E being states."""
    states = {"R": "refused", "U": "unread", "F": "failed", "E": "empty", "X": "cut_off"}
    found = {}
    for name, letter in zip(names, letters, strict=False):
        found[name] = states[letter] if letter in states else (letter.upper(), -0.5)
    return found


def _small(ws: Workspace, run: int) -> None:
    """Answer by likelihood: right on 2 with nothing, on all 8 with the gold."""
    stored = {"kind": "run", "k": 10, "run": "BM25", "run_id": run}
    add_answers(ws, "small none", {"kind": "none"}, by_letters("bbaaaaaacc") | {"y1": "A"})
    add_answers(ws, "small pseudo", {"kind": "pseudo"}, by_letters("bbbaaaaaaa"))
    add_answers(ws, "small run", stored, by_letters("bbbbbaaR", WITH_GOLD))
    add_answers(ws, "small gold", {"kind": "gold"}, by_letters("bbbbbbbb", WITH_GOLD))
    alone: dict[Any, Any] = {}
    for at, name in enumerate(WITH_GOLD):
        alone[name, 1] = ("B", -0.3) if at < 4 else ("A", -0.9)
        alone[name, 2] = ("C", -0.6) if at < 6 else ("B", -0.1)
    alone["c05", 3] = "B"  # without a log-probability
    add_answers(ws, "small one by one", {**stored, "single": True}, alone)


def _big(ws: Workspace) -> None:
    """Answer by writing the letter, with every state; and in words, two of three judged."""
    more = {"form": "choice_generated", "model": "big"}
    none = by_letters("bbbbRUFEX") | {"n1": "A"}
    add_answers(ws, "big none", {"kind": "none"}, none, **more)
    add_answers(ws, "big gold", {"kind": "gold"}, by_letters("bbbbaaaa", WITH_GOLD), **more)
    text = {"state": "answered", "raw": "시장에게 신고합니다.", "answer": "시장에게 신고합니다."}
    words: dict[str, Any] = dict.fromkeys(("c01", "c02", "f1"), text) | {"y1": "refused"}
    add_answers(ws, "big words", {"kind": "none"}, words, form="free", model="big")
    _judge(ws, {"c01": "correct", "c02": None, "f1": "incorrect"})


def _judge(ws: Workspace, said: Mapping[str, str | None]) -> None:
    """Let a judge say of the answers in words what it finds, None where it says nothing."""
    with ws.writing() as session:
        rows = session.exec(select(ModelAnswer, AnswerRun).join(AnswerRun)).all()
        numbers = {number: name for name, number in _numbers(session).items()}
        for row, of in rows:
            name = numbers[row.question_id]
            if of.system != "big words" or name not in said:
                continue
            told = {"answer": row.raw, "question_id": row.question_id}
            case = add_row(session, judge_case(ws.clock(), name, of.system, **told))
            judged = ModelAnswer(
                answer_run_id=of.id or 0,
                question_id=row.question_id,
                state="answered",
                raw=row.raw,
                answer=row.raw,
                context=[],
                judge_case_id=case,
                at=ws.clock(),
            )
            session.add(judged)
            verdict = said[name]
            state = "unread" if verdict is None else "said"
            said_of: dict[str, Any] = {"case_id": case, "judge": "gavel", "kind": "binary"}
            said_of |= {"verdict": verdict, "state": state, "imported": False, "at": ws.clock()}
            add_rows(session, [Verdict(**said_of)])
