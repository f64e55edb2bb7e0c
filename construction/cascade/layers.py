"""The layers of the cascade as a project declares them, read from YAML.

RegOps-Bench (001, section 3.2, quality assurance) sends each generated question through a gate of
regular expressions, a judge with four criteria, heuristics, difficulty again, closure, and people.
Here the order is that of the text, each layer can be switched off, and its parameters are data.
Errors in the text are reported with line and field::

    layers:
    - layer: gate
      on: true
      words:
        institution: [university, company]
      patterns:
      - key: enumerates
        label: {en: Lists institutions, ko: 기관 나열}
        any: ['<institution>, <institution>']
    - {layer: difficulty, on: true, tolerance: 0}
    - {layer: people, on: true}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    PlainValidator,
    ValidationInfo,
    model_validator,
)

from corpus.cases.safe_pattern import SafePattern, nests_repetition, safe_pattern
from corpus.files.declarations import (
    KEY,
    LANGUAGE_FIELDS,
    SOME,
    Declared,
    Label,
    Listed,
    Reading,
    Text,
    Texts,
    choice_of,
    fault,
    faults,
    key_form,
    number,
    number_of,
    once,
    pick,
    read_declaration,
    text_of,
    unique,
)
from corpus.limits import FACTOR_BOOK

TEXT_LIMIT = FACTOR_BOOK
MOST_PATTERNS = 200  # expressions of one layer
MOST_WORDS = 200  # of one list
_WORD_LIMIT, _MOST_NUMBER = 100, 1_000_000
_LIST = re.compile(r"<([a-z][a-z0-9_]*)>")


class Layer(StrEnum):
    """A layer of the cascade."""

    GATE = "gate"  # wordings that no practitioner would use
    JUDGE = "judge"  # a model decides which criteria hold
    HEURISTICS = "heuristics"  # script, wordings about the material, length
    DIFFICULTY = "difficulty"  # the level of the reference set against the requested one
    CLOSURE = "closure"  # provisions missing from the gold by rule
    PEOPLE = "people"  # curation


class Criterion(StrEnum):
    """A criterion of the judge."""

    PRACTITIONER_VOICE = "practitioner_voice"
    CONCRETE_CONTEXT = "concrete_context"
    SITUATIONAL_FRAMING = "situational_framing"
    SINGLE_INSTITUTION = "single_institution"


class OnMissing(StrEnum):
    """The treatment of a question with incomplete gold."""

    COMPLETE = "complete"
    REJECT = "reject"


def _lists(word_lists: Mapping[str, tuple[str, ...]], info: Reading) -> Mapping[str, Any]:
    """Validate the word lists, and pass them to the layer's expressions."""
    for name, each in word_lists.items():
        if not KEY.fullmatch(name):
            raise fault("parallel_key", name, key=name)
        if not each or len(each) > MOST_WORDS or max(map(len, each)) > _WORD_LIMIT:
            raise fault("cascade_words", name, most=MOST_WORDS, limit=_WORD_LIMIT)
    info.context["words"] = word_lists
    return word_lists


def _expression(value: Any, info: Reading) -> SafePattern:
    """Compile an expression, ``<name>`` matching any word of that list."""
    text, lists = text_of(value), info.context.get("words", {})
    used = set(_LIST.findall(text))
    for name in sorted(used - lists.keys()):
        raise fault("cascade_unknown", value=f"<{name}>", known=", ".join(lists) or "–")
    if nests_repetition(text):
        raise fault("cascade_pattern_nested", pattern=text)
    words = {name: lists[name] for name in used}
    with faults():
        return safe_pattern(_LIST.sub(r"\\L<\1>", text), any_case=True, word_lists=words)


def _require_few_patterns(wordings: tuple[Wording, ...]) -> tuple[Wording, ...]:
    """Return the wordings. Raises the fault of too many patterns."""
    count = sum(len(each.any) for each in wordings)
    if count > MOST_PATTERNS:
        raise fault("cascade_many", limit=MOST_PATTERNS, count=count)
    return wordings


def _must_hold(value: Any, info: ValidationInfo) -> Any:
    """Parse how many criteria must hold; "all" and 0 mean every one."""
    criteria = info.data.get("criteria", ())
    if value in (0, "all"):
        return len(criteria)
    return number_of(value, "cascade_number", 1, len(criteria))


Key = Annotated[Text, key_form("parallel_key")]
Number = Annotated[int, number("cascade_number", 0, _MOST_NUMBER)]
Share = Annotated[float, number("cascade_number", 0, 1, r"[01](?:\.[0-9]{1,6})?")]
Switch = Annotated[bool, choice_of({"true": True, "false": False}, "cascade_unknown")]
Script = Annotated[Text, AfterValidator(str.upper)]


@dataclass(frozen=True, slots=True)
class Wording(Declared):
    """Expressions for one fault of wording; any match counts."""

    key: Key
    label: Label = field(hash=False)
    any: Annotated[Listed[Annotated[SafePattern, PlainValidator(_expression)]], SOME]


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerStep(Declared):
    """A layer of the cascade, switched on or off."""

    layer: Layer
    on: Switch


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedLayer(LayerStep):
    """A layer with wordings to search for; `words` are the lists used in their expressions."""

    words: Annotated[Mapping[str, Texts], AfterValidator(_lists), Field(validate_default=True)] = (
        field(default_factory=dict, hash=False)
    )
    wordings: Annotated[
        tuple[Wording, ...], AfterValidator(_require_few_patterns), Field(alias="patterns")
    ] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Gate(WordedLayer):
    """The gate layer: questions with one of these wordings are rejected."""

    layer: Literal[Layer.GATE] = Layer.GATE
    wordings: Annotated[
        tuple[Wording, ...], SOME, AfterValidator(_require_few_patterns), Field(alias="patterns")
    ]


