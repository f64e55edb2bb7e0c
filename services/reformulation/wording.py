"""Wording of multiple-choice options as yes/no questions, by template or by a model.

Wordings are proposals: a person approves each (`annotation.reformulation`). Those of the
template are made at once. A model's come from cached calls, so interrupted work resumes when
started again, and an option is asked about once per version of the prompt.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlmodel import Session

from annotation.people.roles import Act, reading_as, writing_as
from construction.reformulation import (
    Fate,
    Refusal,
    Statement,
    reformulated,
)
from corpus.limits import QUESTION
from corpus.model import Question
from llm.batch import End, Progress, Stop
from llm.reply import Status
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.shapes import YesNoQuestion
from services.background.tasks import BackgroundTask, TaskKind, start
from services.models.asking import Wordings, said_of_each
from services.models.workspace_models import load_settings
from storage.db.workspace import Workspace
from storage.law.corpus import question_of
from storage.projects import ProjectView
from storage.reformulation import (
    Worded,
    parent_rows,
    worded_by_model,
    wordings,
)
from storage.tables.mcq import Reformulation

PROMPT = "reformulate_option"


@dataclass(frozen=True, slots=True)
class OptionLine:
    """An option of a question with its newest wording, None where there is none yet."""

    statement: Statement
    worded: Worded | None

    @property
    def state(self) -> str:
        """Return ``unworded``, ``open``, ``approved`` or ``refused``."""
        return "unworded" if self.worded is None else self.worded.state


@dataclass(frozen=True, slots=True)
class QuestionPlan:
    """A question with its outcome and the state of its options; `row_id` is its row's."""

    row_id: int
    question: Question
    fate: Fate
    refusal: Refusal | None
    options: tuple[OptionLine, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """Outcomes of every question of a project that is not derived from an option itself."""

    questions: tuple[QuestionPlan, ...]

    def fates(self) -> dict[str, int]:
        """Return the number of questions per outcome."""
        counts = Counter(each.fate for each in self.questions)
        return {str(fate): counts[fate] for fate in Fate}

    def refusals(self) -> dict[str, int]:
        """Return the number of refused questions per reason."""
        counts = Counter(each.refusal for each in self.questions if each.refusal)
        return {str(why): counts[why] for why in Refusal if counts[why]}

    def states(self) -> dict[str, int]:
        """Return the number of options per state."""
        counts = Counter(line.state for each in self.questions for line in each.options)
        return {name: counts[name] for name in ("unworded", "open", "approved", "refused")}


def outline(ws: Workspace, slug: str, by: int | None = None) -> Outline:
    """Return each question's outcome and the state of its options, without storing anything.

    Raises UserError for an unknown project, and for `by` (None: the operator) who may not make
    items.
    """
    with reading_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        return _outline(session, project)


def propose(ws: Workspace, slug: str, by: int | None = None) -> int:
    """Word every option without a wording by the template, store these, and return how many.

    Raises UserError as `outline` does.
    """
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        found = [
            _row(ws, project.id, each, option, wording=option.wording, worded_by="template")
            for each in _outline(session, project).questions
            for option in (line.statement for line in each.options if line.worded is None)
        ]
        session.add_all(found)
        return len(found)


def _row(
    ws: Workspace, project_id: int, each: QuestionPlan, option: Statement, **worded: Any
) -> Reformulation:
    """Return the row of an option that was worded."""
    return Reformulation(
        project_id=project_id,
        question_id=each.row_id,
        place=option.place,
        label=option.choice.label,
        option=option.choice.text,
        correct=option.choice.correct,
        at=ws.clock(),
        **worded,
    )


def _outline(session: Session, project: ProjectView) -> Outline:
    """Return the questions with options and the wordings made of them."""
    known = wordings(session, project.id)
    found = []
    for row in parent_rows(session, project.id):
        question = question_of(row)
        became, number = reformulated(question), row.id or 0
        lines = tuple(
            OptionLine(each, known.get((number, each.place))) for each in became.statements
        )
        found.append(QuestionPlan(number, question, became.fate, became.refusal, lines))
    return Outline(tuple(found))


@dataclass(frozen=True, slots=True)
class ModelPlan:
    """Options to ask a model about (`asked`), with `already` worded ones skipped."""

    project_id: int
    endpoint: Endpoint
    asked: tuple[tuple[QuestionPlan, Statement], ...]
    already: int
    wordings: Wordings


@dataclass(frozen=True, slots=True)
class ModelWorded:
    """Result of asking about `asked` options: `kept` wordings, and failures.

    `outcomes` counts refused and invalid answers; `unanswered` got no answer.
    """

    asked: int
    already: int
    kept: int
    outcomes: dict[str, int]
    unanswered: int
    end: End
    reason: str = ""


def model_plan(ws: Workspace, slug: str, by: int | None = None) -> ModelPlan:
    """Plan the options that the model is to reword.

    Approved options, and those that this model has worded under this prompt, are skipped. Raises
    UserError as `outline` does, and where no model is set.
    """
    worded = Wordings.of(ws, slug, PROMPT)
    with reading_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        endpoint = load_settings(ws).of(Role.GENERATE)
        about_model = endpoint.server, endpoint.model, worded.versions
        known = worded_by_model(session, project.id, *about_model)
        every = [
            (each, line)
            for each in _outline(session, project).questions
            for line in each.options
            if line.state != "approved"
        ]
    asked = [
        (each, line.statement)
        for each, line in every
        if (each.row_id, line.statement.place) not in known
    ]
    about = tuple(asked), len(every) - len(asked)
    return ModelPlan(project.id, endpoint, *about, worded)


def start_wording(ws: Workspace, slug: str, by: int | None = None) -> BackgroundTask[ModelWorded]:
    """Start wording options by a model in the background.

    Raises UserError as `model_plan` does, and while it is already running.
    """
    work = partial(word_by_model, ws, model_plan(ws, slug, by))
    return start(ws, slug, TaskKind.REFORMULATE, work, by=by)


async def word_by_model(
    ws: Workspace, plan: ModelPlan, progress: Progress, stop: Stop
) -> ModelWorded:
    """Ask about every option of the plan, store the wordings, and return the result.

    It ends early once `stop` is set, the budget is reached or the server refuses; replies until
    then are stored.
    """
    about = YesNoQuestion, plan.wordings, progress, stop
    said = await said_of_each(ws, plan.asked, partial(_request, plan), *about)
    rows, outcomes = [], Counter[str]()
    for asked, answer, call in said:
        wording = "" if answer.value is None else " ".join(answer.value.question.split())
        if wording and len(wording) <= QUESTION:
            question, option = asked
            worded = {
                "wording": wording,
                "worded_by": "model",
                "llm_call_id": call,
                "prompt_version": plan.wordings[question.question.language].version,
            }
            rows.append(_row(ws, plan.project_id, question, option, **worded))
        else:
            refused = answer.last.status is Status.REFUSED
            outcomes["refused" if refused else "invalid"] += 1
    with ws.writing() as session:
        session.add_all(rows)
    counts = len(plan.asked), plan.already, len(rows), dict(sorted(outcomes.items()))
    unanswered = len(plan.asked) - len(said)
    return ModelWorded(*counts, unanswered, progress.end or End.DONE, progress.last_reason)


def _request(plan: ModelPlan, asked: tuple[QuestionPlan, Statement]) -> Request:
    """Return the request that rewords an option."""
    question, option = asked[0].question, asked[1].choice.text
    values = {"question": question.text, "option": option}
    return plan.wordings.request(plan.endpoint, question.language, values)
