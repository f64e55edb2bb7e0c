"""Taking the fields of a codebook's text one by one, each refused with its line and place."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NoReturn

from construction.tagging.codebook import NOT_STATED
from corpus.files.yaml_fields import Value
from errors import UserError, Where
from messages import LANGUAGES

LONGEST = {"label": 120, "help": 2_000}  # characters in one language
KEY = re.compile(r"[a-z][a-z0-9_]{0,63}")
SCOPE = re.compile(r"\*|[a-z][a-z0-9_]{0,63}(?:\.[a-z0-9][a-z0-9_]{0,63}){0,2}")


class Fields:
    """A mapping of the text and where it stands; `lines` learns the line of every place."""

    def __init__(self, node: Value, at: str, known: tuple[str, ...], lines: dict[str, int]) -> None:
        if not isinstance(node.content, dict):
            refuse("factors_field", at, node.line, shape="fields")
        self.at, self.line, self.lines = at, node.line, lines
        self._fields = node.content
        for name, each in self._fields.items():
            lines[self.place(name)] = each.line
            if name not in known:
                refuse("factors_unknown", self.place(name), each.line, known=", ".join(known))

    def place(self, name: str) -> str:
        """Return where a field of it stands."""
        return f"{self.at}.{name}" if self.at else name

    def has(self, name: str) -> bool:
        """Return whether the field is there at all."""
        return name in self._fields

    def node(self, name: str) -> Value:
        """Return a field. Raises UserError where it is missing."""
        if name not in self._fields:
            refuse("factors_missing", self.place(name), self.line)
        return self._fields[name]

    def key(self) -> str:
        """Return the key. Raises UserError for one that is missing or of another form."""
        said = _text(self.node("key"), self.place("key"))
        if not KEY.fullmatch(said) or said == NOT_STATED:
            refuse("factors_key", self.place("key"), self.node("key").line)
        return said

    def texts(self, name: str) -> dict[str, str]:
        """Return what a field says in every language. Raises UserError for one that is missing."""
        inner = Fields(self.node(name), self.place(name), tuple(LANGUAGES), self.lines)
        found = {}
        for language in LANGUAGES:
            node, place = inner.node(language), inner.place(language)
            said = " ".join(_text(node, place).split())
            if not said:
                refuse("factors_missing", place, node.line)
            if len(said) > LONGEST[name]:
                refuse("text_too_long", place, node.line, limit=LONGEST[name], length=len(said))
            found[language] = said
        return found

    def truth(self, name: str, missing: bool) -> bool:
        """Return a field that is true or false."""
        return self.one_of(name, ("true", "false"), "true" if missing else "false") == "true"

    def one_of(self, name: str, known: tuple[str, ...], missing: str) -> str:
        """Return a field that is one of these words. Raises UserError for another."""
        if not self.has(name):
            return missing
        said = _text(self.node(name), self.place(name))
        if said not in known:
            refuse("factors_word", self.place(name), self.node(name).line, known=", ".join(known))
        return said

    def keys(self, name: str, form: re.Pattern[str] = KEY) -> tuple[str, ...]:
        """Return a list of keys, or a single one. Raises UserError for what is none."""
        node = self.node(name)
        return keys_of(node, self.place(name), form, self.lines)

    def rows(self, name: str) -> Iterator[tuple[str, Value]]:
        """Yield what a list holds, each with its place, which counts from 1."""
        node = self.node(name)
        if not isinstance(node.content, list):
            refuse("factors_field", self.place(name), node.line, shape="list")
        for number, each in enumerate(node.content, 1):
            place = f"{self.place(name)}[{number}]"
            self.lines[place] = each.line
            yield place, each

    def inner(self, name: str) -> Mapping[str, Value]:
        """Return the fields of a field, whatever they are called; none where it is missing."""
        if not self.has(name):
            return {}
        node = self.node(name)
        if not isinstance(node.content, dict):
            refuse("factors_field", self.place(name), node.line, shape="fields")
        for key, each in node.content.items():
            self.lines[f"{self.place(name)}.{key}"] = each.line
        return node.content


def keys_of(
    node: Value, place: str, form: re.Pattern[str], lines: dict[str, int]
) -> tuple[str, ...]:
    """Return a list of keys, or a single one, at that place."""
    several = isinstance(node.content, list)
    found = []
    for number, each in enumerate(node.content if isinstance(node.content, list) else (node,), 1):
        where = f"{place}[{number}]" if several else place
        lines[where] = each.line
        said = _text(each, where)
        if not form.fullmatch(said):
            refuse("factors_key", where, each.line)
        found.append(said)
    return tuple(found)


def refuse(code: str, place: str, line: int, **params: object) -> NoReturn:
    """Raise UserError at that place of the text."""
    raise UserError(code, Where(line=line, field=place or None), **params)


def _text(node: Value, place: str) -> str:
    if not isinstance(node.content, str):
        refuse("factors_field", place, node.line, shape="text")
    return node.content
