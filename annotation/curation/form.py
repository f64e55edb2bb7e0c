"""What may be said of a question that a model wrote, in which order, and when it can be submitted.

A person judges the question by itself, by four criteria and its difficulty, without the level that
it was written for and without what the layers of the cascade found. Then they are shown both, for
good, and say which provisions are gold and what is to become of the question. What somebody would
have said before they saw more cannot be made up later (`docs/decisions/0043-curated-questions.md`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from sqlmodel import Session

from annotation.forms.answer_checks import AnswerChecks, require_reason
from annotation.forms.form import Answers, Compared, Form
from errors import UserError, Where
from storage.curation.questions import known_units, listed_units
from storage.tables.augmentation import AugmentedQuestion
from storage.tables.core import Item
from storage.tasks import Task

CRITERIA = ("voice", "context", "framing", "one_view")
"""Practitioner voice, concrete context, situational framing, one institution's view."""

LEVELS = ("L1", "L2", "L3", "L4")
YES, NO = "yes", "no"
DIFFICULTY, GOLD, CAUSE, OTHER, EDIT = "difficulty", "gold", "cause", "other", "edit"
REVEALED = "revealed"
SEALS = frozenset({REVEALED})
ALONE_FIELDS = (*CRITERIA, DIFFICULTY)
DECIDED = frozenset({*ALONE_FIELDS, GOLD, "verdict", CAUSE, "reason", EDIT})
"""What an adjudicator decides."""

_MOST_UNITS = 200  # that one question can have as gold
_LONGEST = 500  # characters of a semantic id
_TEXT = 20_000  # characters of a corrected question or answer
_ANSWERS = AnswerChecks("curation_value", "curation_unanswered")


class Stage(StrEnum):
    """What a person has been shown of an item."""

    ALONE = "alone"  # the question, its answer and its provisions
    TOLD = "told"  # the level it was written for and what each layer said, too
    DONE = "done"  # the item is submitted


class Verdict(StrEnum):
    """What is to become of the question."""

    KEEP = "keep"
    EDIT = "edit"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Edited:
    """A question put right, with its answer."""

    question: str
    answer: str


def stage_of(answers: Answers, submitted: bool = False) -> Stage:
    """Return how much its person has been shown, by what they have answered."""
    if submitted:
        return Stage.DONE
    return Stage.TOLD if answers.get(REVEALED) else Stage.ALONE


def edited_of(answers: Answers) -> Edited | None:
    """Return the question as these answers put it right, None where they do not."""
    said = answers.get(EDIT)
    if answers.get("verdict") != Verdict.EDIT or said is None:
        return None
    return Edited(said["question"], said["answer"])


def gold_of(answers: Answers) -> tuple[str, ...]:
    """Return the provisions that belong to the gold by these answers, ascending; none if rejected.

    They are semantic ids.
    """
    if answers.get("verdict") == Verdict.REJECT:
        return ()
    return _belonging(answers.get(GOLD) or {})


