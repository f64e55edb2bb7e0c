"""The declaration of a task: its stages, the fields of each, and what makes a dispute.

A task of the product is a YAML file beside this module, a project's own one is stored with the
project (`docs/own-task.md`). Both are read by the same classes::

    task: relevance
    fields:
    - {field: relevance, kind: scale, least: 0, most: 3}
    - {field: why, kind: text, required_when: {relevance: 0}}

A stage is left by its seal: from then on its answers stand, and what the next stage shows is
revealed. A condition maps fields to the answers that meet it; it holds if all of them are met.

A field that repeats is asked of each part of the subject, as ``<field>_1``, ``<field>_2`` and so
on; `TaskSpec.repeated` is the task with the fields of so many parts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from corpus.files.declarations import (
    SOME,
    Declared,
    Text,
    Texts,
    Yes,
    choice_of,
    key_form,
    number,
    text_of,
)

FLAGGED = "flagged"  # somebody flagged the item
RECALLED = "recalled"  # a discussion was recalled before all had answered
YES, NO, UNSURE = "yes", "no", "unsure"
Agreement = Literal["nominal", "ordinal", "sets", "none"]


class Kind(StrEnum):
    """What an answer is."""

    CHOICE = "choice"  # one of the options
    CHOICES = "choices"  # some of the options
    YES_NO = "yes_no"
    YES_NO_UNSURE = "yes_no_unsure"
    SCALE = "scale"  # a whole number from `least` to `most`, in order
    NUMBER = "number"  # a whole number from `least` to `most`
    TEXT = "text"
    TEXTS = "texts"  # `count` different texts
    UNITS = "units"  # provisions, each with yes or no
    SPANS = "spans"  # stretches of the subject's text, each with one of the options
    EDIT = "edit"  # a new version of the given parts
    RECORD = "record"  # what the task's own rule takes


COLUMNS = {
    "question": ("id", "question", "answer"),
    "provision": ("id", "statute", "provision", "text"),
}
"""The columns of rows that are questions or provisions of the project."""
CONDITIONS = ("shown_when", "required_when", "decided_when")
SHORTCUT = re.compile("[a-z0-9]")
SCREEN_KEYS = frozenset("cfghijkqstwyz")
"""Letters that do something on every own task's screen, so that no option has them."""
MOST_PARTS = 200  # of a subject
_PART = re.compile("[1-9][0-9]{0,2}")
SEVERAL = (Kind.CHOICES, Kind.UNITS, Kind.SPANS)
"""Kinds of which `least` says how many there have to be."""
_COMPARED: Mapping[Kind, Agreement] = {
    **dict.fromkeys((Kind.CHOICE, Kind.YES_NO, Kind.YES_NO_UNSURE), "nominal"),
    **dict.fromkeys((Kind.CHOICES, Kind.UNITS, Kind.SPANS), "sets"),
    Kind.SCALE: "ordinal",
}


def _as_options(value: Any) -> Any:
    """Read options; a plain string is an option without more."""
    listed = value if isinstance(value, list) else []
    return [{"option": each} if isinstance(each, str) else each for each in listed]


def _multiline_text(value: Any) -> str:
    """Return a text of several lines, stripped. Raises as `text_of` for anything else."""
    text_of(value)
    return str(value).strip()


Key = Annotated[Text, key_form("parallel_key")]
Count = Annotated[int, number("task_number", -1_000_000, 1_000_000, "-?[0-9]{1,7}")]
When = Mapping[str, Texts]
"""Answers of other fields, by field; a single answer may stand without a list."""
Condition = Annotated[
    When,
    BeforeValidator(
        lambda value: (
            {name: [each] if isinstance(each, str) else each for name, each in value.items()}
            if isinstance(value, dict)
            else value
        )
    ),
]


@dataclass(frozen=True, slots=True)
class Option(Declared):
    """An option: the stored value, its label, and the key that chooses it."""

    option: Text
    label: Text | None = None
    key: Annotated[Text, key_form("task_shortcut", SHORTCUT)] | None = None


