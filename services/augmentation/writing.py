"""Writing of questions along axes by a model, from governing provisions.

Replies are cached as they arrive, so interrupted work resumes when started again; attempts are
stored together at the end, however it ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from construction.augmentation.governing import repeats
from corpus.files.rows import is_storable
from corpus.limits import OFFICIAL_ANSWER, QUESTION
from llm.batch import End, Progress, Stop
from llm.reply import Status
from llm.structured.answers import Structured
from llm.structured.shapes import AugmentedDraft
from services.augmentation.planning import Asking, WritingOptions, WritingPlan, plan
from services.background.tasks import BackgroundTask, TaskKind, start
from services.models.asking import said_of_each
from storage.augmentation.questions import (
    KEPT,
    WRITTEN,
    Attempt,
    keep_attempts,
    known_texts,
    shown_outcome,
)
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.tables.augmentation import (
    AugmentationAttempt,
    AugmentationMaking,
    AugmentedQuestion,
)


@dataclass(frozen=True, slots=True)
class WritingDone:
    """Result of a writing run: `asked` sets, `unanswered` of them in vain.

    `lacking` is the shortfall of sets in the graph. `outcomes` counts attempts by outcome; `end` is
    how the batch ended, `reason` why the last call failed.
    """

    asked: int
    lacking: int
    unanswered: int
    written: int
    outcomes: dict[str, int]
    end: End
    reason: str


def start_writing(
    ws: Workspace, project_slug: str, options: WritingOptions, by: int | None = None
) -> BackgroundTask[WritingDone]:
    """Start writing questions in the background.

    Raises UserError as `services.augmentation.planning.plan` does, and while it is already running.
    """
    work = partial(write, ws, plan(ws, project_slug, options, by))
    return start(ws, project_slug, TaskKind.AUGMENT, work, by=by)


async def write(ws: Workspace, plan: WritingPlan, progress: Progress, stop: Stop) -> WritingDone:
    """Request every question of the plan, store the attempts, and return the result.

    The targets are stored first, for the matrix. It ends early once `stop` is set, the budget is
    reached or the server refuses; replies until then are stored.
    """
    attempt_of = partial(_attempt, plan, _keep_making(ws, plan))
    about = AugmentedDraft, plan.wordings, progress, stop
    said = await said_of_each(ws, plan.askings, plan.request, *about)
    outcomes = _store(ws, plan, [attempt_of(*each) for each in said])
    return WritingDone(
        asked=len(plan.askings),
        lacking=sum(each.lacking for each in plan.cells),
        unanswered=len(plan.askings) - sum(outcomes.values()),
        written=outcomes[WRITTEN],
        outcomes=dict(sorted(outcomes.items())),
        end=progress.end or End.DONE,
        reason=progress.last_reason,
    )


def _keep_making(ws: Workspace, plan: WritingPlan) -> int:
    """Store the request with its targets; return its id."""
    making = AugmentationMaking(
        project_id=plan.project_id,
        snapshot_id=plan.snapshot_id,
        axes_number=plan.axes_number,
        wanted=[each.as_dict() for each in plan.options.wanted],
        seed=plan.options.seed,
        server=plan.endpoint.server,
        model=plan.endpoint.model,
        person_id=plan.person_id,
        at=ws.clock(),
    )
    with ws.writing() as session:
        return add_row(session, making)


def _store(ws: Workspace, plan: WritingPlan, attempts: Sequence[Attempt]) -> Counter[str]:
    """Store the attempts; return counts by outcome."""
    if not attempts:
        return Counter()
    with ws.writing() as session:  # in the transaction, so that no duplicate is added meanwhile
        attempts = _without_repeats(attempts, known_texts(session, plan.project_id))
        keep_attempts(session, plan.project_id, attempts, ws.clock())
        return Counter(shown_outcome(row) for row, _ in attempts)


def _attempt(
    plan: WritingPlan,
    making_id: int,
    asking: Asking,
    reply: Structured[AugmentedDraft],
    call: int | None,
) -> Attempt:
    """Return a reply as an attempt: its outcome, and the question if one was written."""
    draft, outcome, detail = reply.value, *_outcome(reply)
    about: dict[str, Any] = {
        "gold": asking.found.gold(),
        "llm_call_id": call,
        "prompt_version": plan.wordings[asking.language].version,
    }
    row = AugmentationAttempt(
        making_id=making_id,
        name=asking.name,
        cell=dict(asking.cell),
        outcome=outcome,
        detail=detail,
        draft=None if draft is None or not _storable(draft) else draft.model_dump(),
        **about,
    )
    if draft is None or outcome != KEPT:
        return row, None
    return row, AugmentedQuestion(
        project_id=plan.project_id,
        snapshot_id=plan.snapshot_id,
        axes_number=plan.axes_number,
        parent_question_id=asking.parent[0] if asking.parent else None,
        axes={name: value for name, value in asking.cell.items() if name != "facet"},
        text=draft.question.strip(),
        answer=draft.answer.strip(),
        language=asking.language,
        seed=plan.options.seed,
        **about,
    )


def _outcome(reply: Structured[AugmentedDraft]) -> tuple[str, str]:
    """Return a reply's outcome and detail, before comparison with other questions."""
    draft = reply.value
    if reply.last.status is Status.REFUSED:
        return "refused", ""
    if draft is None:
        return "invalid", "" if reply.problem is None else reply.problem.value
    if not draft.question.strip() or not draft.answer.strip():
        return "invalid", "empty"
    if not _storable(draft):
        return "invalid", "unstorable"
    if len(draft.question) > QUESTION or len(draft.answer) > OFFICIAL_ANSWER:
        return "invalid", "long"
    return KEPT, ""


def _storable(draft: AugmentedDraft) -> bool:
    """Return True if the database can store the texts of a draft."""
    return is_storable(draft.question) and is_storable(draft.answer)


def _without_repeats(
    attempts: Sequence[Attempt], known: Sequence[tuple[str, str]]
) -> list[Attempt]:
    """Mark attempts that repeat a question, stored or of the batch; drop their questions."""
    kept = [(row, question) for row, question in attempts if question is not None]

    def named(like: str) -> str:
        """Return the name of the question that a draft repeats, of a draft in the batch too."""
        return kept[int(like[1:]) - 1][0].name if like.startswith("#") else like

    for number, like in repeats([question.text for _, question in kept], known).items():
        row, _ = kept[number]
        row.outcome, row.detail = "duplicate", named(like)
    return [(row, question if row.outcome == KEPT else None) for row, question in attempts]
