"""A typology as YAML text, and small edits of it for people who know no YAML."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from construction.cases.typology import Category, Charge, Group, Typology, parse
from corpus.files.declarations import label_text, quoted
from errors import UserError, Where
from messages import LANGUAGES

_LINE = 100  # characters; a longer list has one entry per line


def write(typology: Typology) -> str:
    """Return the typology as YAML; `parse` is the inverse."""
    return "\n".join(_lines(typology)) + "\n"


def _lines(typology: Typology) -> Iterator[str]:
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
    return "[" + ", ".join(quoted(text) for text in texts) + "]"


def add_title(text: str, charge: str, title: str) -> str:
    """Return the typology's text with a title added to a charge, ``<category>.<charge>``.

    The comment at its top stays, others do not. Raises UserError for an unknown charge, and for a
    title without letters or of another charge.
    """
    typology = parse(text)
    if charge not in {f"{category.key}.{each.key}" for category, each in typology.charges()}:
        raise UserError("typology_charge_unknown", Where(field="charge"), charge=charge)
    categories = tuple(_category(each, charge, title) for each in typology.categories)
    return _written(text, typology, categories)


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
    changed = _top(text) + write(Typology(categories, typology.statutes))
    parse(changed)
    return changed


def _category(category: Category, charge: str, title: str) -> Category:
    return replace(
        category,
        charges=tuple(
            _with(each, title) if f"{category.key}.{each.key}" == charge else each
            for each in category.charges
        ),
    )


def _with(charge: Charge, title: str) -> Charge:
    return replace(charge, titles=(*charge.titles, " ".join(title.split())))


def _top(text: str) -> str:
    """Return the comment lines at the beginning of the text."""
    lines = []
    for line in text.splitlines(keepends=True):
        if not line.startswith("#"):
            break
        lines.append(line)
    return "".join(lines)
