"""Downstream report in the reader's language: accuracy by context, outcomes and tests."""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.downstream import Of, Outcome
from evaluation.figure import Figure
from evaluation.reports.report import (
    Chart,
    Kind,
    Marked,
    Report,
    Section,
    Shape,
    Value,
    Word,
    Words,
)
from messages import say
from services.downstream.reading import KEY, PEOPLE, Setting
from services.downstream.report import MEASURES, DownstreamReport, Line

_Row = dict[str, Value]
_SCORES = {repr(measure): repr(measure) for measure in MEASURES}  # heads of a run's scores


def as_report(found: DownstreamReport, language: str, of: Of = Of.ALL) -> Report:
    """Return the report with accuracy and gaps as shares of all or of readable replies."""
    words = Words("downstream", language, "outcome", "head", kinds={"holm": Kind.P})
    sections = (
        _accuracy(found, words, of),
        _against_retrieval(found, words, of),
        _strata(found, words, of),
        _outcomes(found, words),
        _tests(found, words),
    )
    facts = {"questions": found.questions, "unkeyed": found.unkeyed}
    return Report("downstream", words("title_table"), sections, facts=facts)


def reader_words(setting: Setting, language: str = "en") -> str:
    """Return the display name of a model with its format and, for texts, the scorer."""
    form = say(f"downstream.format.{setting.run.format}", language)
    if setting.scored_by == KEY:
        return f"{setting.model} · {form}"
    who = setting.scored_by
    who = say("downstream.people", language) if who == PEOPLE else who
    return f"{setting.model} · {form} · {say('downstream.scored_by', language, who=who)}"


def _setting_cells(setting: Setting, words: Words) -> _Row:
    """Return the cells that name a setting: model and context."""
    return {
        "model": reader_words(setting, words.language),
        "context": setting.words(words.language),
    }


def _line_cells(line: Line, words: Words, of: Of) -> _Row:
    """Return a setting's accuracy, of all and of readable replies, and the gap it closes."""
    everything, readable = (line.accuracy[each] for each in Of)
    return {
        **_setting_cells(line.setting, words),
        "all": everything,
        "n": everything.n,
        "readable": readable,
        "n_readable": readable.n,
        "gap": gap_cell(line, of, words.language),
    }


def gap_cell(line: Line, of: Of, language: str = "en") -> Value:
    """Return the gap closed, the end of the gap that a line is, or why there is no ratio."""
    if of not in line.gap:
        return (
            Word(line.place, say(f"downstream.place.{line.place}", language))
            if line.place
            else None
        )
    gap = line.gap[of]
    if gap.reason is None:
        return gap.closed
    return Marked(None, say(f"downstream.no_gap.{gap.reason}", language, room=_signed(gap.room)))


def _signed(figure: Figure) -> str:
    """Format a difference with sign, interval and n."""
    if figure.value is None:
        return "–"
    return f"{figure.value:+.3f} {figure.interval(sign='+')} (n={figure.n})"


def _accuracy(found: DownstreamReport, words: Words, of: Of) -> Section:
    """Return accuracy, gap closed and retrieval scores of each setting."""
    rows = (
        {
            **_line_cells(line, words, of),
            **{name: line.retrieval.get(name) for name in _SCORES},
            "name": line.setting.name,
        }
        for line in found.lines
    )
    chart = Chart(Shape.BARS, ("context",), (of.value,), "model")
    notes = tuple(_accuracy_notes(found, words, of))
    lead = _best_context(found, words, of)
    about = rows, lead, chart, notes
    return words.section("accuracy", "title_table", *about, heads=_SCORES, opens="name")


def _best_context(found: DownstreamReport, words: Words, of: Of) -> str:
    """Return in a sentence which retrieved context closes most of the gap; "" without a gap."""
    closed = [
        (figure.value, line, figure)
        for line in found.lines
        if of in line.gap
        for figure in [line.gap[of].closed]
        if figure.value is not None
    ]
    if not closed:
        return ""
    _, line, figure = max(closed, key=lambda each: (each[2].low is not None, each[0]))
    cells = {name: str(cell) for name, cell in _setting_cells(line.setting, words).items()}
    sentence = words("best", **cells, figure=figure.text(), n=figure.n)
    return sentence if figure.low is not None else f"{sentence} {words('best_unknown')}"


def _accuracy_notes(found: DownstreamReport, words: Words, of: Of) -> Iterable[str]:
    """Yield the notes on accuracy; those on missing answers only where there are any."""
    yield words("note")
    yield words("gap_note", of=words(f"of.{of}"))
    if found.wanted.common:
        yield words("common_note")
    if found.unkeyed:
        yield words("unkeyed_note", count=found.unkeyed)
    if untold := sum(each.outcomes[Outcome.NO_LOGPROBS] for each in found.lines):
        yield words("no_logprobs_note", count=untold)


def _against_retrieval(found: DownstreamReport, words: Words, of: Of) -> Section:
    """Return each run's first retrieval measure against the accuracy with its context."""
    first = repr(MEASURES[0])
    rows = (
        {
            **_setting_cells(line.setting, words),
            first: line.retrieval[first],
            of.value: line.accuracy[of],
        }
        for line in found.lines
        if first in line.retrieval
    )
    chart = Chart(Shape.SCATTER, ("context",), (first, of.value), "model")
    return words.section("retrieval", "title_retrieval", rows, chart=chart, heads=_SCORES)


def _strata(found: DownstreamReport, words: Words, of: Of) -> Section:
    """Return the accuracy of each setting by stratum."""
    rows = (
        {"stratum": value or words("not_stated"), **_line_cells(line, words, of)}
        for value, lines in found.parts.items()
        for line in lines
    )
    chart = Chart(Shape.FOREST, ("stratum", "model", "context"), (of.value,))
    column = found.wanted.split
    return words.section("strata", "title_strata", rows, chart=chart, column=column)


def _outcomes(found: DownstreamReport, words: Words) -> Section:
    """Count the outcomes of each setting."""
    rows = (
        {
            **_setting_cells(line.setting, words),
            **{outcome.value: line.outcomes[outcome] for outcome in Outcome},
            "fewer": line.fewer,
        }
        for line in found.lines
    )
    outcomes = tuple(outcome.value for outcome in Outcome)
    chart = Chart(Shape.STACK, ("model", "context"), outcomes, legend=words("questions_axis"))
    notes = (words("outcomes_note"),)
    return words.section("outcomes", "title_outcomes", rows, chart=chart, notes=notes)


def _tests(found: DownstreamReport, words: Words) -> Section:
    """Return the pairwise tests between settings."""
    rows = (
        {
            "model": reader_words(found.named(first), words.language),
            "first": found.named(first).words(words.language),
            "second": found.named(second).words(words.language),
            "of": words.word(of.value, "of."),
            "difference": test.difference,
            "n": test.n,
            "higher": test.tally.wins,
            "lower": test.tally.losses,
            "test": words.word(test.test, "test."),
            "p": test.p,
            "holm": test.p_holm,
        }
        for of, tests in found.tests.items()
        for (first, second), test in tests.items()
    )
    chart = Chart(Shape.FOREST, ("model", "first", "second"), ("difference",), "of", zero=True)
    notes = (words("tests_note"),)
    return words.section("tests", "title_tests", rows, chart=chart, notes=notes)
