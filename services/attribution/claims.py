"""Splitting of answers and official answers into atomic claims.

An answer by provision lists its claims itself (splitter ``form``); any other, and every official
answer, is split by the judge model, named as splitter. Answers of both formats can be split by it,
to make their claims comparable. Replies are cached and claims stored in batches, so interrupted
work resumes when started again.

Requests to a judge for structured replies about answers, in each answer's language.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from pydantic import BaseModel

from annotation.people.roles import Act, allow
from construction.attribution import without_footer
from errors import UserError, Where
from llm.batch import End, Progress, Stop
from llm.reply import Problem, Status
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.answers import Structured
from llm.structured.shapes import AtomicClaims
from normalization.hashing import text_hash
from services.background.tasks import BackgroundTask, TaskKind, start
from services.models.asking import BatchWriter, Wordings, ask_in_languages
from services.models.workspace_models import load_settings
from storage.attribution.claims import (
    FORM,
    SAID,
    Claim,
    ClaimsKey,
    ClaimsView,
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
from storage.projects import find_project
from storage.tables.answers import AnswerClaims

Shape = TypeVar("Shape", bound=BaseModel)
TEMPERATURE, TOP_P = 0.6, 0.95  # of the judge, as published (RegOps-Bench 2026)
STATES = ("said", "unread", "refused", "cut_off", "failed")
_HOTTEST = 2.0


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
    reason: str = ""
    unsaid: int = 0

    @property
    def unanswered(self) -> int:
        """Number of calls without a reply."""
        return self.asked - sum(self.states.values())


def state_of(found: Structured[Shape], fits: bool = True) -> str:
    """Return the state of a reply; `fits` says whether its content is usable."""
    last = found.replies[-1]
    if found.value is not None:
        return "said" if fits else "unread"
    if last.status is Status.REFUSED:
        return "refused"
    if last.status is not Status.INVALID:
        return "failed"
    return "cut_off" if last.problem is Problem.UNFINISHED else "unread"


PROMPT = "claim_split"
_AT_ONCE = 100  # rows written per batch


@dataclass(frozen=True, slots=True)
class CutText:
    """A text to split into claims; `case_id` is None for an official answer."""

    case_id: int | None
    question: str
    asked: str
    text: str
    language: str


@dataclass(frozen=True, slots=True)
class ListedClaims:
    """Claims listed by the answer itself."""

    case_id: int
    question: str
    digest: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class SplitPlan:
    """Texts to split, and claims to adopt as listed.

    `already` counts texts this model was asked before under this prompt, `unsaid` those of them
    without claims: refused, cut off, unreadable. `again` maps a text's key to the repeat number of
    a renewed request.
    """

    project_id: int
    endpoint: Endpoint
    repeat: int
    texts: tuple[CutText, ...]
    listed: tuple[ListedClaims, ...]
    already: int
    wordings: Wordings
    unsaid: int = 0
    again: Mapping[ClaimsKey, int] = field(default_factory=dict)


def plan_splits(
    ws: Workspace, project_slug: str, options: AttributionOptions, by: int | None = None
) -> SplitPlan:
    """Plan the texts to split into claims: answers, and their official answers.

    Raises UserError for `by` (None: the operator) who may not make items, without a judge model,
    for sampling out of range, and where there is no answer.
    """
    allow(ws, project_slug, by, Act.MAKE_ITEMS)
    endpoint, wordings = options.endpoint(ws), Wordings.of(ws, project_slug, PROMPT)
    with ws.reading() as session:
        project = find_project(session, project_slug)
        chosen = chosen_cases(cases(session, project.id), options.systems)
        by_case = answers_by_case(model_answers(session, project.id))
        rows = claims_by_id(session, project.id).values()
    standing, times = standing_of(rows), Counter(each.key for each in rows)
    sources = {each.id: claims_source(each, by_case.get(each.id), options) for each in chosen}
    listed = [each for each in sources.values() if isinstance(each, ListedClaims)]
    texts = list(_texts(chosen, sources))
    keys = {each: _claims_key_of(each, endpoint.model) for each in texts}
    cut = {e for e in texts if _is_cut(e, standing.get(keys[e]), wordings.versions)}
    unsaid = {each for each in cut if standing[keys[each]].state != SAID}
    anew = set(texts) if options.repeat else unsaid if options.again else set()
    waiting = [each for each in texts if each not in cut or each in anew]
    again = {keys[each]: times[keys[each]] for each in unsaid if options.again}
    new = [e for e in listed if (e.case_id, e.question, e.digest, FORM) not in standing]
    already = len(texts) + len(listed) - len(waiting) - len(new)
    rest = options.repeat, tuple(waiting), tuple(new), already, wordings
    return SplitPlan(project.id, endpoint, *rest, len(unsaid - anew), again)


def start_splitting(
    ws: Workspace, project_slug: str, options: AttributionOptions, by: int | None = None
) -> BackgroundTask[AskingDone]:
    """Start splitting answers into claims in the background.

    Raises UserError as `plan_splits` does, and while attribution is running.
    """
    plan = plan_splits(ws, project_slug, options, by)
    work = partial(split_claims, ws, plan)
    return start(ws, project_slug, TaskKind.ATTRIBUTE, work, by=by, total=len(plan.texts))


async def split_claims(
    ws: Workspace, plan: SplitPlan, progress: Progress, stop: Stop
) -> AskingDone:
    """Store listed claims, ask about every text, and return the result.

    It ends early once `stop` is set, the budget is reached or the server refuses; replies until
    then are stored.
    """
    with ws.writing() as session:
        add_rows(session, [_listed_row(ws, plan, each) for each in plan.listed])
    keeper = _Keeper(ws, plan)
    requests = [(each.language, _request(plan, each)) for each in plan.texts]
    try:
        await ask_in_languages(
            ws, Role.JUDGE, requests, AtomicClaims, plan.wordings, keeper.take, progress, stop
        )
    finally:
        keeper.write()
    return AskingDone(
        asked=len(plan.texts),
        already=plan.already,
        without_call=len(plan.listed),
        states=dict(sorted(keeper.states.items())),
        end=progress.end or End.DONE,
        reason=progress.last_reason,
        unsaid=plan.unsaid,
    )


def chosen_cases(everything: Sequence[CaseView], systems: Sequence[str]) -> list[CaseView]:
    """Return the answers of these systems, by default of all.

    Raises UserError where there is no answer, and for an unknown system.
    """
    known = sorted({each.system for each in everything})
    for each in systems:
        if each not in known:
            named = ", ".join(known) or "–"
            raise UserError("attribution_system", system=each[:80], known=named)
    if not everything:
        raise UserError("attribution_no_answers")
    return [each for each in everything if not systems or each.system in systems]


def answers_by_case(answers: Sequence[ModelAnswerView]) -> dict[int, ModelAnswerView]:
    """Map judging case ids to their model answers."""
    return {each.case_id: each for each in answers if each.case_id is not None}


def claims_source(
    case: CaseView, answer: ModelAnswerView | None, options: AttributionOptions
) -> ListedClaims | str:
    """Return the claims that an answer lists, or the text to split."""
    if answer is None or answer.claims is None:
        return without_footer(case.answer)
    stated = [(text, unit) for unit, texts in answer.claims.items() for text in texts]
    if options.cut_all:
        return "\n".join(text for text, _ in stated) or case.answer
    digest = text_hash(json.dumps(answer.claims, ensure_ascii=False))
    claims = tuple(Claim(text, (unit,)) for text, unit in stated)
    return ListedClaims(case.id, case.external_id, digest, claims)


def claims_key(case: CaseView, source: ListedClaims | str, splitter: str) -> ClaimsKey:
    """Return the key that an answer's claims are stored under."""
    if isinstance(source, ListedClaims):
        return case.id, case.external_id, source.digest, FORM
    return case.id, case.external_id, text_hash(source), splitter


