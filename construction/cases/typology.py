"""A typology of crimes, read from its YAML: categories, their charge titles, and their provisions.

A leaf of it is a standard group (002, section 2.1.2, steps 1 to 3). What is wrong in its text is
refused with the line it stands on. A project starts from `starter.yaml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from construction.cases.charges import fold_statute, fold_title, read_provisions
from corpus.files.yaml_fields import Fields, read_value
from corpus.limits import FACTOR_BOOK
from errors import UserError, Where
from messages import LANGUAGES


@dataclass(frozen=True, slots=True)
class Group:
    """A standard group: one charge, under one of these provisions.

    `key` is ``<category>.<charge>`` or ``<category>.<charge>.<group>``. Provisions joined by " + "
    must all be there. A group without provisions is the charge by its title alone: it takes the
    cases that no other group of the charge takes.
    """

    key: str
    label: Mapping[str, str]
    provisions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Charge:
    """A charge: every title that judgments give it, and its groups, at least one.

    `titles` holds its labels too. `source` says where it is from: ``paper`` (listed there) or
    ``written`` (for this product, or by its users).
    """

    key: str
    label: Mapping[str, str]
    titles: tuple[str, ...]
    groups: tuple[Group, ...]
    source: str = "written"


@dataclass(frozen=True, slots=True)
class Category:
    """A category of crimes and its charges."""

    key: str
    label: Mapping[str, str]
    charges: tuple[Charge, ...]


@dataclass(frozen=True, slots=True)
class Typology:
    """All categories, in the order in which they are shown.

    Each of `statutes` holds the names of one statute, in whichever language or length.
    """

    categories: tuple[Category, ...]
    statutes: tuple[tuple[str, ...], ...] = ()

    def charges(self) -> Iterator[tuple[Category, Charge]]:
        """Yield every charge with its category, in order."""
        for category in self.categories:
            for charge in category.charges:
                yield category, charge

    def groups(self) -> Iterator[tuple[Category, Charge, Group]]:
        """Yield every group with its category and charge, in order."""
        for category, charge in self.charges():
            for group in charge.groups:
                yield category, charge, group


FILE = Path(__file__).parent / "starter.yaml"


@cache
def starter() -> str:
    """Return the text of the starting typology."""
    return FILE.read_text(encoding="utf-8")


TEXT_LIMIT = FACTOR_BOOK
JOIN = " + "  # between provisions that must all be there
SOURCES = ("paper", "written")
_LABEL_LIMIT = 300
_DEEPEST = 12
_KEY = re.compile(r"[a-z][a-z0-9_]{0,63}")
_LANGUAGE = re.compile(r"[a-z]{2,3}")


@lru_cache(maxsize=8)
def parse(text: str, file: str | None = None) -> Typology:
    """Return the typology that the text says; `file` stands for it in messages.

    Raises UserError, with the line, for what is no YAML, an unknown, missing or empty field, a key
    that is repeated or not in small letters, a label that lacks a language, one title for two
    charges, two groups of a charge without provisions, and a provision that names no statute or no
    article.
    """
    if len(text) > TEXT_LIMIT:
        where = Where(file, field="text")
        raise UserError("text_too_long", where, limit=TEXT_LIMIT, length=len(text))
    value = read_value(text, file, deepest=_DEEPEST)
    if not isinstance(value.content, dict):
        raise UserError("typology_empty", Where(file, value.line))
    fields = Fields(file, value.line, value.content)
    fields.only(("statutes", "categories"))
    typology = Typology(_categories(fields), _statutes(fields))
    return typology


def statute_names(statutes: Iterable[tuple[str, ...]]) -> Mapping[str, str]:
    """Return the first name of each statute by every folded name of it."""
    return {fold_statute(name): fold_statute(names[0]) for names in statutes for name in names}


class _Once:
    """Refuses what stands twice, naming the line where it stood first."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._lines: dict[str, int] = {}

    def add(self, what: str, shown: str, where: Where) -> None:
        """Remember `what`, or raise UserError where it was there before."""
        if what in self._lines:
            raise UserError(self._code, where, shown=shown, first=self._lines[what])
        self._lines[what] = where.line or 0


