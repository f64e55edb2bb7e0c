"""Models' answers to the questions under every setting, stored as votes.

Each vote is parsed from its call, and votes are stored in batches. Interrupted work resumes when
started again: replies come from the cache, and existing votes are left alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import product, starmap

from annotation.people.roles import Act, reading_as
from construction.mcq.model import Mcq, solving_prompt, solving_values, wording_of
from errors import UserError, Where
from evaluation.mcq.votes import Setting
from evaluation.replies.choices import Parse
from evaluation.replies.likelihood import choice_by_likelihood
from evaluation.replies.outcomes import Reading, read_reply
from llm.batch import End, Progress, Stop
from llm.reply import Reply, Status
from llm.request import Request
from llm.roles import Endpoint, Role
from services.background.tasks import BackgroundTask, TaskKind, start
from services.mcq.views import QuestionState, standing_questions
from services.models.asking import BatchWriter, ask_each
from services.models.prompts import Prompts
from services.models.workspace_models import load_settings, require_files
from storage.db.workspace import Workspace
from storage.mcq.votes import CUT_OFF, REFUSED, keep_votes
from storage.models import call_ids
from storage.tables.mcq import McqVote

_TOGETHER = 250  # votes per batch


@dataclass(frozen=True, slots=True)
class AskedVote:
    """The question, setting and repeat of a call."""

    question: QuestionState
    setting: Setting
    repeat: int


def _keep(ws: Workspace, batch: list[tuple[AskedVote, Reply]]) -> list[str]:
    """Store the votes of some replies; return their outcomes."""
    with ws.writing() as session:
        calls = call_ids(session, [reply.key for _, reply in batch])
        read = [(*each, _parsed_reply(each[0].question.item, each[1])) for each in batch]
        keep_votes(session, [vote(*each, calls.get(each[1].key)) for each in read])
    return [reading.outcome.value for *_, reading in read]


def vote(asked: AskedVote, reply: Reply, reading: Reading, call: int | None) -> McqVote:
    """Return the row of a vote for a parsed reply, without storing it."""
    item = asked.question.item
    return McqVote(
        mcq_id=asked.question.id,
        setting=asked.setting.value,
        server=reply.server,
        model=reply.model,
        repeat=asked.repeat,
        choice=None if reading.option is None else reading.option - 1,
        state=_stored_state(reply, reading),
        raw=reply.text,
        logprobs=_option_logprobs(item, reply),
        wording=wording_of(item),
        llm_call_id=call,
        prompt_version=reply.prompt.rpartition("@")[2],
        at=reply.at,
    )


def _parsed_reply(item: Mcq, reply: Reply) -> Reading:
    return read_reply(
        reply.text,
        item.options,
        item.abstention,
        declared_refusal=reply.status is Status.REFUSED,
        cut=reply.finish_reason == CUT_OFF,
    )


def _stored_state(reply: Reply, reading: Reading) -> str:
    """Return the stored state; a refusal in words is distinct from a declared one."""
    if reply.status is Status.REFUSED:
        return REFUSED
    if reading.option is not None:
        return Parse.CHOSEN.value
    return reading.rule if reading.rule in tuple(Parse) else Parse.UNPARSED.value


def _option_logprobs(item: Mcq, reply: Reply) -> list[float | None] | None:
    """Return each option's log-probability, None for one not reported; None if none is."""
    labels = option_labels(item)
    found = choice_by_likelihood(reply, labels).logprobs
    if not found:
        return None
    told = (found.get(label, -math.inf) for label in labels)
    return [value if math.isfinite(value) else None for value in told]


def option_labels(item: Mcq) -> tuple[str, ...]:
    """Return the numbers shown before a question's options."""
    return tuple(str(number) for number in range(1, len(item.options) + 1))


MOST_REPEATS = 20
_ALTERNATIVES = 10  # token probabilities requested per position


@dataclass(frozen=True, slots=True)
class SolvingOptions:
    """Models, settings and repeats to ask.

    Without `models` it is the one the role names.
    """

    models: tuple[str, ...] = ()
    settings: tuple[Setting, ...] = tuple(Setting)
    repeats: int = 1


