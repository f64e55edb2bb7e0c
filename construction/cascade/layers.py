"""The layers of the cascade as a project declares them, read from YAML.

RegOps-Bench (001, section 3.2, quality assurance) sends each generated question through a gate of
regular expressions, a judge with four criteria, heuristics, difficulty again, closure, and people.
Here the order is that of the text, each layer can be switched off, and what it looks for is data.
What is wrong in the text is refused with its line and field::

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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path

from construction.parallel.declaration import once, read_key, read_label
from corpus.cases.safe_pattern import SafePattern, nests_repetition, safe_pattern
from corpus.files.yaml_fields import Fields, read_value
from corpus.limits import FACTOR_BOOK
from errors import UserError, Where
from messages import LANGUAGES

TEXT_LIMIT = FACTOR_BOOK
MOST_PATTERNS = 200  # expressions of one layer
MOST_WORDS = 200  # of one list
_WORD_LIMIT, _DEEPEST, _MOST_NUMBER = 100, 12, 1_000_000
_KEY = re.compile(r"[a-z][a-z0-9_]{0,63}")
_LIST = re.compile(r"<([a-z][a-z0-9_]*)>")


class Layer(StrEnum):
    """A layer of the cascade."""

    GATE = "gate"  # wordings that no practitioner's question has
    JUDGE = "judge"  # a model says which criteria hold
    HEURISTICS = "heuristics"  # script, wordings about the material, length
    DIFFICULTY = "difficulty"  # the level of the reference set against the one asked for
    CLOSURE = "closure"  # what is missing from the gold by rule
    PEOPLE = "people"  # curation


class Criterion(StrEnum):
    """What the judge is asked of a question."""

    PRACTITIONER_VOICE = "practitioner_voice"
    CONCRETE_CONTEXT = "concrete_context"
    SITUATIONAL_FRAMING = "situational_framing"
    SINGLE_INSTITUTION = "single_institution"


class OnMissing(StrEnum):
    """What closure does with a question whose gold lacks something."""

    COMPLETE = "complete"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Wording:
    """Expressions for one fault of wording; a text has it where any of them fits."""

    key: str
    label: Mapping[str, str] = field(hash=False)
    any: tuple[SafePattern, ...]


@dataclass(frozen=True, slots=True)
class Gate:
    """A question with one of these wordings is rejected."""

    wordings: tuple[Wording, ...]


@dataclass(frozen=True, slots=True)
class Judge:
    """Of the criteria at least `must_hold` have to hold."""

    criteria: tuple[Criterion, ...]
    must_hold: int


@dataclass(frozen=True, slots=True)
class Heuristics:
    """Bounds of question and answer, lengths in characters, and wordings about the material.

    `scripts` names by language the scripts whose letters may stand there, as Unicode's names of
    characters begin; more than `foreign_letters` of others are too many. At least `own_share` of
    all letters are of the first script. A sentence stands at most `same_sentence` times.
    """

    question: tuple[int, int]
    answer: tuple[int, int]
    scripts: Mapping[str, tuple[str, ...]] = field(hash=False)
    foreign_letters: int
    own_share: float
    same_sentence: int
    wordings: tuple[Wording, ...]


@dataclass(frozen=True, slots=True)
class Difficulty:
    """The level may be so many levels away from the one that was asked for."""

    tolerance: int


@dataclass(frozen=True, slots=True)
class Closure:
    """What is done with a question whose gold lacks something."""

    on_missing: OnMissing


@dataclass(frozen=True, slots=True)
class People:
    """Those that came through are given to people to curate."""


Parameters = Gate | Judge | Heuristics | Difficulty | Closure | People


@dataclass(frozen=True, slots=True)
class Step:
    """A layer in its place, switched on or off, with its parameters."""

    layer: Layer
    on: bool
    parameters: Parameters


@dataclass(frozen=True, slots=True)
class Layers:
    """The layers of a project in the order of its text."""

    steps: tuple[Step, ...]

    @property
    def asked(self) -> tuple[Step, ...]:
        """The layers that are on and ask no person, in order."""
        return tuple(each for each in self.steps if each.on and each.layer is not Layer.PEOPLE)

    @property
    def to_people(self) -> bool:
        """Whether what came through is given to people."""
        return any(each.on for each in self.steps if each.layer is Layer.PEOPLE)

    def labels(self) -> dict[str, Mapping[str, str]]:
        """Return what each wording that is looked for is called, by its key."""
        return {
            wording.key: wording.label
            for step in self.steps
            if isinstance(step.parameters, Gate | Heuristics)
            for wording in step.parameters.wordings
        }


FILE = Path(__file__).parent / "starter.yaml"


def starter() -> str:
    """Return the text to start from: the paper's layers in its order, with wordings of our own."""
    return FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=32)
