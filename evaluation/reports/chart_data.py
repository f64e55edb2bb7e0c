"""The data of a chart: a datum for each value that is drawn, with its texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import count, islice, takewhile
from typing import Any
from unicodedata import east_asian_width

from evaluation.figure import Figure
from evaluation.reports.report import (
    Chart,
    Kind,
    Section,
    Shape,
    Sheet,
    Value,
    measured,
    plain,
    row_label,
    shown,
)
from normalization.grouping import grouped

Datum = dict[str, Any]
_LONGEST = 44  # letters of a label, beyond which its middle is left out; Korean ones count twice
_BEGINNING = 10  # letters kept of names that begin alike
_LETTER = 0.03  # what a letter of a number needs of a stack's length
_TAKEN = {"constructor", "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable"}
_TAKEN |= {"toLocaleString", "toString", "valueOf"}
_MOST = {Shape.HEAT: 2500, Shape.LINE: 300, Shape.SCATTER: 1000, Shape.HISTOGRAM: 200}
_SAID = 8  # values that a description reads out
_MOST_ROWS = 60  # of the other shapes


def drawn_rows(section: Section) -> tuple[list[int], int]:
    """Return the numbers of the rows that a chart draws, and their count; if cut, that of all.

    A picture of very many rows shows none of them: their table does.
    """
    sheet, rows = section.sheet, list[int]()
    labels = section.chart.labels if section.chart else ()
    seen: list[set[str]] = [set() for _ in labels]
    for at in section.drawn_rows():
        for names, name in zip(seen, labels, strict=True):
            names.add(shown(sheet.rows[at][sheet.at(name)]))
        if len(rows) == _most(section) or max(map(len, seen), default=0) > _most_labels(section):
            return rows, len(sheet.rows)
        rows.append(at)
    return rows, len(rows)


def _most_labels(section: Section) -> int:
    """Return the largest number of rows that a section's chart can label."""
    heat = section.chart is not None and section.chart.shape is Shape.HEAT
    return _MOST_ROWS if heat else _most(section)


def _most(section: Section) -> int:
    """Return the largest number of rows that a chart can show."""
    return _MOST.get(section.chart.shape, _MOST_ROWS) if section.chart else 0


def chart_data(section: Section, chart: Chart) -> list[Datum]:
    """Return a datum for each drawn row and value column with a mark; for a scatter plot points."""
    sheet, rows = section.sheet, drawn_rows(section)[0]
    telling = _distinguishing_labels(sheet, chart.labels, rows)
    labels = {at: row_label(sheet, sheet.rows[at], chart.labels) for at in rows}
    parts = {at: row_label(sheet, sheet.rows[at], telling) if telling else "" for at in rows}
    short = elided(parts.values())
    every = rows if chart.shape is not Shape.HEAT else _all(section)
    axes = [_axis(sheet, name, every) for name in chart.labels]
    data = [
        {
            "row": at,
            "label": safe(short[parts[at]]),
            "full": labels[at],
            **{f"label{i}": axis[at] for i, axis in enumerate(axes)},
            "series": safe(series or sheet.head(name)),
            "text": shown(row[sheet.at(name)], sheet.kinds[sheet.at(name)]),
            "short": _short(row[sheet.at(name)], sheet.kinds[sheet.at(name)]),
            **_numbers(row[sheet.at(name)]),
            **({"fit": measured(row[sheet.at(chart.fit)])} if chart.fit else {}),
        }
        for at in rows
        for row in (sheet.rows[at],)
        for series in (shown(row[sheet.at(chart.series)]) if chart.series else "",)
        for name in chart.values
        if chart.has_mark(row[sheet.at(name)])
    ]
    return _paired(data, len(chart.values)) if chart.shape is Shape.SCATTER else data


def shares_marked(section: Section, chart: Chart, data: Sequence[Datum]) -> list[Datum]:
    """Return a datum for each drawn row with a share at which it has a mark."""
    sheet, labels = section.sheet, {each["row"]: each for each in data}
    at = sheet.at(chart.mark)
    return [
        {"row": row, "label": each["label"], "full": each["full"], "text": text, "at": share}
        for row, each in labels.items()
        for share in (measured(sheet.rows[row][at]),)
        for text in (shown(sheet.rows[row][at], sheet.kinds[at]),)
        if share is not None
    ]


def _distinguishing_labels(
    sheet: Sheet, names: Sequence[str], rows: Sequence[int]
) -> Sequence[str]:
    """Return the label columns that distinguish rows, without constant ones."""
    if len(rows) < 2:
        return names
    values = {name: {shown(sheet.rows[at][sheet.at(name)]) for at in rows} for name in names}
    return [name for name in names if len(values[name]) > 1] or names


def safe(text: str) -> str:
    """Return a text that Vega can take for a name: not one that every object of JavaScript has."""
    return f"{text} " if text in _TAKEN or text[:2] == text[-2:] == "__" else text


