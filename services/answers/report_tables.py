"""Report on answers as tables and JSON values, for files, command and page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from evaluation.answers.trust import LEAST, NotDefined, Trust
from evaluation.figure import Figure
from evaluation.judging.accuracy import Accuracy, Withheld
from evaluation.judging.judged import MAJORITY
from evaluation.ranking.compare import Family
from evaluation.significance import LEVEL, patterns_for
from evaluation.tables import Cell, Strong, Table, written
from messages import say
from services.answers.report_views import (
    SHARES,
    AnswerReport,
    AnswerState,
    Measure,
    MeasureColumn,
    Score,
    SystemScores,
)
from services.answers.verdict_counts import VerdictCounts

BETTER, WORSE = "▲", "▼"
_NUMBERS = (
    *("part", "system", "measure", "stratum", "value", "low", "high", "n", "missing"),
    *("baseline", "difference", "difference_low", "difference_high", "pairs"),
    *("p", "p_holm", "wins", "ties", "losses", "note"),
)
_OF_SEVERAL = ("ties", "judges")
_Row = tuple[Cell, ...]


def exported(found: AnswerReport, format_name: str, language: str = "en") -> str:
    """Format the report as a file: CSV has every number, other formats the readable tables.

    Raises UserError for an unknown format.
    """
    if format_name == "csv":
        return written(number_table(found, language), format_name)
    return "\n".join(written(each, format_name) for each in readable_tables(found, language))


def readable_tables(found: AnswerReport, language: str = "en") -> list[Table]:
    """Return the tables in order: scores, question states, judges, trust."""
    tables = [score_table(found, language), state_table(found, language)]
    if found.judge or found.pairwise:
        tables.append(judge_table(found, language))
    return [*tables, trust_table(found, language)]


def score_table(found: AnswerReport, language: str = "en") -> Table:
    """Return a row per system and a column per measure: figure, interval, n and mark.

    ▲ or ▼ marks a system significantly better or worse than the baseline; the best of a column is
    highlighted.
    """
    head = (
        say("answer_report.system", language),
        *(measure_words(column.measure, language) for column in found.columns),
    )
    rows: list[_Row] = []
    for each in found.systems:
        cells: list[Cell] = [each.system]
        for column, score in zip(found.columns, each.scores, strict=True):
            text = said_of(column.measure, score)
            cells.append(Strong(text) if each.system in column.best else text)
        rows.append(tuple(cells))
    return Table(head, tuple(rows), _title(found, language), tuple(notes(found, language)))


def state_table(found: AnswerReport, language: str = "en") -> Table:
    """Return the number of questions in each state, per system."""
    head = (
        say("answer_report.system", language),
        say("answer_report.questions", language),
        *(say(f"answer_report.state.{state}", language) for state in AnswerState),
    )
    rows: tuple[_Row, ...] = tuple(
        (each.system, found.questions, *(each.states[state] for state in AnswerState))
        for each in found.systems
    )
    return Table(head, rows, say("answer_report.states", language))


def judge_table(found: AnswerReport, language: str = "en") -> Table:
    """Return the judges' results: raw, corrected by people, and position bias of pairwise ones."""
    head = ["system"]
    several = found.judge == MAJORITY
    if found.judge:
        head += ["judge_share", "judged", "unread", *(_OF_SEVERAL if several else ()), "not_judged"]
        head += ["corrected", "rated"]
    if found.pairwise:
        head += ["wins", "consistent", "shown_first", "preferred"]
        head += ["p_order", "half_asked", "silent"]
    rows: list[_Row] = []
    for each in found.systems:
        cells: list[Cell] = [each.system]
        if found.judge:
            cells += _judge_cells(each, several, language)
        if found.pairwise:
            cells += _position_cells(each)
        rows.append(tuple(cells))
    words = tuple(say(f"answer_report.judge_head.{name}", language) for name in head)
    words = (say("answer_report.system", language), *words[1:])
    notes = (say("answer_report.note_majority", language),) if _uneven(found) else ()
    return Table(words, tuple(rows), _judge_title(found, language), notes)


