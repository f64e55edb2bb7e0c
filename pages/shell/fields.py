"""Fields of a form: the label, the help text and the key of each follow from its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

import streamlit as st

from messages import catalogue
from pages.shell.context import Context
from pages.shell.draft_state import kept_choices, kept_place, kept_value

_Option = TypeVar("_Option")
_Number = TypeVar("_Number", int, float)
Labels: TypeAlias = str | Callable[[Any], str] | Mapping[Any, str] | None
"""How options are named: by the catalogue entries below a key, by a function or table, or as is."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of one form, drawn one at a time.

    A field is labelled by the catalogue entry of its name below `words`, and explained by the entry
    ``<name>_help``, if there is one. Its session key is `key` and the name; the option `key` of a
    field replaces the name in it. Values are kept as the draft `case`, if that is named. Other
    options are those of the Streamlit widget.
    """

    context: Context
    words: str
    key: str
    case: str = ""
    place: Any = st

    def within(self, place: Any) -> Fields:
        """Return these fields drawn into a place, such as a column."""
        return replace(self, place=place)

    def row(self, widths: int | Sequence[float], **options: Any) -> list[Fields]:
        """Return these fields drawn into each of a row of columns."""
        return [self.within(each) for each in self.place.columns(widths, **options)]

    def text(self, name: str, first: str = "", **more: Any) -> str:
        """Draw a line of text; return it."""
        return str(self.place.text_input(**self._valued(name, first, more)) or "")

    def lines(self, name: str, first: str = "", **more: Any) -> str:
        """Draw a longer text; return it."""
        return str(self.place.text_area(**self._valued(name, first, more)) or "")

    def number(
        self, name: str, low: _Number, high: _Number | None, first: _Number, **more: Any
    ) -> _Number:
        """Draw a number between two bounds; return it."""
        bounds = {"min_value": low, "max_value": high}
        return type(first)(self.place.number_input(**self._valued(name, first, more | bounds)))

    def tick(self, name: str, first: bool = False, **more: Any) -> bool:
        """Draw a checkbox; return whether it is ticked."""
        return bool(self.place.checkbox(**self._valued(name, first, more)))

    def switch(self, name: str, first: bool = False, **more: Any) -> bool:
        """Draw a toggle; return whether it is on."""
        return bool(self.place.toggle(**self._valued(name, first, more)))

    def pick(
        self,
        name: str,
        options: Iterable[_Option],
        labels: Labels = None,
        first: _Option | None = None,
        none: str = "",
        **more: Any,
    ) -> _Option:
        """Draw the choice of one option, at first `first`, else the first of them; return it.

        `none` is the catalogue key of one more option, which is "" and stands before them.
        """
        there: list[Any] = ["", *options] if none else list(options)
        shown = self._named(name, more)
        if self.case:
            shown |= kept_place(self.case, shown.pop("key"), there, first)
        else:
            shown["index"] = there.index(first) if first in there else 0
        if none:
            named = self._words_of(labels)
            shown["format_func"] = lambda each: named(each) if each else self.context.say(none)
        else:
            shown["format_func"] = self._words_of(labels)
        chosen: _Option = self.place.selectbox(options=there, **shown)
        return chosen

    def pick_any(
        self,
        name: str,
        options: Iterable[_Option],
        hint: str,
        labels: Labels = None,
        first: _Option | None = None,
        **more: Any,
    ) -> _Option | None:
        """Draw the choice of one option or none, with a hint where none is chosen; return it."""
        there = list(options)
        chosen: _Option | None = self.place.selectbox(
            options=there,
            index=there.index(first) if first is not None and first in there else None,
            placeholder=self.context.say(hint),
            format_func=self._words_of(labels),
            **self._named(name, more),
        )
        return chosen

    def several(
        self,
        name: str,
        options: Iterable[_Option],
        labels: Labels = None,
        chosen: Sequence[_Option] = (),
        **more: Any,
    ) -> list[_Option]:
        """Draw the choice of several options, at first `chosen`; return them."""
        there, shown = list(options), self._named(name, more)
        if self.case:
            shown |= kept_choices(self.case, shown.pop("key"), there, chosen)
        else:
            shown["default"] = list(chosen) or None
        named = self._words_of(labels)
        return list(self.place.multiselect(options=there, format_func=named, **shown))

    def file(self, name: str, kinds: Iterable[str], **more: Any) -> Any:
        """Draw the upload of a file with one of these extensions; return it, None without one."""
        kinds = [each.removeprefix(".") for each in kinds]
        return self.place.file_uploader(type=kinds, **self._named(name, more))

    def press(self, name: str, **more: Any) -> bool:
        """Draw a button; return whether it was pressed."""
        return bool(self.place.button(**self._named(name, more)))

    def _valued(self, name: str, first: Any, more: dict[str, Any]) -> dict[str, Any]:
        """Return the arguments of a widget with a value."""
        shown = self._named(name, more)
        if not self.case:
            return shown | {"value": first}
        return shown | kept_value(self.case, shown.pop("key"), first)

    def _named(self, name: str, more: dict[str, Any]) -> dict[str, Any]:
        """Return the label, help text and key of a field, with further arguments."""
        label, own = f"{self.words}.{name}", more.pop("key", name.replace("_", "-"))
        found = {"label": label, "help": f"{label}_help"}
        told = {
            argument: self.context.say(entry)
            for argument, entry in found.items()
            if argument not in more and entry in catalogue()
        }
        return {**told, "key": f"{self.key}-{own}", **more}

    def _words_of(self, labels: Labels) -> Callable[[Any], str]:
        """Return the function that names an option."""
        if isinstance(labels, str):
            return lambda each: self.context.say(f"{labels}.{each}")
        if isinstance(labels, Mapping):  # Streamlit may ask for what was an option before
            return lambda each: labels.get(each, str(each))
        return labels or str
