"""The form that a declaration makes: which answers it takes, and when it is complete."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any, NoReturn

from sqlmodel import Session

from annotation.forms.form import AnswerChecks, Answers, Form, require_reason
from annotation.tasks.spec import (
    MOST_PARTS,
    NO,
    SEVERAL,
    YES,
    FieldSpec,
    Kind,
    StageSpec,
    TaskSpec,
)
from annotation.work.submissions import TEXT_LIMIT, says_something
from errors import UserError, Where
from storage.tables.core import Item
from storage.tasks import Task

_MAX_ID_LENGTH = 500  # characters of a semantic id


class DeclaredForm(Form):
    """The form of a declared task; a task subclasses it for rules that are its own."""

    def __init__(self, spec: TaskSpec, task: str = "") -> None:
        self.spec, self.task, self.coded = spec, Task(task or spec.key), spec.coded
        self.whole = spec.repeated(MOST_PARTS)
        self.seals = frozenset(spec.seals)
        left = (each for stage in spec.stages if stage.seal for each in stage.fields)
        self.closed = self.seals.union(each.key for each in left)
        self.scales = {
            name: (each.scale, (each.kind is not Kind.SPANS and each.values) or None)
            for name, each in spec.fields.items()
            if each.scale != "none"
        }
        self.checks = AnswerChecks(self.code("value"), self.code("unanswered"))

    def code(self, name: str, field: str = "") -> str:
        """Return the code of an error of this task, or of one of its fields."""
        return "_".join(filter(None, (self.spec.codes, field, name)))

    def check(self, field: str, value: Any, answers: Answers) -> Any:
        """Return the value in its stored form.

        Raises UserError for an unknown field or value, for a stage that is closed or not open yet,
        and for opening the next stage before all of this one is answered.
        """
        stage = self._open_stage(field, answers)
        if field == stage.seal:
            self.refuse_unanswered(answers, stage)
        return self.checked(field, value)

    def check_in(
        self, session: Session, item: Item, field: str, value: Any, answers: Answers
    ) -> Any:
        """Return the value in its stored form, known to the project and to the item."""
        return self.known(session, item, field, self.check(field, value, answers), answers)

    def parts(self, session: Session, item: Item) -> int:
        """Return the number of parts of an item's subject that fields repeat for; 0 by default."""
        return 0

    def _refuse_no_part(self, session: Session, item: Item, field: str) -> None:
        """Raise UserError for a field of a part that the item does not have."""
        if (part := self.spec.place(field)[1]) and part > self.parts(session, item):
            self._refuse_unknown(field)

    def known(self, session: Session, item: Item, field: str, value: Any, answers: Answers) -> Any:
        """Return a checked value; raise UserError if the project or the item does not know it."""
        self._refuse_no_part(session, item, field)
        if field == self.coded and not self.spec.fields[field].values:
            for each in value if isinstance(value, list) else [value]:
                self.checks.known_cause(session, item.project_id, self.task, field, each)
        return value

    def clear(self, field: str, answers: Answers) -> None:
        """Raise UserError for an answer of a closed stage, and for a seal."""
        if field == self._open_stage(field, answers).seal:
            self.checks.refuse(field, None)

    def fit(self, answers: Answers) -> None:
        """Raise UserError if the draft cannot be submitted yet."""
        for stage in self.spec.stages:
            self.refuse_unanswered(answers, stage)
            self.checks.require(answers, (stage.seal,) if stage.seal else ())
        if self.contradicts_itself(answers):
            require_reason(answers, self.code("keep_reason"))

    def refuse_unfinished(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError for the first unanswered field of the item's parts."""
        if self.spec.repeating:
            self._refuse_missing(self.spec.repeated(self.parts(session, item)), answers)

    def contradicts_itself(self, answers: Answers) -> bool:
        """Return True if a complete form needs a reason, as its answers contradict each other."""
        return False

    def refuse_unanswered(self, answers: Answers, stage: StageSpec | None = None) -> None:
        """Raise UserError for a missing answer of a stage; without one, of a decision."""
        spec = self.spec.reaching(answers)
        self._refuse_missing(spec, answers, stage, decision=stage is None)
        for name, value in spec.visible(answers).items():
            each = spec.fields[name]
            several = chosen_units(value) if each.kind is Kind.UNITS else value
            if each.kind in SEVERAL and len(several) < each.least:
                raise UserError(self.code("none", name), Where(field=name))

    def _refuse_missing(
        self,
        spec: TaskSpec,
        answers: Answers,
        stage: StageSpec | None = None,
        decision: bool = False,
    ) -> None:
        """Raise UserError for the first required field (of a stage) without an answer."""
        bases = None if stage is None else {each.key for each in stage.fields}
        for name in spec.missing(answers, decision):
            each = spec.fields[name]
            if bases is None or each.base in bases:
                code = each.missing or self.code("unanswered")
                raise UserError(code, Where(field=each.base), n=each.part)

    def decided(self, session: Session, item: Item, answers: Answers) -> dict[str, Any]:
        """Return an adjudicator's decision in its stored form, without seals."""
        self._refuse_undecided(answers)
        kept = {name: self.checked(name, value) for name, value in answers.items()}
        opened = dict.fromkeys(self.seals, True)  # an adjudicator has seen everything
        for name, value in kept.items():
            kept[name] = self.known(session, item, name, value, opened)
        self.fit_decided(kept)
        if self.spec.repeating:
            whole = self.spec.repeated(self.parts(session, item))
            self._refuse_missing(whole, kept, decision=True)
        return kept

    def fit_decided(self, answers: Answers) -> None:
        """Raise UserError if the answers are no complete decision."""
        self._refuse_undecided(answers)
        self.refuse_unanswered(answers)

    def _refuse_undecided(self, answers: Answers) -> None:
        """Raise UserError for answers to fields that a decision does not decide."""
        known = [name for name, each in self.whole.fields.items() if each.decided]
        for name in sorted(answers.keys() - {*known}):
            if not self.seals and len(known) == len(self.whole.fields):
                self._refuse_unknown(name)
            named = ", ".join(sorted(known))
            raise UserError(self.code("part"), field=str(name)[:60], known=named)

    def read_back(self, session: Session, item: Item, field: str, value: Any) -> Any:
        """Return the value in its stored form, whichever stage it belongs to."""
        self._refuse_no_part(session, item, field)
        return self.checked(field, value)

    def graded(self, answers: Answers) -> dict[str, Any]:
        """Return the decided fields that are compared; texts have no single wording."""
        spec = self.spec.reaching(answers)
        seen = spec.visible(answers)
        return {
            name: list(chosen_units(seen.get(name))) if each.kind is Kind.UNITS else answers[name]
            for name, each in spec.fields.items()
            if each.decided and each.base in self.scales and answers.get(name) is not None
        }

    def coded_as(self, field: str) -> str:
        """Return the field as declared."""
        return self.spec.place(field)[0]

    def answers_by_part(self, name: str, answers: Answers) -> dict[Hashable, Any]:
        """Return the answers of a compared field, by part of the subject if it repeats."""
        if name not in self.spec.repeating:
            return super().answers_by_part(name, answers)
        places = {field: self.spec.place(field) for field in answers}
        return {part: answers[field] for field, (base, part) in places.items() if base == name}

    def options_named(self, field: str, value: Any) -> tuple[str, ...]:
        """Return the options that an answer names; of provisions, those with yes."""
        kind = self.whole.fields[field].kind if field in self.whole.fields else None
        if kind is Kind.UNITS:
            return chosen_units(value)
        if kind is Kind.SPANS:
            return tuple("{column}:{start}-{end}:{label}".format(**each) for each in value)
        return super().options_named(field, value)

    def _refuse_unknown(self, field: str) -> NoReturn:
        known = ", ".join(self.spec.fields)
        raise UserError(self.code("field"), field=str(field)[:60], known=known)

    def _open_stage(self, field: str, answers: Answers) -> StageSpec:
        """Return the open stage; raise UserError for a field of another one."""
        stage, now = self.whole.stage_of(field), self.whole.stage_at(answers)
        if stage is None:
            self._refuse_unknown(field)
        if stage is not now:
            late = self.whole.stages.index(stage) > self.whole.stages.index(now)
            raise UserError(self.code("not_open" if late else "closed"), Where(field=field))
        return now

    def checked(self, field: str, value: Any) -> Any:
        """Return the value of a field or seal in its stored form; raise UserError if it is none."""
        if field in self.seals:
            return self.checks.opened(field, value)
        if field not in self.whole.fields:
            self._refuse_unknown(field)
        return self._checked(self.whole.fields[field], value)

    def _checked(self, field: FieldSpec, value: Any) -> Any:
        """Return a value in its stored form, checked by the kind of its field."""
        if field.blank and (value == [] or (isinstance(value, str) and not says_something(value))):
            return None
        checks = replace(self.checks, unfit=field.error) if field.error else self.checks
        name = field.key
        match field.kind:
            case Kind.TEXT:
                return checks.text(name, value, field.longest or TEXT_LIMIT)
            case Kind.SCALE | Kind.NUMBER:
                fits = type(value) is int and field.least <= value <= field.most
                return value if fits else checks.refuse(name, value)
            case Kind.RECORD:
                return self.record(name, value)
            case Kind.UNITS:
                fits = _are_units(value, field.most)
                return dict(sorted(value.items())) if fits else checks.refuse(name, value)
            case Kind.TEXTS | Kind.EDIT | Kind.SPANS | Kind.CHOICES:
                return getattr(self, f"_{field.kind}")(field, value, checks)
        return (checks.one_of(*field.values) if field.values else checks.cause)(name, value)

    def record(self, field: str, value: Any) -> Any:
        """Return an answer of which only the task knows the shape, in its stored form."""
        raise NotImplementedError

    def _choices(self, field: FieldSpec, value: Any, checks: AnswerChecks) -> list[str]:
        """Return options in their order; those of a codebook in that of their keys."""
        if not isinstance(value, list) or len(value) > field.most:
            checks.refuse(field.key, value)
        one_of = checks.one_of(*field.values) if field.values else checks.cause
        kept = {one_of(field.key, each) for each in value}
        return [each for each in field.values or sorted(kept) if each in kept]

    def _edit(self, field: FieldSpec, value: Any, checks: AnswerChecks) -> dict[str, Any]:
        """Check an edit, part by part."""
        parts = {part.key: part for part in field.parts}
        if not isinstance(value, dict) or value.keys() != parts.keys():
            checks.refuse(field.key, value)
        return {key: self._checked(part, value[key]) for key, part in parts.items()}

    def _spans(self, field: FieldSpec, value: Any, checks: AnswerChecks) -> list[dict[str, Any]]:
        """Return the spans, checked, each once, by column and then in the order of its text."""
        keys = ("column", "start", "end", "label")
        if not isinstance(value, list) or not all(
            isinstance(each, dict)
            and each.keys() == {*keys}
            and type(each["start"]) is type(each["end"]) is int
            and 0 <= each["start"] < each["end"]
            and isinstance(each["column"], str)
            and each["label"] in field.values
            for each in value
        ):
            checks.refuse(field.key, value)
        in_text_order = sorted({tuple(each[key] for key in keys) for each in value})
        return [dict(zip(keys, each, strict=True)) for each in in_text_order]

    def _texts(self, field: FieldSpec, value: Any, checks: AnswerChecks) -> list[str]:
        """Return the texts, checked to differ in more than letters' case and white space."""
        if not isinstance(value, list) or len(value) != field.count:
            checks.refuse(field.key, value)
        texts = [checks.text(field.key, each) for each in value]
        if len({" ".join(text.split()).casefold() for text in texts}) != len(texts):
            raise UserError(self.code("alike", field.key), Where(field=field.key))
        return texts


def chosen_units(judged: Mapping[str, str] | None) -> tuple[str, ...]:
    """Return the semantic ids of provisions judged to belong, ascending; none for None."""
    return tuple(sorted(unit for unit, said in (judged or {}).items() if said == YES))


def _are_units(value: Any, most: int) -> bool:
    """Return True if a value is a stored decision on provisions: id → yes or no."""
    return (
        isinstance(value, dict)
        and len(value) <= most
        and all(
            isinstance(unit, str) and 0 < len(unit) <= _MAX_ID_LENGTH and said in (YES, NO)
            for unit, said in value.items()
        )
    )
