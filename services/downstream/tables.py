"""Downstream report as readable tables (English or Korean) and figures with data.

Tables are read by people, in English or Korean; the data of the figure are for programs.
"""

from __future__ import annotations

from errors import UserError
from evaluation.downstream.accuracy import Gap
from evaluation.downstream.outcomes import Of, Outcome
from evaluation.figure import Figure
from evaluation.figures.buckets import Bar, Point
from evaluation.figures.sheets import bar_sheet
from evaluation.tables import Cell, Table, p_text, written
from messages import say
from services.downstream.reading import KEY, PEOPLE, Setting
from services.downstream.report import MEASURES, ORDER, DownstreamReport, Line

ENDINGS = (".svg", ".png", ".csv")


def reader_words(setting: Setting, language: str = "en") -> str:
    """Return the display name of a model with its format and, for texts, the scorer."""
    form = say(f"downstream.format.{setting.run.format}", language)
    if setting.scored_by == KEY:
        return f"{setting.model} · {form}"
    who = setting.scored_by
    who = say("downstream.people", language) if who == PEOPLE else who
    return f"{setting.model} · {form} · {say('downstream.scored_by', language, who=who)}"


def accuracy_table(report: DownstreamReport, language: str = "en", of: Of = Of.ALL) -> Table:
    """Return accuracy by model and context, with the gap closed and the run's scores.

    Accuracy is given as a share of all and of readable replies, the gap for one of them (`of`).
    """
    names = (*(say(f"downstream.head.{name}", language) for name in _HEAD), *map(repr, MEASURES))
    rows = tuple(
        (reader_words(each.setting, language), *_cells(each, language, of)) for each in report.lines
    )
    title = say("downstream.title_table", language)
    return Table(names, rows, title, _notes(report, language, of))


_HEAD = ("model", "context", "all", "n", "readable", "n_readable", "gap")


def _cells(line: Line, language: str, of: Of) -> tuple[Cell, ...]:
    everything, readable = (line.accuracy[each] for each in Of)
    retrieval = (line.retrieval.get(repr(measure)) for measure in MEASURES)
    return (
        line.setting.words(language),
        *(everything.text(), everything.n, readable.text(), readable.n),
        gap_words(line, of, language),
        *("" if each is None else f"{each.text()} (n={each.n})" for each in retrieval),
    )


def gap_words(line: Line, of: Of, language: str = "en") -> str:
    """Format the gap closed with interval and n, or the reason for its absence."""
    if of not in line.gap:
        return say(f"downstream.place.{line.place}", language) if line.place else ""
    found: Gap = line.gap[of]
    if found.reason is not None:
        return say(f"downstream.no_gap.{found.reason}", language, room=signed(found.room))
    return f"{found.closed.text()} (n={found.closed.n})"


def signed(figure: Figure) -> str:
    """Format a difference with sign, interval and n."""
    if figure.value is None:
        return "–"
    return f"{figure.value:+.3f} {figure.interval(sign='+')} (n={figure.n})"


def _notes(report: DownstreamReport, language: str, of: Of) -> tuple[str, ...]:
    share = say(f"downstream.of.{of}", language)
    notes = [say("downstream.note", language), say("downstream.gap_note", language, of=share)]
    if report.wanted.common:
        notes.append(say("downstream.common_note", language))
    if report.unkeyed:
        notes.append(say("downstream.unkeyed_note", language, count=report.unkeyed))
    if untold := sum(each.outcomes[Outcome.NO_LOGPROBS] for each in report.lines):
        notes.append(say("downstream.no_logprobs_note", language, count=untold))
    return tuple(notes)


def outcome_table(report: DownstreamReport, language: str = "en") -> Table:
    """Return the numbers of questions per outcome, by model and context."""
    head = (
        *(say(f"downstream.head.{name}", language) for name in ("model", "context")),
        *(say(f"downstream.outcome.{outcome}", language) for outcome in Outcome),
        say("downstream.head.fewer", language),
    )
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (
            reader_words(each.setting, language),
            each.setting.words(language),
            *(each.outcomes[outcome] for outcome in Outcome),
            each.fewer,
        )
        for each in report.lines
    )
    title = say("downstream.title_outcomes", language)
    return Table(head, rows, title, (say("downstream.outcomes_note", language),))


