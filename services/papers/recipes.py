"""The recipe of a paper: the commands that make its tables, and the values that it published.

A paper is a folder ``papers/NAME``: ``recipe.yaml`` says with which commands each table is made and
where in their reports each cell stands, ``published.yaml`` what the paper printed, with its page.
Nothing here computes a figure: a recipe calls what people call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from corpus.files.declarations import (
    SOME,
    Declared,
    Label,
    Text,
    Texts,
    Yes,
    fault,
    number,
    read_declaration,
    unique,
)
from errors import UserError, did_you_mean
from errors import Where as Place
from llm.roles import Role
from messages import catalogue
from storage.tasks import Task

FOLDER = Path(__file__).resolve().parents[2] / "papers"
LONGEST = 200_000  # characters of a recipe
RECIPE, PUBLISHED = "recipe.yaml", "published.yaml"

_PLAYED = ("model", "embedding", "trained", "people")
"""The kinds of needs that a stand-in can take the place of; no step makes them."""

PLACE = re.compile(r"\{([a-z_]+)(?:/([A-Za-z_]+))?\}")
"""Where a command has what a step reported (``{step/field}``), or a folder (`FOLDERS`)."""
FOLDERS = frozenset({"here", "new"})  # the paper's own, and one that is not there yet

Where = Mapping[str, Text]
"""Values of columns of a report, which a row has to have."""


def _known_need(need: str) -> str:
    """Return a need. Raises a fault for a kind without words, and an unknown role or task."""
    kind, _, of = need.partition(" ")
    names: Set[str] = {"model": {*Role}, "people": {*Task}}.get(kind, {of})
    if f"papers.need.{kind}" not in catalogue() or of not in names:
        raise fault("paper_need", need=need)
    return need


Needed = tuple[Annotated[Text, AfterValidator(_known_need)], ...]


@dataclass(frozen=True, slots=True)
class Step(Declared):
    """A command that makes what tables report. `estimate` is one that says what it will cost.

    `needs` name what has to be there (`services.papers.needs`).
    """

    step: Text
    command: Text
    needs: Needed = ()
    estimate: Text | None = None


@dataclass(frozen=True, slots=True)
class Line(Declared):
    """Where a row or column of the paper stands in a report: in `value` of the rows that are so.

    `same` is the value of the column that the part names for its rows, or columns. What the line
    `needs` goes beyond its table; `stand_in` takes the place of `same` where that is missing, and
    such cells are marked. What a column needs, no stand-in of a row replaces.
    """

    value: Text | None = None
    same: Annotated[Text | None, Field(alias="is")] = None
    where: Where = field(default_factory=dict)
    needs: Needed = ()
    stand_in: Text | None = None


Labels = Annotated[
    tuple[Label, ...], BeforeValidator(lambda found: [found] if isinstance(found, dict) else found)
]
Lines = Annotated[Mapping[str, Line], BeforeValidator(lambda found: _lines(found))]


@dataclass(frozen=True, slots=True)
class Part(Declared):
    """Cells of a table that one report has. Without a `section` they are among its facts.

    A row that is written as a text is so in the report's column `row`; a column so in `column`, or
    it is the name of a column there.
    """

    command: Text
    rows: Lines
    columns: Lines
    section: Text | None = None
    where: Where = field(default_factory=dict)
    row: Text = "name"
    column: Text | None = None


@dataclass(frozen=True, slots=True)
class PaperTable(Declared):
    """A table or figure of the paper: where its cells come from, or why it cannot be made.

    `differs` says, in one text or several, why ours need not be the published values; `absent` why
    a report can lack a row. `like` names a table before it, whose cells stand in the same places.
    """

    table: Text
    title: Label
    parts: tuple[Part, ...] = ()
    needs: Needed = ()
    without: Label | None = None
    absent: Label | None = None
    differs: Labels = ()
    like: Text | None = None


@dataclass(frozen=True, slots=True)
class _Recipe(Declared):
    paper: Text
    title: Text
    tables: Annotated[tuple[PaperTable, ...], SOME, unique("paper_table_twice", "table")]
    steps: Annotated[tuple[Step, ...], unique("paper_step_twice", "step")] = ()


@dataclass(frozen=True, slots=True)
class PublishedTable(Declared):
    """The values of a table as printed: rows of numbers in the order of the columns."""

    table: Text
    columns: Texts
    rows: Mapping[
        str, tuple[Annotated[int | float | None, BeforeValidator(lambda n: _printed(n))], ...]
    ]
    percent: Yes | Texts = False  # or the rows and columns that are
    page: Annotated[int, number("paper_page", 1, 10_000)] | None = None  # a web page has none

    @model_validator(mode="after")
    def _check_rows(self) -> Self:
        """Check that each row has as many values as there are columns."""
        for name, row in self.rows.items():
            if len(row) != len(self.columns):
                counts = {"values": len(row), "columns": len(self.columns)}
                raise fault("paper_row", "rows", name, row=name, **counts)
        return self

    def value(self, row: str, column: str) -> float | None:
        """Return the printed value of a cell as a share where it is per cent; None if none is."""
        found = dict(zip(self.columns, self.rows.get(row, ()), strict=False)).get(column)
        return found / 100 if found is not None and self.is_percent(row, column) else found

    def is_percent(self, *names: str) -> bool:
        """Return whether a row or column, or the cell of both, is printed in per cent."""
        if isinstance(self.percent, bool):
            return self.percent
        return not {*names}.isdisjoint(self.percent)


@dataclass(frozen=True, slots=True)
class _Published(Declared):
    tables: tuple[PublishedTable, ...]


@dataclass(frozen=True, slots=True)
class Recipe:
    """A paper's recipe with the values that it published, by table."""

    name: str
    folder: Path
    title: str
    steps: tuple[Step, ...]
    tables: tuple[PaperTable, ...]
    published: Mapping[str, PublishedTable]

    @property
    def commands(self) -> Iterator[str]:
        """The commands that report its tables, each once."""
        yield from dict.fromkeys(part.command for each in self.tables for part in each.parts)

    @property
    def stand_in_needs(self) -> Iterator[str]:
        """What its rows and columns need and a stand-in can take the place of, each once."""
        parts = [part for each in self.tables for part in each.parts]
        lines = (line for part in parts for of in (part.rows, part.columns) for line in of.values())
        needs = dict.fromkeys(need for line in lines for need in line.needs)
        yield from (each for each in needs if each.split()[0] in _PLAYED)


