"""Agreement report as files and JSON: CSV with a line per figure, Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotation.agreement.views import FigureRow, Report, Table, TimesTable, View
from evaluation.agreement.interpretation import Kind, kind_of, read
from evaluation.agreement.ratings import Finding
from evaluation.tables import csv_text, markdown_lines
from messages import catalogue, say

_HEAD = ("part", "view", "of", "statistic", "value", "low", "high", "n", "reading", "questions")
_MARKUP = "\\|<*_`"  # brackets of intervals are not escaped


def as_json(report: Report) -> dict[str, object]:
    """Return the whole report as JSON values; questions by external id."""
    return {
        "tables": [_table(table) for table in report.tables],
        "times": None if report.times is None else _times(report.times),
    }


def as_csv(report: Report, language: str = "en") -> str:
    """Return one CSV: a line per figure, then one per odd submission (part ``times``).

    For an odd submission the value is its seconds, `low` and `high` are empty, n is 1.
    """
    rows = [_line(table, row, language) for table in report.tables for row in table.rows]
    for odd in () if report.times is None else report.times.decisions:
        reading = f"{say('agreement.times.expected', language)} {odd.expected:.1f}, z {odd.z:.1f}"
        cells = ("times", View.QUESTIONS, odd.person, "seconds", odd.seconds, None, None, 1)
        rows.append((*cells, reading, odd.item.external_id))
    return csv_text((_HEAD, *rows))


def as_markdown(report: Report, language: str = "en") -> str:
    """Return the tables under headings, with interpretations; without the questions."""
    lines = [f"# {say('agreement.title', language)}\n"]
    for table in report.tables:
        lines += _markdown(table, language)
    if report.times is not None:
        lines += _markdown_times(report.times, language)
    return "\n".join(lines)


def reading(row: FigureRow, language: str) -> str:
    """Return the interpretation of a figure, or why there is none."""
    return " ".join(each.say(language) for each in read(row.finding))


def name_of(table: Table, row: FigureRow, language: str) -> str:
    """Return the display name of a figure's subject; "" for all people."""
    names = list(row.names)
    if table.view is View.FIELDS and names:
        names[0] = _form_word("field", names[0], language)
        if table.part == "categories":
            return f"{names[0]}: {_form_word('answer', names[1], language)}"
        return f"{names[0]}: {' – '.join(names[1:])}" if len(names) > 1 else names[0]
    if table.part == "categories" and table.view is View.CANDIDATES:
        names = [say(f"agreement.label.{name}", language) for name in names]
    return (" – " if table.part in ("pairs", "drift") else ", ").join(names)


def _form_word(group: str, name: str, language: str) -> str:
    """Return the display name of a form's field or answer; a project's own by its key."""
    key = f"forms.{group}.{name}"
    return say(key, language) if key in catalogue() else name


def _table(table: Table) -> dict[str, object]:
    return {
        "part": str(table.part),
        "view": str(table.view),
        "questions": table.items,
        "notes": [note.say() for note in table.notes],
        "rows": [_figure(row) for row in table.rows],
    }


def _figure(row: FigureRow) -> dict[str, object]:
    found = row.finding
    return {
        "of": list(row.names),
        "statistic": found.statistic,
        **found.figure.as_json(),
        "reason": None if found.reason is None else str(found.reason),
        "undefined": found.undefined,
        "reading": reading(row, "en"),
        "questions": [{"id": item.external_id, "agreement": item.agreement} for item in row.items],
    }


def _times(times: TimesTable) -> dict[str, object]:
    return {
        "people": [
            {"person": each.person, "n": each.n, "median": each.median, "odd": each.odd}
            for each in times.people
        ],
        "odd": [
            {
                "person": decision.person,
                "question": decision.item.external_id,
                "seconds": decision.seconds,
                "expected": decision.expected,
                "z": decision.z,
            }
            for decision in times.decisions
        ],
    }


def _line(table: Table, row: FigureRow, language: str) -> tuple[object, ...]:
    figure = row.finding.figure
    return (
        str(table.part),
        str(table.view),
        name_of(table, row, language),
        row.finding.statistic,
        *(figure.value, figure.low, figure.high, figure.n),
        reading(row, language),
        " ".join(item.external_id for item in row.items),
    )


def _markdown(table: Table, language: str) -> Iterator[str]:
    part = say(f"agreement.part.{table.part}", language)
    yield f"## {part} · {say(f'agreement.view.{table.view}', language)}\n"
    yield say(f"agreement.view_about.{table.view}", language, items=f"{table.items:,}") + "\n"
    yield from (f"{note.say(language)}\n" for note in table.notes)
    found = [row.finding for row in table.rows]
    values = value_columns(found, language)
    heads = [say(f"agreement.more.{name}", language) for name in ("interval", "n", "reading")]
    rows = [
        [
            name_of(table, row, language),
            say(f"statistics.name.{row.finding.statistic}", language),
            *(column[at] for column in values.values()),
            interval_of(row.finding),
            f"{row.finding.figure.n:,}",
            reading(row, language),
        ]
        for at, row in enumerate(table.rows)
    ]
    yield from _rows(["", say("agreement.more.statistic", language), *values, *heads], rows)
    if any(each.figure.weak for each in found):
        yield say("common.brackets", language) + "\n"


def value_columns(found: Sequence[Finding], language: str) -> dict[str, list[str]]:
    """Return a column of values per kind of statistic, as their scales differ.

    A value from few observations is in brackets; a dash means none.
    """
    kinds = [kind_of(each.statistic) for each in found]
    return {
        say(f"agreement.kind.{kind}", language): [
            _value(each) if own is kind else "" for each, own in zip(found, kinds, strict=True)
        ]
        for kind in Kind
        if kind in kinds
    }


def _value(found: Finding) -> str:
    figure = found.figure
    if figure.value is None:
        return "–"
    return f"({figure.value:.3f})" if figure.weak else f"{figure.value:.3f}"


def interval_of(found: Finding) -> str:
    """Format the interval; a dash where there is none."""
    return "–" if found.figure.low is None else found.figure.interval()


def _markdown_times(times: TimesTable, language: str) -> Iterator[str]:
    def word(name: str) -> str:
        return say(f"agreement.{name}", language)

    yield f"## {word('part.times')}\n"
    yield word("part_about.times") + "\n"
    yield from _rows(
        [word("person"), word("times.submissions"), word("times.median")],
        [[each.person, f"{each.n:,}", f"{each.median:.1f}"] for each in times.people],
    )
    yield from _rows(
        [word("person"), word("question_id"), word("times.took"), word("times.expected"), "z"],
        [
            [e.person, e.item.external_id, f"{e.seconds:.1f}", f"{e.expected:.1f}", f"{e.z:.1f}"]
            for e in times.decisions
        ],
    )


def _rows(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield from markdown_lines(heads, rows, _MARKUP, rule="|" + "---|" * len(heads))
    yield ""
