"""Running augmented questions through the layers, with the results stored.

A question's results are written at once after the last layer that sees it. So interrupted work
resumes when started again: finished questions are skipped, and replies of the judge come from the
cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from annotation.people.roles import Act, reading_as
from annotation.work.versioned_texts import CASCADE_LAYERS
from construction.cascade.checks import Finding, Outcome, judge, unjudged
from construction.cascade.layers import Criterion, Judge, Layer, Layers
from llm.batch import End, Progress, Stop
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.answers import Structured, formed
from llm.structured.shapes import CascadeVerdict
from messages import say
from services.background.tasks import BackgroundTask, TaskKind, start
from services.cascade.walking import Ground, Walk, closing_in, ground_in
from services.models.asking import BatchWriter, Wordings, ask_each_for, most_use
from services.models.workspace_models import load_settings
from storage.cascade.results import Question, QuestionState, State, states
from storage.db.columns import add_rows
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot
from storage.models import CallStore, call_ids
from storage.tables.augmentation import CascadeRun, LayerResult

PROMPT = "cascade_judge"
_TOGETHER = 50  # questions per write


@dataclass(frozen=True, slots=True)
class CascadePlan:
    """Everything needed to start: the remaining questions, and the layers' inputs.

    `settled` questions have been through this version of the layers in this law and are skipped;
    `repeated` of `questions` have been, too, and are run again. `endpoint` is None without a judge.
    """

    project_id: int
    snapshot_id: int
    person_id: int | None
    number: int
    layers: Layers
    questions: tuple[Question, ...]
    settled: int
    repeated: int
    ground: Ground
    endpoint: Endpoint | None
    wordings: Wordings

    def walks(self) -> Iterator[Walk]:
        """Yield each question's walk, up to the judge, the layer that stops it, or the end."""
        for question in self.questions:
            walk = Walk(question, self.layers.asked, self.ground)
            walk.go_on()
            yield walk

    def request(self, question: Question) -> Request:
        """Return the judge's request for a question. Raises ValueError without a judge."""
        if self.endpoint is None:
            raise ValueError("no judge is asked")
        values = {"question": question.text}
        return self.wordings.request(self.endpoint, question.language, values)


@dataclass(frozen=True, slots=True)
class Estimate:
    """Calls a run would make to `model`, `known` of them cached.

    `questions` are to be run, `repeated` of them again; `settled` are finished. `tokens` is an
    upper bound without repairs, and `cost` that of the tokens; None without a known price.
    """

    questions: int
    settled: int
    calls: int
    known: int
    tokens: int
    cost: float | None
    model: str
    repeated: int = 0


@dataclass(frozen=True, slots=True)
class CascadeDone:
    """Result of a run, as counts of questions by outcome.

    Of `questions` to run, `unanswered` were not reached and `repeated` had been run before; `end`
    is how it ended, `reason` why the last call failed.
    """

    questions: int
    settled: int
    rejected: dict[str, int]
    unjudged: int
    through: int
    unanswered: int
    end: End
    reason: str
    repeated: int


def plan_cascade(
    ws: Workspace, project_slug: str, again: bool = False, by: int | None = None
) -> CascadePlan:
    """Plan the questions to filter; `by` is the requester, None for the operator.

    Questions settled by this version of the layers in the law in use are skipped, unless `again`.
    Raises UserError for `by` without permission, a project without law, and where a judge is wanted
    and no model is set.
    """
    wordings = Wordings.of(ws, project_slug, PROMPT)
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        number, layers = CASCADE_LAYERS.current(session, project.id)
        snapshot = required_snapshot(session, project).id
        judged = any(step.layer is Layer.JUDGE for step in layers.asked)
        endpoint = load_settings(ws).of(Role.JUDGE) if judged else None
        found = states(session, project.id)
        settled = {e.question.id for e in found if _is_settled(e, number, snapshot)}
        left = [each for each in found if again or each.question.id not in settled]
        closing = closing_in(session, ws, project)
        ground = ground_in(session, project.id, snapshot, left, closing)
    return CascadePlan(
        project_id=project.id,
        snapshot_id=snapshot,
        person_id=by,
        number=number,
        layers=layers,
        questions=tuple(each.question for each in left),
        settled=len(found) - len(left),
        repeated=len(settled) if again else 0,
        ground=ground,
        endpoint=endpoint,
        wordings=wordings,
    )


def estimate(
    ws: Workspace, project_slug: str, again: bool = False, by: int | None = None
) -> Estimate:
    """Count the calls that a run would make now, without making them.

    Raises UserError as `plan_cascade` does.
    """
    plan = plan_cascade(ws, project_slug, again, by)
    waiting = [walk.question for walk in plan.walks() if walk.at is not None]
    requests = {
        request.key: request
        for request in (formed(plan.request(each), CascadeVerdict) for each in waiting)
    }
    known = CallStore(ws).get(list(requests))
    most = most_use(request for key, request in requests.items() if key not in known)
    return Estimate(
        questions=len(plan.questions),
        settled=plan.settled,
        calls=len(requests),
        known=len(known),
        tokens=most.tokens,
        cost=most.money if plan.endpoint else None,
        model=plan.endpoint.model if plan.endpoint else "",
        repeated=plan.repeated,
    )


