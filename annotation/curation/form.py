"""The form of curation: fields, their order, and when a submission is complete.

A person first judges the question by itself, by four criteria and its difficulty, without the level
that it was written for and without the findings of the cascade's layers. Then both are revealed,
for good, and they choose the gold provisions and a verdict. The judgment made before cannot be
recovered afterwards (`docs/decisions/0043-curated-questions.md`).

The provisions that a curated question rests on: listed ones, and those that people named.

The gold of an admitted question is checked like other gold (`annotation.gold.validity`); this shows
curators the amendments of the law that they saw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from sqlmodel import Session, col, select

from annotation.forms.form import AnswerChecks, Answers, Compared, Form, require_reason
from annotation.forms.submissions import form_submissions
from annotation.gold.resting import Resting, Rests, Scope, Via
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
"""Fields that an adjudicator decides."""

_MOST_UNITS = 200  # gold provisions of one question
_MAX_ID_LENGTH = 500  # characters of a semantic id
_MAX_TEXT = 20_000  # characters of a corrected question or answer
_ANSWERS = AnswerChecks("curation_value", "curation_unanswered")


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
    if submitted:
        return Stage.DONE
    return Stage.TOLD if answers.get(REVEALED) else Stage.ALONE


def edited_of(answers: Answers) -> Edited | None:
    """Return the corrected question of these answers, None if there is none."""
    said = answers.get(EDIT)
    if answers.get("verdict") != Verdict.EDIT or said is None:
        return None
    return Edited(said["question"], said["answer"])


def gold_of(answers: Answers) -> tuple[str, ...]:
    """Return the gold provisions of these answers, as ascending semantic ids; none if rejected."""
    if answers.get("verdict") == Verdict.REJECT:
        return ()
    return _gold_units(answers.get(GOLD) or {})


class Curation(Form):
    """The form of curation."""

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
        """Return the value in its stored form.

        Raises UserError for an unknown field or value, for a step that is closed or not open yet,
        and for revealing more before the question was judged by itself.
        """
        _refuse_other_step(field, answers)
        if field in SEALS:
            _ANSWERS.require(answers, ALONE_FIELDS)
        return _CHECKS[field](field, value)

    def clear(self, field: str, answers: Answers) -> None:
        """Raise UserError for an answer of a closed step, and for a field that closes one."""
        _refuse_other_step(field, answers)
        if field in SEALS:
            _ANSWERS.refuse(field, None)

    def options_said(self, field: str, value: Any) -> tuple[str, ...]:
        """Return the options of an answer; for the gold, the provisions that belong to it."""
        if field == GOLD and isinstance(value, dict):
            return _gold_units(value)
        return super().options_said(field, value)

    def fit(self, answers: Answers) -> None:
        """Raise UserError if the draft cannot be submitted yet."""
        _ANSWERS.require(answers, (*ALONE_FIELDS, REVEALED))
        refuse_unfit_verdict(answers)
        if _contradicts_itself(answers):
            require_reason(answers, "curation_keep_reason")

    def refuse_for(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError for a listed provision not judged, and an unchanged correction."""
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
        """Return the value in its stored form.

        A cause has to be in the project's codebook, a provision in the law that the item shows;
        unlisted provisions are stored only if they belong to the gold.
        """
        kept = self.check(field, value, answers)
        if field == CAUSE:
            _ANSWERS.known_cause(session, item.project_id, Task.CURATION, CAUSE, kept)
        return _checked_gold(session, item, kept) if field == GOLD else kept

    def decided(self, session: Session, item: Item, answers: Answers) -> dict[str, Any]:
        """Return an adjudicator's decision in its stored form: all fields, without steps."""
        _refuse_undecided(answers)
        kept = {field: _CHECKS[field](field, value) for field, value in answers.items()}
        self.fit_decided(kept)
        if CAUSE in kept:
            _ANSWERS.known_cause(session, item.project_id, Task.CURATION, CAUSE, kept[CAUSE])
        if GOLD in kept:
            kept[GOLD] = _checked_gold(session, item, kept[GOLD])
        refuse_unfit_verdict(kept)
        return kept

    def read_back(self, session: Session, item: Item, field: str, value: Any) -> Any:
        """Return the value in its stored form, whichever step it belongs to."""
        if field not in _CHECKS:
            raise UserError("curation_field", field=field[:60])
        return _CHECKS[field](field, value)

    def fit_decided(self, answers: Answers) -> None:
        """Validate an adjudicator's decision."""
        _refuse_undecided(answers)
        refuse_unfit_verdict(answers)
        if answers["verdict"] != Verdict.REJECT:
            _ANSWERS.require(answers, ALONE_FIELDS)

    def graded(self, answers: Answers) -> dict[str, Any]:
        """Return the fields that can be right or wrong; corrections have no single wording."""
        found = {
            field: answers[field]
            for field in (*ALONE_FIELDS, "verdict", CAUSE)
            if answers.get(field) is not None
        }
        return found | ({GOLD: list(gold_of(answers))} if GOLD in answers else {})