def _texts(
    answers: Sequence[CaseView], sources: Mapping[int, ListedClaims | str]
) -> Iterator[CutText]:
    """Yield the texts to split: the answers, then each official answer once."""
    for each in answers:
        text = sources[each.id]
        if isinstance(text, str) and text.strip():
            yield CutText(each.id, each.external_id, each.question, text, each.language)
    official = {(each.external_id, each.reference): each for each in answers if each.reference}
    for (question, text), each in official.items():
        yield CutText(None, question, each.question, text, each.language)


def _claims_key_of(each: CutText, splitter: str) -> ClaimsKey:
    """Return the key under which the claims of a text are stored."""
    return each.case_id, each.question, text_hash(each.text), splitter


def _is_cut(each: CutText, row: ClaimsView | None, versions: frozenset[str]) -> bool:
    """Return True unless asking again could change the result; failed calls are repeated."""
    return row is not None and row.prompt_version in versions and row.state != "failed"


def _request(plan: SplitPlan, each: CutText) -> Request:
    """Return the request that splits a text."""
    wording = plan.wordings[each.language]
    said = wording.messages({"question": each.asked, "answer": each.text})
    repeat = plan.repeat or plan.again.get(_claims_key_of(each, plan.endpoint.model), 0)
    return Request(plan.endpoint, said, wording.name, repeat=repeat)


