"""The catalogue of every word the product says, in English and Korean.

The catalogue is the TOML files of this folder read as one tree. A leaf is a table with the keys
``en`` and ``ko``; its dotted path is the key that code uses: ``say("mapping.accept", "ko")``.
Templates use ``str.format`` fields; ``{count:case|cases}`` is the first word where count is 1 and
the second otherwise.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

LANGUAGES = {"en": "English", "ko": "한국어"}


@cache
def catalogue() -> dict[str, dict[str, str]]:
    """Return every entry, dotted key → language → template.

    Raises ValueError when two files define one key, or a leaf lacks a language: a defect that
    the tests catch.
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
    """A param whose words depend on the language: `by` returns them, given ``en`` or ``ko``."""

    by: Callable[[str], str]


def say(key: str, language: str = "en", /, **params: object) -> str:
    """Return the words of `key` in `language` with `params` filled in.

    Raises KeyError for a key the catalogue lacks.
    """
    template = catalogue()[key][language]
    params = {n: v.by(language) if isinstance(v, Localized) else v for n, v in params.items()}
    if "|" in template:  # few have one, and a formatter of our own takes ten times as long
        return _FORMATTER.vformat(template, (), params)
    return template.format(**params)


class _Numbered(Formatter):
    """Formats as ``str.format`` does, and chooses between singular and plural."""

    def format_field(self, value: Any, spec: str) -> str:
        one, both, many = spec.partition("|")
        if both:
            return one if str(value) == "1" else many
        return str(super().format_field(value, spec))


_FORMATTER = _Numbered()


def _leaves(tree: dict[str, object], prefix: str) -> list[tuple[str, dict[str, str]]]:
    found: list[tuple[str, dict[str, str]]] = []
    for name, value in tree.items():
        if not isinstance(value, dict):
            raise ValueError(f"{prefix}{name} is not a table")
        if all(isinstance(v, str) for v in value.values()):
            found.append((f"{prefix}{name}", value))
        else:
            found += _leaves(value, f"{prefix}{name}.")
    return found
