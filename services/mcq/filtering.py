"""Filtering of draft questions against each other and existing ones, and storing the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from construction.mcq.filters import Limits, filtered
from construction.mcq.model import Mcq
from storage.db.workspace import Workspace
from storage.mcq.questions import Attempt, attempt_names, keep_making, questions
from storage.subjects import Subject, add_items
from storage.tables.mcq import McqMaking
from storage.tasks import Task

KEPT = "kept"
_TITLE = 200  # characters of a question shown in a queue


@dataclass(frozen=True, slots=True)
class Made:
    """Result of generating questions: numbers of attempts by outcome, in filter order."""

    kept: int
    outcomes: dict[str, int]


def keep_filtered(
    ws: Workspace,
    making: Callable[[], McqMaking],
    attempts: Sequence[Attempt],
    seed: int,
    limits: Limits | None = None,
) -> Made:
    """Filter the drafts among the attempts and store every attempt with its outcome.

    Questions that pass become items for people to check. All is written in one transaction. If
    others added questions meanwhile, filtering is repeated against those too.
    """
    project_id = making().project_id
    while True:
        with ws.reading() as session:
            before = attempt_names(session, project_id)
            known = [question.question for question in questions(session, project_id)]
        decided = _filtered_attempts(attempts, known, before, seed, limits)
        with ws.writing() as session:
            if attempt_names(session, project_id) == before:
                _store(session, making(), decided)
                counted = Counter(each.outcome for each in decided)
                return Made(counted[KEPT], dict(sorted(counted.items())))


def _filtered_attempts(
    attempts: Sequence[Attempt],
    known: Sequence[Mcq],
    names: set[str],
    seed: int,
    limits: Limits | None,
) -> list[Attempt]:
    """Return the attempts under new names; filtered ones with the reason."""
    named = [attempt for attempt in attempts if attempt.name not in names]
    drafts = [each.question for each in named if each.question is not None]
    result = filtered(drafts, seed, limits, known)
    out = {dropped.item.id: dropped for dropped in result.dropped}
    return [
        replace(
            each, outcome=out[each.name].reason.value, detail=out[each.name].detail, question=None
        )
        if each.name in out
        else each
        for each in named
    ]


def _store(session: Session, making: McqMaking, attempts: Sequence[Attempt]) -> None:
    kept = keep_making(session, making, attempts)
    subjects = [
        Subject(number, question.id, question.query[:_TITLE], {"mcq": number})
        for number, question in kept
    ]
    add_items(session, making.project_id, Task.MCQ_SOLVABILITY, subjects, making.at)