def _listed_row(ws: Workspace, plan: SplitPlan, each: ListedClaims) -> AnswerClaims:
    """Return the row of an answer whose claims are its own list: no model split them."""
    return AnswerClaims(
        project_id=plan.project_id,
        case_id=each.case_id,
        question=each.question,
        text_sha256=each.digest,
        splitter=FORM,
        state=SAID,
        claims=claims_json(each.claims),
        at=ws.clock(),
    )


class _Keeper(BatchWriter[tuple[CutText, Structured[AtomicClaims]]]):
    """Writer that turns replies into rows of claims, in batches."""

    def __init__(self, ws: Workspace, plan: SplitPlan) -> None:
        super().__init__(_AT_ONCE)
        self._ws, self._plan = ws, plan
        with ws.reading() as session:
            standing = standing_claims(session, plan.project_id).values()
        self._told = {each.key: (each.llm_call_id, each.state) for each in standing}
        self.states: Counter[str] = Counter()

    def take(self, at: int, reply: Structured[AtomicClaims]) -> None:
        """Queue a reply for writing."""
        self.add((self._plan.texts[at], reply))

    def keep(self, batch: list[tuple[CutText, Structured[AtomicClaims]]]) -> None:
        """Store the rows."""
        with self._ws.writing() as session:
            calls = call_ids(session, [found.replies[-1].key for _, found in batch])
            rows = [self._row(each, found, calls) for each, found in batch]
            self.states.update(row.state for row in rows)
            add_rows(session, [row for row in rows if self._is_news(row)])

    def _row(
        self, each: CutText, reply: Structured[AtomicClaims], calls: Mapping[str, int]
    ) -> AnswerClaims:
        """Return the row of a text's claims."""
        texts = [] if reply.value is None else [" ".join(c.split()) for c in reply.value.claims]
        said = [Claim(text) for text in texts if text]
        last = reply.replies[-1]
        return AnswerClaims(
            project_id=self._plan.project_id,
            case_id=each.case_id,
            question=each.question,
            text_sha256=text_hash(each.text),
            splitter=self._plan.endpoint.model,
            state=state_of(reply, bool(said)),
            claims=claims_json(said),
            raw=last.text,
            prompt_version=self._plan.wordings[each.language].version,
            llm_call_id=calls.get(last.key),
            at=self._ws.clock(),
        )

    def _is_news(self, row: AnswerClaims) -> bool:
        """Return True if the row differs from the latest stored one."""
        about = row.case_id, row.question, row.text_sha256, row.splitter
        told = row.llm_call_id, row.state
        return row.llm_call_id is None or self._told.get(about) != told