def estimate_lines(found: Estimate, language: str = "en") -> list[str]:
    """Return an estimate in words, and how many questions are repeated, if any."""
    counted = ("questions", "settled", "calls", "known", "tokens")
    numbers = {name: f"{getattr(found, name):,}" for name in counted}
    cost = "–" if found.cost is None else f"{found.cost:,.4f}"
    words = "cascade.run.estimate" if found.model else "cascade.run.estimate_unasked"
    told = say(words, language, **numbers, cost=cost, model=found.model)
    return [told, *repeated_lines(found.repeated, language)]


def repeated_lines(count: int, language: str = "en") -> list[str]:
    """Return the line on repeated questions; empty if there are none."""
    return [say("cascade.run.repeated", language, count=count)] if count else []


def start_cascade(
    ws: Workspace, project_slug: str, again: bool = False, by: int | None = None
) -> BackgroundTask[CascadeDone]:
    """Start the cascade in the background.

    Raises UserError as `plan_cascade` does, and while it is already running.
    """
    plan = plan_cascade(ws, project_slug, again, by)
    work, total = partial(run_cascade, ws, plan), len(plan.questions)
    return start(ws, project_slug, TaskKind.CASCADE, work, by=by, total=total)


async def run_cascade(
    ws: Workspace, plan: CascadePlan, progress: Progress, stop: Stop
) -> CascadeDone:
    """Run every question of the plan through the layers; return the result.

    It ends early once `stop` is set, the budget is reached or the server refuses; results until
    then are stored.
    """
    progress.total, progress.end = len(plan.questions), End.DONE
    with BatchWriter(_TOGETHER, _keeper(ws, plan)) as writer:
        waiting = []
        for walk in plan.walks():
            if stop.is_set():
                progress.end = End.STOPPED
                break
            if walk.at is None:
                writer.add((walk, ""))
                progress.done += 1
            else:
                waiting.append(walk)

        def take(walk: Walk, said: Structured[CascadeVerdict]) -> None:
            """Record the judge's verdict on a question."""
            walk.say(_finding(said, walk.judge))
            writer.add((walk, said.last.key))

        await ask_each_for(
            ws,
            waiting,
            lambda walk: plan.request(walk.question),
            CascadeVerdict,
            plan.wordings,
            take,
            progress,
            stop,
        )
    ends = sorted(writer.states.items())
    return CascadeDone(
        questions=len(plan.questions),
        settled=plan.settled,
        rejected={layer: n for (layer, outcome), n in ends if outcome is Outcome.REJECTED},
        unjudged=sum(n for (_, outcome), n in ends if outcome is Outcome.UNJUDGED),
        through=sum(n for (_, outcome), n in ends if outcome is Outcome.PASSED),
        unanswered=len(plan.questions) - writer.states.total(),
        end=progress.end or End.DONE,
        reason=progress.last_reason,
        repeated=plan.repeated,
    )


def _finding(value: Structured[CascadeVerdict], layer: Judge) -> Finding:
    """Convert the judge's reply to a finding; without a readable reply it is unjudged."""
    if value.value is None:
        problem = "" if value.problem is None else value.problem.value
        return unjudged("no_reply", status=value.last.status.value, problem=problem)
    said = {each: getattr(value.value, each) for each in Criterion}
    return judge(said, layer)


def _is_settled(state: QuestionState, number: int, snapshot_id: int) -> bool:
    """Return True if this version of the layers, in this law, passed or rejected the question."""
    run = state.run
    if run is None or (run.layers_number, run.snapshot_id) != (number, snapshot_id):
        return False
    return state.state in (State.REJECTED, State.THROUGH, State.RESTORED)


def _keeper(
    ws: Workspace, plan: CascadePlan
) -> Callable[[list[tuple[Walk, str]]], list[tuple[str, Outcome]]]:
    """Return the function that stores finished questions, each with the key of the judge's reply.

    It returns where each has ended. The run's row is written with the first.
    """
    run: int | None = None

    def keep(batch: list[tuple[Walk, str]]) -> list[tuple[str, Outcome]]:
        """Store the layers' results for the questions."""
        nonlocal run
        with ws.writing() as session:
            if run is None:
                run = add_row(session, _run_row(ws, plan))
            calls = call_ids(session, [key for _, key in batch if key])
            rows = [
                row for walk, key in batch for row in _results(ws, plan, run, walk, calls.get(key))
            ]
            for walk, _ in batch:
                if walk.completed:
                    plan.ground.closing.keep(session, walk.question.id, ws.clock(), plan.person_id)
            add_rows(session, rows)
        return [walk.end for walk, _ in batch]

    return keep


def _run_row(ws: Workspace, plan: CascadePlan) -> CascadeRun:
    """Return the row of the cascade run."""
    return CascadeRun(
        project_id=plan.project_id,
        snapshot_id=plan.snapshot_id,
        layers_number=plan.number,
        server=plan.endpoint.server if plan.endpoint else "",
        model=plan.endpoint.model if plan.endpoint else "",
        person_id=plan.person_id,
        at=ws.clock(),
    )


def _results(
    ws: Workspace, plan: CascadePlan, run: int, walk: Walk, call: int | None
) -> list[LayerResult]:
    """Return the rows of a question's results, layer by layer."""
    version = plan.wordings[walk.question.language].version
    return [
        LayerResult(
            cascade_run_id=run,
            augmented_question_id=walk.question.id,
            layer=str(step.layer),
            place=place,
            outcome=str(finding.outcome),
            reasons=[reason.as_dict() for reason in finding.reasons],
            llm_call_id=call if step.layer is Layer.JUDGE else None,
            prompt_version=version if step.layer is Layer.JUDGE else "",
            at=ws.clock(),
        )
        for place, (step, finding) in enumerate(walk.said, 1)
    ]
