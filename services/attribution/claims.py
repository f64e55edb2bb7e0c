"""Splitting of answers and official answers into atomic claims.

An answer by provision lists its claims itself (splitter ``form``); any other, and every official
answer, is split by the judge model, named as splitter. Answers of both formats can be split by it,
to make their claims comparable. Replies are cached and claims stored in batches, so interrupted
work resumes when started again.

Requests to a judge about the claims of answers: which are due, and rows of the replies.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Generic, TypeVar

from pydantic import BaseModel

from annotation.people.roles import Act, reading_as
from construction.attribution import without_footer
from errors import UserError, Where, require_known
from llm.batch import End, Progress, Stop
from llm.reply import Problem, Status
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.answers import Structured
from llm.structured.shapes import AtomicClaims
from normalization.hashing import text_hash
from services.background.tasks import BackgroundTask, TaskKind, start
from services.models.asking import BatchWriter, Wordings, ask_each_for
from services.models.workspace_models import load_settings
from storage.attribution.claims import (
    FORM,
    SAID,
    Claim,
    ClaimsKey,
    ClaimsView,
    LabelsView,
    ModelAnswerView,
    claims_by_id,
    claims_json,
    model_answers,
    standing_claims,
    standing_of,
)
from storage.db.columns import add_rows
from storage.db.workspace import Workspace
from storage.judging import CaseView, cases
from storage.models import call_ids
from storage.tables.answers import AnswerClaims, ClaimLabels

Unit = TypeVar("Unit")
Key = TypeVar("Key", bound=Hashable)
Shape = TypeVar("Shape", bound=BaseModel)
TEMPERATURE, TOP_P = 0.6, 0.95  # of the judge, as published (RegOps-Bench 2026)
STATES = ("said", "unread", "refused", "cut_off", "failed")
PROMPT = "claim_split"
_HOTTEST = 2.0
_AT_ONCE = 100  # rows written per batch


@dataclass(frozen=True, slots=True)
class AttributionOptions:
    """What to ask the judge: answers of `systems` (empty: all), and how.

    Another `repeat` asks everything anew. Claims are labelled as split by `splitter`, by default
    the labelling model itself; splitting ignores it. With `again` requests without a usable reply
    (refused, cut off, unreadable) are asked once more. With `cut_all` answers by provision are
    split by the model too, instead of using the claims they list.
    """

    systems: tuple[str, ...] = ()
    temperature: float = TEMPERATURE
    top_p: float = TOP_P
    repeat: int = 0
    splitter: str = ""
    again: bool = False
    cut_all: bool = False

    def endpoint(self, ws: Workspace) -> Endpoint:
        """Return the judge model with this temperature and top-p.

        Raises UserError for a value out of range, and where the role has no model.
        """
        if not 0 <= self.temperature <= _HOTTEST:
            where = Where(field="temperature")
            raise UserError("attribution_sampling", where, value=self.temperature, most=_HOTTEST)
        if not 0 < self.top_p <= 1:
            raise UserError("attribution_sampling", Where(field="top_p"), value=self.top_p, most=1)
        found = load_settings(ws).of(Role.JUDGE)
        said = {"temperature": self.temperature, "top_p": self.top_p}
        return replace(found, parameters={**found.parameters, **said})


@dataclass(frozen=True, slots=True)
class AskingDone:
    """Result of asking: `asked` requests, `already` skipped as answered before.

    `unsaid` of those `already` asked had no usable reply. `without_call` needed no model. `states`
    counts replies by state; the rest of `asked` got none before it ended. `end` is how it ended,
    `reason` why the last call failed.
    """

    asked: int
    already: int
    without_call: int
    states: Mapping[str, int]
    end: End
    reason: str
    unsaid: int

    @property
    def unanswered(self) -> int:
        """Number of calls without a reply."""
        return self.asked - sum(self.states.values())


@dataclass(frozen=True, slots=True)
class JudgePlan(Generic[Unit]):
    """What a judge is asked: each unit with the number of its repetition.

    `free` units need no model. `already` counts those that were asked about under this prompt,
    `unsaid` those of them without a usable reply: refused, cut off, unreadable. Answers `not_cut`,
    or their official answers, have no claims to label yet; for `no_claims` others splitting
    brought none.
    """

    project_id: int
    endpoint: Endpoint
    wordings: Wordings
    asked: tuple[tuple[Unit, int], ...]
    free: tuple[Unit, ...]
    already: int
    unsaid: int
    not_cut: int = 0
    no_claims: int = 0

    @property
    def calls(self) -> int:
        """Number of calls to make."""
        return len(self.asked)

    def request(self, language: str, values: Mapping[str, str], repeat: int) -> Request:
        """Return the request with these values, in an answer's language."""
        return self.wordings.request(self.endpoint, language, values, repeat)

    def reply_fields(
        self, language: str, said: Structured[Any], call: int | None, fits: bool
    ) -> dict[str, Any]:
        """Return the fields of a row that are about the reply; `fits`: its content is usable."""
        return {
            "state": _state_of(said, fits),
            "raw": said.last.text,
            "prompt_version": self.wordings[language].version,
            "llm_call_id": call,
        }