@dataclass(frozen=True, kw_only=True)
class FieldSpec(Declared):
    """A field of the form, or a part of an edited subject.

    Hidden until `shown_when` holds; of the shown ones, those with `required` need an answer, with
    `required_when` only then. An adjudicator decides it unless `decided` is off; a decision may
    lack it unless `decided_when` holds. `codebook`: its options are those of the codebook; options
    listed besides cannot be changed there. `blank`: an empty answer takes it back. `error` and
    `missing` are codes of its own for a value of another shape, and for none. `repeat` names the
    parts of the subject of each of which it is asked.
    """

    key: Annotated[Key, Field(alias="field")]
    kind: Annotated[Kind, choice_of(Kind, "task_word")]
    label: Text | None = None
    help: Text | None = None
    options: Annotated[tuple[Option, ...], BeforeValidator(_as_options)] = ()
    codebook: Yes = False
    least: Count = 0
    most: Count = 1_000_000
    longest: Count = 0
    count: Count = 0
    parts: tuple[FieldSpec, ...] = ()
    required: Yes = True
    required_when: Condition = field(default_factory=dict)
    shown_when: Condition = field(default_factory=dict)
    decided: Yes = True
    decided_when: Condition = field(default_factory=dict)
    agreement: Annotated[Agreement | None, choice_of(Agreement.__args__, "task_word")] = None
    blank: Yes = False
    error: Text | None = None
    missing: Text | None = None
    repeat: Key | None = None

    @property
    def base(self) -> str:
        """Key of the declared field; without the part's number where a field is repeated."""
        return self.key

    @property
    def part(self) -> int:
        """The part of the subject that it is asked of, from 1; 0 for all of it."""
        return 0

    @cached_property
    def values(self) -> tuple[Any, ...]:
        """The possible answers; empty if they are not listed here."""
        if self.kind in (Kind.YES_NO, Kind.YES_NO_UNSURE):
            return (YES, NO, UNSURE)[: 2 + (self.kind is Kind.YES_NO_UNSURE)]
        if self.kind is Kind.SCALE:
            return tuple(range(self.least, self.most + 1))
        return tuple(each.option for each in self.options)

    @property
    def scale(self) -> Agreement:
        """The scale on which answers are compared."""
        return self.agreement or _COMPARED.get(self.kind, "none")

    def needed(self, answers: Mapping[str, Any], decision: bool = False) -> bool:
        """Return True if a submission, or a decision, with these visible answers needs it."""
        when = (self.shown_when, self.required_when, self.decided_when if decision else {})
        asked = self.required and (self.decided or not decision)
        return asked and all(holds(each, answers) for each in when)


@dataclass(frozen=True, kw_only=True)
class PartSpec(FieldSpec):
    """A field that repeats, for one part of the subject."""

    base: str = ""
    part: int = 0


@dataclass(frozen=True, slots=True)
class StageSpec(Declared):
    """A step of the form; `seal` is the field that closes it and opens the next, None at the end.

    `shows`: the material that is shown from here on.
    """

    key: Annotated[Key, Field(alias="stage")]
    fields: Annotated[tuple[FieldSpec, ...], SOME]
    seal: Key | None = None
    shows: Texts = ()


@dataclass(frozen=True, slots=True)
class DisputeSpec(Declared):
    """A reason to need an adjudicator: submissions differ in one of the fields.

    Only submissions that show the field count; with `all` or `any` only if all, or one, meet it.
    """

    key: Annotated[Key, Field(alias="dispute")]
    fields: Annotated[Texts, SOME]
    all: Condition = field(default_factory=dict)
    any: Condition = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SubjectSpec(Declared):
    """What an own task asks about: rows of a file, or the project's questions or provisions.

    `id` is the column that names a row, by default its number; `title` the one shown in lists.
    `show` are the columns shown, in order; by default all but the id. `look_up` says of columns
    that they name a question or a provision, whose text is shown.
    """

    kind: Annotated[str, choice_of(("text", *COLUMNS), "task_word")]
    file: Text | None = None
    id: Text | None = None
    title: Text | None = None
    show: Texts = ()
    look_up: Mapping[str, Annotated[str, choice_of(tuple(COLUMNS), "task_word")]] = field(
        default_factory=dict
    )