class Curation(Form):
    """The form of the task."""

    task: ClassVar[Task] = Task.CURATION
    seals: ClassVar[frozenset[str]] = SEALS
    coded: ClassVar[str] = CAUSE
    scales: ClassVar[Mapping[str, Compared]] = {
        **dict.fromkeys(CRITERIA, ("nominal", (YES, NO))),
        DIFFICULTY: ("ordinal", LEVELS),
        GOLD: ("sets", None),
        "verdict": ("nominal", tuple(Verdict)),
        CAUSE: ("nominal", None),
    }
    closed: ClassVar[frozenset[str]] = SEALS.union(ALONE_FIELDS)

    def check(self, field: str, value: Any, answers: Answers) -> Any:
        """Return the value as it is kept.

        Raises UserError for an unknown field or value, for a step that is closed or not open yet,
        and for being shown more before the question was judged by itself.
        """
        _refuse_elsewhere(field, answers)
        if field in SEALS:
            _ANSWERS.require(answers, ALONE_FIELDS)
        return _CHECKS[field](field, value)

    def clear(self, field: str, answers: Answers) -> None:
        """Raise UserError for an answer of a closed step, and for what closes one."""
        _refuse_elsewhere(field, answers)
        if field in SEALS:
            _ANSWERS.refuse(field, None)

    def options_said(self, field: str, value: Any) -> tuple[str, ...]:
        """Return the options that an answer names: of the gold, the provisions that belong."""
        if field == GOLD and isinstance(value, dict):
            return _belonging(value)
        return super().options_said(field, value)

    def fit(self, answers: Answers) -> None:
        """Raise UserError when the draft cannot be submitted yet."""
        _ANSWERS.require(answers, (*ALONE_FIELDS, REVEALED))
        refuse_unfit_verdict(answers)
        if _against_itself(answers):
            require_reason(answers, "curation_keep_reason")

    def refuse_for(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError for a listed provision that is not judged, and for an idle correction."""
        row = session.get_one(AugmentedQuestion, item.subject_id)
        if answers["verdict"] != Verdict.REJECT:
            judged = answers[GOLD]
            listed = listed_units(session, [row])[row.id or 0]
            open_ = [unit for unit in listed if unit not in judged]
            if open_:
                raise UserError("curation_gold_open", Where(field=GOLD), units=", ".join(open_))
        edited = edited_of(answers)
        if edited == Edited(row.text.strip(), row.answer.strip()):
            raise UserError("curation_edit_same", Where(field=EDIT))

    def check_in(
        self, session: Session, item: Item, field: str, value: Any, answers: Answers
    ) -> Any:
        """Return the value as it is kept.

        A cause has to be one of the project's codebook, a provision one of the law that the item
        shows; one that is not listed is there only as belonging.
        """
        kept = self.check(field, value, answers)
        if field == CAUSE:
            _ANSWERS.known_cause(session, item.project_id, Task.CURATION, CAUSE, kept)
        return _known_gold(session, item, kept) if field == GOLD else kept

    def decided(self, session: Session, item: Item, answers: Answers) -> dict[str, Any]:
        """Return an adjudicator's decision as it is kept: all that is asked, and no steps."""
        _refuse_undecided(answers)
        kept = {field: _CHECKS[field](field, value) for field, value in answers.items()}
        self.fit_decided(kept)
        if CAUSE in kept:
            _ANSWERS.known_cause(session, item.project_id, Task.CURATION, CAUSE, kept[CAUSE])
        if GOLD in kept:
            kept[GOLD] = _known_gold(session, item, kept[GOLD])
        refuse_unfit_verdict(kept)
        return kept

    def read_back(self, session: Session, item: Item, field: str, value: Any) -> Any:
        """Return the value as it is kept, of whichever step it is."""
        if field not in _CHECKS:
            raise UserError("curation_field", field=field[:60])
        return _CHECKS[field](field, value)

    def fit_decided(self, answers: Answers) -> None:
        """Raise UserError for what is no decision, or lacks what the verdict asks for."""
        _refuse_undecided(answers)
        refuse_unfit_verdict(answers)
        if answers["verdict"] != Verdict.REJECT:
            _ANSWERS.require(answers, ALONE_FIELDS)

    def graded(self, answers: Answers) -> dict[str, Any]:
        """Return what can be right or wrong; how a question is put right has no one wording."""
        found = {
            field: answers[field]
            for field in (*ALONE_FIELDS, "verdict", CAUSE)
            if answers.get(field) is not None
        }
        return found | ({GOLD: list(gold_of(answers))} if GOLD in answers else {})


def _refuse_undecided(answers: Answers) -> None:
    """Raise UserError for a field that no adjudicator decides."""
    for field in sorted(answers.keys() - DECIDED):
        known = ", ".join(sorted(DECIDED))
        raise UserError("curation_part", field=str(field)[:60], known=known)


def refuse_unfit_verdict(answers: Answers) -> None:
    """Raise UserError unless a verdict is given with all that it asks for."""
    _ANSWERS.require(answers, ("verdict",))
    verdict = answers["verdict"]
    if verdict == Verdict.EDIT:
        _ANSWERS.require(answers, (EDIT,))
    if verdict != Verdict.REJECT:
        _ANSWERS.require(answers, (GOLD,))
        if not _belonging(answers[GOLD]):
            raise UserError("curation_gold_none", Where(field=GOLD))
    if verdict != Verdict.KEEP:
        _ANSWERS.require(answers, (CAUSE,))
        if answers[CAUSE] == OTHER:
            require_reason(answers, "curation_unanswered")


def _belonging(judged: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(sorted(unit for unit, said in judged.items() if said == YES))


def _known_gold(session: Session, item: Item, judged: Mapping[str, str]) -> dict[str, str]:
    """Return what is said of listed provisions, and of others of the law those that belong."""
    row = session.get_one(AugmentedQuestion, item.subject_id)
    belongs = _belonging(judged)
    unknown = sorted(set(belongs) - known_units(session, item.id or 0, belongs))
    if unknown:
        raise UserError("curation_unit_unknown", Where(field=GOLD), unit=unknown[0])
    keep = {*listed_units(session, [row])[row.id or 0], *belongs}
    return {unit: said for unit, said in sorted(judged.items()) if unit in keep}


def _refuse_elsewhere(field: str, answers: Answers) -> None:
    """Raise UserError for a field that is not of the step in hand."""
    if field not in _CHECKS:
        raise UserError("curation_field", field=str(field)[:60])
    now = stage_of(answers)
    early = field in ALONE_FIELDS or field in SEALS
    if early and now is not Stage.ALONE:
        raise UserError("curation_closed", Where(field=field))
    if not early and now is Stage.ALONE:
        raise UserError("curation_not_open", Where(field=field))


def _against_itself(answers: Answers) -> bool:
    """Whether the question is kept although it fails a criterion by what the same person says."""
    return answers["verdict"] == Verdict.KEEP and any(answers[each] == NO for each in CRITERIA)


def _edit(field: str, value: Any) -> dict[str, str]:
    parts = ("question", "answer")
    whole = isinstance(value, dict) and value.keys() == {*parts}
    if not whole or not all(isinstance(value[name], str) for name in parts):
        raise UserError("curation_edit_parts", Where(field=field))
    return {name: _ANSWERS.text(name, value[name], _TEXT) for name in parts}


def _gold(field: str, value: Any) -> dict[str, str]:
    fits = isinstance(value, dict) and len(value) <= _MOST_UNITS
    if not fits or not all(_judged(unit, said) for unit, said in value.items()):
        _ANSWERS.refuse(field, value)
    return dict(sorted(value.items()))


def _judged(unit: Any, said: Any) -> bool:
    return isinstance(unit, str) and 0 < len(unit) <= _LONGEST and said in (YES, NO)


_CHECKS: Mapping[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(CRITERIA, _ANSWERS.one_of(YES, NO)),
    DIFFICULTY: _ANSWERS.one_of(*LEVELS),
    REVEALED: _ANSWERS.opened,
    GOLD: _gold,
    "verdict": _ANSWERS.one_of(*Verdict),
    CAUSE: _ANSWERS.cause,
    "reason": _ANSWERS.text,
    EDIT: _edit,
}

FORM = Curation()
