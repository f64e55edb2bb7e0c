"""The form of curation, beyond what its declaration says (`annotation/tasks/curation.yaml`).

A person first judges the question by itself, by four criteria and its difficulty, without the level
that it was written for and without the findings of the cascade's layers. Then both are revealed,
for good, and they choose the gold provisions and a verdict. The judgment made before cannot be
recovered afterwards (`docs/decisions/0043-curated-questions.md`).

The provisions that a curated question rests on: listed ones, and those that people named.

The gold of an admitted question is checked like other gold (`annotation.gold.validity`); this shows
curators the amendments of the law that they saw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlmodel import Session, col, select

from annotation.forms.form import Answers
from annotation.gold.resting import Resting, Rests, Scope, Via
from annotation.tasks.form import DeclaredForm, chosen_units
from annotation.tasks.reading import packaged
from annotation.tasks.spec import NO
from annotation.work.submissions import complete
from errors import UserError, Where
from storage.curation.questions import known_units, listed_units
from storage.tables.augmentation import AugmentedQuestion
from storage.tables.core import Item
from storage.tasks import Task

SPEC = packaged(Task.CURATION)
CRITERIA = ("voice", "context", "framing", "one_view")
"""Practitioner voice, concrete context, situational framing, one institution's view."""

DIFFICULTY, GOLD, CAUSE, EDIT = "difficulty", "gold", SPEC.coded, "edit"
LEVELS = SPEC.fields[DIFFICULTY].values
(REVEALED,) = SPEC.seals
ALONE_FIELDS = (*CRITERIA, DIFFICULTY)


class Stage(StrEnum):
    """The material of an item that a person has been shown."""

    ALONE = "alone"  # question, answer and provisions
    TOLD = "told"  # also the level it was written for, and the layers' findings
    DONE = "done"  # the item is submitted


class Verdict(StrEnum):
    """The decision on the question."""

    KEEP = "keep"
    EDIT = "edit"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Edited:
    """A corrected question with its answer."""

    question: str
    answer: str


def stage_of(answers: Answers, submitted: bool = False) -> Stage:
    """Return the stage that a person has reached by these answers."""
    return Stage.DONE if submitted else Stage(SPEC.stage_at(answers).key)


def edited_of(answers: Answers) -> Edited | None:
    """Return the corrected question of these answers, None if there is none."""
    said = SPEC.visible(answers).get(EDIT)
    return None if said is None else Edited(said["question"], said["answer"])


def gold_of(answers: Answers) -> tuple[str, ...]:
    """Return the gold provisions of these answers, as ascending semantic ids; none if rejected."""
    return chosen_units(SPEC.visible(answers).get(GOLD))


class Curation(DeclaredForm):
    """The form of curation."""

    def contradicts_itself(self, answers: Answers) -> bool:
        """Return True if the question is kept although it fails a criterion."""
        return answers["verdict"] == Verdict.KEEP and NO in (answers[each] for each in CRITERIA)

    def refuse_for(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError for a listed provision not judged, and an unchanged correction."""
        row = session.get_one(AugmentedQuestion, item.subject_id)
        if (judged := SPEC.visible(answers).get(GOLD)) is not None:
            listed = listed_units(session, [row])[row.id or 0]
            open_ = [unit for unit in listed if unit not in judged]
            if open_:
                raise UserError("curation_gold_open", Where(field=GOLD), units=", ".join(open_))
        if edited_of(answers) == Edited(row.text.strip(), row.answer.strip()):
            raise UserError("curation_edit_same", Where(field=EDIT))

    def known(self, session: Session, item: Item, field: str, value: Any, answers: Answers) -> Any:
        """Return a checked value; provisions have to be in the law that the item shows.

        Unlisted provisions are kept only if they belong to the gold.
        """
        if field != GOLD:
            return super().known(session, item, field, value, answers)
        row, belongs = session.get_one(AugmentedQuestion, item.subject_id), chosen_units(value)
        unknown = sorted(set(belongs) - known_units(session, item.id or 0, belongs))
        if unknown:
            raise UserError("curation_unit_unknown", Where(field=GOLD), unit=unknown[0])
        keep = {*listed_units(session, [row])[row.id or 0], *belongs}
        return {unit: said for unit, said in value.items() if unit in keep}


FORM = Curation(SPEC)


class CurationResting(Resting):
    """The reader of `annotation.gold.resting` for curated questions."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> list[Rests]:
        """Return the provisions of each question, in the law that it was shown with.

        Annotators get only the listed ones.
        """
        laws = scope.decided_on(items)
        query = select(AugmentedQuestion).where(
            col(AugmentedQuestion.project_id) == scope.project_id
        )
        listed = listed_units(scope.session, scope.session.exec(query).all())
        named = {} if scope.blind else _gold_by_item(scope)
        found = []
        for each in items:
            number, law = each.id or 0, laws.get(each.id or 0, 0)
            via: dict[str, Via] = dict.fromkeys(listed[each.subject_id or 0], "source")
            via |= dict.fromkeys(named.get(number, ()), "gold")
            found.append(Rests(number, places=tuple((unit, law, how) for unit, how in via.items())))
        return found


def _gold_by_item(scope: Scope) -> dict[int, tuple[str, ...]]:
    """Return the provisions that submissions consider gold, by item."""
    made = complete(scope.session, scope.project_id, Task.CURATION)
    return {
        item: tuple(sorted({unit for each in said for unit in gold_of(each.answers)}))
        for item, said in made.items()
    }


RESTS = CurationResting()
