"""Send augmented questions through the layers; keep what each layer says of each.

What was said of a question is written in one piece once the last layer that sees it has spoken. So
what was stopped or killed is taken up by starting it again: questions that have been through are
left alone, and calls to the judge that were answered are read from the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from annotation.people.roles import Act, reading_as
from annotation.work.versioned_texts import CASCADE_LAYERS
from construction.cascade.checks import Finding, Outcome, judge, unjudged
from construction.cascade.layers import Criterion, Judge, Layer, Layers
from llm.batch import End, Progress, Stop
from llm.prompts.prompt_files import Prompt, prompt
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.answers import Structured, ask_all_for, formed
from llm.structured.shapes import CascadeVerdict
from messages import LANGUAGES
from services.background.tasks import BackgroundTask, TaskKind, start
from services.cascade.closing import Closing, closing_in
from services.cascade.walking import Ground, Walk, ground_in
from services.models.batch_writer import BatchWriter
from services.models.prompts import project_prompts
from services.models.workspace_models import load_settings, model
from storage.cascade.governing import Governing, governing
from storage.cascade.results import Question, add_run
from storage.cascade.state import QuestionState, State, states
from storage.db.columns import add_rows
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot
from storage.models.llm_calls import CallStore, call_ids
from storage.tables.cascade import CascadeRun, LayerResult

PROMPT = "cascade_judge"
_REPAIR = "json_repair"
_TOGETHER = 50  # questions in one write


@dataclass(frozen=True, slots=True)
class CascadePlan:
    """Everything needed to begin: the questions that are left, and what the layers go by.

    `settled` questions have been through this version of the layers in this law already and are
    left alone; `repeated` of `questions` have been, too, and go through again. `endpoint` is None
    where no judge is asked; `wordings` and `repairs` are the prompts by language.
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
    closing: Closing
    endpoint: Endpoint | None
    wordings: Mapping[str, Prompt]
    repairs: Mapping[str, Prompt]

    def walks(self) -> Iterator[Walk]:
        """Yield each question at its first layer that asks a model, or behind the last layer."""
        for question in self.questions:
            walk = Walk(question, self.layers.asked, self.ground)
            walk.go_on()
            yield walk

    def request(self, question: Question) -> Request:
        """Return what the judge is asked of a question. Raises ValueError without a judge."""
        if self.endpoint is None:
            raise ValueError("no judge is asked")
        wording = self.wordings[question.language]
        said = wording.messages({"question": question.text})
        return Request(self.endpoint, said, wording.name)


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a run would ask: `calls` to the `model`, of which the store has answered `known`.

    `questions` are left to go through, `repeated` of them again; `settled` have been. `tokens` is
    the most that the calls can use, repairs not counted, and `cost` what they cost then; None where
    no price is known.
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
    """What a run came to. `outcomes` counts questions by what became of them in it.

    Of `questions` to go through, `unanswered` were not reached before it ended and `repeated` had
    been through before; `end` says how it ended, `reason` why the last call failed.
    """

    questions: int
    settled: int
    rejected: dict[str, int]
    unjudged: int
    through: int
    unanswered: int
    end: End
    reason: str = ""
    repeated: int = 0


def plan_cascade(
    ws: Workspace, project_slug: str, again: bool = False, by: int | None = None
) -> CascadePlan:
    """Return what is to be done. `by` is the person who asks for it, None for the operator.

    Questions that this version of the layers has settled in the law in use are left alone, unless
    `again`. Raises UserError for who may not, a project without law, and where a judge is wanted
    and no model is set.
    """
    own = project_prompts(ws, project_slug)
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        number, layers = CASCADE_LAYERS.current(session, project.id)
        snapshot = required_snapshot(session, project).id
        judged = any(step.layer is Layer.JUDGE for step in layers.asked)
        endpoint = load_settings(ws).of(Role.JUDGE) if judged else None
        found = states(session, project.id)
        settled = {e.question.id for e in found if _settled(e, number, snapshot)}
        left = [each for each in found if again or each.question.id not in settled]
        closing = closing_in(session, ws, project, snapshot)
        lookup = partial(_lookup, ws, snapshot)
        ground = ground_in(session, project.id, snapshot, left, closing, lookup)
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
        closing=closing,
        endpoint=endpoint,
        wordings={language: prompt(PROMPT, language, own) for language in LANGUAGES},
        repairs={language: prompt(_REPAIR, language, own) for language in LANGUAGES},
    )


def estimate(
    ws: Workspace, project_slug: str, again: bool = False, by: int | None = None
) -> Estimate:
    """Return what a run would ask now; nothing is asked.

    Raises UserError as `plan_cascade` does.
    """
    plan = plan_cascade(ws, project_slug, again, by)
    waiting = [walk.question for walk in plan.walks() if walk.at is not None]
    requests = {
        request.key: request
        for request in (formed(plan.request(each), CascadeVerdict) for each in waiting)
    }
    known = CallStore(ws).get(list(requests))
    asked = [request for key, request in requests.items() if key not in known]
    tokens_in = sum(each.most_tokens_in for each in asked)
    tokens_out = sum(each.most_tokens_out for each in asked)
    price = plan.endpoint.price if plan.endpoint else None
    return Estimate(
        questions=len(plan.questions),
        settled=plan.settled,
        calls=len(requests),
        known=len(known),
        tokens=tokens_in + tokens_out,
        cost=None if price is None else price.of(tokens_in, tokens_out),
        model=plan.endpoint.model if plan.endpoint else "",
        repeated=plan.repeated,
    )


