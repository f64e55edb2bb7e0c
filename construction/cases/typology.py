"""A typology of crimes, read from YAML: categories, charge titles, and provisions.

Its leaves are the standard groups (002, section 2.1.2, steps 1 to 3). Errors in its text are
reported with their line. A project starts from `starter.yaml`.

A typology as YAML text, and small edits of it for people who know no YAML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import takewhile
from operator import attrgetter
from pathlib import Path
from typing import Annotated, Any, NamedTuple, Self

from pydantic import AfterValidator, BeforeValidator, model_validator

from construction.cases.charges import fold_statute, fold_title, read_provisions
from corpus.files.declarations import (
    LABEL_LIMIT,
    SOME,
    Declared,
    FieldPath,
    Listed,
    Text,
    Texts,
    choice_of,
    fault,
    key_form,
    label_text,
    longest,
    once,
    quoted,
    read_declaration,
    unique,
)
from corpus.limits import FACTOR_BOOK
from errors import UserError, Where
from messages import LANGUAGES

TEXT_LIMIT = FACTOR_BOOK
JOIN = " + "  # between provisions that must all apply
SOURCES = ("paper", "written")
_LANGUAGE = re.compile(r"[a-z]{2,3}")


def _label(label: Any) -> Any:
    """Check that a label has our languages; further ones are allowed."""
    if isinstance(label, dict):
        for language in LANGUAGES:
            if language not in label:
                raise fault("field_missing", language)
        for language in label:
            if not _LANGUAGE.fullmatch(language):
                raise fault("typology_language", language, language=language)
    return label


def _provisions(text: str) -> str:
    """Return a joined condition, checked: each part is one provision with its statute."""
    for part in text.split(JOIN):
        named = read_provisions(part)
        if len(named) != 1 or not named[0].statute:
            raise fault("typology_provision", provision=part)
    return text


Key = Annotated[Text, key_form("typology_key")]
ONE_KEY = unique("typology_key_twice", "key")
Label = Annotated[Mapping[str, Annotated[Text, longest(LABEL_LIMIT)]], BeforeValidator(_label)]
Provisions = Annotated[Text, AfterValidator(_provisions)]
Source = Annotated[str, choice_of(SOURCES, "typology_source")]


@dataclass(frozen=True, slots=True)
class Group(Declared):
    """A standard group: one charge, under one of these provisions.

    `key` is ``<category>.<charge>`` or ``<category>.<charge>.<group>``. Provisions joined by " + "
    must all apply. A group without provisions is the charge by its title alone: it takes the cases
    that fit no other group of the charge.
    """

    key: Key
    label: Label
    provisions: Listed[Provisions] = ()


@dataclass(frozen=True, slots=True)
class Charge(Declared):
    """A charge: every title that judgments give it, and its groups, at least one.

    `titles` includes its labels. `source` is its origin: ``paper`` (listed there) or ``written``
    (for this product, or by its users).
    """

    key: Key
    label: Label
    titles: Texts = ()
    groups: Annotated[tuple[Group, ...], ONE_KEY] = ()
    source: Source = "written"


@dataclass(frozen=True, slots=True)
class Category(Declared):
    """A category of crimes and its charges."""

    key: Key
    label: Label
    charges: Annotated[tuple[Charge, ...], ONE_KEY] = ()


class GroupPlace(NamedTuple):
    """A standard group with its charge and category."""

    category: Category
    charge: Charge
    group: Group


def _whole(categories: tuple[Category, ...]) -> tuple[Category, ...]:
    """Complete the titles of charges, checked for uniqueness, and the keys of groups."""
    titles: list[tuple[FieldPath, str]] = []
    found = []
    for n, category in enumerate(categories):
        charges = []
        for m, charge in enumerate(category.charges):
            own = _titles(charge, (n, "charges", m))
            titles += own
            groups = _groups(charge, f"{category.key}.{charge.key}", (n, "charges", m))
            charges.append(replace(charge, titles=tuple(t for _, t in own), groups=groups))
        found.append(replace(category, charges=tuple(charges)))
    once(titles, "typology_title_twice", fold_title)
    return tuple(found)


def _titles(charge: Charge, at: FieldPath) -> list[tuple[FieldPath, str]]:
    """Return the distinct labels and titles of a charge, with their places."""
    said: list[tuple[FieldPath, str]]
    said = [((*at, "label", language), label) for language, label in charge.label.items()]
    said += [((*at, "titles", n), title) for n, title in enumerate(charge.titles)]
    found: dict[str, tuple[FieldPath, str]] = {}
    for place, title in said:
        found.setdefault(fold_title(title), (place, title))
    if "" in found:
        raise fault("typology_title", *found[""][0])
    return list(found.values())


def _groups(charge: Charge, full: str, at: FieldPath) -> tuple[Group, ...]:
    """Return the groups of a charge with full keys; without any, the charge is its only group."""
    found = tuple(replace(each, key=f"{full}.{each.key}") for each in charge.groups)
    once(
        (((*at, "groups", n), each) for n, each in enumerate(found)),
        "typology_groups_alike",
        same=lambda each: tuple(sorted(each.provisions)),
        display=attrgetter("key"),
    )
    return found or (Group(full, charge.label),)


@dataclass(frozen=True, slots=True)
class Statute(Declared):
    """The names of one statute, in any language or length."""

    names: Annotated[Texts, SOME]


def _names_once(statutes: tuple[Statute, ...]) -> tuple[Statute, ...]:
    """Check that no name is of two statutes."""
    names = (
        ((n, "names", m), name)
        for n, statute in enumerate(statutes)
        for m, name in enumerate(statute.names)
    )
    once(names, "typology_statute_twice", fold_statute)
    return statutes


@dataclass(frozen=True, slots=True)
class Typology(Declared):
    """All categories, in display order, and the statutes with several names."""

    categories: Annotated[tuple[Category, ...], ONE_KEY, AfterValidator(_whole)] = ()
    statutes: Annotated[tuple[Statute, ...], AfterValidator(_names_once)] = ()

    @model_validator(mode="after")
    def _some_category(self) -> Self:
        """Check that there is a category."""
        if not self.categories:
            raise fault("typology_empty")
        return self

    def charges(self) -> Iterator[tuple[Category, Charge]]:
        """Yield every charge with its category, in order."""
        for category in self.categories:
            for charge in category.charges:
                yield category, charge

    def groups(self) -> Iterator[GroupPlace]:
        """Yield every group with its category and charge, in order."""
        for category, charge in self.charges():
            for group in charge.groups:
                yield GroupPlace(category, charge, group)


def group_name(charge: Charge, group: Group) -> Mapping[str, str]:
    """Return a standard group's name by language, with its charge's if that is no part of it."""
    return {
        each: group.label[each]
        if charge.label[each] in group.label[each]
        else f"{charge.label[each]} · {group.label[each]}"
        for each in LANGUAGES
    }


FILE = Path(__file__).parent / "starter.yaml"


@cache
def starter() -> str:
    """Return the text of the packaged typology."""
    return FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=8)
def parse(text: str, file: str | None = None) -> Typology:
    """Parse the typology; `file` is the text's name in messages.

    Raises UserError, with the line, for invalid YAML, an unknown, missing or empty field, a key
    that is repeated or not in small letters, a label that lacks a language, one title for two
    charges, two groups of a charge without provisions, and a provision that names no statute or no
    article.
    """
    empty, listed = "typology_empty", "typology_list"
    return read_declaration(Typology, text, file, limit=TEXT_LIMIT, empty=empty, listed=listed)


def statute_names(statutes: Iterable[Statute]) -> Mapping[str, str]:
    """Map every folded name of each statute to its first name."""
    return {
        fold_statute(name): fold_statute(each.names[0]) for each in statutes for name in each.names
    }


_LINE = 100  # characters; a longer list has one entry per line


def write(typology: Typology) -> str:
    """Return the typology as YAML; `parse` is the inverse."""
    return "\n".join(_lines(typology)) + "\n"


def _lines(typology: Typology) -> Iterator[str]:
    """Yield a typology as YAML."""
    if typology.statutes:
        yield "statutes:"
        for statute in typology.statutes:
            yield f"- names: {_flow(statute.names)}"
    yield "categories:"
    for category in typology.categories:
        yield f"- key: {category.key}"
        yield f"  label: {label_text(category.label)}"
        yield "  charges:" if category.charges else "  charges: []"
        for charge in category.charges:
            yield from _charge(charge, f"{category.key}.{charge.key}")


def _charge(charge: Charge, full: str) -> Iterator[str]:
    """Yield a charge as YAML; `full` is its key ``<category>.<charge>``."""
    yield f"  - key: {charge.key}"
    yield f"    label: {label_text(charge.label)}"
    if charge.source != "written":
        yield f"    source: {charge.source}"
    labels = set(charge.label.values())
    yield from _list("titles", [title for title in charge.titles if title not in labels], "    ")
    if charge.groups != (Group(full, charge.label),):
        yield "    groups:"
        for group in charge.groups:
            yield f"    - key: {group.key.removeprefix(full + '.')}"
            yield f"      label: {label_text(group.label)}"
            yield from _list("provisions", group.provisions, "      ")


def _list(name: str, texts: Iterable[str], indent: str) -> Iterator[str]:
    """Yield a list as YAML, on one line if it fits."""
    entries = list(texts)
    if not entries:
        return
    line = f"{indent}{name}: {_flow(entries)}"
    if len(line) <= _LINE:
        yield line
    else:
        yield f"{indent}{name}:"
        yield from (f"{indent}- {quoted(entry)}" for entry in entries)


def _flow(texts: Iterable[str]) -> str:
    """Return a list as YAML on one line."""
    return "[" + ", ".join(quoted(text) for text in texts) + "]"


def add_title(text: str, charge: str, title: str) -> str:
    """Return the typology's text with a title added to a charge, ``<category>.<charge>``.

    The comment at its top stays, others do not. Raises UserError for an unknown charge, and for a
    title without letters or of another charge.
    """
    typology = parse(text)
    if charge not in {f"{category.key}.{each.key}" for category, each in typology.charges()}:
        raise UserError("typology_charge_unknown", Where(field="charge"), charge=charge)
    more = " ".join(title.split())
    categories = []
    for each in typology.categories:
        charges = tuple(
            replace(one, titles=(*one.titles, more)) if f"{each.key}.{one.key}" == charge else one
            for one in each.charges
        )
        categories.append(replace(each, charges=charges))
    return _written(text, typology, tuple(categories))


def add_charge(text: str, category: str, title: str) -> str:
    """Return the typology's text with a charge added to a category, with that title.

    The title is its label in every language until somebody edits it. Raises UserError as
    `add_title` does.
    """
    typology = parse(text)
    place = next((n for n, each in enumerate(typology.categories) if each.key == category), None)
    if place is None:
        raise UserError("typology_charge_unknown", Where(field="category"), charge=category)
    found = typology.categories[place]
    key, label = _free_key(found), dict.fromkeys(LANGUAGES, " ".join(title.split()))
    charge = Charge(key, label, (title,), (Group(f"{category}.{key}", label),))
    categories = list(typology.categories)
    categories[place] = replace(found, charges=(*found.charges, charge))
    return _written(text, typology, tuple(categories))


def _free_key(category: Category) -> str:
    taken = {charge.key for charge in category.charges}
    return next(key for n in range(1, len(taken) + 2) if (key := f"added_{n}") not in taken)


def _written(text: str, typology: Typology, categories: tuple[Category, ...]) -> str:
    """Return the text of a changed typology, with the comment lines at its beginning kept."""
    head = takewhile(lambda line: line.startswith("#"), text.splitlines(keepends=True))
    changed = "".join(head) + write(Typology(categories, typology.statutes))
    parse(changed)
    return changed
