"""The axes of augmentation as a project declares them, read from YAML.

RegOps-Bench (001, section 3.2) varies the intent of a question (its type) and how hard it is
independently of each other, and injects facets: actors, times, institutions. Here facets with their
values, types, the numbers and words of the rubric, domains, and the parallel groups that questions
may be drawn from stand in one text with versions. What is wrong in it is refused with the line::

    facets:
    - key: geography
      label: {en: Place, ko: 장소}
      values:
      - {key: abroad, label: {en: Abroad, ko: 국외}}
    types:
    - key: exception_paired
      label: {en: Rule and exception, ko: 원칙과 예외}
      about: {en: "Ask whether …", ko: "…"}     # what the model is told to ask
      conditional: yes                           # always conditional for the rubric
      demands: [exception]                       # of the governing provisions
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Protocol, TypeVar

from construction.augmentation.rubric import LEVELS, PAPER, Rubric
from construction.parallel.declaration import once, read_key, read_label
from corpus.files.yaml_fields import Fields, read_value
from corpus.limits import FACTOR_BOOK
from corpus.model import split_id
from errors import UserError, Where

TEXT_LIMIT = FACTOR_BOOK
MOST_FACETS = 6  # that a type can join
ABOUT_LIMIT = 2_000  # characters of what the model is told of a type or a level
_MOST_NUMBER = 50  # of the rubric
_DEEPEST = 12
_TERM_LIMIT = 100
_TOP = ("facets", "types", "levels", "rubric", "domains", "groups")


class Demand(StrEnum):
    """What a cell asks of the provisions that govern a question."""

    CROSS_DOCUMENT = "cross_document"  # they are of several statutes
    DELEGATION = "delegation"  # one leaves a matter to another: act → decree → rule
    EXCEPTION = "exception"  # one has an exception or a proviso
    SANCTION = "sanction"  # one fixes a sanction
    PARALLEL = "parallel"  # one is of a parallel group


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a facet, called so in each language."""

    key: str
    label: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Facet:
    """A side of a situation that a question can turn on, and the values that it takes."""

    key: str
    label: Mapping[str, str] = field(hash=False)
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class QuestionType:
    """What a question asks for. `about` tells the model so.

    A `conditional` type is conditional for the rubric whatever its provisions say; `facets` is how
    many facets its questions join, their arity.
    """

    key: str
    label: Mapping[str, str] = field(hash=False)
    about: Mapping[str, str] = field(hash=False)
    demands: tuple[Demand, ...] = ()
    conditional: bool = False
    facets: int = 1


@dataclass(frozen=True, slots=True)
class Level:
    """A level of difficulty as it is called; `about` tells the model what makes it so hard."""

    key: str
    label: Mapping[str, str] = field(hash=False)
    about: Mapping[str, str] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Domain:
    """A part of the field. Its `anchors` are cited by default; `statutes` are those it draws from.

    A domain without statutes draws from those of its anchors.
    """

    key: str
    label: Mapping[str, str] = field(hash=False)
    anchors: tuple[str, ...] = ()
    statutes: tuple[str, ...] = ()

    def has(self, statute_id: str) -> bool:
        """Tell whether provisions of a statute are of the domain."""
        drawn = self.statutes or tuple(split_id(unit)[0] for unit in self.anchors)
        return statute_id in drawn


@dataclass(frozen=True, slots=True)
class Axes:
    """The axes of a project, in the order of its text.

    `groups` are keys of its parallel groups; none means all of them.
    """

    facets: tuple[Facet, ...]
    types: tuple[QuestionType, ...]
    levels: tuple[Level, ...]
    rubric: Rubric
    domains: tuple[Domain, ...] = ()
    groups: tuple[str, ...] = ()

    def facet(self, key: str) -> Facet:
        """Return a facet. Raises UserError for a key that there is not."""
        return _called(self.facets, key, "facet")

    def type(self, key: str) -> QuestionType:
        """Return a type. Raises UserError for a key that there is not."""
        return _called(self.types, key, "type")

    def level(self, key: str) -> Level:
        """Return a level. Raises UserError for a key that there is not."""
        return _called(self.levels, key, "difficulty")

    def domain(self, key: str) -> Domain:
        """Return a domain. Raises UserError for a key that there is not."""
        return _called(self.domains, key, "domain")

    def domain_of(self, statute_id: str) -> str:
        """Return the key of the first domain that a statute is of, "" if it is of none."""
        return next((each.key for each in self.domains if each.has(statute_id)), "")


FILE = Path(__file__).parent / "starter.yaml"


def starter() -> str:
    """Return the text to start from: the paper's six facets, five types and four levels."""
    return FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=8)
def parse(text: str, file: str | None = None) -> Axes:
    """Return the axes that the text says; `file` stands for it in messages.

    Raises UserError, with line and field, for what is no YAML, an unknown, missing or empty field,
    a key that is repeated or not in small letters, a label that lacks a language, an unknown
    demand, a number out of range, levels other than L1 to L4, an anchor that is no provision, and
    a type that joins more facets than there are.
    """
    if len(text) > TEXT_LIMIT:
        where = Where(file, field="text")
        raise UserError("text_too_long", where, limit=TEXT_LIMIT, length=len(text))
    value = read_value(text, file, deepest=_DEEPEST)
    if not isinstance(value.content, dict):
        raise UserError("axes_empty", Where(file, value.line))
    fields = Fields(file, value.line, value.content, at="")
    fields.only(_TOP)
    facets = _facets(fields)
    return Axes(
        facets=facets,
        types=_types(fields, len(facets)),
        levels=_levels(fields),
        rubric=_rubric(fields),
        domains=_domains(fields),
        groups=tuple(key for key, _ in fields.texts("groups")),
    )


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


