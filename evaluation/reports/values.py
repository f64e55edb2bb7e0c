"""Values of a report's cells: what kinds there are, and how readers and files see them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from math import isfinite

from evaluation.figure import Figure
from evaluation.tables import Cell as TextCell
from evaluation.tables import p_text


class Kind(StrEnum):
    """How the values of a column are shown; a figure always with its interval."""

    TEXT = "text"  # and counts, and scores with three decimals
    SHARE = "share"  # percent
    P = "p"  # a p-value
    SECONDS = "seconds"  # or other amounts, with one decimal
    NOTE = "note"  # words about a row, which do not name it


_LARGEST = 1e15  # number that every reader of JSON keeps exactly


@dataclass(frozen=True, slots=True)
class Word:
    """A value of a fixed vocabulary: `value` in JSON and CSV, `text` for readers."""

    value: str
    text: str


@dataclass(frozen=True, slots=True)
class Marked:
    """A value with a mark behind it, or emphasised as the best of its column.

    The mark of a missing value is the reason why it is missing. A `kind` of its own goes before
    that of the column.
    """

    value: Value
    mark: str = ""
    strong: bool = False
    kind: Kind | None = None


Value = str | int | float | Figure | Word | Marked | None
"""A cell; None is missing and never zero."""


def finite(value: Value) -> Value:
    """Return a value without numbers that are none: NaN and infinity are missing."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Figure):
        numbers = (value.value, value.low, value.high)
        if all(each is None or isfinite(each) for each in numbers):
            return value
        known = value.value is not None and isfinite(value.value)
        return replace(value, value=value.value if known else None, low=None, high=None)
    return replace(value, value=finite(value.value)) if isinstance(value, Marked) else value


def is_label(value: Value) -> bool:
    """Return True for text, which names a row rather than measures it."""
    return isinstance(plain(value), str | Word)


def plain(value: Value) -> str | int | float | Figure | Word | None:
    """Return a value without its mark."""
    return plain(value.value) if isinstance(value, Marked) else value


def measured(value: Value) -> int | float | None:
    """Return a value as a number; None for text, missing values and those beyond an axis."""
    value = plain(value)
    number = value.value if isinstance(value, Figure) else value
    return number if isinstance(number, int | float) and abs(number) <= _LARGEST else None


def shown(value: Value, kind: Kind = Kind.TEXT) -> str:
    """Return a value as readers see it; a dash where it is missing."""
    if isinstance(value, Marked):
        mark = f"({value.mark})" if value.value is None and value.mark else value.mark
        return f"{shown(value.value, value.kind or kind)} {mark}".strip()
    if value is None:
        return "–"
    if isinstance(value, Word):
        return value.text
    if isinstance(value, Figure):
        return _figure_text(value, kind)
    if isinstance(value, float):
        return _number_text(value, kind)
    return str(value)


def _number_text(value: float, kind: Kind) -> str:
    if kind is Kind.SHARE:
        return f"{100 * value:.1f} %"
    if kind is Kind.SECONDS:
        return f"{value:.1f}"
    return p_text(value) if kind is Kind.P else f"{value:.3f}"


def _figure_text(figure: Figure, kind: Kind) -> str:
    if kind is Kind.SHARE:
        return figure.percent()
    if kind is Kind.SECONDS and figure.value is not None:
        return f"{figure.value:.1f} {figure.interval(digits=1)}"
    return figure.text()


def json_value(value: Value) -> object:
    """Return a value as JSON: a figure with its interval, a word by its name in files."""
    if isinstance(value, Marked) and value.value is None:
        return {"value": None, "note": value.mark}
    value = plain(value)
    if isinstance(value, Figure):
        return value.as_json()
    return value.value if isinstance(value, Word) else value


def csv_values(value: Value) -> tuple[TextCell, ...]:
    """Return the cells of a value in a CSV file: value, low, high, n, note."""
    note = value.mark if isinstance(value, Marked) else None
    value = plain(value)
    if isinstance(value, Figure):
        return value.value, value.low, value.high, value.n, note
    return value.value if isinstance(value, Word) else value, None, None, None, note