def trust_table(found: AnswerReport, language: str = "en") -> Table:
    """Return how far each measure agrees with people."""
    names = ("measure", "correlation", "auc", "kappa", "threshold", "correct", "n")
    head = tuple(say(f"answer_report.trust_head.{name}", language) for name in names)
    rows: tuple[_Row, ...] = tuple(
        (
            measure_words(Measure(each.name), language),
            *(trust_cell(each, figure, language) for figure in each.figures),
            _threshold_text(each),
            each.correct,
            each.n,
        )
        for each in found.trust
    )
    note = say("answer_report.trust_note", language, least=LEAST)
    return Table(head, rows, say("answer_report.trust", language), (note,))


def number_table(found: AnswerReport, language: str = "en") -> Table:
    """Return a row per figure with all its numbers; absent values are empty."""
    return Table(_NUMBERS, tuple(_number_rows(found, language)))


def as_json(found: AnswerReport) -> dict[str, object]:
    """Return the whole report as JSON values."""
    options = found.options
    return {
        "questions": found.questions,
        "tokeniser": options.tokeniser,
        "bertscore": None if options.bert is None else options.bert.name(),
        "unscored": found.unscored,
        "judge": found.judge,
        "pairwise": found.pairwise,
        "stratum": None if options.stratum is None else "=".join(options.stratum),
        "systems": [_system_json(found, each) for each in found.systems],
        "trust": [_trust_json(each) for each in found.trust],
    }


def said_of(measure: Measure, score: Score) -> str:
    """Format a figure with interval, mark and n, e.g. ``0.713 [0.650, 0.771] ▲ (n = 60)``."""
    figure = score.figure
    if figure.value is None:
        return "–"
    parts = (figure_text(measure, figure), mark(score), f"(n = {figure.n:,})")
    return " ".join(part for part in parts if part)


def figure_text(measure: Measure, figure: Figure) -> str:
    """Format a figure with its interval: shares in percent, others as they are."""
    return figure.percent() if measure in SHARES else figure.text()


def mark(score: Score) -> str:
    """Return ▲ or ▼ where the system differs significantly from the baseline, else ""."""
    if score.comparison is None:
        return ""
    return {1: BETTER, -1: WORSE, 0: ""}[score.comparison.verdict]


def measure_words(measure: Measure, language: str) -> str:
    """Return the display name of a measure."""
    return say(f"answer_report.measure.{measure}", language)


def judge_words(judge: str, language: str) -> str:
    """Return a judge's name; the majority of judges in words."""
    return say("answer_report.majority", language) if judge == MAJORITY else judge


def trust_cell(each: Trust, figure: Figure, language: str) -> str:
    """Format a figure of trust with its interval, or the reason for its absence once a row."""
    why = why_not(each, figure)
    if why is None:
        return figure.text()
    if each.why is not None and figure is not each.correlation:
        return "–"
    return say("answer_report.not_defined", language, why=_not_defined_text(why, language))


def why_not(each: Trust, figure: Figure) -> NotDefined | None:
    """Return why a figure of trust is not defined, else None."""
    return each.why or (each.why_kappa if figure is each.kappa else None)


def corrected_cell(found: Accuracy | None, language: str) -> str:
    """Format the share of correct answers by judge and people, or why it is withheld."""
    if found is None:
        return "–"
    if found.withheld is not None:
        return f"– ({_withheld_text(found.withheld, language)})"
    return found.corrected.percent()


