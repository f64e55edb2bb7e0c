"""Tag suggestions for court cases by a model, with a checked quotation.

Each call asks about one factor of one case, over the whole judgment. Suggestions are stored in
batches, and replies cached: interrupted work resumes when repeated, and nothing is asked twice.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from sqlmodel import select

from annotation.people.roles import Act, reading_as
from annotation.tagging.codebook import book_of
from annotation.tagging.suggestion_visibility import groups_shown, show_newest
from construction.tagging.codebook import Codebook, Factor, SubFactor, in_scope
from construction.tagging.suggesting import (
    State,
    Suggested,
    judgment_words,
    portions,
    question_words,
    read,
    unreadable,
)
from errors import UserError, Where
from llm.batch import End, Progress, Stop
from llm.prompts.prompt_files import Prompt
from llm.reply import Status
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.answers import Structured
from llm.structured.shapes import FactorAnswers
from services.background.tasks import BackgroundTask, TaskKind, start
from services.models.asking import BatchWriter, Wordings, ask_each_for
from services.models.workspace_models import load_settings
from storage.db.columns import add_rows
from storage.db.rows import rows_with
from storage.db.workspace import Workspace
from storage.models import call_ids
from storage.subjects import ShownItem, shown_items
from storage.tables.cases import CourtCase, FactorSuggestion
from storage.tagging import Place, SuggestionView, place_of, suggestions
from storage.tasks import Task

_TOGETHER = 50  # calls per write


@dataclass(frozen=True, slots=True)
class Call:
    """One call: the sub-factors asked, of the case with this judgment text."""

    case_id: int
    subs: tuple[SubFactor, ...]
    text: str
    wording: Prompt
    request: Request


@dataclass
class Keeper:
    """Stores a model's suggestions that differ from the known ones, and counts these."""

    ws: Workspace
    plan: SuggestPlan
    known: dict[Place, tuple[object, ...]]
    new: int = 0

    def keep(self, batch: Sequence[tuple[Call, str, tuple[Suggested, ...]]]) -> list[str]:
        """Store the new suggestions of a batch of calls; return the states of all."""
        with self.ws.writing() as session:
            calls = call_ids(session, [key for _, key, _ in batch])
            rows = [
                self._row(call, each, calls.get(key))
                for call, key, suggested in batch
                for each in suggested
            ]
            fresh = [row for row in rows if self.known.get(place_of(row)) != identity_of(row)]
            states = [row.state for row in rows]
            said = {place_of(row): identity_of(row) for row in fresh}
            add_rows(session, fresh)
        self.known |= said
        self.new += len(fresh)
        return states

    def _row(self, call: Call, suggested: Suggested, made_by: int | None) -> FactorSuggestion:
        return FactorSuggestion(
            court_case_id=call.case_id,
            **asdict(suggested),
            server=self.plan.endpoint.server,
            model=self.plan.endpoint.model,
            codebook_version=self.plan.codebook_version,
            prompt_version=call.wording.version,
            llm_call_id=made_by,
            at=self.ws.clock(),
        )


def suggested_by(
    subs: Sequence[SubFactor], reply: Structured[FactorAnswers], text: str
) -> tuple[Suggested, ...]:
    """Return a model's suggestions for these sub-factors; unreadable ones if the reply is."""
    if reply.value is not None:
        return read(subs, reply.value.answers, text)
    refused = reply.last.status is Status.REFUSED
    state = State.REFUSED if refused else State.UNPARSED
    return unreadable(subs, state, "" if reply.problem is None else str(reply.problem))


def identity_of(row: SuggestionView | FactorSuggestion) -> tuple[object, ...]:
    """Return the key that separates suggestions at one place: call and result."""
    return row.llm_call_id, row.state, row.quote, row.start, tuple(row.options)


PROMPT = "factor_tags"
_CASES_AT_ONCE = 20  # cases whose judgments are in memory at once


@dataclass(frozen=True, slots=True)
class SuggestionOptions:
    """What to ask about; by default all cases with items and all factors.

    `cases` are ids of court cases, `factors` keys of factors. `limit` cases are drawn by the seed.
    """

    cases: tuple[str, ...] = ()
    factors: tuple[str, ...] = ()
    limit: int | None = None
    seed: int = 0


@dataclass(frozen=True, slots=True)
class SuggestPlan:
    """Everything needed to start; `asked` holds the cases with their questions."""

    project_id: int
    endpoint: Endpoint
    codebook_version: str
    asked: tuple[tuple[int, tuple[tuple[Factor, tuple[SubFactor, ...]], ...]], ...]
    wordings: Wordings

    @property
    def calls(self) -> int:
        """Number of calls, without repairs."""
        return sum(len(parts) for _, parts in self.asked)


@dataclass(frozen=True, slots=True)
class SuggestDone:
    """Result of a run: suggestions by state, `new` of them changed.

    `failed` calls brought no answer and are repeated by the next run; `shown` items now show
    something newer. `end` is how the batch ended, `reason` why the last call failed, `model` who
    was asked.
    """

    cases: int
    calls: int
    recalled: int
    failed: int
    states: dict[str, int]
    new: int
    shown: int
    end: End
    reason: str
    model: str