def parse(text: str, file: str | None = None) -> Layers:
    """Return the layers that the text says; `file` stands for it in messages.

    Raises UserError, with line and field, for what is no YAML, an unknown, missing or empty field,
    an unknown layer, one that stands twice, people before another layer, no layer that is on but
    people, a number out of its bounds, and an expression that is none or could run long.
    """
    if len(text) > TEXT_LIMIT:
        where = Where(file, field="text")
        raise UserError("text_too_long", where, limit=TEXT_LIMIT, length=len(text))
    value = read_value(text, file, deepest=_DEEPEST)
    if not isinstance(value.content, dict):
        raise UserError("cascade_empty", Where(file, value.line))
    fields = Fields(file, value.line, value.content, at="")
    fields.only(("layers",))
    return _layers(fields)


def _layers(fields: Fields) -> Layers:
    seen: dict[str, int] = {}
    keys: dict[str, int] = {}
    steps = []
    for row in fields.rows("layers", "cascade_list"):
        if Layer.PEOPLE in seen:
            raise UserError("cascade_people_last", row.where("layer"))
        layer = Layer(_one_of(row, "layer", tuple(Layer)))
        once(layer, seen, row.where("layer"), "cascade_layer_twice")
        parameters = _PARAMETERS[layer](row, keys)
        steps.append(Step(layer, _switch(row), parameters))
    layers = Layers(tuple(steps))
    if not layers.asked:
        raise UserError("cascade_empty", fields.where("layers"))
    return layers


def _gate(row: Fields, keys: dict[str, int]) -> Gate:
    _only(row, "words", "patterns")
    found = _wordings(row, keys)
    if not found:
        raise UserError("field_missing", row.where("patterns"))
    return Gate(found)


def _judge(row: Fields, keys: dict[str, int]) -> Judge:
    _only(row, "criteria", "must_hold")
    seen: dict[str, int] = {}
    for name, line in row.texts("criteria"):
        where = Where(row.file, line, row.place("criteria"))
        if name not in tuple(Criterion):
            raise UserError("cascade_unknown", where, value=name, known=", ".join(Criterion))
        once(name, seen, where, "parallel_key_twice")
    if not seen:
        raise UserError("field_missing", row.where("criteria"))
    said = row.optional_text("must_hold") or "all"
    most = len(seen)
    least = most if said == "all" else _number(row, "must_hold", 1, most)
    return Judge(tuple(map(Criterion, seen)), least)


def _heuristics(row: Fields, keys: dict[str, int]) -> Heuristics:
    _only(
        row,
        *("question", "answer", "scripts", "foreign_letters", "own_share", "same_sentence"),
        *("words", "patterns"),
    )
    return Heuristics(
        question=_bounds(row, "question"),
        answer=_bounds(row, "answer"),
        scripts=_scripts(row),
        foreign_letters=_number(row, "foreign_letters"),
        own_share=_share(row, "own_share"),
        same_sentence=_number(row, "same_sentence", 1),
        wordings=_wordings(row, keys),
    )


def _difficulty(row: Fields, keys: dict[str, int]) -> Difficulty:
    _only(row, "tolerance")
    return Difficulty(_number(row, "tolerance", 0, 3))


def _closure(row: Fields, keys: dict[str, int]) -> Closure:
    _only(row, "on_missing")
    return Closure(OnMissing(_one_of(row, "on_missing", tuple(OnMissing))))


def _people(row: Fields, keys: dict[str, int]) -> People:
    _only(row)
    return People()


