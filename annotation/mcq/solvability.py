"""The form of MCQ solvability, beyond what its declaration says (`annotation/tasks/`).

A person answers from the first provision alone, then sees the second and answers again, then sees
the stored answer and gives a verdict on the item.

The provisions that a multiple-choice question rests on: the two it was made of.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from sqlmodel import Session, select

from annotation.forms.form import Answers
from annotation.gold.resting import Resting, Rests, Scope
from annotation.tasks.form import DeclaredForm
from annotation.tasks.reading import packaged
from annotation.tasks.spec import NO, YES, StageSpec
from errors import UserError, Where
from storage.tables.core import Item
from storage.tables.mcq import Mcq
from storage.tasks import Task

SPEC = packaged(Task.MCQ_SOLVABILITY)
WRITTEN = 4  # options besides the last, "cannot be determined"
ABSTENTION = WRITTEN  # index of that option; options are counted from 0
REVEALED, COMPARED = SPEC.seals
SEALS = frozenset(SPEC.seals)
SURE = SPEC.fields["alone_sure"].values  # 1 guessing … 5 certain
CAUSE, OTHER = SPEC.coded, "other"  # the field of the codebook; its option that needs a reason


class Stage(StrEnum):
    """The material of an item that a person has been shown."""

    ALONE = "alone"  # the question and the first provision
    BOTH = "both"  # also the second provision
    COMPARED = "compared"  # also the stored answer and its explanation
    DONE = "done"  # also the models' answers: the item is submitted


class Verdict(StrEnum):
    """The decision on the item."""

    KEEP = "keep"
    FIX = "fix"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Fix:
    """A corrected item: four options, `answer` counted from 0."""

    query: str
    options: tuple[str, ...]
    answer: int


ASKED = {
    Stage(stage.key): tuple(
        each.key for each in stage.fields if not (each.shown_when or each.required_when)
    )
    for stage in SPEC.stages
}
"""The fields that each stage needs, in order."""


def stage_of(answers: Answers, submitted: bool = False) -> Stage:
    """Return the stage that a person has reached by these answers."""
    return Stage.DONE if submitted else Stage(SPEC.stage_at(answers).key)


def fix_of(answers: Answers) -> Fix | None:
    """Return the corrected item of these answers, None if there is none."""
    said = SPEC.visible(answers).get("fix")
    return None if said is None else Fix(said["query"], tuple(said["options"]), said["answer"])


class MultipleChoice(DeclaredForm):
    """The form of MCQ solvability."""

    def refuse_unanswered(self, answers: Answers, stage: StageSpec | None = None) -> None:
        """Raise UserError for missing answers, and for an answerable question without an answer."""
        super().refuse_unanswered(answers, stage)
        if stage is None or not stage.seal:
            return
        answerable, choice, _ = ASKED[Stage(stage.key)]
        if answers[answerable] == YES and answers[choice] == ABSTENTION:
            raise UserError("mcq_answerable_abstains", Where(field=choice))

    def refuse_for(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError for an unchanged correction."""
        fix = fix_of(answers)
        if fix is None:
            return
        row = session.get_one(Mcq, item.subject_id)
        if fix == Fix(row.query, tuple(row.options[:WRITTEN]), row.answer):
            raise UserError("mcq_fix_same", Where(field="fix"))

    def contradicts_itself(self, answers: Answers) -> bool:
        """Return True if the item is kept although the person's own answers find it unsound."""
        sound = {"alone_answerable": NO, "both_answerable": YES, "stored_right": YES}
        return answers["verdict"] == Verdict.KEEP and not sound.items() <= answers.items()


FORM = MultipleChoice(SPEC)


class McqResting(Resting):
    """The reader of `annotation.gold.resting` for multiple-choice questions."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> list[Rests]:
        """Return the two provisions of each question, in the law that it was made on."""
        query = select(Mcq.id, Mcq.a_unit_id, Mcq.b_unit_id)
        rows = scope.session.exec(query.where(Mcq.project_id == scope.project_id))
        pairs = {number: (a, b) for number, a, b in rows}
        return [
            Rests(each.id or 0, tuple((unit, "source") for unit in pairs[each.subject_id or 0]))
            for each in items
        ]


RESTS = McqResting()
