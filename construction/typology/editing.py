"""Small changes of a typology's text that need no YAML from whoever makes them."""

from __future__ import annotations

from dataclasses import replace

from construction.typology.model import Category, Charge, Typology
from construction.typology.reading import parse
from construction.typology.writing import write
from errors import UserError, Where


def add_title(text: str, charge: str, title: str) -> str:
    """Return the typology with one more title for a charge, ``<category>.<charge>``.

    The comment at its top stays, others do not. Raises UserError for a charge that is not there,
    and for a title that holds no letter or is another charge's.
    """
    typology = parse(text)
    if charge not in {f"{category.key}.{each.key}" for category, each in typology.charges()}:
        raise UserError("typology_charge_unknown", Where(field="charge"), charge=charge)
    categories = tuple(_category(each, charge, title) for each in typology.categories)
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
