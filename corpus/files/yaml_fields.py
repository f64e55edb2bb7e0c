"""YAML values with their lines.

The text is read as events, not loaded: every scalar keeps its text (so ``공포번호: 00181`` keeps
its zeros), every value has its line, and nesting is bounded before it can exhaust the stack.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, Self

import yaml

from corpus.files.rows import is_storable
from errors import UserError, Where, did_you_mean
from normalization import composed

MAX_DEPTH = 8

_LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)


@dataclass(frozen=True, slots=True)
class Value:
    """A value with its first line (from 1): text, a list or a mapping of Values."""

    content: str | list[Value] | dict[str, Value]
    line: int

    def plain(self) -> Any:
        """Return the value as plain data, without lines."""
        if isinstance(self.content, list):
            return [each.plain() for each in self.content]
        if isinstance(self.content, dict):
            return {name: each.plain() for name, each in self.content.items()}
        return self.content


@dataclass(frozen=True, slots=True)
class Fields:
    """A mapping with typed access to its fields."""

    file: str | None
    line: int
    values: dict[str, Value]

    def text(self, field: str) -> str:
        """Return a required text, white space joined. Raises UserError if absent or not text."""
        found = self.optional_text(field)
        if not found:
            raise UserError("field_missing", self.where(field))
        return found

    def optional_text(self, field: str) -> str:
        """Return a text, "" if the field is absent. Raises UserError if it is not text."""
        value = self.values.get(field)
        if value is None:
            return ""
        if not isinstance(value.content, str):
            raise UserError("field_not_text", self.where(field))
        if not is_storable(value.content):
            raise UserError("text_unstorable", self.where(field))
        return " ".join(value.content.split())

    def day(self, field: str) -> date | None:
        """Return a date written YYYY-MM-DD, None if absent or blank. Raises UserError."""
        text = self.optional_text(field)
        try:
            return date.fromisoformat(text) if text else None
        except ValueError as problem:
            raise UserError("field_not_date", self.where(field), value=text[:40]) from problem

    def texts(self, field: str) -> list[tuple[str, int]]:
        """Return a list of texts, each with its line, empty if absent. Raises UserError."""
        listed = self._listed(field, "field_not_texts")
        inside = [Fields(self.file, each.line, {field: each}) for each in listed]
        return [(each.text(field), each.line) for each in inside]

    def inside(self, field: str) -> Self:
        """Return a required mapping. Raises UserError if absent or no mapping."""
        value = self.values.get(field)
        if value is None or value.content == "":
            raise UserError("field_missing", Where(self.file, self.line, field))
        if not isinstance(value.content, dict):
            raise UserError("field_not_mapping", self.where(field))
        return replace(self, line=value.line, values=value.content)

    def strangers(
        self, known: Collection[str], other_words: Mapping[str, str] | None = None
    ) -> Iterator[UserError]:
        """Yield the error of each field that is not one of `known`.

        `other_words` are other names of known fields.
        """
        for field in self.values:
            if field not in known:
                meant = did_you_mean(field, known, other_words)
                where, listed = self.where(field), ", ".join(known)
                yield UserError("field_unknown", where, known=listed, meant=meant)

    def rows(self, field: str, code: str = "field_not_list") -> list[Self]:
        """Return a list of mappings, empty if absent or blank. Raises UserError of that code."""
        found = []
        for entry in self._listed(field, code):
            if not isinstance(entry.content, dict):
                raise UserError(code, Where(self.file, entry.line, field))
            found.append(replace(self, line=entry.line, values=entry.content))
        return found

    def _listed(self, field: str, code: str) -> list[Value]:
        """Return a list, empty if absent or blank. Raises UserError of that code."""
        value = self.values.get(field)
        if value is None or value.content == "":
            return []
        if not isinstance(value.content, list):
            raise UserError(code, self.where(field))
        return value.content

    def where(self, field: str) -> Where:
        """Return the place of a field, or of the mapping that lacks it."""
        line = self.values[field].line if field in self.values else self.line
        return Where(self.file, line, field)


def read_value(text: str, file: str | None, first: int = 1, deepest: int = MAX_DEPTH) -> Value:
    """Parse the one document of `text` into values in NFC; an empty text if there is none.

    `first` is the line of the file at which the text begins. Raises UserError with the line for
    invalid YAML, an alias, a repeated field, and nesting beyond `deepest` levels.
    """
    try:
        return _Builder(yaml.parse(text, Loader=_LOADER), file, first, deepest).document()
    except yaml.MarkedYAMLError as problem:
        mark = problem.problem_mark or problem.context_mark
        line = mark.line + first if mark else first
        reason = problem.problem or "?"
        raise UserError("yaml_broken", Where(file, line), reason=reason) from problem
    except (yaml.YAMLError, UnicodeEncodeError) as problem:  # half of a surrogate pair
        reason = " ".join(str(problem).split())
        raise UserError("yaml_broken", Where(file, first), reason=reason) from problem


class _Builder:
    """Builds values from parser events, refusing unneeded features."""

    def __init__(self, events: Iterator[Any], file: str | None, first: int, deepest: int) -> None:
        self._events = events
        self._file = file
        self._first = first
        self._deepest = deepest

    def document(self) -> Value:
        """Return the value of the one document; an empty text if there is none."""
        found: Value | None = None
        for event in self._events:
            if isinstance(event, yaml.DocumentStartEvent) and found is not None:
                self._refuse(self._line(event), "a second document")
            elif isinstance(event, yaml.NodeEvent):
                found = self._value(event, 1)
        return found or Value("", self._first)

    def _value(self, event: Any, depth: int) -> Value:
        """Build a value. Raises UserError for aliases, tags and deep nesting."""
        line = self._line(event)
        if isinstance(event, yaml.AliasEvent):
            self._refuse(line, "an alias (*name)")
        if depth > self._deepest:
            self._refuse(line, f"more than {self._deepest} levels of nesting")
        if isinstance(event, yaml.SequenceStartEvent):
            return Value(self._sequence(depth), line)
        if isinstance(event, yaml.MappingStartEvent):
            return Value(self._pairs(depth), line)
        return Value(composed(event.value), line)

    def _sequence(self, depth: int) -> list[Value]:
        """Build a list."""
        values: list[Value] = []
        while not isinstance(event := next(self._events), yaml.SequenceEndEvent):
            values.append(self._value(event, depth + 1))
        return values

    def _pairs(self, depth: int) -> dict[str, Value]:
        """Build a mapping. Raises UserError for repeated keys."""
        pairs: dict[str, Value] = {}
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._value(event, depth + 1)
            if not isinstance(key.content, str):
                self._refuse(key.line, "a key that is not text")
            elif key.content in pairs:
                raise UserError("field_repeated", Where(self._file, key.line, key.content))
            else:
                pairs[key.content] = self._value(next(self._events), depth + 1)
        return pairs

    def _line(self, event: Any) -> int:
        """Return the line of an event."""
        return int(event.start_mark.line) + self._first

    def _refuse(self, line: int, reason: str) -> None:
        """Raise the error for invalid YAML."""
        raise UserError("yaml_broken", Where(self._file, line), reason=reason)