def paired_table(report: DownstreamReport, language: str = "en") -> Table:
    """Return the paired tests between contexts."""
    head = ("model", "first", "second", "of", "difference", "higher", "lower", "test", "p", "holm")
    rows = tuple(
        (
            reader_words(report.named(each.first), language),
            report.named(each.first).words(language),
            report.named(each.second).words(language),
            say(f"downstream.of.{tests.of}", language),
            signed(each.difference),
            each.higher,
            each.lower,
            say(f"downstream.test.{each.test}", language),
            p_text(each.p),
            p_text(each.p_holm),
        )
        for tests in report.tests
        for each in tests.found
    )
    names = tuple(say(f"downstream.head.{name}", language) for name in head)
    title = say("downstream.title_tests", language)
    return Table(names, rows, title, (say("downstream.tests_note", language),))


def strata_table(report: DownstreamReport, language: str = "en", of: Of = Of.ALL) -> Table:
    """Return accuracy by model and context per stratum."""
    rows = tuple(
        (
            value or say("downstream.not_stated", language),
            reader_words(each.setting, language),
            *_cells(each, language, of)[: len(_HEAD) - 1],
        )
        for value, lines in report.parts.items()
        for each in lines
    )
    names = tuple(say(f"downstream.head.{name}", language) for name in ("stratum", *_HEAD))
    title = say("downstream.title_strata", language, column=report.wanted.split)
    return Table(names, rows, title)


def tables(report: DownstreamReport, language: str = "en", of: Of = Of.ALL) -> tuple[Table, ...]:
    """Return all nonempty tables."""
    found = [accuracy_table(report, language, of), outcome_table(report, language)]
    if report.tests[0].found:
        found.append(paired_table(report, language))
    if report.parts:
        found.append(strata_table(report, language, of))
    return tuple(found)


def as_text(
    report: DownstreamReport, format_name: str, language: str = "en", of: Of = Of.ALL
) -> str:
    """Format all tables in one of `evaluation.tables.FORMATS`. Raises UserError for another."""
    return "\n".join(written(each, format_name) for each in tables(report, language, of))


def bars(report: DownstreamReport, of: Of = Of.ALL, language: str = "en") -> list[Bar]:
    """Return accuracy grouped by context, from none to gold, with a series per model."""
    lines = sorted(report.lines, key=lambda each: ORDER.index(each.setting.spec.kind))
    return [
        Bar(each.setting.words(language), reader_words(each.setting, language), each.accuracy[of])
        for each in lines
    ]


def points(report: DownstreamReport, of: Of = Of.ALL, language: str = "en") -> list[Point]:
    """Return each run's first retrieval measure against the accuracy with its context."""
    measure = repr(MEASURES[0])
    return [
        Point(
            reader_words(each.setting, language),
            each.setting.words(language),
            each.retrieval[measure],
            each.accuracy[of],
        )
        for each in report.lines
        if each.retrieval and each.retrieval[measure].value is not None and each.accuracy[of].n
    ]


def figure_file(
    report: DownstreamReport,
    ending: str,
    of: Of = Of.ALL,
    mode: str = "light",
    language: str = "en",
) -> bytes:
    """Return the figure as one of ENDINGS: drawn, or its data.

    `mode` is light or dark. Raises UserError for another ending, and where there is nothing to
    draw.
    """
    if ending not in ENDINGS:
        raise UserError("figure_ending", ending=ending, known=", ".join(ENDINGS))
    if not any(each.accuracy[of].n for each in report.lines):
        raise UserError("downstream_nothing")
    if ending == ".csv":
        return written(bar_sheet(bars(report, of)), "csv").encode()
    from evaluation.drawing.canvas import Look
    from evaluation.drawing.contexts import Level, context_figure

    look = Look("dark" if mode == "dark" else "light", "png" if ending == ".png" else "svg")
    words = say(f"downstream.axis.{of}", language), repr(MEASURES[0])
    levels = [
        Level(reader_words(each.setting, language), each.setting.words(language), value)
        for each in report.lines
        if each.place and (value := each.accuracy[of].value) is not None
    ]
    return context_figure(
        bars(report, of, language), points(report, of, language), levels, words, look
    )
