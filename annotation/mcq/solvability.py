"""The form of MCQ solvability: fields, their order, and when a submission is complete.

A person answers from the first provision alone, then sees the second and answers again, then sees
the stored answer and gives a verdict on the item. Each step is closed for good when the next is
opened (`SEALS`), as the judgment made before cannot be recovered afterwards.

The provisions that a multiple-choice question rests on: the two it was made of.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from sqlmodel import Session, select

from annotation.forms.form import AnswerChecks, Answers, Compared, Form, require_reason
from annotation.gold.resting import Resting, Rests, Scope
from errors import UserError, Where
from storage.tables.core import Item
from storage.tables.mcq import Mcq
from storage.tasks import Task

WRITTEN = 4  # options besides the last, "cannot be determined"
ABSTENTION = WRITTEN  # index of that option; options are counted from 0
SURE = range(1, 6)  # 1 guessing … 5 certain
YES, NO, UNSURE = "yes", "no", "unsure"
OTHER = "other"  # the cause that requires a reason
REVEALED, COMPARED = "revealed", "compared"
SEALS = frozenset({REVEALED, COMPARED})
CAUSE = "cause"  # why an item is fixed or dropped: an option of the codebook
DECIDED = frozenset({"verdict", CAUSE, "reason", "fix"})  # fields that an adjudicator decides
_ANSWERS = AnswerChecks("mcq_value", "mcq_unanswered")


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


# The fields of each step, in order.
ASKED: Mapping[Stage, tuple[str, ...]] = {
    Stage.ALONE: ("alone_answerable", "alone_choice", "alone_sure"),
    Stage.BOTH: ("both_answerable", "both_choice", "both_sure"),
    Stage.COMPARED: ("stored_right", "verdict"),
}


def stage_of(answers: Answers, submitted: bool = False) -> Stage:
    """Return the stage that a person has reached by these answers."""
    if submitted:
        return Stage.DONE
    if answers.get(COMPARED):
        return Stage.COMPARED
    return Stage.BOTH if answers.get(REVEALED) else Stage.ALONE


def fix_of(answers: Answers) -> Fix | None:
    """Return the corrected item of these answers, None if there is none."""
    said = answers.get("fix")
    if answers.get("verdict") != Verdict.FIX or said is None:
        return None
    return Fix(said["query"], tuple(said["options"]), said["answer"])


class MultipleChoice(Form):
    """The form of MCQ solvability."""

    task: ClassVar[Task] = Task.MCQ_SOLVABILITY
    seals: ClassVar[frozenset[str]] = SEALS
    coded: ClassVar[str] = CAUSE
    scales: ClassVar[Mapping[str, Compared]] = {
        "alone_answerable": ("nominal", (YES, NO)),
        "alone_choice": ("nominal", None),
        "alone_sure": ("ordinal", tuple(SURE)),
        "both_answerable": ("nominal", (YES, NO)),
        "both_choice": ("nominal", None),
        "both_sure": ("ordinal", tuple(SURE)),
        "stored_right": ("nominal", (YES, NO, UNSURE)),
        "verdict": ("nominal", tuple(Verdict)),
        CAUSE: ("nominal", None),
    }
    closed: ClassVar[frozenset[str]] = SEALS.union(ASKED[Stage.ALONE], ASKED[Stage.BOTH])

    def check(self, field: str, value: Any, answers: Answers) -> Any:
        """Return the value in its stored form.

        Raises UserError for an unknown field or value, for a step that is closed or not open yet,
        and for opening the next step before all of this one is answered.
        """
        now = _current_step(field, answers)
        if field in SEALS:
            _refuse_unanswered(now, answers)
        return _CHECKS[field](field, value)

    def clear(self, field: str, answers: Answers) -> None:
        """Raise UserError for an answer of a closed step, and for a field that closes one."""
        _current_step(field, answers)
        if field in SEALS:
            _ANSWERS.refuse(field, None)

    def fit(self, answers: Answers) -> None:
        """Raise UserError if the draft cannot be submitted yet."""
        _ANSWERS.require(answers, (REVEALED, COMPARED))
        for stage in ASKED:
            _refuse_unanswered(stage, answers)
        refuse_unfit_verdict(answers)
        if _contradicts_itself(answers):
            require_reason(answers, "mcq_keep_reason")

    def refuse_for(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError for an unchanged correction."""
        fix = fix_of(answers)
        if fix is None:
            return
        row = session.get_one(Mcq, item.subject_id)
        if fix == Fix(row.query, tuple(row.options[:WRITTEN]), row.answer):
            raise UserError("mcq_fix_same", Where(field="fix"))

    def check_in(
        self, session: Session, item: Item, field: str, value: Any, answers: Answers
    ) -> Any:
        """Return the value in its stored form; a cause has to be in the project's codebook."""
        kept = self.check(field, value, answers)
        if field == CAUSE:
            _ANSWERS.known_cause(session, item.project_id, Task.MCQ_SOLVABILITY, CAUSE, kept)
        return kept

    def decided(self, session: Session, item: Item, answers: Answers) -> dict[str, Any]:
        """Return an adjudicator's verdict in its stored form, without steps."""
        for field in sorted(answers.keys() - DECIDED):
            _ANSWERS.refuse(field, answers[field])
        kept = {field: _CHECKS[field](field, value) for field, value in answers.items()}
        refuse_unfit_verdict(kept)
        if CAUSE in kept:
            _ANSWERS.known_cause(session, item.project_id, Task.MCQ_SOLVABILITY, CAUSE, kept[CAUSE])
        return kept

    def read_back(self, session: Session, item: Item, field: str, value: Any) -> Any:
        """Return the value in its stored form, whichever step it belongs to."""
        if field not in _CHECKS:
            raise UserError("mcq_field", field=field[:60])
        return _CHECKS[field](field, value)

    def fit_decided(self, answers: Answers) -> None:
        """Validate an adjudicator's verdict."""
        for field in sorted(answers.keys() - DECIDED):
            _ANSWERS.refuse(field, answers[field])
        refuse_unfit_verdict(answers)

    def graded(self, answers: Answers) -> dict[str, Any]:
        """Return verdict and cause; corrections have no single wording."""
        return {field: answers[field] for field in ("verdict", CAUSE) if field in answers}