def plan_suggesting(
    ws: Workspace, project_slug: str, wish: SuggestionOptions, by: int | None = None
) -> SuggestPlan:
    """Plan the calls: the factors in scope of each case.

    Raises UserError for `by` who may not have models run, a case without an item, an unknown
    factor, where there is nothing to ask, and where no model is set.
    """
    wordings = Wordings.of(ws, project_slug, PROMPT)
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        endpoint = load_settings(ws).of(Role.TAG_FACTORS)
        book, version = book_of(session, project.id)
        items = shown_items(session, project.id, Task.FACTOR_TAGGING)
    factors = _chosen_factors(book, wish)
    asked = tuple(
        (case.subject_id, parts)
        for case in _chosen_cases(items, wish)
        if (parts := tuple(portions(factors, in_scope(book, groups_shown(case)))))
    )
    if not asked:
        raise UserError("factor_suggest_none")
    return SuggestPlan(project.id, endpoint, version, asked, wordings)


async def suggest(ws: Workspace, plan: SuggestPlan, progress: Progress, stop: Stop) -> SuggestDone:
    """Ask everything in the plan, store the suggestions, show them in items; return the result.

    It ends early once `stop` is set, the budget is reached or the server refuses. Incomplete items
    show the newest suggestions from then on.
    """
    progress.total = plan.calls
    with ws.reading() as session:
        known = {
            key: identity_of(each) for key, each in suggestions(session, plan.project_id).items()
        }
    keeper = Keeper(ws, plan, known)
    with BatchWriter(_TOGETHER, keeper.keep) as writer:

        def take(call: Call, reply: Structured[FactorAnswers]) -> None:
            """Queue the result of a call, unless it failed."""
            if reply.last.status is not Status.FAILED:
                suggested = suggested_by(call.subs, reply, call.text)
                writer.add((call, reply.last.key, suggested))

        about = FactorAnswers, plan.wordings, take, progress, stop
        for start_ in range(0, len(plan.asked), _CASES_AT_ONCE):
            if progress.end in (None, End.DONE):
                calls = _calls(ws, plan, start_)
                await ask_each_for(ws, calls, lambda each: each.request, *about)
    with ws.writing() as session:
        shown = show_newest(session, plan.project_id, ws.clock())
    return SuggestDone(
        cases=len(plan.asked),
        calls=plan.calls,
        recalled=progress.recalled,
        failed=progress.statuses[Status.FAILED],
        states=dict(sorted(writer.states.items())),
        new=keeper.new,
        shown=shown,
        end=progress.end or End.DONE,
        reason=progress.last_reason,
        model=plan.endpoint.model,
    )


def start_suggesting(
    ws: Workspace, project_slug: str, wish: SuggestionOptions, by: int | None = None
) -> BackgroundTask[SuggestDone]:
    """Start asking for suggestions in the background.

    Raises UserError as `plan_suggesting` does, and while it is already running.
    """
    work = partial(suggest, ws, plan_suggesting(ws, project_slug, wish, by))
    return start(ws, project_slug, TaskKind.SUGGEST_TAGS, work, by=by)


def _calls(ws: Workspace, plan: SuggestPlan, first: int) -> list[Call]:
    """Return the calls about the batch of cases that begins at place `first`."""
    some = plan.asked[first : first + _CASES_AT_ONCE]
    ids = [number for number, _ in some]
    with ws.reading() as session:
        rows = {row.id: row for row in rows_with(session, select(CourtCase), CourtCase.id, ids)}
        return [each for number, parts in some for each in _calls_of(plan, rows[number], parts)]


def _calls_of(
    plan: SuggestPlan, row: CourtCase, parts: Sequence[tuple[Factor, tuple[SubFactor, ...]]]
) -> Iterator[Call]:
    """Yield the calls about a case, each about some sub-factors of one factor."""
    wording = plan.wordings[row.language]
    language = wording.language
    sections = [(str(name), int(start_), int(end)) for name, start_, end in row.sections]
    judgment = judgment_words(row.text, sections, language)
    for factor, subs in parts:
        values = {"judgment": judgment, "questions": question_words(factor, subs, language)}
        request = Request(plan.endpoint, wording.messages(values), wording.name)
        yield Call(row.id or 0, subs, row.text, wording, request)


def _chosen_factors(book: Codebook, wish: SuggestionOptions) -> list[Factor]:
    """Return the factors to ask about. Raises UserError for an unknown key."""
    known = {factor.key for factor in book.factors}
    if unknown := [key for key in wish.factors if key not in known]:
        raise UserError("factor_unknown", Where(field="factor"), factor=unknown[0])
    return [factor for factor in book.factors if not wish.factors or factor.key in wish.factors]


def _chosen_cases(items: Sequence[ShownItem], wish: SuggestionOptions) -> list[ShownItem]:
    """Return the items to ask about, a sample if limited. Raises UserError for an unknown case."""
    names = {item.external_id for item in items}
    if unknown := [name for name in wish.cases if name not in names]:
        raise UserError("factor_suggest_case", Where(field="case"), case=unknown[0])
    found = [item for item in items if not wish.cases or item.external_id in wish.cases]
    if wish.limit is None or wish.limit >= len(found):
        return found
    drawn = set(random.Random(wish.seed).sample(range(len(found)), max(0, wish.limit)))
    return [each for at, each in enumerate(found) if at in drawn]
