"""Judging by a model: each answer against the official one, or two answers in both orders.

Replies are cached as they arrive, and verdicts stored in batches. So an interrupted run resumes
when repeated: nothing answered is asked again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from sqlmodel import Session, col, select

from annotation.people.roles import Act, allow
from errors import UserError
from evaluation.judging.judged import MAJORITY
from llm.batch import Progress, Stop
from llm.prompts.prompt_files import PromptSource, prompt
from llm.reply import Reply, Status
from llm.request import Request
from llm.roles import Endpoint, Role
from services.background.tasks import BackgroundTask, TaskKind, start
from services.judging.items import show_verdicts
from services.judging.judge_prompt import BINARY, PAIRWISE, binary_values, pairwise_values
from services.judging.reading import NAME_CHARACTERS, read_binary, read_pairwise
from services.models.asking import BatchWriter
from services.models.llm_adapter import ask_and_keep
from services.models.prompts import project_prompts
from services.models.workspace_models import load_settings
from storage.db.columns import add_rows
from storage.db.workspace import Workspace
from storage.judging import CaseView, VerdictView, cases, standing_verdicts, verdict_key
from storage.projects import find_project
from storage.tables.answers import Verdict
from storage.tables.models import LlmCall

_AT_ONCE = 200  # verdicts per batch


class JudgeTask(StrEnum):
    """Kind of question for a judge."""

    BINARY = "binary"  # is the answer correct?
    PAIRWISE = "pairwise"  # which of two answers is better?


@dataclass(frozen=True, slots=True)
class JudgingPlan:
    """What to ask: `judge` names the verdicts (default: the model's name).

    `systems` are those to judge, empty for all. A pairwise judge compares them with the answers of
    `against`, None for the official answers. Another `repeat` asks everything anew.
    """

    kind: JudgeTask = JudgeTask.BINARY
    judge: str = ""
    systems: tuple[str, ...] = ()
    against: str | None = None
    repeat: int = 0


@dataclass(frozen=True, slots=True)
class Asking:
    """One call: the case, the one compared with, their order, and the request."""

    case: CaseView
    other: CaseView | None
    swapped: bool
    request: Request


@dataclass(frozen=True, slots=True)
class JudgeCalls:
    """Everything needed to start; `name` is the verdicts' judge name."""

    project_slug: str
    name: str
    kind: JudgeTask
    askings: list[Asking]


def plan_calls(
    ws: Workspace, project_slug: str, plan: JudgingPlan, by: int | None = None
) -> JudgeCalls:
    """Return the calls of a plan, in the order of the cases, in the project's own wording if any.

    A pair is asked in both orders, one after the other; a case without an answer of the other
    system is skipped. Raises UserError for `by` without permission, without a judge model, where
    there is nothing to judge, and for an invalid judge name.
    """
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    endpoint = load_settings(ws).of(Role.JUDGE)
    with ws.reading() as session:
        everything = cases(session, find_project(session, project_slug).id)
    wording = project_prompts(ws, project_slug)
    found = list(_askings(everything, plan, endpoint, wording))
    if not found:
        raise UserError("judging_no_cases")
    return JudgeCalls(project_slug, _judge_name(plan.judge or endpoint.model), plan.kind, found)


def _judge_name(text: str) -> str:
    name = " ".join(text.split())
    if name == MAJORITY:
        raise UserError("judging_name_taken", name=name)
    if len(name) > NAME_CHARACTERS:
        raise UserError("judging_name_long", limit=NAME_CHARACTERS)
    return name


async def run_judge(ws: Workspace, calls: JudgeCalls, progress: Progress, stop: Stop) -> Progress:
    """Ask everything not answered yet; return how it ended."""
    keeper = _Keeper(ws, calls)
    requests = [asking.request for asking in calls.askings]
    return await ask_and_keep(ws, Role.JUDGE, requests, keeper.take, keeper.finish, progress, stop)


def start_judging(
    ws: Workspace, project_slug: str, plan: JudgingPlan, by: int | None = None
) -> BackgroundTask[Progress]:
    """Start a judge in the background.

    Raises UserError as `plan_calls` does, and while a model is being asked in the project.
    """
    calls = plan_calls(ws, project_slug, plan, by)
    work, total = partial(run_judge, ws, calls), len(calls.askings)
    return start(ws, project_slug, TaskKind.JUDGE, work, name=calls.name, by=by, total=total)


def _askings(
    everything: Sequence[CaseView], plan: JudgingPlan, endpoint: Endpoint, source: PromptSource
) -> Iterator[Asking]:
    """Yield the answers to judge, each with its rival if the judgment is pairwise."""
    others = {each.external_id: each for each in everything if each.system == plan.against}
    for case in everything:
        if case.system == plan.against or (plan.systems and case.system not in plan.systems):
            continue
        if plan.kind is JudgeTask.BINARY:
            yield Asking(case, None, False, _binary_request(case, endpoint, plan.repeat, source))
        elif plan.against is None or case.external_id in others:
            other = others.get(case.external_id)
            for swapped in (False, True):
                request = _pairwise_request(case, other, swapped, endpoint, plan.repeat, source)
                yield Asking(case, other, swapped, request)


def _binary_request(
    case: CaseView, endpoint: Endpoint, repeat: int, source: PromptSource
) -> Request:
    wording = prompt(BINARY, case.language, source)
    return Request(endpoint, wording.messages(binary_values(case)), wording.name, repeat=repeat)


def _pairwise_request(
    case: CaseView,
    other: CaseView | None,
    swapped: bool,
    endpoint: Endpoint,
    repeat: int,
    source: PromptSource,
) -> Request:
    wording = prompt(PAIRWISE, case.language, source)
    values = pairwise_values(case, None if other is None else other.answer, swapped)
    return Request(endpoint, wording.messages(values), wording.name, repeat=repeat)


class _Keeper(BatchWriter[tuple[Asking, Reply]]):
    """Writer that turns replies into verdicts and stores new ones, in batches."""

    def __init__(self, ws: Workspace, calls: JudgeCalls) -> None:
        super().__init__(_AT_ONCE)
        self._ws, self._judge, self._kind = ws, calls.name, calls.kind
        self._askings: dict[str, list[Asking]] = {}
        for asking in calls.askings:
            self._askings.setdefault(asking.request.key, []).append(asking)
        with ws.reading() as session:
            self._project = find_project(session, calls.project_slug).id
            standing = standing_verdicts(session, self._project, imported=False)
            self._standing = {key: _verdict_identity(row) for key, row in standing.items()}

    def take(self, request: Request, reply: Reply) -> None:
        """Queue a reply for writing."""
        # Askings of equal words are one call, and all of them are answered by its reply.
        for asking in self._askings.pop(request.key, []):
            self.add((asking, reply))

    def finish(self) -> None:
        """Write the remaining verdicts, and show them in reviews."""
        self.write()
        with self._ws.writing() as session:
            show_verdicts(session, self._project, self._ws.clock())

    def keep(self, batch: list[tuple[Asking, Reply]]) -> None:
        """Store the verdicts that differ from the latest."""
        with self._ws.writing() as session:
            calls = _call_ids(session, [reply.key for _, reply in batch])
            rows = [self._row(asking, reply, calls) for asking, reply in batch]
            add_rows(
                session,
                [
                    row
                    for row in rows
                    if self._standing.get(verdict_key(row)) != _verdict_identity(row)
                ],
            )

    def _row(self, asking: Asking, reply: Reply, calls: dict[str, int]) -> Verdict:
        """Return the row of a judge's reply."""
        verdict, state = _parsed_verdict(self._kind, reply, asking.swapped)
        return Verdict(
            case_id=asking.case.id,
            other_case_id=None if asking.other is None else asking.other.id,
            judge=self._judge,
            kind=self._kind.value,
            swapped=asking.swapped,
            verdict=verdict,
            state=state,
            raw=reply.text,
            prompt=reply.prompt,
            llm_call_id=calls.get(reply.key),
            imported=False,
            at=self._ws.clock(),
        )


def _parsed_verdict(kind: JudgeTask, reply: Reply, swapped: bool) -> tuple[str | None, str]:
    """Return the verdict in a reply, and its state if it has none."""
    if reply.status is Status.REFUSED:
        return None, "refused"
    if reply.status is not Status.ANSWERED:
        return None, "failed"
    if kind is JudgeTask.BINARY:
        return read_binary(reply.text)
    return read_pairwise(reply.text, swapped)


def _call_ids(session: Session, keys: Sequence[str]) -> dict[str, int]:
    """Return the newest call id of each key."""
    query = select(LlmCall.request_hash, LlmCall.id).where(col(LlmCall.request_hash).in_(keys))
    return {key: number or 0 for key, number in session.exec(query.order_by(col(LlmCall.id)))}


def _verdict_identity(row: Verdict | VerdictView) -> tuple[int | None, str | None, str]:
    """Return the key that separates verdicts on one request: call and result."""
    return row.llm_call_id, row.verdict, row.state