def due(
    units: Mapping[Key, Unit],
    rows: Mapping[Key, ClaimsView | LabelsView],
    times: Mapping[Key, int],
    options: AttributionOptions,
    versions: frozenset[str],
) -> tuple[list[tuple[Unit, int]], int]:
    """Return the units to ask about, with repetition; and how many others have no usable reply.

    `rows` are the current ones, `times` how often each unit was asked about. A failed call, or one
    under another prompt, is made again.
    """
    final = {key for key in units if key in rows and _is_final(rows[key], versions)}
    unsaid = {key for key in final if rows[key].state != SAID}
    anew = set(units) if options.repeat else unsaid if options.again else set()
    repeats = {key: times[key] for key in unsaid if options.again}
    asked = [
        (unit, options.repeat or repeats.get(key, 0))
        for key, unit in units.items()
        if key not in final or key in anew
    ]
    return asked, len(unsaid - anew)


def _is_final(row: ClaimsView | LabelsView, versions: frozenset[str]) -> bool:
    """Return True unless asking again could change the result; failed calls are repeated."""
    if row.state == "failed":
        return False
    return not row.prompt_version or row.prompt_version in versions


def _state_of(said: Structured[Any], fits: bool) -> str:
    """Return the state of a reply."""
    if said.value is not None:
        return "said" if fits else "unread"
    if said.last.status is Status.REFUSED:
        return "refused"
    if said.last.status is not Status.INVALID:
        return "failed"
    return "cut_off" if said.problem is Problem.UNFINISHED else "unread"


Row = TypeVar("Row", AnswerClaims, ClaimLabels)


async def ask_judge(
    ws: Workspace,
    plan: JudgePlan[Unit],
    request_of: Callable[[Unit, int], Request],
    shape: type[Shape],
    row_of: Callable[[Unit, Structured[Shape], int | None], Row],
    is_known: Callable[[Row], bool],
    progress: Progress,
    stop: Stop,
) -> AskingDone:
    """Ask about every unit and store the rows that are not known; return the result.

    It ends early once `stop` is set, the budget is reached or the server refuses; replies until
    then are stored.
    """

    def keep(batch: list[tuple[Unit, Structured[Shape]]]) -> list[str]:
        """Store the rows of some replies; return their states."""
        with ws.writing() as session:
            calls = call_ids(session, [said.last.key for _, said in batch])
            rows = [row_of(unit, said, calls.get(said.last.key)) for unit, said in batch]
            states = [row.state for row in rows]
            add_rows(session, [r for r in rows if r.llm_call_id is None or not is_known(r)])
        return states

    with BatchWriter(_AT_ONCE, keep) as writer:
        await ask_each_for(
            ws,
            plan.asked,
            lambda asked: request_of(*asked),
            shape,
            plan.wordings,
            lambda asked, said: writer.add((asked[0], said)),
            progress,
            stop,
        )
    return AskingDone(
        asked=len(plan.asked),
        already=plan.already,
        without_call=len(plan.free),
        states=dict(sorted(writer.states.items())),
        end=progress.end or End.DONE,
        reason=progress.last_reason,
        unsaid=plan.unsaid,
    )


@dataclass(frozen=True, slots=True)
class ClaimSource:
    """A text that is split into claims, or lists them itself (`listed`).

    `case_id` is None for an official answer, `asked` the question in words.
    """

    case_id: int | None
    question: str
    asked: str
    text: str
    language: str
    listed: tuple[Claim, ...] | None = None

    def key(self, splitter: str) -> ClaimsKey:
        """Return the key that its claims are stored under, split by that model."""
        by = splitter if self.listed is None else FORM
        return self.case_id, self.question, text_hash(self.text), by


def answer_source(
    case: CaseView, answer: ModelAnswerView | None, options: AttributionOptions
) -> ClaimSource:
    """Return the claims that an answer lists or, without any or by `options`, the text to split."""
    text, listed = without_footer(case.answer), None
    if answer is not None and answer.claims is not None:
        stated = [Claim(text, (unit,)) for unit, texts in answer.claims.items() for text in texts]
        if options.cut_all:
            text = "\n".join(each.text for each in stated) or case.answer
        else:
            text, listed = json.dumps(answer.claims, ensure_ascii=False), tuple(stated)
    return ClaimSource(case.id, case.external_id, case.question, text, case.language, listed)


