"""Layout of judgments per language, as data: section starts and the places of fields.

The packaged patterns are the TOML files of the folder ``patterns``, one per language. A user's own
are text of the same form: they are tried before the packaged ones, or alone in a language with
``replace = true``. Every pattern is a regular expression; ``^`` and ``$`` are the ends of a line.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from corpus.cases.model import Section
from corpus.cases.safe_pattern import SafePattern, safe_pattern
from errors import UserError, Where, require_known

FIELDS = ("number", "title", "court", "date", "charges", "provisions")
"""The fields that can be found in a text. ``number`` is the court's own case number."""

TEXT_CHARACTERS = 64 * 1024
_FOLDER = Path(__file__).parent / "patterns"
_RULE_KEYS = ("sections", "within", "find", "split", "carry")
_SENTENCE_END = "\n"
_LINES = safe_pattern(_SENTENCE_END)


@dataclass(frozen=True, slots=True)
class Begin:
    """The start of a section; `sentence`: the section begins with the sentence around the match."""

    section: Section
    pattern: SafePattern
    sentence: bool


@dataclass(frozen=True, slots=True)
class Rule:
    """One way to find a field, tried if the earlier ones found nothing.

    It searches the `sections` (the whole text if it has none of them, or none is named), and there
    the stretches that `within` matches, if given. Matches are split at `split`. `carry` is the text
    allowed between two provisions of one law, the second of which does not name it.
    """

    find: tuple[SafePattern, ...]
    sections: tuple[Section, ...] = ()
    within: tuple[SafePattern, ...] = ()
    split: SafePattern | None = None
    carry: SafePattern | None = None


@dataclass(frozen=True, slots=True)
class Patterns:
    """The patterns of one language; of two matches at one place the earlier pattern counts."""

    sentence_end: SafePattern = _LINES
    begins: tuple[Begin, ...] = ()
    rules: Mapping[str, tuple[Rule, ...]] = field(default_factory=dict)


NO_PATTERNS = Patterns()
"""The patterns of an unknown language: its judgments are one part."""


@cache
def packaged() -> Mapping[str, Patterns]:
    """Return the packaged patterns by language."""
    return {name: _read(packaged_text(name), f"{name}.toml")[name][0] for name in languages()}


def languages() -> tuple[str, ...]:
    """Return the languages with packaged patterns."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.toml")))


def packaged_text(language: str) -> str:
    """Return a language's packaged patterns as text to edit. Raises UserError without any."""
    require_known("patterns_language", languages(), Where(field="language"), language=language)
    return (_FOLDER / f"{language}.toml").read_text(encoding="utf-8")


def patterns_with(own: str, file: str = "") -> Mapping[str, Patterns]:
    """Return the patterns by language, with the user's own text before the packaged ones.

    Raises UserError naming `file` and the key of an invalid pattern.
    """
    if not own.strip():
        return packaged()
    if len(own) > TEXT_CHARACTERS:
        raise UserError("patterns_long", Where(file or None), limit=TEXT_CHARACTERS)
    found = _read(own, file)
    merged = dict(packaged())
    for language, (patterns, replaces) in found.items():
        base = NO_PATTERNS if replaces else merged.get(language, NO_PATTERNS)
        merged[language] = _merged_patterns(patterns, base)
    return merged


def _merged_patterns(own: Patterns, base: Patterns) -> Patterns:
    """Return both sets of patterns as one, the own ones first."""
    names = [name for name in FIELDS if name in own.rules or name in base.rules]
    rules = {name: (*own.rules.get(name, ()), *base.rules.get(name, ())) for name in names}
    said = own.sentence_end.pattern != _SENTENCE_END
    return Patterns(
        own.sentence_end if said else base.sentence_end, (*own.begins, *base.begins), rules
    )


def _read(text: str, file: str) -> dict[str, tuple[Patterns, bool]]:
    """Parse a file of patterns: language → (patterns, whether they replace the packaged ones)"""
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise UserError("patterns_toml", Where(file or None), reason=str(problem)) from problem
    return {name: _Reader(file, name).patterns(value) for name, value in tree.items()}


@dataclass(frozen=True, slots=True)
class _Reader:
    """Parses the table of one language; errors name their key."""

    file: str
    language: str

    def patterns(self, table: object) -> tuple[Patterns, bool]:
        """Parse the patterns of a language, and whether they replace the packaged ones."""
        known = ("sentence_end", "replace", "sections", "sentences", *FIELDS)
        checked = self._table(table, "", known)
        begins = [
            *self._section_begins(checked.get("sentences", {}), "sentences"),
            *self._section_begins(checked.get("sections", {}), "sections"),
        ]
        end = self._pattern(checked.get("sentence_end", _SENTENCE_END), "sentence_end")
        rules = {name: self._rules(checked[name], name) for name in FIELDS if name in checked}
        return Patterns(end, tuple(begins), rules), checked.get("replace") is True

    def _section_begins(self, table: object, key: str) -> list[Begin]:
        checked = self._table(table, key, tuple(Section))
        return [
            Begin(Section(name), pattern, key == "sentences")
            for name, found in checked.items()
            for pattern in self._patterns(found, f"{key}.{name}")
        ]

    def _rules(self, listed: object, key: str) -> tuple[Rule, ...]:
        """Parse the rules of a field."""
        if not isinstance(listed, list) or not listed:
            raise self._wrong("patterns_rules", key)
        return tuple(self._rule(entry, f"{key}[{n}]") for n, entry in enumerate(listed, 1))

    def _rule(self, entry: object, key: str) -> Rule:
        """Parse a rule."""
        table = self._table(entry, key, _RULE_KEYS)
        sections = table.get("sections", [])
        if not isinstance(sections, list) or not set(map(str, sections)) <= set(Section):
            raise self._wrong("patterns_key", f"{key}.sections", known=", ".join(Section))
        optional = {
            name: self._pattern(table[name], f"{key}.{name}") if name in table else None
            for name in ("split", "carry")
        }
        return Rule(
            self._patterns(table.get("find"), f"{key}.find"),
            tuple(Section(name) for name in sections),
            self._patterns(table["within"], f"{key}.within") if "within" in table else (),
            **optional,
        )

    def _table(self, value: object, key: str, known: tuple[str, ...]) -> Mapping[str, Any]:
        """Return the value; raise UserError if it is no table or has an unknown key."""
        if not isinstance(value, dict):
            raise self._wrong("patterns_table", key)
        for name in value:
            if name not in known:
                place = f"{key}.{name}".lstrip(".")
                raise self._wrong("patterns_key", place, known=", ".join(known))
        return value

    def _patterns(self, listed: object, key: str) -> tuple[SafePattern, ...]:
        """Parse a list of patterns."""
        if not isinstance(listed, list) or not listed:
            raise self._wrong("patterns_list", key)
        return tuple(self._pattern(entry, f"{key}[{n}]") for n, entry in enumerate(listed, 1))

    def _pattern(self, value: object, key: str) -> SafePattern:
        """Parse a pattern."""
        if not isinstance(value, str):
            raise self._wrong("patterns_list", key)
        return safe_pattern(value, Where(self.file or None, field=self._place(key)))

    def _wrong(self, code: str, key: str, **params: object) -> UserError:
        """Return the error for a key."""
        return UserError(code, Where(self.file or None, field=self._place(key)), **params)

    def _place(self, key: str) -> str:
        """Return a key with its language."""
        return f"{self.language}.{key}".rstrip(".")
