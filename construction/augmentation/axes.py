"""The axes of question generation as a project declares them, read from YAML.

RegOps-Bench (001, section 3.2) varies the intent of a question (its type) and its difficulty
independently of each other, and injects facets: actors, times, institutions. Here facets with their
values, types, the numbers and words of the rubric, domains, and the parallel groups that questions
may be drawn from are one versioned text. Errors in it are reported with their line::

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

Cells of the generation grid (type, level, facet), their targets, and impossible cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Protocol, Self, TypedDict, TypeVar

from pydantic import AfterValidator, model_validator

from construction.augmentation.rubric import (
    LEVELS,
    TERM_LIMIT,
    Reference,
    ReferenceSet,
    Rubric,
    difficulty,
)
from corpus.files.declarations import (
    LANGUAGE_FIELDS,
    ONCE_EACH,
    SOME,
    Declared,
    Label,
    Listed,
    Text,
    Texts,
    Yes,
    choice_of,
    fault,
    key_form,
    longest,
    number,
    read_declaration,
    unique,
)
from corpus.limits import FACTOR_BOOK
from corpus.model import split_id
from errors import UserError, Where
from normalization.hashing import seeded_hash

TEXT_LIMIT = FACTOR_BOOK
MOST_FACETS = 6  # the most that one type may join
ABOUT_LIMIT = 2_000  # characters of the description of a type or level for the model


class Demand(StrEnum):
    """A requirement of a cell on the provisions that govern a question."""

    CROSS_DOCUMENT = "cross_document"  # they are of several statutes
    DELEGATION = "delegation"  # one leaves a matter to another: act → decree → rule
    EXCEPTION = "exception"  # one has an exception or a proviso
    SANCTION = "sanction"  # one fixes a sanction
    PARALLEL = "parallel"  # one is of a parallel group


def _anchor(unit: str) -> str:
    """Return an anchor's id. Raises the fault of one that names no provision."""
    if not all(split_id(unit)):
        raise fault("parallel_unit", unit=unit[:TERM_LIMIT])
    return unit


Key = Annotated[Text, key_form("parallel_key")]
ONE_KEY = unique("parallel_key_twice", "key")
About = Annotated[Mapping[str, Annotated[Text, longest(ABOUT_LIMIT)]], LANGUAGE_FIELDS]
Demands = Annotated[
    Listed[Annotated[Demand, choice_of(Demand, "axes_demand", "demand")]], ONCE_EACH
]
LevelKey = Annotated[str, choice_of(LEVELS, "axes_level", "key")]
Anchors = Annotated[Listed[Annotated[Text, AfterValidator(_anchor)]], unique("axes_twice")]


@dataclass(frozen=True, slots=True)
class Value(Declared):
    """A value of a facet, with its label in each language."""

    key: Key
    label: Label = field(hash=False)


@dataclass(frozen=True, slots=True)
class Facet(Declared):
    """A dimension of the situation in a question, with its values."""

    key: Key
    label: Label = field(hash=False)
    values: Annotated[tuple[Value, ...], SOME, ONE_KEY]


@dataclass(frozen=True, slots=True)
class QuestionType(Declared):
    """The intent of a question. `about` describes it to the model.

    A `conditional` type is conditional for the rubric whatever its provisions; `facets` is how many
    facets its questions join, their arity.
    """

    key: Key
    label: Label = field(hash=False)
    about: About = field(hash=False)
    demands: Demands = ()
    conditional: Yes = False
    facets: Annotated[int, number("axes_number", 1, MOST_FACETS)] = 1


@dataclass(frozen=True, slots=True)
class Level(Declared):
    """A level of difficulty with its label; `about` describes it to the model."""

    key: LevelKey
    label: Label = field(hash=False)
    about: About = field(hash=False)


def _all_levels(levels: tuple[Level, ...]) -> tuple[Level, ...]:
    """Check that the file has every difficulty of the rubric; return them, easiest first."""
    missing = [key for key in LEVELS if key not in [level.key for level in levels]]
    if missing:
        raise fault("axes_levels", missing=", ".join(missing))
    return tuple(sorted(levels, key=lambda level: level.key))


