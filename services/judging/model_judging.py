"""Judging by a model: each answer against the official one, or two answers in both orders.

Replies are cached as they arrive, and verdicts stored in batches. So an interrupted run resumes
when repeated: nothing answered is asked again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from annotation.people.roles import Act, reading_as
from errors import UserError
from evaluation.judging.judged import MAJORITY
from llm.batch import Progress, Stop
from llm.reply import Reply, Status
from llm.request import Request
from llm.roles import Endpoint, Role
from services.background.tasks import BackgroundTask, TaskKind, start
from services.judging.items import show_verdicts
from services.judging.judge_prompt import BINARY, PAIRWISE, binary_values, pairwise_values
from services.judging.reading import NAME_CHARACTERS, read_binary, read_pairwise
from services.models.asking import BatchWriter, ask_each
from services.models.prompts import Prompts
from services.models.workspace_models import load_settings
from storage.db.columns import add_rows
from storage.db.workspace import Workspace
from storage.judging import CaseView, VerdictView, cases, standing_verdicts, verdict_key
from storage.models import call_ids
from storage.tables.answers import Verdict

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

    project_id: int
    name: str
    kind: JudgeTask
    endpoint: Endpoint
    askings: list[Asking]


def plan_calls(
    ws: Workspace, project_slug: str, plan: JudgingPlan, by: int | None = None
) -> JudgeCalls:
    """Return the calls of a plan, in the order of the cases, in the project's own wording if any.

    A pair is asked in both orders, one after the other; a case without an answer of the other
    system is skipped. Raises UserError for `by` without permission, without a judge model, where
    there is nothing to judge, and for an invalid judge name.
    """
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        endpoint = load_settings(ws).of(Role.JUDGE)
        everything = cases(session, project.id)
    found = list(_askings(everything, plan, endpoint, Prompts(ws, project_slug)))
    if not found:
        raise UserError("judging_no_cases")
    name = _judge_name(plan.judge or endpoint.model)
    return JudgeCalls(project.id, name, plan.kind, endpoint, found)


def _judge_name(text: str) -> str:
    """Return the name on one line. Raises UserError for that of the majority or one too long."""
    name = " ".join(text.split())
    if name == MAJORITY:
        raise UserError("judging_name_taken", name=name)
    if len(name) > NAME_CHARACTERS:
        raise UserError("judging_name_long", limit=NAME_CHARACTERS)
    return name


async def run_judge(ws: Workspace, calls: JudgeCalls, progress: Progress, stop: Stop) -> Progress:
    """Make the calls, store the verdicts that are new, show them in reviews; return how it ended.

    Verdicts that differ from the latest are stored in batches, and in the end shown in reviews.
    """
    progress.total = len(calls.askings)
    with ws.reading() as session:
        standing = standing_verdicts(session, calls.project_id, imported=False)
    known = {key: _verdict_identity(row) for key, row in standing.items()}

    def keep(batch: list[tuple[Asking, Reply]]) -> list[str]:
        """Store the verdicts that differ from the latest; return the states."""
        with ws.writing() as session:
            ids = call_ids(session, [reply.key for _, reply in batch])
            rows = [_row(ws, calls, *each, ids.get(each[1].key)) for each in batch]
            states = [row.state for row in rows]
            new = [r for r in rows if known.get(verdict_key(r)) != _verdict_identity(r)]
            add_rows(session, new)
        return states

    try:
        with BatchWriter(_AT_ONCE, keep) as writer:
            await ask_each(
                ws,
                calls.endpoint,
                calls.askings,
                lambda asking: asking.request,
                lambda *each: writer.add(each),
                progress,
                stop,
            )
    finally:
        with ws.writing() as session:
            show_verdicts(session, calls.project_id, ws.clock())
    return progress


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
    everything: Sequence[CaseView], plan: JudgingPlan, endpoint: Endpoint, prompts: Prompts
) -> Iterator[Asking]:
    """Yield a call for each answer to judge; for each pair two, one in each order."""

    def asking(
        name: str,
        case: CaseView,
        values: dict[str, str],
        other: CaseView | None = None,
        swapped: bool = False,
    ) -> Asking:
        """Return the call with these values."""
        wording = prompts.of(name, case.language)
        request = Request(endpoint, wording.messages(values), wording.name, repeat=plan.repeat)
        return Asking(case, other, swapped, request)

    others = {each.external_id: each for each in everything if each.system == plan.against}
    for case in everything:
        if case.system == plan.against or (plan.systems and case.system not in plan.systems):
            continue
        if plan.kind is JudgeTask.BINARY:
            yield asking(BINARY, case, binary_values(case))
        elif plan.against is None or case.external_id in others:
            other = others.get(case.external_id)
            for swapped in (False, True):
                values = pairwise_values(case, None if other is None else other.answer, swapped)
                yield asking(PAIRWISE, case, values, other, swapped)


def _row(
    ws: Workspace, calls: JudgeCalls, asking: Asking, reply: Reply, call: int | None
) -> Verdict:
    """Return the row of a judge's reply."""
    verdict, state = _parsed_verdict(calls.kind, reply, asking.swapped)
    return Verdict(
        case_id=asking.case.id,
        other_case_id=None if asking.other is None else asking.other.id,
        judge=calls.name,
        kind=calls.kind.value,
        swapped=asking.swapped,
        verdict=verdict,
        state=state,
        raw=reply.text,
        prompt=reply.prompt,
        llm_call_id=call,
        imported=False,
        at=ws.clock(),
    )


def _parsed_verdict(kind: JudgeTask, reply: Reply, swapped: bool) -> tuple[str | None, str]:
    """Return the verdict in a reply, None if it has none, and its state."""
    if reply.status is Status.REFUSED:
        return None, "refused"
    if reply.status is not Status.ANSWERED:
        return None, "failed"
    if kind is JudgeTask.BINARY:
        return read_binary(reply.text)
    return read_pairwise(reply.text, swapped)


def _verdict_identity(row: Verdict | VerdictView) -> tuple[int | None, str | None, str]:
    """Return the key that separates verdicts on one request: call and result."""
    return row.llm_call_id, row.verdict, row.state