def elided(labels: Iterable[str]) -> dict[str, str]:
    """Map each label to itself, long ones to distinct forms without their middle."""
    whole = dict.fromkeys(labels)
    short = {each: _without_middle(each) for each in whole}
    alike = Counter(short.values())
    taken = {cut for cut in short.values() if alike[cut] == 1}
    for same in [cut for cut in alike if alike[cut] > 1]:
        names = [each for each, cut in short.items() if cut == same]
        alike_to = takewhile(lambda letters: len(set(letters)) == 1, zip(*names, strict=False))
        shared = sum(1 for _ in alike_to)
        for each in names:
            cut = _distinct_part(each, shared)
            numbered = (f"{cut} ({number})" if number else cut for number in count())
            short[each] = next(name for name in numbered if name not in taken)
            taken.add(short[each])
    return short


def _distinct_part(text: str, shared: int) -> str:
    """Return the beginning of a text and what comes after so many letters shared with others."""
    begin = _fitting(text, _BEGINNING) if shared > _BEGINNING else ""
    rest, room = text[max(shared - 1, len(begin)) :], _LONGEST - _BEGINNING
    return f"{begin}…{rest if width(rest) <= room else _fitting(rest, room) + '…'}"


def _without_middle(text: str) -> str:
    """Cut the middle of a long text."""
    if width(text) <= _LONGEST:
        return text
    room = _LONGEST // 2 - 4, _LONGEST // 2
    return f"{_fitting(text, room[0])}…{_fitting(text[::-1], room[1])[::-1]}"


def _fitting(text: str, room: int) -> str:
    """Return the beginning of a text that has room."""
    taken = 0
    for at, letter in enumerate(text):
        taken += width(letter)
        if taken > room:
            return text[:at]
    return text


def width(text: str) -> int:
    """Return how many letters a text is wide; Korean and Chinese ones are twice as wide."""
    return len(text) if text.isascii() else sum(1 + (east_asian_width(c) in "WF") for c in text)


def _paired(data: list[Datum], per_row: int) -> list[Datum]:
    """Return a point for each further value of a complete row: the first value is x, this one y."""
    rows = grouped((each["row"], each) for each in data)
    pairs = [
        {**down, "x": across["value"], "text": f"{across['text']}; {down['text']}"}
        for across, *rest in rows.values()
        if len(rest) == per_row - 1
        for down in rest
    ]
    middle = sum((min, max)[end](e["x"] for e in pairs) for end in (0, 1)) / 2 if pairs else 0
    return [each | {"right": each["x"] > middle} for each in pairs]  # whose name stands before it


def _short(value: Value, kind: Kind) -> str:
    """Return a value as a cell of a heat map has room for it: a figure without its interval."""
    value = plain(value)
    return shown(value.value if isinstance(value, Figure) else value, kind)


def _numbers(value: Value) -> dict[str, float | int | None]:
    """Return the numbers of a value for a chart."""
    value = plain(value)
    if isinstance(value, Figure):
        low, high = measured(value.low), measured(value.high)
        return {"value": measured(value), "low": low, "high": high, "n": value.n}
    return {"value": measured(value), "low": None, "high": None, "n": None}


def place_in_stack(chart: Chart, data: list[Datum], order: Sequence[str]) -> None:
    """Add each part's place in its stack, its share of the row, and its number if it has room.

    The parts of a bar that stands alone may have their `name` said as well, where it has room.
    """
    lengths: Counter[str] = Counter()
    for each in data:
        lengths[each["label"] if chart.labels else ""] += each["value"]
    longest = max(lengths.values(), default=0)
    for each in data:
        length = lengths[each["label"]] if chart.rest else longest
        room = each["value"] >= _LETTER * len(each["text"]) * length
        each |= {"place": order.index(each["series"]), "name": each["text"] if room else ""}
        if not chart.labels:
            named = f"{each['series']} {each['text']}"
            each |= {"named": named, "share": each["value"] / length, "wide": width(named)}


def all_labels(section: Section, name: str) -> list[str | float]:
    """Return the labels of a column in the order of its table, those without a value too."""
    return list(dict.fromkeys(_axis(section.sheet, name, _all(section)).values()))


def _all(section: Section) -> Sequence[int]:
    """Return the numbers of all rows of a heat map; of one that is cut, those drawn."""
    every = range(len(section.sheet.rows))
    places = [section.sheet.at(name) for name in section.chart.labels] if section.chart else []
    drawn, of = drawn_rows(section)
    few = all(len({shown(row[at]) for row in section.sheet.rows}) <= _MOST_ROWS for at in places)
    return every if len(drawn) == of and few else drawn


def _axis(sheet: Sheet, name: str, rows: Sequence[int]) -> dict[int, str | float]:
    """Return the values of a column by row: numbers if all are, else texts."""
    values = {at: sheet.rows[at][sheet.at(name)] for at in rows}
    numbers = {at: measured(v) for at, v in values.items() if not isinstance(plain(v), Figure)}
    known = {at: number for at, number in numbers.items() if number is not None}
    if len(known) == len(rows):
        return {**known}
    return {at: safe(shown(value)) for at, value in values.items()}


def described(section: Section, data: Sequence[Mapping[str, Any]]) -> str:
    """Return a chart in words: title and sentence of its section, first values if it has no number.

    A screen reader reads this in place of the marks.
    """
    values = "; ".join(
        f"{', '.join(filter(None, (each['full'], each['series'])))}: {each['text']}"
        for each in islice(data, _SAID)
    )
    told = any(letter.isdigit() for letter in section.lead)
    lead = section.lead if told else f"{section.lead} {values}".strip()
    return safe(". ".join(filter(None, (section.title, lead))))