@dataclass(frozen=True, slots=True)
class Domain(Declared):
    """A part of the field. Its `anchors` are cited by default; questions draw from its `statutes`.

    A domain without statutes draws from those of its anchors.
    """

    key: Key
    label: Label = field(hash=False)
    anchors: Anchors = ()
    statutes: Texts = ()

    def has(self, statute_id: str) -> bool:
        """Return whether provisions of a statute belong to the domain."""
        drawn = self.statutes or tuple(split_id(unit)[0] for unit in self.anchors)
        return statute_id in drawn


class Traits(TypedDict):
    """What the type of a question adds to the reading of its reference set."""

    conditional: bool
    arity: int


@dataclass(frozen=True, slots=True)
class Axes(Declared):
    """The axes of a project, in the order of its text.

    `groups` are keys of its parallel groups; () means all of them.
    """

    facets: Annotated[tuple[Facet, ...], SOME, ONE_KEY]
    types: Annotated[tuple[QuestionType, ...], SOME, ONE_KEY]
    levels: Annotated[tuple[Level, ...], SOME, ONE_KEY, AfterValidator(_all_levels)]
    rubric: Rubric
    domains: Annotated[tuple[Domain, ...], ONE_KEY] = ()
    groups: Texts = ()

    @model_validator(mode="after")
    def _enough_facets(self) -> Self:
        """Check that there are facets enough for every type."""
        most = min(len(self.facets), MOST_FACETS)
        for n, each in enumerate(self.types):
            if each.facets > most:
                value = str(each.facets)
                raise fault("axes_number", "types", n, "facets", value=value, least=1, most=most)
        return self

    def facet(self, key: str) -> Facet:
        """Return a facet. Raises UserError for an unknown key."""
        return _by_key(self.facets, key, "facet")

    def type(self, key: str) -> QuestionType:
        """Return a question type. Raises UserError for an unknown key."""
        return _by_key(self.types, key, "type")

    def traits(self, key: str) -> Traits:
        """Return the reference-set traits of a question type; a removed type has none."""
        kind = next((each for each in self.types if each.key == key), None)
        if kind is None:
            return {"conditional": False, "arity": 1}
        return {"conditional": kind.conditional, "arity": kind.facets}

    def level(self, key: str) -> Level:
        """Return a level. Raises UserError for an unknown key."""
        return _by_key(self.levels, key, "difficulty")

    def domain(self, key: str) -> Domain:
        """Return a domain. Raises UserError for an unknown key."""
        return _by_key(self.domains, key, "domain")

    def domain_of(self, statute_id: str) -> str:
        """Return the key of the first domain of a statute, "" if it is in none."""
        return next((each.key for each in self.domains if each.has(statute_id)), "")


FILE = Path(__file__).parent / "starter.yaml"


def starter() -> str:
    """Return the packaged text: the paper's six facets, five types and four levels."""
    return FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=8)
def parse(text: str, file: str | None = None) -> Axes:
    """Parse the axes; `file` is the text's name in messages.

    Raises UserError, with line and field, for invalid YAML, an unknown, missing or empty field, a
    key that is repeated or not in small letters, a label that lacks a language, an unknown demand,
    a number out of range, levels other than L1 to L4, an anchor that is no provision, and a type
    that joins more facets than there are.
    """
    return read_declaration(Axes, text, file, limit=TEXT_LIMIT, empty="axes_empty")


class _Keyed(Protocol):
    @property
    def key(self) -> str: ...


_Entry = TypeVar("_Entry", bound=_Keyed)


def _by_key(entries: Iterable[_Entry], key: str, what: str) -> _Entry:
    """Return the entry of a key. Raises UserError if it is unknown."""
    known = {each.key: each for each in entries}
    if key not in known:
        raise UserError("axes_unknown", Where(field=what), key=key, known=", ".join(known))
    return known[key]


MOST_WANTED = 1_000  # questions of one cell
ANY = ""  # no fixed facet: one is drawn for each question