def _current_step(field: str, answers: Answers) -> Stage:
    """Return the current step; raise UserError for a field of another one."""
    if field not in _CHECKS:
        raise UserError("mcq_field", field=str(field)[:60])
    now, place = stage_of(answers), list(Stage)
    if place.index(_STEP[field]) > place.index(now):
        raise UserError("mcq_not_open", Where(field=field))
    if _STEP[field] is not now:
        raise UserError("mcq_closed", Where(field=field))
    return now


def refuse_unfit_verdict(answers: Answers) -> None:
    """Raise UserError unless there is a verdict with all that it requires."""
    verdict = answers.get("verdict")
    _ANSWERS.require(answers, ("verdict",))
    if verdict == Verdict.FIX:
        _ANSWERS.require(answers, ("fix",))
    if verdict != Verdict.KEEP:
        _ANSWERS.require(answers, ("cause",))
        if answers["cause"] == OTHER:
            require_reason(answers, "mcq_unanswered")


def _refuse_unanswered(stage: Stage, answers: Answers) -> None:
    """Raise UserError for missing or contradictory answers of a step."""
    _ANSWERS.require(answers, ASKED[stage])
    if stage is Stage.COMPARED:
        return
    answerable, choice, _ = (answers[field] for field in ASKED[stage])
    if answerable == YES and choice == ABSTENTION:
        raise UserError("mcq_answerable_abstains", Where(field=ASKED[stage][1]))


def _contradicts_itself(answers: Answers) -> bool:
    """Return True if the item is kept although the person's own answers find it unsound."""
    sound = (
        answers["alone_answerable"] == NO
        and answers["both_answerable"] == YES
        and answers["stored_right"] == YES
    )
    return answers["verdict"] == Verdict.KEEP and not sound


def _checked_number(known: range) -> Callable[[str, Any], int]:
    def check(field: str, value: Any) -> int:
        if type(value) is not int or value not in known:
            _ANSWERS.refuse(field, value)
        return int(value)

    return check


def _fix(field: str, value: Any) -> dict[str, Any]:
    known = {"query", "options", "answer"}
    if not isinstance(value, dict) or value.keys() != known:
        _ANSWERS.refuse(field, value)
    options = value["options"]
    if not isinstance(options, list) or len(options) != WRITTEN:
        _ANSWERS.refuse("options", options)
    texts = [
        _ANSWERS.text("query", value["query"]),
        *(_ANSWERS.text("options", option) for option in options),
    ]
    if len({" ".join(text.split()).casefold() for text in texts[1:]}) != WRITTEN:
        raise UserError("mcq_options_alike", Where(field="options"))
    answer = _checked_number(range(WRITTEN))("answer", value["answer"])
    return {"query": texts[0], "options": texts[1:], "answer": answer}


_CHECKS: Mapping[str, Callable[[str, Any], Any]] = {
    "alone_answerable": _ANSWERS.one_of(YES, NO),
    "alone_choice": _checked_number(range(WRITTEN + 1)),
    "alone_sure": _checked_number(SURE),
    REVEALED: _ANSWERS.opened,
    "both_answerable": _ANSWERS.one_of(YES, NO),
    "both_choice": _checked_number(range(WRITTEN + 1)),
    "both_sure": _checked_number(SURE),
    COMPARED: _ANSWERS.opened,
    "stored_right": _ANSWERS.one_of(YES, NO, UNSURE),
    "verdict": _ANSWERS.one_of(*Verdict),
    "cause": _ANSWERS.cause,
    "reason": _ANSWERS.text,
    "fix": _fix,
}
_STEP: Mapping[str, Stage] = {
    **{field: stage for stage, fields in ASKED.items() for field in fields},
    REVEALED: Stage.ALONE,
    COMPARED: Stage.BOTH,
    **dict.fromkeys(("cause", "reason", "fix"), Stage.COMPARED),
}

FORM = MultipleChoice()


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
