"""Writing of questions along axes by a model, from governing provisions.

Replies are cached as they arrive, so interrupted work resumes when started again; attempts are
stored together at the end, however it ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

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
    WRITTEN,
    Attempt,
    Written,
    keep_attempts,
    known_texts,
)
from storage.db.workspace import Workspace
from storage.tables.augmentation import AugmentationMaking


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
    reason: str = ""


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
    making = _keep_making(ws, plan)
    about = AugmentedDraft, plan.wordings, progress, stop
    said = await said_of_each(ws, plan.askings, plan.request, *about)
    outcomes = _store(ws, plan, making, [_attempt(plan, *each) for each in said])
    return WritingDone(
        asked=len(plan.askings),
        lacking=sum(each.lacking for each in plan.cells),
        unanswered=len(plan.askings) - sum(outcomes.values()),
        written=outcomes[WRITTEN],
        outcomes=dict(sorted(outcomes.items())),
        end=progress.end or End.DONE,
        reason=progress.last_reason,
    )


def _keep_making(ws: Workspace, plan: WritingPlan) -> AugmentationMaking:
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
        session.add(making)
        session.flush()
        session.refresh(making)
        session.expunge(making)
    return making


def _store(
    ws: Workspace, plan: WritingPlan, making: AugmentationMaking, attempts: list[Attempt]
) -> Counter[str]:
    """Store the attempts; return counts by outcome."""
    if not attempts:
        return Counter()
    with ws.writing() as session:  # in the transaction, so that no duplicate is added meanwhile
        attempts = _without_repeats(attempts, known_texts(session, plan.project_id))
        keep_attempts(session, making, attempts, ws.clock())
    return Counter(each.outcome for each in attempts)


def _attempt(
    plan: WritingPlan, asking: Asking, reply: Structured[AugmentedDraft], call: int | None
) -> Attempt:
    """Return a reply as an attempt: its outcome, and the question if one was written."""
    draft = reply.value
    outcome, detail = _outcome(reply)
    parent = asking.parent[0] if asking.parent else None
    written = None
    if draft is not None and outcome == WRITTEN:
        text, answer = draft.question.strip(), draft.answer.strip()
        written = Written(text, answer, asking.language, parent)
    return Attempt(
        name=asking.name,
        cell=asking.cell,
        gold=asking.found.gold(),
        outcome=outcome,
        detail=detail,
        draft=None if draft is None or not _storable(draft) else draft.model_dump(),
        question=written,
        llm_call_id=call,
        prompt_version=plan.wordings[asking.language].version,
    )


def _outcome(reply: Structured[AugmentedDraft]) -> tuple[str, str]:
    """Return an answer's outcome and detail, before comparison with others."""
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
    return WRITTEN, ""


def _storable(draft: AugmentedDraft) -> bool:
    """Return True if the database can store the texts of a draft."""
    return is_storable(draft.question) and is_storable(draft.answer)


def _without_repeats(
    attempts: Sequence[Attempt], known: Sequence[tuple[str, str]]
) -> list[Attempt]:
    """Mark attempts that repeat an existing question as duplicates of it."""
    kept = [each for each in attempts if each.question is not None]
    out = repeats([each.question.text for each in kept if each.question], known)
    names = {each.name: out[n] for n, each in enumerate(kept) if n in out}

    def named(like: str) -> str:
        """Return the name of the question that a draft repeats, of a draft in the batch too."""
        return kept[int(like[1:]) - 1].name if like.startswith("#") else like

    return [
        replace(each, outcome="duplicate", detail=named(names[each.name]), question=None)
        if each.name in names
        else each
        for each in attempts
    ]