@dataclass(frozen=True, slots=True)
class Cell:
    """A type × difficulty × facet; with ANY the `facet` is drawn for each question."""

    type: str
    difficulty: str
    facet: str = ANY

    @property
    def id(self) -> str:
        """The cell's id in names of attempts and in seeds."""
        return "-".join(each for each in (self.type, self.difficulty, self.facet) if each)

    @classmethod
    def read(cls, text: str) -> Cell:
        """Parse a cell from ``type:L2`` or ``type:L2:facet``. Raises UserError."""
        parts = text.split(":")
        if not 2 <= len(parts) <= 3 or not all(parts):
            raise UserError("axes_cell", Where(field="cell"), cell=text[:100])
        return cls(*parts)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A cell with its target number of questions, and further demands on its provisions.

    The demands of its type hold in any case. With a `domain` its sets begin with provisions of it.
    """

    cell: Cell
    target: int
    demands: tuple[Demand, ...] = ()
    domain: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values for storage."""
        demands = [str(each) for each in self.demands]
        return asdict(self.cell) | {
            "target": self.target,
            "demands": demands,
            "domain": self.domain,
        }

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Wanted:
        """Read a cell and its target number of questions from what `as_dict` stored."""
        cell = Cell(values["type"], values["difficulty"], values["facet"])
        demands = tuple(Demand(each) for each in values["demands"])
        return cls(cell, values["target"], demands, values["domain"])


def check_wanted(axes: Axes, targets: Iterable[Wanted]) -> None:
    """Raise UserError for the first wanted cell that does not fit the axes.

    Raises UserError for an unknown cell, one listed twice, a target out of range, and an empty
    list. A target of 0 cancels an earlier one.
    """
    seen = set()
    for each in targets:
        axes.type(each.cell.type)
        axes.level(each.cell.difficulty)
        if each.cell.facet:
            axes.facet(each.cell.facet)
        if each.domain:
            axes.domain(each.domain)
        if not 0 <= each.target <= MOST_WANTED:
            raise UserError(
                "axes_target", Where(field="target"), target=each.target, most=MOST_WANTED
            )
        if each.cell in seen:
            raise UserError("axes_cell_twice", Where(field="cell"), cell=each.cell.id)
        seen.add(each.cell)
    if not seen:
        raise UserError("axes_nothing", Where(field="cell"))


def demands_of(kind: QuestionType, target: Wanted) -> frozenset[Demand]:
    """Return the demands on the provisions: those of the type, and the further ones."""
    return frozenset((*kind.demands, *target.demands))


def can_be(kind: QuestionType, level: str, rubric: Rubric, demands: Iterable[Demand] = ()) -> bool:
    """Return whether any set of provisions could make a question of that type and level.

    A conditional type is never L1, and three facets are never below L3, whatever the law.
    """
    needs = frozenset((*kind.demands, *demands))
    fitting = (each for each in _sets(kind, rubric) if meets(each, needs, len(each.references) > 1))
    return any(difficulty(each, rubric) == level for each in fitting)


def facets_for(axes: Axes, cell: Cell, seed: int, *place: str) -> dict[str, str]:
    """Draw the facets of a question with a value each, its cell's first, by the seed.

    `place` identifies the question within the cell.
    """

    def order(key: str) -> tuple[int, str]:
        """Return the sort key of a facet's random order."""
        return seeded_hash(seed, cell.id, "facet", key, *place), key

    others = sorted((each.key for each in axes.facets if each.key != cell.facet), key=order)
    keys = ([cell.facet] if cell.facet else []) + others
    found = {}
    for key in keys[: axes.type(cell.type).facets]:
        values = axes.facet(key).values
        found[key] = values[seeded_hash(seed, cell.id, "value", key, *place) % len(values)].key
    return found


def _sets(kind: QuestionType, rubric: Rubric) -> Iterable[ReferenceSet]:
    """Yield a reference set of each kind that the rubric distinguishes."""
    flags = (False, True)
    sizes = (1, 2, 3, max(4, rubric.references))
    slots = (0, 1, 2, rubric.institutions, rubric.parallel)
    for size, exception, several, external, sanction, institutions in product(
        sizes, flags, flags, flags, flags, slots
    ):
        if institutions <= size and not (several and size == 1):
            yield ReferenceSet(
                tuple(Reference(str(n), "") for n in range(size)),
                conditional=exception or kind.conditional,
                cross_document=several,
                external_law=external,
                sanction=sanction,
                institutions=institutions,
                arity=kind.facets,
            )


def meets(found: ReferenceSet, needs: Iterable[Demand], delegates: bool) -> bool:
    """Return True if a reference set meets the demands; `delegates` is whether it delegates."""
    met = {
        Demand.CROSS_DOCUMENT: found.cross_document,
        Demand.DELEGATION: delegates,
        Demand.EXCEPTION: found.conditional,
        Demand.SANCTION: found.sanction,
        Demand.PARALLEL: found.institutions > 0,
    }
    return all(met[need] for need in needs)