def notes(found: AnswerReport, language: str = "en") -> Iterator[str]:
    """Yield the footnotes of the score table."""
    options = found.options
    named = say(f"answer_report.tokeniser.{options.tokeniser}", language)
    yield say("answer_report.note_tokeniser", language, tokeniser=named)
    if options.bert is not None:
        yield say("answer_report.note_bert", language, setting=options.bert.name())
    if found.unscored:
        yield say("answer_report.note_unscored", language, count=f"{found.unscored:,}")
    resamples = f"{options.inference.resamples:,}"
    yield say("answer_report.note_interval", language, resamples=resamples)
    if len(found.systems) > 1:
        against = options.baseline or say("answer_report.best_each", language)
        together = len(found.columns) if options.inference.family is Family.TABLE else 1
        patterns = f"{patterns_for(together * (len(found.systems) - 1)):,}"
        yield say(
            "answer_report.note_test",
            language,
            better=BETTER,
            worse=WORSE,
            level=LEVEL,
            against=against,
            patterns=patterns,
            family=say(f"answer_report.page.holm_{options.inference.family}", language),
        )
    yield say("answer_report.note_missing", language)


def _not_defined_text(why: NotDefined, language: str) -> str:
    return say(f"answer_report.why.{why}", language, least=LEAST)


def _withheld_text(withheld: Withheld, language: str) -> str:
    return say(f"judge_report.withheld.{withheld}", language)


def _title(found: AnswerReport, language: str) -> str:
    if found.options.stratum is None:
        return say("answer_report.title", language)
    column, value = found.options.stratum
    value = value or say("answer_report.not_stated", language)
    return say("answer_report.title_stratum", language, column=column, value=value)


def _judge_title(found: AnswerReport, language: str) -> str:
    judges = dict.fromkeys(judge for judge in (found.judge, found.pairwise) if judge)
    named = ", ".join(judge_words(judge, language) for judge in judges)
    return say("answer_report.judges", language, judges=named)


def _judge_cells(each: SystemScores, several: bool, language: str) -> list[Cell]:
    said, corrected = each.verdicts, each.corrected
    if said is None or corrected is None:
        return []
    between = "–" if said.judges is None else " – ".join(map(str, dict.fromkeys(said.judges)))
    return [
        *(said.correct.percent(), said.correct.n, said.unread),
        *((said.ties, between) if several else ()),
        *(said.not_judged, corrected_cell(corrected, language), corrected.sampled.n),
    ]


def _uneven(found: AnswerReport) -> bool:
    """Return True if some majorities rest on different numbers of judges or are ties."""
    said = [each.verdicts for each in found.systems if each.verdicts and each.verdicts.judges]
    spans = {each.judges for each in said}
    return len(spans) > 1 or any(each.uneven or each.ties for each in said)


def _position_cells(each: SystemScores) -> list[Cell]:
    bias = each.position
    if bias is None:
        return ["–"] * 5 + [0, 0]
    p = "–" if bias.p is None else f"{bias.p:.3f}"
    shares = [figure.percent() for figure in bias.figures]
    return [*shares, p, bias.half_asked, bias.silent]


def _threshold_text(each: Trust) -> str:
    if each.thresholds is None:
        return "–"
    low, high = each.thresholds
    return f"{low:.3f}" if low == high else f"{low:.3f} – {high:.3f}"


def _number_rows(found: AnswerReport, language: str) -> Iterator[_Row]:
    stratum = "=".join(found.options.stratum) if found.options.stratum else None
    for each in found.systems:
        for column, score in zip(found.columns, each.scores, strict=True):
            yield _score_row(each.system, stratum, column, score)
        for part, figure, note in _beside(found, each, language):
            yield _plain_row(part, each.system, stratum, figure, note)
    for trusted in found.trust:
        for figure in trusted.figures:
            why = why_not(trusted, figure)
            name = f"{trusted.name}_{figure.name}"
            row = Figure(name, figure.value, figure.n, figure.low, figure.high)
            yield _plain_row(
                "trust", "", stratum, row, _not_defined_text(why, language) if why else ""
            )