@dataclass(frozen=True, slots=True)
class Solved:
    """Result of a solving run: `calls` wanted, `recalled` of them cached, and votes by state.

    `failed` calls brought no answer and are repeated by the next run. `end` is how the batch ended,
    `reason` why the last call failed.
    """

    questions: int
    calls: int
    recalled: int
    failed: int
    states: dict[str, int]
    end: End
    reason: str


@dataclass(frozen=True, slots=True)
class SolvePlan:
    """Everything needed to start."""

    questions: tuple[QuestionState, ...]
    endpoints: tuple[Endpoint, ...]
    ask: SolvingOptions
    prompts: Prompts

    @property
    def calls(self) -> int:
        """Total number of calls."""
        each = len(self.questions) * len(self.ask.settings) * self.ask.repeats
        return each * len(self.endpoints)

    def asked(self) -> Iterator[AskedVote]:
        """Yield what each model is asked."""
        repeats = range(self.ask.repeats)
        return starmap(AskedVote, product(self.questions, self.ask.settings, repeats))

    def request(self, endpoint: Endpoint, asked: AskedVote) -> Request:
        """Return the call that asks a question."""
        item = asked.question.item
        wording = self.prompts.of(solving_prompt(asked.setting), item.pair.source.language)
        return Request(
            endpoint,
            wording.messages(solving_values(item, asked.setting)),
            wording.name,
            logprobs=_ALTERNATIVES,
            repeat=asked.repeat,
            options=option_labels(item),
        )


def plan_solving(
    ws: Workspace, project_slug: str, ask: SolvingOptions, by: int | None = None
) -> SolvePlan:
    """Plan the calls: every question that reviewers have not dropped.

    A corrected one is asked as corrected. Raises UserError for `by` without permission, a number
    out of range, no setting, no question, where no model is set, and for a missing local one.
    """
    if not 1 <= ask.repeats <= MOST_REPEATS:
        raise UserError("mcq_repeats", Where(field="repeats"), most=MOST_REPEATS)
    if not ask.settings:
        raise UserError("mcq_settings", Where(field="settings"))
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        endpoint = load_settings(ws).of(Role.SOLVE)
        found = [each for each in standing_questions(session, project.id) if not each.dropped]
    if not found:
        raise UserError("mcq_none", slug=project_slug)
    names = tuple(dict.fromkeys(name.strip() for name in ask.models if name.strip()))
    models = names or (endpoint.model,)
    endpoints = tuple(replace(endpoint, model=each) for each in models)
    for each in endpoints:
        require_files(each)
    return SolvePlan(tuple(found), endpoints, ask, Prompts(ws, project_slug))


def start_solving(
    ws: Workspace, project_slug: str, ask: SolvingOptions, by: int | None = None
) -> BackgroundTask[Solved]:
    """Start solving questions in the background.

    Raises UserError as `plan_solving` does, and while it is already running.
    """
    work = partial(solve, ws, plan_solving(ws, project_slug, ask, by))
    return start(ws, project_slug, TaskKind.SOLVE_MCQ, work, by=by)


async def solve(ws: Workspace, plan: SolvePlan, progress: Progress, stop: Stop) -> Solved:
    """Ask everything in the plan, model by model, and store the votes; return the result.

    It ends early once `stop` is set, the budget is reached or the server refuses.
    """
    progress.total = plan.calls
    with BatchWriter(_TOGETHER, partial(_keep, ws)) as writer:

        def take(asked: AskedVote, reply: Reply) -> None:
            """Keep a reply, unless the call failed."""
            if reply.status is not Status.FAILED:
                writer.add((asked, reply))

        for endpoint in plan.endpoints:
            request_of = partial(plan.request, endpoint)
            await ask_each(ws, endpoint, plan.asked(), request_of, take, progress, stop)
            if progress.end is not End.DONE:
                break
    return Solved(
        questions=len(plan.questions),
        calls=plan.calls,
        recalled=progress.recalled,
        failed=progress.statuses[Status.FAILED],
        states=dict(sorted(writer.states.items())),
        end=progress.end or End.DONE,
        reason=progress.last_reason,
    )
