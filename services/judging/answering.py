"""Ask a model the project's questions, so that its answers can be judged.

As with judges, replies are kept as they come and answers a few at a time: a run that was stopped or
killed is taken up by running it again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from sqlmodel import Session, col, select

from annotation.people.roles import Act, allow
from errors import UserError
from llm.batch import Progress, Stop
from llm.prompts.prompt_files import PromptSource, prompt
from llm.reply import Reply, Status
from llm.request import Request
from llm.roles import Endpoint, Role
from services.background.tasks import BackgroundTask, TaskKind, start
from services.judging.items import keep_cases, provisions_of_gold
from services.judging.judge_prompt import provisions_text
from services.judging.reading import NAME_CHARACTERS
from services.models.llm_adapter import ask_and_keep
from services.models.prompts import project_prompts
from services.models.workspace_models import load_settings
from storage.db.workspace import Workspace
from storage.judging.verdicts import cases
from storage.projects import find_project
from storage.tables.core import QuestionRow
from storage.tables.judging import JudgeCase

_AT_ONCE = 100  # answers that are written together
Gold = Mapping[str, Sequence[Mapping[str, str]]]


class Setting(StrEnum):
    """What a model has before it when it answers."""

    CLOSED = "closed"  # the question alone
    CONTEXT = "context"  # with the provisions that are gold for it


@dataclass(frozen=True, slots=True)
class Answering:
    """What to ask: `system` names the answers (by default the model's name and the setting)."""

    setting: Setting = Setting.CLOSED
    system: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """One call, and the answer that it makes once it is answered."""

    request: Request
    question: QuestionRow
    provisions: list[dict[str, str]]


@dataclass(frozen=True, slots=True)
class AnswerCalls:
    """Everything needed to begin: `system` is what the answers are called."""

    project_slug: str
    system: str
    askings: list[Asking]


def plan_answers(
    ws: Workspace, project_slug: str, plan: Answering, by: int | None = None
) -> AnswerCalls:
    """Return the calls of a plan: every question that the system has not answered yet.

    With the setting `CONTEXT`, only questions whose gold is settled and names provisions. Raises
    UserError for who may not, without a model of the role solve, for a name that is none, and where
    there is no question.
    """
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    endpoint = load_settings(ws).of(Role.SOLVE)
    system = _system(plan, endpoint)
    askings = _askings(ws, project_slug, plan, endpoint, system)
    return AnswerCalls(project_slug, system, askings)


async def answer_questions(
    ws: Workspace, calls: AnswerCalls, progress: Progress, stop: Stop
) -> Progress:
    """Ask everything of the plan; return how it ended. A refusal and an empty answer are none."""
    keeper = _Keeper(ws, calls)
    requests = [asking.request for asking in calls.askings]
    return await ask_and_keep(ws, Role.SOLVE, requests, keeper.take, keeper.write, progress, stop)


def start_answers(
    ws: Workspace, project_slug: str, plan: Answering, by: int | None = None
) -> BackgroundTask[Progress]:
    """Begin to ask for answers; return at once.

    Raises UserError as `plan_answers` does, and while a model is being asked in the project.
    """
    calls = plan_answers(ws, project_slug, plan, by)
    work, total = partial(answer_questions, ws, calls), len(calls.askings)
    return start(ws, project_slug, TaskKind.JUDGE, work, name=calls.system, by=by, total=total)


def _system(plan: Answering, endpoint: Endpoint) -> str:
    name = " ".join((plan.system or f"{endpoint.model} ({plan.setting})").split())
    if len(name) > NAME_CHARACTERS:
        raise UserError("judging_name_long", limit=NAME_CHARACTERS)
    return name


def _askings(
    ws: Workspace, slug: str, plan: Answering, endpoint: Endpoint, system: str
) -> list[Asking]:
    gold, wording = provisions_of_gold(ws, slug), project_prompts(ws, slug)
    with ws.reading() as session:
        project = find_project(session, slug)
        answered = {e.external_id for e in cases(session, project.id) if e.system == system}
        questions = _questions(session, project.id)
    fit = [
        question
        for question in questions
        if question.answer and (plan.setting is Setting.CLOSED or gold.get(question.external_id))
    ]
    if not fit:
        raise UserError("judging_no_questions")
    return [
        _asking(each, gold, plan.setting, endpoint, wording)
        for each in fit
        if each.external_id not in answered
    ]


def _questions(session: Session, project_id: int) -> list[QuestionRow]:
    query = select(QuestionRow).where(QuestionRow.project_id == project_id)
    found = list(session.exec(query.order_by(col(QuestionRow.id))))
    for each in found:
        session.expunge(each)
    return found


def _asking(
    question: QuestionRow,
    gold: Gold,
    setting: Setting,
    endpoint: Endpoint,
    source: PromptSource,
) -> Asking:
    provisions = [dict(each) for each in gold.get(question.external_id, [])]
    values = {"question": question.text}
    if setting is Setting.CONTEXT:
        values["context"] = provisions_text(provisions, question.language)
    wording = prompt(f"answer_{setting}", question.language, source)
    request = Request(endpoint, wording.messages(values), wording.name)
    return Asking(request, question, provisions)


class _Keeper:
    """Turns replies into answers to be judged and adds them, some at a time."""

    def __init__(self, ws: Workspace, calls: AnswerCalls) -> None:
        self._ws, self._slug, self._system = ws, calls.project_slug, calls.system
        self._askings: dict[str, list[Asking]] = {}
        for asking in calls.askings:
            self._askings.setdefault(asking.request.key, []).append(asking)
        self._waiting: list[JudgeCase] = []

    def take(self, request: Request, reply: Reply) -> None:
        """Keep an answer, now or a little later."""
        answer = reply.text.strip()
        for asking in self._askings.pop(request.key, []):
            if reply.status is Status.ANSWERED and answer:
                self._waiting.append(self._case(asking, answer, reply))
        if len(self._waiting) >= _AT_ONCE:
            self.write()

    def write(self) -> None:
        """Add the answers that wait, with the items of rating and of review."""
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        with self._ws.writing() as session:
            project = find_project(session, self._slug)
            there = {(case.external_id, case.system) for case in cases(session, project.id)}
            new = [row for row in waiting if (row.external_id, row.system) not in there]
            keep_cases(session, project.id, new, self._ws.clock())

    def _case(self, asking: Asking, answer: str, reply: Reply) -> JudgeCase:
        question = asking.question
        return JudgeCase(
            project_id=question.project_id,
            external_id=question.external_id,
            system=self._system,
            question=question.text,
            reference=question.answer,
            provisions=asking.provisions,
            kind="",
            language=question.language,
            answer=answer,
            question_id=question.id,
            source={"call": reply.key, "prompt": reply.prompt, "model": reply.model},
            at=self._ws.clock(),
        )