def official_source(case: CaseView) -> ClaimSource:
    """Return the official answer to the question of an answer, as a text to split."""
    return ClaimSource(None, case.external_id, case.question, case.reference, case.language)


def plan_splits(
    ws: Workspace, project_slug: str, options: AttributionOptions, by: int | None = None
) -> JudgePlan[ClaimSource]:
    """Plan the texts to split into claims: answers, and their official answers.

    Raises UserError for `by` (None: the operator) who may not make items, without a judge model,
    for sampling out of range, and where there is no answer.
    """
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        endpoint, wordings = options.endpoint(ws), Wordings.of(ws, project_slug, PROMPT)
        chosen = chosen_cases(cases(session, project.id), options.systems)
        by_case = answers_by_case(model_answers(session, project.id))
        rows = claims_by_id(session, project.id).values()
    standing, times = standing_of(rows), Counter(each.key for each in rows)
    sources = [answer_source(each, by_case.get(each.id), options) for each in chosen]
    sources += map(official_source, chosen)
    by_key = {each.key(endpoint.model): each for each in sources if each.text.strip()}
    texts = {key: each for key, each in by_key.items() if each.listed is None}
    listed = [key for key, each in by_key.items() if each.listed is not None]
    asked, unsaid = due(texts, standing, times, options, wordings.versions)
    new = tuple(by_key[key] for key in listed if key not in standing)
    already = len(by_key) - len(asked) - len(new)
    return JudgePlan(project.id, endpoint, wordings, tuple(asked), new, already, unsaid)


def start_splitting(
    ws: Workspace, project_slug: str, options: AttributionOptions, by: int | None = None
) -> BackgroundTask[AskingDone]:
    """Start splitting answers into claims in the background.

    Raises UserError as `plan_splits` does, and while attribution is running.
    """
    plan = plan_splits(ws, project_slug, options, by)
    work = partial(split_claims, ws, plan)
    return start(ws, project_slug, TaskKind.ATTRIBUTE, work, by=by, total=plan.calls)


async def split_claims(
    ws: Workspace, plan: JudgePlan[ClaimSource], progress: Progress, stop: Stop
) -> AskingDone:
    """Store listed claims, and ask about every text as `ask_judge` does."""

    def request_of(source: ClaimSource, repeat: int) -> Request:
        """Return the request that splits a text."""
        return plan.request(
            source.language, {"question": source.asked, "answer": source.text}, repeat
        )

    def row(source: ClaimSource, claims: Iterable[Claim], **made: Any) -> AnswerClaims:
        """Return the row of a text's claims."""
        case_id, question, digest, splitter = source.key(plan.endpoint.model)
        return AnswerClaims(
            project_id=plan.project_id,
            case_id=case_id,
            question=question,
            text_sha256=digest,
            splitter=splitter,
            claims=claims_json(claims),
            at=ws.clock(),
            **made,
        )

    def row_of(
        source: ClaimSource, said: Structured[AtomicClaims], call: int | None
    ) -> AnswerClaims:
        """Return the row of the claims in a reply."""
        texts = [] if said.value is None else [" ".join(c.split()) for c in said.value.claims]
        claims = [Claim(text) for text in texts if text]
        return row(source, claims, **plan.reply_fields(source.language, said, call, bool(claims)))

    with ws.writing() as session:
        add_rows(session, [row(each, each.listed or (), state=SAID) for each in plan.free])
        known = {_identity(each) for each in standing_claims(session, plan.project_id).values()}
    about = request_of, AtomicClaims, row_of, lambda each: _identity(each) in known
    return await ask_judge(ws, plan, *about, progress, stop)


def _identity(row: ClaimsView | AnswerClaims) -> tuple[object, ...]:
    """Return the key that separates claims of one text: call and state."""
    about = row.case_id, row.question, row.text_sha256, row.splitter
    return *about, row.llm_call_id, row.state


def chosen_cases(everything: Sequence[CaseView], systems: Sequence[str]) -> list[CaseView]:
    """Return the answers of these systems, by default of all.

    Raises UserError where there is no answer, and for an unknown system.
    """
    known = sorted({each.system for each in everything})
    for each in systems:
        require_known("attribution_system", known, system=each)
    if not everything:
        raise UserError("attribution_no_answers")
    return [each for each in everything if not systems or each.system in systems]


def answers_by_case(answers: Sequence[ModelAnswerView]) -> dict[int, ModelAnswerView]:
    """Map judging case ids to their model answers."""
    return {each.case_id: each for each in answers if each.case_id is not None}
