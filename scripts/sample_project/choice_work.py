"""Questions with options: their import, yes/no questions made of them, and what readers choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from annotation.reformulation import approve, refuse
from construction.answers import ContextSpec, Format, Kind, options_of
from corpus.model import Question
from llm.request import Request
from llm.roles import Role
from normalization.hashing import seeded_hash
from scripts.sample_project.desk import WORK, Act, Desk, read_yaml
from scripts.sample_project.stand_in_models import asked_of, stand_in
from services.answers.asking import start_answers
from services.answers.material import asked_questions, named_runs
from services.answers.planning import AnswerOptions
from services.law.importing import import_questions
from services.mapping.candidates import build_candidates
from services.reformulation.wording import outline, propose
from services.sample.people import SLUG
from storage.projects import find_project

_SHOWN = 4  # provisions in a context


def acts() -> Iterator[Act]:
    """Yield the work on questions with options."""
    written = read_yaml("choices.yaml")
    yield Act("2026-11-06 11:00", _bring_questions)
    yield Act("2026-11-13 16:00", partial(_reword, written=written))
    yield Act("2026-11-19 11:30", partial(_choose, written=written))


def _bring_questions(desk: Desk) -> None:
    by = desk.person("Han Bora")
    import_questions(desk.ws, SLUG, WORK / "choices.jsonl", by=by)
    build_candidates(desk.ws, SLUG, by=by)


def _reword(desk: Desk, written: Mapping[str, Any]) -> None:
    """Make yes/no questions of options: approve some, refuse one, leave the others open."""
    by = desk.person("Han Bora")
    propose(desk.ws, SLUG, by=by)
    for planned in outline(desk.ws, SLUG, by=by).questions:
        said = written["reworded"].get(planned.question.external_id, {})
        for option in planned.options:
            worded = option.worded
            if worded is not None and worded.label in said.get("approved", ""):
                approve(desk.ws, SLUG, worded.id, by=by)
            elif worded is not None and worded.label in said.get("refused", ""):
                refuse(desk.ws, SLUG, worded.id, said["reason"], by=by)


def _choose(desk: Desk, written: Mapping[str, Any]) -> None:
    """Have both readers choose under every context; how often they are right is in the file."""
    with desk.ws.reading() as session:
        project_id = find_project(session, SLUG).id
        found = asked_questions(session, project_id)
        runs = {each.name: each.id for each in named_runs(session, project_id)}
    asked = {each.question.text: each.question for each in found}
    contexts = {
        "none": ContextSpec(Kind.NONE),
        "run": ContextSpec(Kind.RUN, k=_SHOWN, run_id=runs[written["run"]]),
        "gold": ContextSpec(Kind.GOLD),
    }
    for reader, rates in written["right"].items():
        for name, context in contexts.items():
            says = partial(_letter, asked=asked, reader=reader, of_ten=rates[name])
            with stand_in(desk.ws, reader, says):
                options = AnswerOptions(
                    (Role.SOLVE,), (context,), (Format.CHOICE_GENERATED,), anchor=False
                )
                start_answers(desk.ws, SLUG, options, by=desk.person("Han Bora")).wait()


def _letter(request: Request, asked: Mapping[str, Question], reader: str, of_ten: int) -> str:
    """Return the letter of a right option of so many of ten questions, else of a wrong one."""
    text = asked_of(request)
    question = max((each for each in asked if each in text), key=len)
    options = options_of(asked[question])
    right = seeded_hash(35, reader, question) % 10 < of_ten
    return next((each.letter for each in options if bool(each.correct) == right), "A")
