"""The fields of a codebook that other YAML files have not: keys, words, texts in every language."""

from __future__ import annotations

import re
from dataclasses import dataclass

from construction.tagging.codebook import NOT_STATED
from corpus.files.yaml_fields import Fields
from errors import UserError, Where
from messages import LANGUAGES

LONGEST = {"label": 120, "help": 2_000}  # characters in one language
KEY = re.compile(r"[a-z][a-z0-9_]{0,63}")
SCOPE = re.compile(r"\*|[a-z][a-z0-9_]{0,63}(?:\.[a-z0-9][a-z0-9_]{0,63}){0,2}")


@dataclass(frozen=True, slots=True)
class CodebookFields(Fields):
    """A mapping of a codebook's text."""

    def key(self) -> str:
        """Return the key. Raises UserError for one that is missing or of another form."""
        if self.text("key") == NOT_STATED:
            raise UserError("factors_key", self.where("key"))
        return self.keys("key")[0]

    def by_language(self, name: str) -> dict[str, str]:
        """Return what a field says in every language. Raises UserError for one that is missing."""
        inner = self.inside(name)
        inner.only(LANGUAGES)
        found = {language: inner.text(language) for language in LANGUAGES}
        for language, text in found.items():
            if len(text) > LONGEST[name]:
                where, counts = inner.where(language), {"limit": LONGEST[name], "length": len(text)}
                raise UserError("text_too_long", where, **counts)
        return found

    def truth(self, name: str, missing: bool) -> bool:
        """Return a field that is true or false."""
        return self.one_of(name, ("true", "false"), "true" if missing else "false") == "true"

    def one_of(self, name: str, known: tuple[str, ...], missing: str) -> str:
        """Return a field that is one of these words. Raises UserError for another."""
        if name not in self.values:
            return missing
        found = self.optional_text(name)
        if found not in known:
            raise UserError("factors_word", self.where(name), known=", ".join(known))
        return found

    def keys(self, name: str, form: re.Pattern[str] = KEY) -> tuple[str, ...]:
        """Return a list of keys, or a single one. Raises UserError for what is none."""
        value = self.values.get(name)
        if value is None:
            raise UserError("field_missing", self.where(name))
        several = value.content if isinstance(value.content, list) else None
        found = []
        for number, each in enumerate([value] if several is None else several, 1):
            at = self.place(name) + ("" if several is None else f"[{number}]")
            where = Where(self.file, each.line, at)
            if not isinstance(each.content, str):
                raise UserError("field_not_text", where)
            if not form.fullmatch(each.content):
                raise UserError("factors_key", where)
            found.append(each.content)
        return tuple(found)
