"""Asks models the questions of a plan and stores each answer as it arrives.

Replies are cached by call, answers written in batches: interrupted work resumes by planning and
running it again, and nothing answered is asked twice. Systems of one model are asked together to
keep the server busy; pseudo-passages and anchors come first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sqlmodel import Session

from construction.answers import options_of, pseudo_passage
from llm.batch import End, Progress, Stop
from llm.reply import Reply, Status
from messages import say, say_counts
from normalization.grouping import grouped
from services.answers.planning import (
    FAILED,
    AnswerOptions,
    AnswerPlan,
    Call,
    SystemPlan,
    plan_answers,
    request_before,
    request_of,
    requests_before,
)
from services.answers.replies import Finding, read, read_before
from services.background.tasks import BackgroundTask, TaskKind, alone, start
from services.judging.items import keep_cases, provisions_of_gold
from services.models.asking import BatchWriter, ask_each
from services.models.llm_adapter import REPAIR, replies_to
from services.models.workspace_models import model
from storage.answers import runs, standing_states
from storage.db.columns import add_rows
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.judging import cases
from storage.models import call_ids
from storage.tables.answers import AnswerRun, JudgeCase, ModelAnswer

_UNDER_WAY = "answers_under_way"
_AT_ONCE = 100  # answers written per batch


@dataclass(frozen=True, slots=True)
class AnswersDone:
    """Result of an answering run: `calls` answers wanted, `states` of those stored.

    `not_reached` are wanted answers without a result as the run ended early. `asked` counts replies
    from a model, pseudo-passages included, `recalled` those from the cache. `end` is how it ended,
    `reason` why the last call failed.
    """

    systems: tuple[str, ...]
    calls: int
    recalled: int
    states: Mapping[str, int]
    end: End
    reason: str
    asked: int
    not_reached: int

    def in_words(self, language: str = "en") -> str:
        """Describe the result; wanted answers are the stored ones plus those not reached."""
        came = say_counts("answers.state", self.states, language)
        counts = {
            **{"wanted": self.calls, "kept": sum(self.states.values())},
            **{"left": self.not_reached, "asked": self.asked, "recalled": self.recalled},
        }
        values = {name: f"{count:,}" for name, count in counts.items()}
        return say("answers.done", language, came=came or "–", **values)


@dataclass(frozen=True, slots=True)
class _AskedCall:
    """A call with the reply to its preceding request (pseudo-passage or anchor), None without."""

    system: SystemPlan
    call: Call
    before: Reply | None = None


_Kept = tuple[_AskedCall, Reply, Finding]


def start_answers(
    ws: Workspace, project_slug: str, options: AnswerOptions, by: int | None = None
) -> BackgroundTask[AnswersDone]:
    """Start asking for answers in the background.

    Raises UserError as `plan_answers` does, and while it is already running, here or in another
    process.
    """
    plan = plan_answers(ws, project_slug, options, by)
    with alone(ws, project_slug, TaskKind.ANSWER, _UNDER_WAY):
        pass  # refuse here, not in the background, if another process is asking
    work, total = partial(ask_answers, ws, plan), sum(len(each.calls) for each in plan.systems)
    return start(ws, project_slug, TaskKind.ANSWER, work, by=by, total=total)


async def ask_answers(
    ws: Workspace, plan: AnswerPlan, progress: Progress, stop: Stop
) -> AnswersDone:
    """Ask everything in the plan, model by model, and store the answers; return the result.

    It ends early once `stop` is set, the budget is reached or the server refuses; answers until
    then are stored. Raises UserError while another process asks in the project, as pending
    questions would be asked twice.
    """
    with alone(ws, plan.slug, TaskKind.ANSWER, _UNDER_WAY):
        return await _ask_all(ws, plan, progress, stop)


async def _ask_all(ws: Workspace, plan: AnswerPlan, progress: Progress, stop: Stop) -> AnswersDone:
    """Ask every call of the plan, model by model, and store the answers."""
    calls = sum(len(each.calls) for each in plan.systems)
    progress.total, progress.end = calls, End.DONE
    # Systems of a model share its server's limits.
    by_model = grouped(((each.endpoint.role, each.endpoint.model), each) for each in plan.systems)
    with BatchWriter(_AT_ONCE, _Keeper(ws, plan).keep) as writer:
        before = await _ask_before(ws, plan, progress, stop)
        for systems in by_model.values():
            if progress.end is not End.DONE:
                break
            ready = [
                asked
                for system in systems
                for call in system.calls
                if (asked := _prepared(plan, system, call, before, writer.add)) is not None
            ]
            progress.total -= sum(len(system.calls) for system in systems) - len(ready)
            await ask_each(
                ws,
                systems[0].endpoint,
                ready,
                lambda asked: request_of(plan, asked.system, asked.call),
                lambda asked, reply: writer.add((asked, reply, _read(asked, reply))),
                progress,
                stop,
            )
    return AnswersDone(
        systems=tuple(each.system for each in plan.systems),
        calls=calls,
        recalled=progress.recalled,
        states=dict(sorted(writer.states.items())),
        end=progress.end or End.DONE,
        reason=progress.last_reason,
        asked=progress.done - progress.recalled,
        not_reached=calls - writer.states.total(),
    )


async def _ask_before(
    ws: Workspace, plan: AnswerPlan, progress: Progress, stop: Stop
) -> dict[str, Reply]:
    """Ask for pseudo-passages and anchors; return the replies by request key."""
    wanted = {each.key: each for each in requests_before(plan)}
    progress.total += len(wanted)
    sorts = grouped(((e.endpoint.role, e.endpoint.model, e.prompt), e) for e in wanted.values())
    replies: dict[str, Reply] = {}
    for (role, name, prompt), requests in sorts.items():
        if progress.end is not End.DONE:
            break
        progress.end = None
        async with model(ws, role, name=name) as client:
            wording = plan.prompts.named(prompt)
            repair = plan.prompts.of(REPAIR, wording.language)
            found = await replies_to(client, requests, wording, repair, progress, stop)
            replies |= {key: some[-1] for key, some in found.items()}
    return replies


def _prepared(
    plan: AnswerPlan,
    system: SystemPlan,
    call: Call,
    before: Mapping[str, Reply],
    keep: Callable[[_Kept], None],
) -> _AskedCall | None:
    """Attach the pseudo-passage or anchor to a call; keep the failure to get one, returning None.

    None also where it ended early. Without a readable anchor it is asked without one, as RefWalk
    then searches.
    """
    wanted = request_before(plan, system, call)
    if wanted is None:
        return _AskedCall(system, call)
    reply = before.get(wanted.key)
    if reply is None:
        return None
    found = read_before(reply, system.context)
    if found.state == "failed" or (found.state != "answered" and call.shown is None):
        keep((_AskedCall(system, call), reply, found))
        return None
    if call.shown is None:
        passage = pseudo_passage(found.answer, system.context.characters)
        return _AskedCall(system, replace(call, shown=(passage,)), reply)
    return _AskedCall(system, replace(call, anchor=found.answer), reply)


def _read(asked: _AskedCall, reply: Reply) -> Finding:
    """Parse the reply to a call."""
    options = options_of(asked.call.question.question)
    units = [each.unit for each in asked.call.shown or ()]
    return read(reply, asked.system.form, units, options)


class _Keeper:
    """Stores answers in batches; a system's row is written with its first answer."""

    def __init__(self, ws: Workspace, plan: AnswerPlan) -> None:
        self._ws, self._plan = ws, plan
        self._gold: dict[int | None, Mapping[str, list[dict[str, str]]]] = {}

    def keep(self, batch: list[_Kept]) -> list[str]:
        """Store the answers still wanted, with cases for those to judge; return their states."""
        some: Sequence[_Kept] = batch
        for snapshot in {asked.system.snapshot_id for asked, _, _ in some} - self._gold.keys():
            self._gold[snapshot] = provisions_of_gold(self._ws, self._plan.slug, snapshot)
        with self._ws.writing() as session:
            rows = self._system_rows(session, [asked.system for asked, _, _ in some])
            some = _still_wanted(session, self._plan.project_id, rows, some)
            keys = [reply.key for _, reply, _ in some]
            keys += [asked.before.key for asked, _, _ in some if asked.before is not None]
            calls = call_ids(session, keys)
            judged = self._judging_cases(session, some)
            add_rows(session, [self._row(each, rows, calls, judged) for each in some])
        return [found.state for _, _, found in some]

    def _system_rows(self, session: Session, systems: Sequence[SystemPlan]) -> dict[str, int]:
        """Return the id of each system's row, adding missing ones."""
        known = {each.system: each.id for each in runs(session, self._plan.project_id)}
        for system in systems:
            if system.system not in known:
                known[system.system] = add_row(session, self._run(system))
        return known

    def _judging_cases(self, session: Session, some: Sequence[_Kept]) -> dict[tuple[str, str], int]:
        """Add missing cases of answers to be judged; return all case ids by question and system."""
        project = self._plan.project_id
        there = {(each.external_id, each.system): each.id for each in cases(session, project)}
        new = {
            (asked.call.question.name, asked.system.system): self._case(asked, reply, found)
            for asked, reply, found in some
            if _is_judged(asked, found)
        }
        fresh = [row for key, row in new.items() if key not in there]
        keep_cases(session, project, fresh, self._ws.clock())
        return there | {(row.external_id, row.system): row.id or 0 for row in fresh}

    def _run(self, system: SystemPlan) -> AnswerRun:
        """Return the row of a system's run."""
        return AnswerRun(
            project_id=self._plan.project_id,
            snapshot_id=system.snapshot_id,
            system=system.system,
            context=system.context.record(),
            format=system.form.value,
            seed=system.context.seed,
            role=system.endpoint.role.value,
            server=system.endpoint.server,
            model=system.endpoint.model,
            prompt_version=system.prompt_version,
            person_id=self._plan.person_id,
            at=self._ws.clock(),
        )

    def _row(
        self,
        answered_call: _Kept,
        rows: Mapping[str, int],
        calls: Mapping[str, int],
        judged: Mapping[tuple[str, str], int],
    ) -> ModelAnswer:
        """Return the row of an answer, with its context and outcome."""
        asked, reply, found = answered_call
        case = (asked.call.question.name, asked.system.system)
        context = [each.snapshot() for each in asked.call.shown or ()]
        if asked.before is not None and context:
            written = {} if asked.system.context.kind.written else {"anchor": asked.call.anchor}
            context[0] |= written | {"call": calls.get(asked.before.key)}
        return ModelAnswer(
            answer_run_id=rows[asked.system.system],
            question_id=asked.call.question.id,
            passage=asked.call.passage,
            state=found.state,
            raw=_raw_text(reply),
            answer=found.answer,
            claims=found.claims,
            context=context,
            choice=found.choice,
            logprobs=found.logprobs,
            judge_case_id=judged[case] if _is_judged(asked, found) else None,
            llm_call_id=None if reply.status is Status.FAILED else calls.get(reply.key),
            prompt_version=reply.prompt.rpartition("@")[2],
            at=self._ws.clock(),
        )

    def _case(self, asked_call: _AskedCall, reply: Reply, finding: Finding) -> JudgeCase:
        """Return the row that makes a free answer open to judging."""
        question = asked_call.call.question.question
        gold = self._gold[asked_call.system.snapshot_id]
        return JudgeCase(
            project_id=self._plan.project_id,
            external_id=question.external_id,
            system=asked_call.system.system,
            question=question.text,
            reference=question.answer,
            provisions=gold.get(question.external_id, []),
            kind="",
            language=question.language,
            answer=finding.answer,
            question_id=asked_call.call.question.id,
            source={"call": reply.key, "prompt": reply.prompt, "model": reply.model},
            at=self._ws.clock(),
        )


def _still_wanted(
    session: Session, project_id: int, rows: Mapping[str, int], some: Sequence[_Kept]
) -> list[_Kept]:
    """Return the replies without a stored answer yet, or with a failed one only."""
    there = standing_states(
        session, project_id, {rows[asked.system.system] for asked, _, _ in some}
    )

    def key(asked_call: _AskedCall) -> tuple[int, int, int]:
        """Return the key of a stored answer: run, question and passage."""
        return rows[asked_call.system.system], asked_call.call.question.id, asked_call.call.passage

    return [each for each in some if there.get(key(each[0]), FAILED) == FAILED]


def _raw_text(reply: Reply) -> str:
    """Return the reply's text; for a call that failed without text, the problem."""
    failed = reply.status is Status.FAILED and not reply.text.strip()
    return str(reply.problem or "") if failed else reply.text


def _is_judged(asked_call: _AskedCall, finding: Finding) -> bool:
    """Return True for answers that are judged: a text, on the whole context."""
    form = asked_call.system.form
    return finding.state == "answered" and not form.chooses and asked_call.call.passage == 0
