"""Small changes of a typology's text that need no YAML from whoever makes them."""

from __future__ import annotations

from dataclasses import replace

from construction.cases.typology import Category, Charge, Group, Typology
from construction.cases.typology_reading import parse
from construction.cases.typology_writing import write
from errors import UserError, Where
from messages import LANGUAGES


def add_title(text: str, charge: str, title: str) -> str:
    """Return the typology with one more title for a charge, ``<category>.<charge>``.

    The comment at its top stays, others do not. Raises UserError for a charge that is not there,
    and for a title that holds no letter or is another charge's.
    """
    typology = parse(text)
    if charge not in {f"{category.key}.{each.key}" for category, each in typology.charges()}:
        raise UserError("typology_charge_unknown", Where(field="charge"), charge=charge)
    categories = tuple(_category(each, charge, title) for each in typology.categories)
    return _written(text, typology, categories)


def add_charge(text: str, category: str, title: str) -> str:
    """Return the typology with one more charge of a category, known by that title.

    It is called by its title in every language until somebody edits it. Raises UserError as
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
    taken = {each.key for each in category.charges}
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
    """Return the lines of comment that the text begins with."""
    lines = []
    for line in text.splitlines(keepends=True):
        if not line.startswith("#"):
            break
        lines.append(line)
    return "".join(lines)