_PARAMETERS: Mapping[Layer, Callable[[Fields, dict[str, int]], Parameters]] = {
    Layer.GATE: _gate,
    Layer.JUDGE: _judge,
    Layer.HEURISTICS: _heuristics,
    Layer.DIFFICULTY: _difficulty,
    Layer.CLOSURE: _closure,
    Layer.PEOPLE: _people,
}


def _wordings(row: Fields, keys: dict[str, int]) -> tuple[Wording, ...]:
    lists = _lists(row)
    found = []
    for each in row.rows("patterns", "cascade_list"):
        each.only(("key", "label", "any"))
        key = read_key(each, keys)
        patterns = [
            _pattern(text, Where(each.file, line, each.place("any")), lists)
            for text, line in each.texts("any")
        ]
        if not patterns:
            raise UserError("field_missing", each.where("any"))
        found.append(Wording(key, read_label(each), tuple(patterns)))
    count = sum(len(each.any) for each in found)
    if count > MOST_PATTERNS:
        where = row.where("patterns")
        raise UserError("cascade_many", where, limit=MOST_PATTERNS, count=count)
    return tuple(found)


def _lists(row: Fields) -> dict[str, list[str]]:
    """Return each list of words by its name."""
    if "words" not in row.values:
        return {}
    inside = row.inside("words")
    found: dict[str, list[str]] = {}
    for name in inside.values:
        words = [text for text, _ in inside.texts(name)]
        if not _KEY.fullmatch(name):
            raise UserError("parallel_key", inside.where(name), key=name)
        if not words or len(words) > MOST_WORDS or max(map(len, words)) > _WORD_LIMIT:
            where, limits = inside.where(name), {"most": MOST_WORDS, "limit": _WORD_LIMIT}
            raise UserError("cascade_words", where, **limits)
        found[name] = words
    return found


def _pattern(text: str, where: Where, lists: Mapping[str, Sequence[str]]) -> SafePattern:
    """Return the compiled expression, ``<name>`` standing for any word of that list."""
    used = set(_LIST.findall(text))
    for name in sorted(used - lists.keys()):
        known = ", ".join(lists) or "–"
        raise UserError("cascade_unknown", where, value=f"<{name}>", known=known)
    if nests_repetition(text):
        raise UserError("cascade_pattern_nested", where, pattern=text)
    words = {name: lists[name] for name in used}
    return safe_pattern(_LIST.sub(r"\\L<\1>", text), where, any_case=True, words=words)


def _scripts(row: Fields) -> dict[str, tuple[str, ...]]:
    inside = row.inside("scripts")
    inside.only(LANGUAGES)
    found = {}
    for language in LANGUAGES:
        names = tuple(text.upper() for text, _ in inside.texts(language))
        if not names:
            raise UserError("field_missing", inside.where(language))
        found[language] = names
    return found


def _bounds(row: Fields, name: str) -> tuple[int, int]:
    inside = row.inside(name)
    inside.only(("shortest", "longest"))
    least = _number(inside, "shortest")
    return least, _number(inside, "longest", max(1, least))


def _switch(row: Fields) -> bool:
    return _one_of(row, "on", ("true", "false")) == "true"


def _one_of(row: Fields, name: str, known: tuple[str, ...]) -> str:
    said = row.text(name)
    if said not in known:
        where = row.where(name)
        raise UserError("cascade_unknown", where, value=said[:100], known=", ".join(known))
    return said


def _number(row: Fields, name: str, least: int = 0, most: int = _MOST_NUMBER) -> int:
    said = row.text(name)
    if not re.fullmatch(r"[0-9]{1,7}", said) or not least <= int(said) <= most:
        where = row.where(name)
        raise UserError("cascade_number", where, value=said[:40], least=least, most=most)
    return int(said)


def _share(row: Fields, name: str) -> float:
    said = row.text(name)
    if not re.fullmatch(r"[01](?:\.[0-9]{1,6})?", said) or float(said) > 1:
        raise UserError("cascade_number", row.where(name), value=said[:40], least=0, most=1)
    return float(said)


def _only(row: Fields, *names: str) -> None:
    row.only(("layer", "on", *names))