@dataclass(frozen=True, kw_only=True)
class TaskSpec(Declared):
    """A task. One without `stages` has the `asked` fields in a single one.

    `fates` are what the verdicts of a task of the product lead to, `codes` begins the codes of its
    errors. A project's own task has `title`, `guideline` and `subject`.
    """

    key: Annotated[Key, Field(alias="task")]
    title: Text | None = None
    guideline: Annotated[str, BeforeValidator(_multiline_text)] = ""
    subject: SubjectSpec | None = None
    asked: Annotated[tuple[FieldSpec, ...], Field(alias="fields")] = ()
    stages: tuple[StageSpec, ...] = ()
    disputes: tuple[DisputeSpec, ...] = ()
    fates: Mapping[str, Text] = field(default_factory=dict)
    codes: Key | None = None

    def __post_init__(self) -> None:
        if self.asked and not self.stages:
            object.__setattr__(self, "stages", (StageSpec("answers", self.asked),))

    @cached_property
    def fields(self) -> Mapping[str, FieldSpec]:
        """The fields by key, in order."""
        return {each.key: each for stage in self.stages for each in stage.fields}

    @cached_property
    def repeating(self) -> Mapping[str, str]:
        """The fields that repeat, and for which parts; empty once they are those of the parts."""
        fields = self.fields.values()
        return {each.key: each.repeat for each in fields if each.repeat and not each.part}

    @cached_property
    def _repeated(self) -> dict[int, TaskSpec]:
        """Declarations made for a number of parts, cached by it."""
        return {}

    def repeated(self, parts: int) -> TaskSpec:
        """Return the task with the fields of so many parts of its subject, part by part."""
        if not self.repeating:
            return self
        if parts not in self._repeated:
            numbers, names = range(1, parts + 1), self.repeating
            stages = (
                replace(each, fields=tuple(_repeat_fields(each.fields, numbers, names)))
                for each in self.stages
            )
            disputes = (
                replace(each, fields=tuple(_names(each.fields, numbers, names)))
                for each in self.differences
            )
            made = replace(self, stages=tuple(stages), disputes=tuple(disputes))
            self._repeated[parts] = made
        return self._repeated[parts]

    def reaching(self, *answers: Mapping[str, Any]) -> TaskSpec:
        """Return the task with the fields of as many parts as these answers have."""
        if not self.repeating:
            return self
        parts = (self.place(name)[1] for each in answers for name in each)
        return self.repeated(max(parts, default=0))

    def place(self, name: str) -> tuple[str, int]:
        """Return a field as declared, and the part that a name asks it of; 0 for none."""
        base, _, number = name.rpartition("_")
        there = base in self.repeating and _PART.fullmatch(number) and int(number) <= MOST_PARTS
        return (base, int(number)) if there else (name, 0)

    @cached_property
    def units(self) -> frozenset[str]:
        """The fields that judge provisions."""
        return frozenset(name for name, each in self.fields.items() if each.kind is Kind.UNITS)

    @cached_property
    def _hiding(self) -> tuple[tuple[str, When], ...]:
        """The fields that are not always shown, and when they are."""
        fields = self.fields.items()
        return tuple((name, each.shown_when) for name, each in fields if each.shown_when)

    @cached_property
    def seals(self) -> tuple[str, ...]:
        """The seals, in order."""
        return tuple(stage.seal for stage in self.stages if stage.seal)

    @cached_property
    def coded(self) -> str:
        """The field whose options the codebook lists; "" if none."""
        return next((each.key for each in self.fields.values() if each.codebook), "")

    @cached_property
    def differences(self) -> tuple[DisputeSpec, ...]:
        """The declared disputes; without any, a difference in any field that is compared."""
        names = (name for name, each in self.fields.items() if each.scale != "none")
        return self.disputes or tuple(DisputeSpec(name, (name,)) for name in names)

    @property
    def names(self) -> dict[str, str]:
        """Labels of the fields by key, and of their options by ``<field>.<option>``."""
        fields = self.fields.values()
        named = {each.key: each.label for each in fields if each.label}
        options = ((each.key, option) for each in fields for option in each.options)
        return named | {f"{key}.{o.option}": o.label for key, o in options if o.label}

    @property
    def reasons(self) -> tuple[str, ...]:
        """Everything that can make an item need an adjudicator, in order."""
        return (*(each.key for each in self.differences), FLAGGED, RECALLED)

    def stage_at(self, answers: Mapping[str, Any]) -> StageSpec:
        """Return the stage that these answers have reached."""
        return next(each for each in self.stages if not (each.seal and answers.get(each.seal)))

    def stage_of(self, name: str) -> StageSpec | None:
        """Return the stage of a field or seal; None for an unknown one."""
        for stage in self.stages:
            if name == stage.seal or any(name == each.key for each in stage.fields):
                return stage
        return None

    def visible(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answers to fields that these answers show, in the order of the fields."""
        found = {name: answers[name] for name in self.fields if answers.get(name) is not None}
        while hidden := [
            name for name, when in self._hiding if name in found and not holds(when, found)
        ]:
            for name in hidden:
                del found[name]
        return found

    def missing(self, answers: Mapping[str, Any], decision: bool = False) -> list[str]:
        """Return the unanswered fields that a submission, or a decision, has to have, in order."""
        seen = self.visible(answers)
        return [
            name
            for name, each in self.fields.items()
            if name not in seen and each.needed(seen, decision)
        ]


def _repeat_fields(
    listed: Collection[FieldSpec], parts: Collection[int], repeating: Collection[str]
) -> Iterator[FieldSpec]:
    """Yield the fields, those that repeat part by part."""
    for repeats, group in groupby(listed, lambda each: each.repeat is not None):
        together = list(group)
        yield from (
            (_field_of_part(each, part, repeating) for part in parts for each in together)
            if repeats
            else together
        )


def _field_of_part(spec: FieldSpec, part: int, repeating: Collection[str]) -> PartSpec:
    """Return a field for one part, its key and conditions numbered."""

    def named(when: When) -> When:
        """Return a condition on the fields of the same part."""
        return {next(_names([name], [part], repeating)): answers for name, answers in when.items()}

    told = {each.name: getattr(spec, each.name) for each in fields(spec)}
    (told["key"],) = _names([spec.key], [part], repeating)
    for when in CONDITIONS:
        told[when] = named(told[when])
    return PartSpec(**told, base=spec.key, part=part)


def _names(
    listed: Collection[str], parts: Collection[int], repeating: Collection[str]
) -> Iterator[str]:
    """Yield the names of fields, of those that repeat one for each part."""
    for name in listed:
        yield from (f"{name}_{part}" for part in parts) if name in repeating else [name]


def holds(when: When, answers: Mapping[str, Any]) -> bool:
    """Return True if the answers meet a condition."""
    for name, wanted in when.items():
        said = answers.get(name)
        given = said if isinstance(said, list) else [said]
        if not any(str(each) in wanted for each in given):
            return False
    return True
