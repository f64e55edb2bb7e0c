"""The first steps of a new project: law, questions, candidates, people, first batch.

A project is new until its first batch is handed out, unless somebody has submitted before or it
works on another task. Steps are done in this order, each as soon as its result is there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session, col, func, select

from annotation.batches.views import BatchView, ItemSlots
from annotation.people.roles import Act
from services.overview.questions import NextStep
from services.pace import CANDIDATES, expected_seconds
from storage.db.workspace import Workspace
from storage.projects import ProjectView
from storage.tables.core import StatuteRow, UnitRow
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class FirstStep:
    """One of the first steps, done or not.

    `count` is what there is of it (of `wanted`, if not 0), `more` a second count: provisions beside
    statutes. `act` is the permission it needs, `todo` the step as it is done. `seconds` is how long
    it takes on this data, None if nothing was measured.
    """

    name: str
    act: Act
    todo: NextStep
    done: bool
    count: int
    wanted: int = 0
    more: int = 0
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Guide:
    """The first steps of a new project, in order."""

    steps: tuple[FirstStep, ...]

    @property
    def next(self) -> FirstStep:
        """The first step that is not done; a project whose steps are all done is not new."""
        return next(each for each in self.steps if not each.done)


def guide_of(
    ws: Workspace,
    session: Session,
    project: ProjectView,
    law: int | None,
    slots: Sequence[ItemSlots],
    ready: int,
    batches: Sequence[BatchView],
    annotators: int,
) -> Guide | None:
    """Return the first steps of a project; None if it is not new.

    `law` is the snapshot in use, `ready` the number of questions with candidates from it.
    """
    if batches or any(each.made or each.task != Task.CITATION_MAPPING for each in slots):
        return None
    questions, lacking = len(slots), len(slots) - ready
    statutes, units = (
        session.exec(select(func.count()).where(col(table.snapshot_id) == law)).one()
        for table in (StatuteRow, UnitRow)
    )
    propose = NextStep("candidates", lacking, asked={"form": "candidates"})
    people = NextStep("people", sum(each.wanted for each in slots))
    if annotators:
        people = NextStep("annotators", project.overlap - annotators)
    return Guide(
        (
            FirstStep(
                *("law", Act.IMPORT_LAW, NextStep("law", 1)),
                *(law is not None, statutes),
                more=units,
            ),
            FirstStep(
                *("questions", Act.IMPORT_QUESTIONS, NextStep("questions", 1)),
                *(questions > 0, questions),
            ),
            FirstStep(
                *("candidates", Act.BUILD_CANDIDATES, propose),
                *(questions > 0 and not lacking, ready, questions),
                seconds=expected_seconds(ws, CANDIDATES, lacking),
            ),
            FirstStep(
                *("people", Act.MANAGE_PEOPLE, people),
                *(annotators >= project.overlap, annotators, project.overlap),
            ),
            FirstStep("batch", Act.ASSIGN, NextStep("first_batch", questions), False, 0),
        )
    )