def _refuse_undecided(answers: Answers) -> None:
    """Raise UserError for a field that adjudicators do not decide."""
    for field in sorted(answers.keys() - DECIDED):
        known = ", ".join(sorted(DECIDED))
        raise UserError("curation_part", field=str(field)[:60], known=known)


def refuse_unfit_verdict(answers: Answers) -> None:
    """Raise UserError unless there is a verdict with all that it requires."""
    _ANSWERS.require(answers, ("verdict",))
    verdict = answers["verdict"]
    if verdict == Verdict.EDIT:
        _ANSWERS.require(answers, (EDIT,))
    if verdict != Verdict.REJECT:
        _ANSWERS.require(answers, (GOLD,))
        if not _gold_units(answers[GOLD]):
            raise UserError("curation_gold_none", Where(field=GOLD))
    if verdict != Verdict.KEEP:
        _ANSWERS.require(answers, (CAUSE,))
        if answers[CAUSE] == OTHER:
            require_reason(answers, "curation_unanswered")


def _gold_units(judged: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(sorted(unit for unit, said in judged.items() if said == YES))


def _checked_gold(session: Session, item: Item, judged: Mapping[str, str]) -> dict[str, str]:
    """Return the judgments of listed provisions, and of unlisted ones that belong to the gold."""
    row = session.get_one(AugmentedQuestion, item.subject_id)
    belongs = _gold_units(judged)
    unknown = sorted(set(belongs) - known_units(session, item.id or 0, belongs))
    if unknown:
        raise UserError("curation_unit_unknown", Where(field=GOLD), unit=unknown[0])
    keep = {*listed_units(session, [row])[row.id or 0], *belongs}
    return {unit: said for unit, said in sorted(judged.items()) if unit in keep}


def _refuse_other_step(field: str, answers: Answers) -> None:
    """Raise UserError for a field of another step."""
    if field not in _CHECKS:
        raise UserError("curation_field", field=str(field)[:60])
    now = stage_of(answers)
    early = field in ALONE_FIELDS or field in SEALS
    if early and now is not Stage.ALONE:
        raise UserError("curation_closed", Where(field=field))
    if not early and now is Stage.ALONE:
        raise UserError("curation_not_open", Where(field=field))


def _contradicts_itself(answers: Answers) -> bool:
    """Return True if the question is kept although the person finds that it fails a criterion."""
    return answers["verdict"] == Verdict.KEEP and any(answers[each] == NO for each in CRITERIA)


def _checked_edit(field: str, value: Any) -> dict[str, str]:
    """Return an edit's question and answer. Raises UserError for other parts."""
    parts = ("question", "answer")
    whole = isinstance(value, dict) and value.keys() == {*parts}
    if not whole or not all(isinstance(value[name], str) for name in parts):
        raise UserError("curation_edit_parts", Where(field=field))
    return {name: _ANSWERS.text(name, value[name], _MAX_TEXT) for name in parts}


def _gold(field: str, value: Any) -> dict[str, str]:
    fits = isinstance(value, dict) and len(value) <= _MOST_UNITS
    if not fits or not all(
        isinstance(unit, str) and 0 < len(unit) <= _MAX_ID_LENGTH and said in (YES, NO)
        for unit, said in value.items()
    ):
        _ANSWERS.refuse(field, value)
    return dict(sorted(value.items()))


_CHECKS: Mapping[str, Callable[[str, Any], Any]] = {
    **dict.fromkeys(CRITERIA, _ANSWERS.one_of(YES, NO)),
    DIFFICULTY: _ANSWERS.one_of(*LEVELS),
    REVEALED: _ANSWERS.opened,
    GOLD: _gold,
    "verdict": _ANSWERS.one_of(*Verdict),
    CAUSE: _ANSWERS.cause,
    "reason": _ANSWERS.text,
    EDIT: _checked_edit,
}

FORM = Curation()


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
    made = form_submissions(scope.session, scope.project_id, Task.CURATION)
    return {
        item: tuple(sorted({unit for each in said for unit in gold_of(each.answers)}))
        for item, said in made.items()
    }


RESTS = CurationResting()