@dataclass(frozen=True, slots=True)
class Judge(LayerStep):
    """The judge layer: at least `must_hold` of the criteria have to hold."""

    criteria: Annotated[
        Listed[Annotated[Criterion, choice_of(Criterion, "cascade_unknown")]],
        SOME,
        unique("parallel_key_twice"),
    ]
    must_hold: Annotated[int, BeforeValidator(_must_hold), Field(validate_default=True)] = 0
    layer: Literal[Layer.JUDGE] = field(default=Layer.JUDGE, kw_only=True)


@dataclass(frozen=True, slots=True)
class Bounds(Declared):
    """The length limits of a text, in characters."""

    shortest: Number
    longest: Number

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        """Check that the upper bound is not below the lower, nor below 1."""
        if self.longest < (least := max(1, self.shortest)):
            shown = {"value": str(self.longest), "least": least, "most": _MOST_NUMBER}
            raise fault("cascade_number", "longest", **shown)
        return self


@dataclass(frozen=True, slots=True, kw_only=True)
class Heuristics(WordedLayer):
    """The heuristics layer: bounds of question and answer, and wordings about the material.

    `scripts` names by language the allowed scripts, as the first words of Unicode names of letters;
    more than `foreign_letters` of others are too many. At least `own_share` of all letters are of
    the first script. A sentence occurs at most `same_sentence` times.
    """

    layer: Literal[Layer.HEURISTICS] = Layer.HEURISTICS
    question: Bounds
    answer: Bounds
    scripts: Annotated[Mapping[str, Annotated[Listed[Script], SOME]], LANGUAGE_FIELDS] = field(
        hash=False
    )
    foreign_letters: Number
    own_share: Share
    same_sentence: Annotated[int, number("cascade_number", 1, _MOST_NUMBER)]


@dataclass(frozen=True, slots=True)
class Difficulty(LayerStep):
    """The difficulty layer: how many levels the question may be away from the requested one."""

    tolerance: Annotated[int, number("cascade_number", 0, 3)]
    layer: Literal[Layer.DIFFICULTY] = field(default=Layer.DIFFICULTY, kw_only=True)


@dataclass(frozen=True, slots=True)
class Closure(LayerStep):
    """The closure layer: the treatment of a question with incomplete gold."""

    on_missing: Annotated[OnMissing, choice_of(OnMissing, "cascade_unknown")]
    layer: Literal[Layer.CLOSURE] = field(default=Layer.CLOSURE, kw_only=True)


@dataclass(frozen=True, slots=True)
class People(LayerStep):
    """The people layer: questions that passed are given to people to curate."""

    layer: Literal[Layer.PEOPLE] = field(default=Layer.PEOPLE, kw_only=True)


def _in_order(rows: Any) -> Any:
    """Check that layers have known names, none twice, and people come last; return them."""
    named = [(n, row) for n, row in enumerate(rows) if isinstance(row, dict)]
    for n, row in named:
        row["layer"] = pick(row.get("layer", ""), Layer, "cascade_unknown", n, "layer")
    for (_, before), (n, _) in pairwise(named):
        if before["layer"] == Layer.PEOPLE:
            raise fault("cascade_people_last", n, "layer")
    once((((n, "layer"), row["layer"]) for n, row in named), "cascade_layer_twice")
    return rows


def _keys_once(steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Check that no key of a wording repeats."""
    keys = (
        ((at, "patterns", n, "key"), wording.key)
        for at, step in enumerate(steps)
        if isinstance(step, WordedLayer)
        for n, wording in enumerate(step.wordings)
    )
    once(keys, "parallel_key_twice")
    return steps


Step = Gate | Judge | Heuristics | Difficulty | Closure | People


@dataclass(frozen=True, slots=True)
class Layers(Declared):
    """The layers of a project in the order of its text."""

    steps: Annotated[
        tuple[Annotated[Step, Field(discriminator="layer")], ...],
        BeforeValidator(_in_order),
        AfterValidator(_keys_once),
        Field(alias="layers"),
    ] = ()

    @model_validator(mode="after")
    def _some_asked(self) -> Self:
        """Check that a layer besides people is on."""
        if not self.asked:
            raise fault("cascade_empty", "layers")
        return self

    @property
    def asked(self) -> tuple[Step, ...]:
        """The layers that are on and need no person, in order."""
        return tuple(each for each in self.steps if each.on and each.layer is not Layer.PEOPLE)

    @property
    def to_people(self) -> bool:
        """Whether passed questions are given to people."""
        return any(each.on for each in self.steps if each.layer is Layer.PEOPLE)

    def labels(self) -> dict[str, Mapping[str, str]]:
        """Return the labels of each wording, by its key."""
        return {
            wording.key: wording.label
            for step in self.steps
            if isinstance(step, WordedLayer)
            for wording in step.wordings
        }


FILE = Path(__file__).parent / "starter.yaml"


def starter() -> str:
    """Return the packaged text: the paper's layers in its order, with wordings of our own."""
    return FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=32)
def parse(text: str, file: str | None = None) -> Layers:
    """Parse the layers; `file` is the text's name in messages.

    Raises UserError, with line and field, for invalid YAML, an unknown, missing or empty field, an
    unknown or repeated layer, people before another layer, no layer that is on but people, a number
    out of its bounds, and an expression that is invalid or could run long.
    """
    empty, listed = "cascade_empty", "cascade_list"
    return read_declaration(Layers, text, file, limit=TEXT_LIMIT, empty=empty, listed=listed)