def paper_names() -> tuple[str, ...]:
    """Return the names of the papers that have a recipe, ascending."""
    return tuple(sorted(file.parent.name for file in FOLDER.glob(f"*/{RECIPE}")))


def recipe(name: str) -> Recipe:
    """Return the recipe of a paper. Raises UserError for an unknown name and a broken file."""
    if name not in paper_names():
        known = paper_names()
        meant = did_you_mean(name, known)
        raise UserError("paper_unknown", name=name[:100], known=", ".join(known), meant=meant)
    return _read(FOLDER / name)


@lru_cache(maxsize=8)
def _read(folder: Path) -> Recipe:
    """Read a paper's recipe with the published values, cached per process."""
    found: _Recipe = _declaration(_Recipe, folder / RECIPE)
    printed: _Published = _declaration(_Published, folder / PUBLISHED)
    published = {each.table: each for each in printed.tables}
    _check_places(found)
    return Recipe(folder.name, folder, found.title, found.steps, _alike(found.tables), published)


def _check_places(found: _Recipe) -> None:
    """Raise UserError for a command that names a step which does not stand before it."""
    steps = [(step.step, f"{step.command} {step.estimate or ''}") for step in found.steps]
    reports = [("", part.command) for each in found.tables for part in each.parts]
    known = set(FOLDERS)
    for made, command in (*steps, *reports):
        for name, _ in PLACE.findall(command):
            if name not in known:
                meant = did_you_mean(name, sorted(known))
                raise UserError("paper_step_named", Place(RECIPE), command=command, meant=meant)
        known.add(made)


def _alike(tables: Iterable[PaperTable]) -> tuple[PaperTable, ...]:
    """Return the tables, those `like` another with its parts. Raises UserError if it is unknown."""
    found: dict[str, PaperTable] = {}
    for each in tables:
        if each.like and each.like not in found:
            raise UserError("paper_table_like", Place(RECIPE), table=each.table, like=each.like)
        parts = found[each.like].parts if each.like else each.parts
        found[each.table] = replace(each, parts=parts)
    return tuple(found.values())


def _declaration(kind: Any, file: Path) -> Any:
    """Read a declaration from a YAML file."""
    text = file.read_text(encoding="utf-8")
    return read_declaration(kind, text, file.name, limit=LONGEST, empty="paper_file")


def _lines(found: Any) -> Any:
    """Parse lines by name; a text is a label, a list names lines like their labels."""
    if isinstance(found, list):
        found = {str(each): str(each) for each in found}
    if not isinstance(found, dict):
        return found
    return {name: {"is": each} if isinstance(each, str) else each for name, each in found.items()}


def _printed(value: Any) -> int | float | None:
    """Return a printed number, a whole one as such; a dash is none."""
    if value in ("-", "–", "", None):
        return None
    number = float(value)
    return int(number) if number.is_integer() and "." not in str(value) else number