def start_cascade(
    ws: Workspace, project_slug: str, again: bool = False, by: int | None = None
) -> BackgroundTask[CascadeDone]:
    """Begin to send questions through; return at once.

    Raises UserError as `plan_cascade` does, and while it is under way already.
    """
    plan = plan_cascade(ws, project_slug, again, by)
    work, total = partial(run_cascade, ws, plan), len(plan.questions)
    return start(ws, project_slug, TaskKind.CASCADE, work, by=by, total=total)


async def run_cascade(
    ws: Workspace, plan: CascadePlan, progress: Progress, stop: Stop
) -> CascadeDone:
    """Send every question of the plan through the layers, and return what came of it.

    It ends early once `stop` is set, the budget is reached or the server takes nothing; what was
    said of questions by then is kept.
    """
    progress.total, progress.end = len(plan.questions), End.DONE
    keeper = _Keeper(ws, plan)
    try:
        waiting = []
        for walk in plan.walks():
            if stop.is_set():
                progress.end = End.STOPPED
                break
            if walk.at is None:
                keeper.take(walk)
                progress.done += 1
            else:
                waiting.append(walk)
        for language in LANGUAGES:
            here = [walk for walk in waiting if walk.question.language == language]
            if here and progress.end is End.DONE:
                progress.end = None
                await _judge(ws, plan, language, here, keeper, progress, stop)
    finally:
        keeper.write()
    return CascadeDone(
        questions=len(plan.questions),
        settled=plan.settled,
        rejected=dict(sorted(keeper.rejected.items())),
        unjudged=keeper.unjudged,
        through=keeper.through,
        unanswered=len(plan.questions) - keeper.kept,
        end=progress.end or End.DONE,
        reason=progress.last_reason,
        repeated=plan.repeated,
    )


async def _judge(
    ws: Workspace,
    plan: CascadePlan,
    language: str,
    walks: Sequence[Walk],
    keeper: _Keeper,
    progress: Progress,
    stop: Stop,
) -> None:
    requests = [plan.request(walk.question) for walk in walks]

    def on_value(at: int, value: Structured[CascadeVerdict]) -> None:
        walk = walks[at]
        walk.say(_finding(value, walk.judge))
        keeper.take(walk, value.replies[-1].key)

    async with model(ws, Role.JUDGE) as client:
        await ask_all_for(
            client,
            requests,
            CascadeVerdict,
            plan.repairs[language],
            on_value,
            progress=progress,
            stop=stop,
        )


def _finding(value: Structured[CascadeVerdict], layer: Judge) -> Finding:
    """Return what the judge's reply says; one that says nothing leaves the question unjudged."""
    if value.value is None:
        last = value.replies[-1]
        problem = "" if last.problem is None else last.problem.value
        return unjudged("no_reply", status=last.status.value, problem=problem)
    said = {each: getattr(value.value, each) for each in Criterion}
    return judge(said, layer)


def _lookup(ws: Workspace, snapshot_id: int, units: Collection[str]) -> Mapping[str, Governing]:
    with ws.reading() as session:
        return governing(session, snapshot_id, units)


def _settled(state: QuestionState, number: int, snapshot_id: int) -> bool:
    """Return whether the layers have nothing more to say of a question."""
    run = state.run
    if run is None or (run.layers_number, run.snapshot_id) != (number, snapshot_id):
        return False
    return state.state in (State.REJECTED, State.THROUGH, State.RESTORED)


class _Keeper(BatchWriter[tuple[Walk, str]]):
    """Keeps what layers said, some questions at a time; the run is written with the first."""

    def __init__(self, ws: Workspace, plan: CascadePlan) -> None:
        super().__init__(_TOGETHER)
        self._ws, self._plan = ws, plan
        self._run: int | None = None
        self.kept = self.unjudged = self.through = 0
        self.rejected: Counter[str] = Counter()

    def take(self, walk: Walk, call: str = "") -> None:
        """Keep a question that is at its end; `call` is the key of the judge's last reply."""
        self.kept += 1
        layer, outcome = walk.end
        self.rejected.update([layer] if outcome is Outcome.REJECTED else [])
        self.unjudged += outcome is Outcome.UNJUDGED
        self.through += outcome is Outcome.PASSED
        self.add((walk, call))

    def keep(self, batch: list[tuple[Walk, str]]) -> None:
        """Add what the layers said of the questions."""
        with self._ws.writing() as session:
            if self._run is None:
                self._run = add_run(session, self._row())
            calls = call_ids(session, [key for _, key in batch if key])
            rows = [row for walk, key in batch for row in self._results(walk, calls.get(key))]
            for walk, _ in batch:
                if walk.completed:
                    question, at = walk.question.id, self._ws.clock()
                    self._plan.closing.keep(session, question, at, self._plan.person_id)
            add_rows(session, rows)

    def _row(self) -> CascadeRun:
        plan = self._plan
        return CascadeRun(
            project_id=plan.project_id,
            snapshot_id=plan.snapshot_id,
            layers_number=plan.number,
            server=plan.endpoint.server if plan.endpoint else "",
            model=plan.endpoint.model if plan.endpoint else "",
            person_id=plan.person_id,
            at=self._ws.clock(),
        )

    def _results(self, walk: Walk, call: int | None) -> list[LayerResult]:
        version = self._plan.wordings[walk.question.language].version
        return [
            LayerResult(
                cascade_run_id=self._run or 0,
                augmented_question_id=walk.question.id,
                layer=str(step.layer),
                place=place,
                outcome=str(finding.outcome),
                reasons=[reason.as_dict() for reason in finding.reasons],
                llm_call_id=call if step.layer is Layer.JUDGE else None,
                prompt_version=version if step.layer is Layer.JUDGE else "",
                at=self._ws.clock(),
            )
            for place, (step, finding) in enumerate(walk.said, 1)
        ]
