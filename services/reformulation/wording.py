"""Wording of multiple-choice options as yes/no questions, by template or by a model.

Wordings are proposals: a person approves each (`annotation.reformulation.decisions`). Those of the
template are made at once. A model's come from cached calls, so interrupted work resumes when
started again, and an option is asked about once per version of the prompt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from sqlmodel import Session

from annotation.people.roles import Act, reading_as, writing_as
from construction.reformulation.statements import (
    Fate,
    Refusal,
    Statement,
    reformulated,
)
from corpus.limits import QUESTION
from corpus.model import Question
from llm.batch import End, Progress, Stop
from llm.prompts.prompt_files import Prompt, prompt
from llm.reply import Status
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.answers import Structured, ask_all_for
from llm.structured.shapes import YesNoQuestion
from services.background.tasks import BackgroundTask, TaskKind, start
from services.models.prompts import project_prompts
from services.models.workspace_models import load_settings, model
from storage.db.workspace import Workspace
from storage.law.corpus import question_of
from storage.models.llm_calls import call_ids
from storage.projects import ProjectView
from storage.reformulation.reformulations import (
    Worded,
    parent_rows,
    worded_by_model,
    wordings,
)
from storage.tables.mcq import Reformulation

LANGUAGES = ("en", "ko")
PROMPT, _REPAIR = "reformulate_option", "json_repair"


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
    """Return the outcomes of the questions, without storing anything.

    Raises UserError for an unknown project, and for `by` (None: the operator) who may not make
    items.
    """
    with reading_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        return _outline(session, project)


def propose(ws: Workspace, slug: str, by: int | None = None) -> int:
    """Word every option without a wording by the template; return how many.

    Raises UserError as `outline` does.
    """
    with writing_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        found = [
            Reformulation(
                project_id=project.id,
                question_id=each.row_id,
                place=line.statement.place,
                label=line.statement.choice.label,
                option=line.statement.choice.text,
                correct=line.statement.choice.correct,
                wording=line.statement.wording,
                worded_by="template",
                at=ws.clock(),
            )
            for each in _outline(session, project).questions
            for line in each.options
            if line.worded is None
        ]
        session.add_all(found)
        return len(found)


def _outline(session: Session, project: ProjectView) -> Outline:
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
    prompts: Mapping[str, Prompt]
    repairs: Mapping[str, Prompt]


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
    """Return what is to be asked of the generating model.

    Approved options, and those that this model has worded under this prompt, are skipped. Raises
    UserError as `outline` does, and where no model is set.
    """
    own = project_prompts(ws, slug)
    prompts, repairs = (
        {each: prompt(name, each, own) for each in LANGUAGES} for name in (PROMPT, _REPAIR)
    )
    with reading_as(ws, slug, by, Act.MAKE_ITEMS) as (session, project, _):
        endpoint = load_settings(ws).of(Role.GENERATE)
        versions = [each.version for each in prompts.values()]
        known = worded_by_model(session, project.id, endpoint.server, endpoint.model, versions)
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
    return ModelPlan(project.id, endpoint, *about, prompts, repairs)


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
    found: dict[int, Structured[YesNoQuestion]] = {}
    progress.total, progress.end = len(plan.asked), End.DONE
    for language in LANGUAGES:
        places = [at for at, (each, _) in enumerate(plan.asked) if _language(each) == language]
        if places and progress.end is End.DONE:
            progress.end = None
            await _collect_replies(ws, plan, language, places, found, progress, stop)
    kept, outcomes = _store_wordings(ws, plan, found)
    unanswered = len(plan.asked) - kept - sum(outcomes.values())
    end = progress.end or End.DONE
    counts = len(plan.asked), plan.already, kept, dict(sorted(outcomes.items())), unanswered
    return ModelWorded(*counts, end, progress.last_reason)


def _language(each: QuestionPlan) -> str:
    return "ko" if each.question.language == "ko" else "en"


async def _collect_replies(
    ws: Workspace,
    plan: ModelPlan,
    language: str,
    places: Sequence[int],
    replies: dict[int, Structured[YesNoQuestion]],
    progress: Progress,
    stop: Stop,
) -> None:
    wording, repair = plan.prompts[language], plan.repairs[language]
    requests = [_request(plan.endpoint, wording, *plan.asked[at]) for at in places]

    def on_value(at: int, value: Structured[YesNoQuestion]) -> None:
        replies[places[at]] = value

    async with model(ws, Role.GENERATE) as client:
        await ask_all_for(
            client, requests, YesNoQuestion, repair, on_value, progress=progress, stop=stop
        )


def _request(endpoint: Endpoint, wording: Prompt, each: QuestionPlan, option: Statement) -> Request:
    values = {"question": each.question.text, "option": option.choice.text}
    return Request(endpoint, wording.messages(values), wording.name)


def _store_wordings(
    ws: Workspace, plan: ModelPlan, replies: Mapping[int, Structured[YesNoQuestion]]
) -> tuple[int, Counter[str]]:
    """Store the wordings; return their number, and counts of failures by kind."""
    with ws.reading() as session:
        calls = call_ids(session, [each.replies[-1].key for each in replies.values()])
    rows, outcomes = [], Counter[str]()
    for at in sorted(replies):
        answer = replies[at]
        said = "" if answer.value is None else " ".join(answer.value.question.split())
        if answer.replies[-1].status is Status.FAILED:
            continue
        if not said or len(said) > QUESTION:
            refused = answer.replies[-1].status is Status.REFUSED
            outcomes["refused" if refused else "invalid"] += 1
            continue
        rows.append(_row(ws, plan, at, said, calls.get(answer.replies[-1].key)))
    with ws.writing() as session:
        session.add_all(rows)
    return len(rows), outcomes


def _row(ws: Workspace, plan: ModelPlan, at: int, wording: str, call: int | None) -> Reformulation:
    each, option = plan.asked[at]
    return Reformulation(
        project_id=plan.project_id,
        question_id=each.row_id,
        place=option.place,
        label=option.choice.label,
        option=option.choice.text,
        correct=option.choice.correct,
        wording=wording,
        worded_by="model",
        llm_call_id=call,
        prompt_version=plan.prompts[_language(each)].version,
        at=ws.clock(),
    )