def _categories(fields: Fields) -> tuple[Category, ...]:
    keys, titles = _Once("typology_key_twice"), _Once("typology_title_twice")
    found = []
    for row in fields.rows("categories", "typology_list"):
        row.only(("key", "label", "charges"))
        key = _key(row, keys)
        found.append(Category(key, _label(row), _charges(row, key, titles)))
    if not found:
        raise UserError("typology_empty", Where(fields.file, fields.line))
    return tuple(found)


def _charges(fields: Fields, category: str, titles: _Once) -> tuple[Charge, ...]:
    keys = _Once("typology_key_twice")
    found = []
    for row in fields.rows("charges", "typology_list"):
        row.only(("key", "label", "source", "titles", "groups"))
        key, label = _key(row, keys), _label(row)
        full = f"{category}.{key}"
        named = _titles(row, label, titles)
        found.append(Charge(key, label, named, _groups(row, full, label), _source(row)))
    return tuple(found)


def _titles(row: Fields, label: Mapping[str, str], seen: _Once) -> tuple[str, ...]:
    line = row.inside("label").line
    said = [(title, line) for title in label.values()] + row.texts("titles")
    found: dict[str, str] = {}
    for title, at in said:
        folded, where = fold_title(title), Where(row.file, at, "titles")
        if not folded:
            raise UserError("typology_title", where)
        if folded not in found:
            seen.add(folded, title, where)
            found[folded] = title
    return tuple(found.values())


def _groups(row: Fields, charge: str, label: Mapping[str, str]) -> tuple[Group, ...]:
    keys, alike = _Once("typology_key_twice"), _Once("typology_groups_alike")
    found = []
    for each in row.rows("groups", "typology_list"):
        each.only(("key", "label", "provisions"))
        group = Group(f"{charge}.{_key(each, keys)}", _label(each), _provisions(each))
        alike.add("\0".join(sorted(group.provisions)), group.key, Where(row.file, each.line))
        found.append(group)
    return tuple(found) or (Group(charge, label),)


def _provisions(row: Fields) -> tuple[str, ...]:
    found = []
    for text, line in row.texts("provisions"):
        for part in text.split(JOIN):
            _check(part, Where(row.file, line, "provisions"))
        found.append(text)
    return tuple(found)


def _check(part: str, where: Where) -> None:
    named = read_provisions(part)
    if len(named) != 1 or not named[0].statute:
        raise UserError("typology_provision", where, provision=part)


def _statutes(fields: Fields) -> tuple[tuple[str, ...], ...]:
    names, found = _Once("typology_statute_twice"), []
    for row in fields.rows("statutes", "typology_list"):
        row.only(("names",))
        said = row.texts("names")
        if not said:
            raise UserError("field_missing", Where(row.file, row.line, "names"))
        for name, line in said:
            names.add(fold_statute(name), name, Where(row.file, line, "names"))
        found.append(tuple(name for name, _ in said))
    return tuple(found)


def _key(row: Fields, seen: _Once) -> str:
    key = row.text("key")
    if not _KEY.fullmatch(key):
        raise UserError("typology_key", row.where("key"), key=key)
    seen.add(key, key, row.where("key"))
    return key


def _label(row: Fields) -> Mapping[str, str]:
    said = row.inside("label")
    for language in LANGUAGES:
        said.text(language)
    found = {}
    for language in said.values:
        if not _LANGUAGE.fullmatch(language):
            raise UserError("typology_language", said.where(language), language=language)
        found[language] = said.text(language)
        if len(found[language]) > _LABEL_LIMIT:
            length = len(found[language])
            raise UserError(
                "text_too_long", said.where(language), limit=_LABEL_LIMIT, length=length
            )
    return found


def _source(row: Fields) -> str:
    source = row.optional_text("source") or "written"
    if source not in SOURCES:
        raise UserError("typology_source", row.where("source"), known=", ".join(SOURCES))
    return source
