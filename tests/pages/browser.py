"""A browser that misses drawings, in front of a page without one.

A browser draws a field that it does not know with the value that comes with the drawing, keeps its
own of one that it knows unless the drawing sets it, and tells the server all it holds at the next
press. It misses a drawing that another overtakes before it was sent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

_KINDS = ("checkbox", "text_area", "text_input", "radio")


@dataclass
class BusyBrowser:
    """The page, and what this browser holds of the fields of its case, by their ids."""

    at: AppTest
    held: dict[str, WidgetState] = field(default_factory=dict)

    def draw(self) -> None:
        """See the page as it is now."""
        before, self.held = self.held, {}
        for each in _fields(self.at):
            known = each.proto.id in before and not each.proto.set_value
            self.held[each.proto.id] = before[each.proto.id] if known else _drawn(each)

    def press(self, key: str = "") -> None:
        """Press a button, or something that changes nothing here; the drawing is missed."""
        if key:
            self.at.button(key=key).click()
        self._tell()

    def enter(self, key: str, value: Any) -> None:
        """Enter a value into a field; the drawing is missed."""
        found = field_of(_fields(self.at), key)
        found.set_value(value)
        assert found.proto.id in self.held, "a field that this browser has not drawn"
        self.held[found.proto.id].CopyFrom(found._widget_state)
        self._tell()

    def _tell(self) -> None:
        told = self.at._tree.get_widget_states()
        for each in told.widgets:
            each.CopyFrom(self.held.get(each.id, each))
        self.at._run(told)

    def shows(self) -> dict[str, str]:
        """Return what is held, by the keys of the fields."""
        return {each.key: str(self.held[each.proto.id]) for each in _fields(self.at)}


def on_server(at: AppTest) -> dict[str, str]:
    """Return what the server takes the fields of the case to hold, by their keys."""
    return {each.key: str(each._widget_state) for each in _fields(at)}


def field_of(fields: Iterable[Any], name: str) -> Any:
    """Return the field of this name, however often it was made anew."""
    (found,) = (each for each in fields if (each.key or "").partition("__")[0] == name)
    return found


def _fields(at: AppTest) -> list[Any]:
    found: list[Any] = [each for kind in _KINDS for each in at.get(kind)]
    found += at.button_group
    return [each for each in found if (each.key or "").startswith("case-")]


def _words(option: Any) -> str:
    return f"{option.content_icon} {option.content}".strip()


def _drawn(each: Any) -> WidgetState:
    """Return the value that comes with the drawing of a field."""
    proto, state = each.proto, WidgetState(id=each.proto.id)
    if each.type == "button_group":
        first = [_words(proto.options[place]) for place in proto.default]
        state.string_array_value.data[:] = list(proto.raw_values) if proto.set_value else first
    elif each.type == "radio":
        first = proto.options[proto.default]
        state.string_value = proto.raw_value if proto.set_value else first
    elif each.type == "checkbox":
        state.bool_value = proto.value if proto.set_value else proto.default
    else:
        state.string_value = proto.value if proto.set_value else proto.default
    return state
