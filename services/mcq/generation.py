"""Generation of multiple-choice questions on linked provisions by a model.

Replies are cached as they arrive, so interrupted work resumes when started again; drafts are
filtered and stored together at the end, however it ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import partial

from annotation.people.roles import Act, reading_as
from construction.mcq.filters import FilterChoice
from construction.mcq.model import (
    GENERATE,
    Draft,
    Pair,
    PairFilter,
    generation_values,
    item_of,
    linked_pairs,
    sample_pairs,
)
from errors import UserError, Where
from llm.batch import End, Progress, Stop
from llm.reply import Status
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.answers import Structured
from llm.structured.shapes import McqDraft
from services.background.tasks import BackgroundTask, TaskKind, start
from services.mcq.importing import Made, keep_filtered
from services.models.asking import Wordings, said_of_each
from services.models.workspace_models import load_settings
from storage.db.workspace import Workspace
from storage.law.corpus import required_snapshot
from storage.mcq.questions import Attempt, attempt_names, attempt_row, linked, tried_pairs
from storage.tables.mcq import McqMaking

MOST = 100_000


@dataclass(frozen=True, slots=True)
class GenerationOptions:
    """Selection of provision pairs: `number` of those wanted, drawn by the seed.

    At most `per_source` share their first provision; None is unlimited. Drafts pass `filters`.
    """

    wanted: PairFilter = field(default_factory=PairFilter)
    number: int = 100
    seed: int = 0
    per_source: int | None = None
    filters: FilterChoice = field(default_factory=FilterChoice)


@dataclass(frozen=True, slots=True)
class Generated:
    """Result of a generation: `drawn` pairs were asked about, `unanswered` of them in vain.

    `linked` pairs of the snapshot match the selection, `already` of those drawn had been asked
    before. `end` is how the batch ended, `reason` why the last call failed.
    """

    linked: int
    already: int
    drawn: int
    unanswered: int
    kept: int
    outcomes: dict[str, int]
    end: End
    reason: str


@dataclass(frozen=True, slots=True)
class GenerationPlan:
    """Everything needed to start: the pairs left to ask about, and the prompts.

    `names` are attempt numbers by pair, `numbers` map units to database ids.
    """

    project_id: int
    snapshot_id: int
    person_id: int | None
    wish: GenerationOptions
    endpoint: Endpoint
    linked: int
    already: int
    pairs: tuple[Pair, ...]
    names: Mapping[str, int]
    numbers: Mapping[str, int]
    wordings: Wordings


def count_pairs(
    ws: Workspace, project_slug: str, pair_filter: PairFilter, by: int | None = None
) -> int:
    """Return the number of linked pairs of the snapshot in use that match the selection.

    Raises UserError for `by` without permission, and for a project without a snapshot or a graph.
    """
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        found = linked(session, required_snapshot(session, project).id, pair_filter.types)
    return len(linked_pairs(found.edges, found.passages, pair_filter))


def plan(
    ws: Workspace, project_slug: str, wish: GenerationOptions, by: int | None = None
) -> GenerationPlan:
    """Plan the pairs to write questions on; `by` is the requester, None for the operator.

    Pairs this model has written on, under the same prompt, are skipped. Raises UserError for `by`
    without permission, a number out of range, unknown filters, a project without a snapshot or a
    graph, and where no model is set.
    """
    if not 1 <= wish.number <= MOST:
        raise UserError("mcq_number", Where(field="number"), number=wish.number, most=MOST)
    wish.filters.limits()
    wordings = Wordings.of(ws, project_slug, GENERATE)
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        endpoint = load_settings(ws).of(Role.GENERATE)
        snapshot = required_snapshot(session, project).id
        found = linked(session, snapshot, wish.wanted.types)
        versions = wordings.versions
        tried = tried_pairs(session, project.id, endpoint.server, endpoint.model, versions)
        names = attempt_names(session, project.id)
    pairs = linked_pairs(found.edges, found.passages, wish.wanted)
    drawn = sample_pairs(pairs, wish.number, wish.seed, wish.per_source)
    left = [each for each in drawn if _unit_numbers(each, found.numbers) not in tried]
    return GenerationPlan(
        project_id=project.id,
        snapshot_id=snapshot,
        person_id=by,
        wish=wish,
        endpoint=endpoint,
        linked=len(pairs),
        already=len(drawn) - len(left),
        pairs=tuple(left),
        names={each.id: _free_number(each, names) for each in left},
        numbers={
            unit: found.numbers[unit]
            for each in left
            for unit in (each.source.unit_id, each.target.unit_id)
        },
        wordings=wordings,
    )


def start_writing(
    ws: Workspace, project_slug: str, wish: GenerationOptions, by: int | None = None
) -> BackgroundTask[Generated]:
    """Start generating questions in the background.

    Raises UserError as `plan` does, and while it is already running.
    """
    work = partial(generate, ws, plan(ws, project_slug, wish, by))
    return start(ws, project_slug, TaskKind.GENERATE_MCQ, work, by=by)


async def generate(
    ws: Workspace, plan: GenerationPlan, progress: Progress, stop: Stop
) -> Generated:
    """Ask about every pair, store questions that pass the filters, and return the result.

    It ends early once `stop` is set, the budget is reached or the server refuses; replies until
    then are stored.
    """
    about = McqDraft, plan.wordings, progress, stop
    said = await said_of_each(ws, plan.pairs, partial(_request, plan), *about)
    made = Made(0, {})
    if attempts := [_attempt(plan, *each) for each in said]:
        limits, seed = plan.wish.filters.limits(), plan.wish.seed
        made = keep_filtered(ws, lambda: _generation_row(ws, plan), attempts, seed, limits)
    return Generated(
        linked=plan.linked,
        already=plan.already,
        drawn=len(plan.pairs),
        unanswered=len(plan.pairs) - sum(made.outcomes.values()),
        kept=made.kept,
        outcomes=made.outcomes,
        end=progress.end or End.DONE,
        reason=progress.last_reason,
    )


def _request(plan: GenerationPlan, pair: Pair) -> Request:
    """Return the request for a question on a pair of provisions."""
    return plan.wordings.request(plan.endpoint, pair.source.language, generation_values(pair))


def _attempt(
    plan: GenerationPlan, pair: Pair, reply: Structured[McqDraft], call: int | None
) -> Attempt:
    """Return a reply as an attempt: a question, or why there is none."""
    number, written = plan.names[pair.id], reply.value
    question = None
    if written is not None:
        options = tuple(written.options)
        draft = Draft(written.query, options, written.answer, written.explanation)
        question = item_of(draft, pair, plan.wish.seed, number)
    declined = reply.last.status is Status.REFUSED
    row = attempt_row(
        f"{pair.id} #{number}",
        _unit_numbers(pair, plan.numbers),
        pair.types,
        outcome="kept" if question else "refused" if declined else "invalid",
        detail="" if question or reply.last.problem is None else reply.last.problem.value,
        draft=None if written is None else written.model_dump(),
        llm_call_id=call,
        prompt_version=plan.wordings[pair.source.language].version,
    )
    return Attempt(row, question)


def _generation_row(ws: Workspace, plan: GenerationPlan) -> McqMaking:
    """Return the row that records a generation with its options."""
    wanted = plan.wish.wanted
    said = asdict(wanted) | {
        "types": sorted(wanted.types),
        "tiers": sorted([int(a), int(b)] for a, b in wanted.tiers),
        "statutes": sorted(wanted.statutes),
        "number": plan.wish.number,
        "per_source": plan.wish.per_source,
        "filters": plan.wish.filters.record(),
    }
    return McqMaking(
        project_id=plan.project_id,
        kind="generate",
        snapshot_id=plan.snapshot_id,
        wanted=said,
        linked=plan.linked,
        seed=plan.wish.seed,
        server=plan.endpoint.server,
        model=plan.endpoint.model,
        person_id=plan.person_id,
        at=ws.clock(),
    )


def _free_number(pair: Pair, names: set[str]) -> int:
    """Return the first attempt number not used for the pair."""
    number = 0
    while f"{pair.id} #{number}" in names:
        number += 1
    return number


def _unit_numbers(pair: Pair, numbers: Mapping[str, int]) -> tuple[int, int]:
    """Return the database ids of a pair's two units; `numbers` map units to ids."""
    return numbers[pair.source.unit_id], numbers[pair.target.unit_id]