def _beside(
    found: AnswerReport, each: SystemScores, language: str
) -> Iterator[tuple[str, Figure, str]]:
    """Yield a system's other figures, each with its part of the report and a note."""
    for figure in each.parts:
        yield "part", figure, ""
    if each.verdicts is not None:
        said = each.verdicts
        for name in ("unread", "ties", "not_judged"):
            yield "judge", Figure(name, getattr(said, name), said.answers), ""
    if each.corrected is not None:
        why = each.corrected.withheld
        for figure in (each.corrected.corrected, each.corrected.tuned):
            yield "corrected", figure, _withheld_text(why, language) if why else ""
        why = each.alone.withheld
        yield "corrected", each.alone.people, _withheld_text(why, language) if why else ""
    if each.position is not None:
        bias = each.position
        for figure in bias.figures:
            yield "position", figure, ""
    for state, count in each.states.items():
        yield "state", Figure(state.value, count, found.questions), ""


def _score_row(system: str, stratum: str | None, column: MeasureColumn, score: Score) -> _Row:
    numbers: _Row = (None,) * 9
    made = score.comparison
    if made is not None:
        gap, tally = made.difference, made.tally
        numbers = (
            *(gap.value, gap.low, gap.high, gap.n, made.p, made.p_holm),
            *(tally.wins, tally.ties, tally.losses),
        )
    figure = score.figure
    measured = (figure.value, figure.low, figure.high, figure.n, score.missing)
    head = ("score", system, column.measure.value, stratum)
    return (*head, *measured, column.baseline, *numbers, None)


def _plain_row(part: str, system: str, stratum: str | None, figure: Figure, note: str = "") -> _Row:
    measured = (figure.value, figure.low, figure.high, figure.n)
    empty: Iterable[Cell] = (None,) * 11
    return (part, system, figure.name, stratum, *measured, *empty, note or None)


def _system_json(found: AnswerReport, each: SystemScores) -> dict[str, object]:
    scores = {
        column.measure.value: _score_json(column, score)
        for column, score in zip(found.columns, each.scores, strict=True)
    }
    return {
        "system": each.system,
        "scores": scores,
        "parts": {figure.name: figure.as_json() for figure in each.parts},
        "states": {state.value: count for state, count in each.states.items()},
        "verdicts": None if each.verdicts is None else _verdicts_json(each.verdicts),
        "corrected": None if each.corrected is None else _corrected_json(each),
        "position": _position_json(each),
    }


def _score_json(column: MeasureColumn, score: Score) -> dict[str, object]:
    found = score.figure.as_json() | {"missing": score.missing, "baseline": column.baseline}
    made = score.comparison
    if made is None:
        return found
    return found | {
        "difference": made.difference.as_json(),
        "p": made.p,
        "p_holm": made.p_holm,
        "wins": made.tally.wins,
        "ties": made.tally.ties,
        "losses": made.tally.losses,
    }


def _verdicts_json(said: VerdictCounts) -> dict[str, object]:
    counts = {"unread": said.unread, "ties": said.ties, "not_judged": said.not_judged}
    return {"correct": said.correct.as_json(), **counts, "judges": said.judges}


def _corrected_json(each: SystemScores) -> dict[str, object] | None:
    found = each.corrected
    if found is None:
        return None
    shown = (each.alone.people, found.corrected, found.tuned)
    figures = {one.name: one.as_json() for one in shown}
    return figures | {"withheld": None if found.withheld is None else found.withheld.value}


def _position_json(each: SystemScores) -> dict[str, object] | None:
    bias = each.position
    if bias is None:
        return None
    figures = {one.name: one.as_json() for one in bias.figures}
    counts = {"pairs": bias.pairs, "half_asked": bias.half_asked, "silent": bias.silent}
    return {**figures, **counts, "p": bias.p}


def _trust_json(each: Trust) -> dict[str, object]:
    return {
        "measure": each.name,
        "n": each.n,
        "correct": each.correct,
        **{figure.name: figure.as_json() for figure in each.figures},
        "thresholds": None if each.thresholds is None else list(each.thresholds),
        "not_defined": each.why and each.why.value,
        "kappa_not_defined": each.why_kappa and each.why_kappa.value,
    }
