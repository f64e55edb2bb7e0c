"""Message catalogue: every text the product shows, in English and Korean.

The catalogue is the TOML files of this folder read as one tree. A leaf is a table with the keys
``en`` and ``ko``; its dotted path is the key that code uses: ``say("mapping.accept", "ko")``.
Templates use ``str.format`` fields; ``{count:case|cases}`` selects a form by the plural rules of
the language (CLDR's, by babel), forms in CLDR's order of categories, one before other. Korean has a
single form, so its templates give none; a particle left open in them, such as 은(는), is chosen to
fit the word before it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import cache, lru_cache
from pathlib import Path
from string import Formatter
from typing import TYPE_CHECKING, Any

from messages import particles

if TYPE_CHECKING:
    from babel.plural import PluralRule

LANGUAGES = {"en": "English", "ko": "한국어"}


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """Return every entry, dotted key → language → template.

    Raises ValueError if two files define one key, or a leaf lacks a language: a defect that the
    tests catch.
    """
    entries: dict[str, dict[str, str]] = {}
    for path in sorted(Path(__file__).parent.rglob("*.toml")):
        for key, leaf in _leaves(tomllib.loads(path.read_text(encoding="utf-8")), ""):
            if key in entries or set(leaf) != set(LANGUAGES):
                raise ValueError(f"{path.name}: entry {key!r} is repeated or lacks a language")
            entries[key] = leaf
    return entries


@dataclass(frozen=True, slots=True)
class Localized:
    """A template parameter whose text depends on the language: `by` maps ``en`` or ``ko`` to it."""

    by: Callable[[str], str]


def say(key: str, language: str = "en", /, **params: object) -> str:
    """Return the message of `key` in `language`, with `params` filled in.

    Raises KeyError for a key the catalogue lacks.
    """
    words = catalogue()[key][language]
    template = _marked_template(words) if language == "ko" else words
    params = {n: v.by(language) if isinstance(v, Localized) else v for n, v in params.items()}
    if "|" in template:  # few have one, and a formatter of our own takes ten times as long
        said = _formatter(language).vformat(template, (), params)
    else:
        said = template.format(**params)
    return said if template == words else particles.chosen(said)


def say_counts(below: str, counts: Mapping[str, int], language: str = "en") -> str:
    """Return counts with the messages of their names below a key: ``2 answered, 1 refused``."""
    told = (f"{count:,} {say(f'{below}.{name}', language)}" for name, count in counts.items())
    return ", ".join(told)


@cache
def _marked_template(template: str) -> str:
    return particles.marked(template)


def plural_categories(language: str) -> tuple[str, ...]:
    """Return the CLDR plural categories of `language` in order, e.g. one and other."""
    found = _plural_rule(language).tags | {"other"}
    return tuple(c for c in ("zero", "one", "two", "few", "many", "other") if c in found)


@lru_cache(maxsize=4096)
def _plural_index(language: str, number: str) -> int:
    """Return the index of the plural form for `number`; the last if it is not a number."""
    categories = plural_categories(language)
    try:
        return categories.index(_plural_rule(language)(Decimal(number.replace(",", ""))))
    except InvalidOperation:
        return len(categories) - 1


@cache
def _plural_rule(language: str) -> PluralRule:
    from babel.core import Locale  # imported late: most commands and pages show no number at all

    return Locale.parse(language).plural_form


class _Numbered(Formatter):
    """Formatter that extends ``str.format`` by plural forms."""

    def __init__(self, language: str) -> None:
        self.language = language

    def format_field(self, value: Any, spec: str) -> str:
        forms = spec.split("|")
        if len(forms) > 1:
            return forms[min(_plural_index(self.language, str(value)), len(forms) - 1)]
        return str(super().format_field(value, spec))


@cache
def _formatter(language: str) -> _Numbered:
    """Return the formatter of numbers in a language."""
    return _Numbered(language)


def _leaves(tree: dict[str, object], prefix: str) -> list[tuple[str, dict[str, str]]]:
    """Return the entries of a tree of tables."""
    found: list[tuple[str, dict[str, str]]] = []
    for name, value in tree.items():
        if not isinstance(value, dict):
            raise ValueError(f"{prefix}{name} is not a table")
        if all(isinstance(v, str) for v in value.values()):
            found.append((f"{prefix}{name}", value))
        else:
            found += _leaves(value, f"{prefix}{name}.")
    return found