_Entry = TypeVar("_Entry", bound=_Keyed)


def _called(entries: Iterable[_Entry], key: str, what: str) -> _Entry:
    known = {each.key: each for each in entries}
    if key not in known:
        raise UserError("axes_unknown", Where(field=what), key=key, known=", ".join(known))
    return known[key]


def _some(fields: Fields, field_name: str) -> list[Fields]:
    """Return a list of entries. Raises UserError where there is none."""
    rows = fields.rows(field_name)
    if not rows:
        raise UserError("field_missing", fields.where(field_name))
    return rows


def _facets(fields: Fields) -> tuple[Facet, ...]:
    seen: dict[str, int] = {}
    found = []
    for row in _some(fields, "facets"):
        row.only(("key", "label", "values"))
        inside: dict[str, int] = {}
        key, label = read_key(row, seen), read_label(row)
        values = tuple(_value(each, inside) for each in _some(row, "values"))
        found.append(Facet(key, label, values))
    return tuple(found)


def _value(row: Fields, seen: dict[str, int]) -> Value:
    row.only(("key", "label"))
    return Value(read_key(row, seen), read_label(row))


def _types(fields: Fields, facets: int) -> tuple[QuestionType, ...]:
    seen: dict[str, int] = {}
    return tuple(_type(row, seen, facets) for row in _some(fields, "types"))


def _type(row: Fields, seen: dict[str, int], facets: int) -> QuestionType:
    row.only(("key", "label", "about", "demands", "conditional", "facets"))
    return QuestionType(
        key=read_key(row, seen),
        label=read_label(row),
        about=read_label(row, "about", ABOUT_LIMIT),
        demands=_demands(row),
        conditional=row.yes("conditional"),
        facets=_number(row, "facets", 1, most=min(facets, MOST_FACETS)),
    )


def _demands(row: Fields) -> tuple[Demand, ...]:
    found = []
    for said, line in row.texts("demands"):
        if said not in list(Demand):
            where = Where(row.file, line, row.place("demands"))
            raise UserError("axes_demand", where, demand=said, known=", ".join(Demand))
        found.append(Demand(said))
    return tuple(dict.fromkeys(found))


def _levels(fields: Fields) -> tuple[Level, ...]:
    seen: dict[str, int] = {}
    found = []
    for row in _some(fields, "levels"):
        row.only(("key", "label", "about"))
        key = row.text("key")
        if key not in LEVELS:
            raise UserError("axes_level", row.where("key"), key=key, known=", ".join(LEVELS))
        once(key, seen, row.where("key"), "parallel_key_twice")
        found.append(Level(key, read_label(row), read_label(row, "about", ABOUT_LIMIT)))
    missing = [key for key in LEVELS if key not in seen]
    if missing:
        raise UserError("axes_levels", fields.where("levels"), missing=", ".join(missing))
    return tuple(sorted(found, key=lambda level: level.key))


_NUMBERS = ("references", "parallel", "institutions", "arity")
_WORDS = ("conditional_terms", "sanction_terms", "external_statutes")


def _rubric(fields: Fields) -> Rubric:
    row = fields.inside("rubric")
    row.only((*_NUMBERS, *_WORDS))
    numbers = {name: _number(row, name, getattr(PAPER, name), least=2) for name in _NUMBERS}
    words = {name: _terms(row, name) for name in _WORDS}
    return Rubric(**(numbers | words))  # type: ignore[arg-type]


def _terms(row: Fields, name: str) -> tuple[str, ...]:
    for term, line in row.texts(name):
        if len(term) > _TERM_LIMIT:
            where = Where(row.file, line, row.place(name))
            raise UserError("text_too_long", where, limit=_TERM_LIMIT, length=len(term))
    return tuple(dict.fromkeys(term for term, _ in row.texts(name)))


def _domains(fields: Fields) -> tuple[Domain, ...]:
    seen: dict[str, int] = {}
    found = []
    for row in fields.rows("domains"):
        row.only(("key", "label", "anchors", "statutes"))
        key, label = read_key(row, seen), read_label(row)
        statutes = tuple(statute for statute, _ in row.texts("statutes"))
        found.append(Domain(key, label, _anchors(row), statutes))
    return tuple(found)


def _anchors(row: Fields) -> tuple[str, ...]:
    seen: dict[str, int] = {}
    for unit, line in row.texts("anchors"):
        where = Where(row.file, line, row.place("anchors"))
        if not all(split_id(unit)):
            raise UserError("parallel_unit", where, unit=unit[:_TERM_LIMIT])
        once(unit, seen, where, "axes_twice")
    return tuple(seen)


def _number(row: Fields, name: str, otherwise: int, least: int = 1, most: int = 0) -> int:
    said, most = row.optional_text(name), most or _MOST_NUMBER
    if not said:
        return otherwise
    if not (said.isascii() and said.isdigit() and len(said) < 4 and least <= int(said) <= most):
        bounds = {"least": least, "most": most}
        raise UserError("axes_number", row.where(name), value=said[:_TERM_LIMIT], **bounds)
    return int(said)
