"""Answers behind a report cell, and a word diff of two answers."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from evaluation.judging.answer_diff import DiffKind, Piece
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import md_literal
from pages.shell.plain_text import Span, plain_text
from pages.shell.widgets import pick_row
from services.answers.beside import answers_to, compare_answers
from services.answers.report_tables import measure_words
from services.answers.report_views import AnswerReport, QuestionAnswers

_HEIGHT = 420


def draw_answers(context: Context, report: AnswerReport, system: str) -> None:
    """Draw the answers of a system, at first `system`, worst first, and the selected one.

    The reader chooses system and measure; `system` is the one chosen at first.
    """
    say, names = context.say, [each.system for each in report.systems]
    left, right = Fields(context, "answer_report", "answers").row(2)
    system = left.pick("system", names, first=system, key=f"of-{system}")
    measures = {
        column.measure: measure_words(column.measure, context.language) for column in report.columns
    }
    measure = right.pick("trust_head.measure", measures, measures, key="by")
    named = {"system": md_literal(system), "measure": measures[measure]}
    st.header(say("answer_report.page.answers_of", **named), anchor=False)
    lines = [say("answer_report.page.answers_help")]
    if (against := _baseline(report, measure)) not in (None, system):
        lines.append(say("answer_report.page.difference_help", system=md_literal(str(against))))
    st.caption("  \n".join(lines))
    values = report.values[measure][system]
    order = sorted(values, key=lambda name: (values[name] is None, values[name] or 0.0, name))
    row = pick_row(
        context,
        "answer_report.page",
        _columns(context, report, system, measure, order),
        f"answer-list-{system}-{measure}",
        config={
            "id": st.column_config.TextColumn(width=90, pinned=True),
            named["measure"]: st.column_config.NumberColumn(format="%.3f", width=110),
            "difference": st.column_config.NumberColumn(format="%+.3f", width=100),
            "people": st.column_config.TextColumn(width=90),
            "question": st.column_config.TextColumn(width="large"),
        },
        placeholder="–",
    )
    if row is not None:
        with st.container(border=True):
            _draw_diff(context, answers_to(*context.here, order[row], context.by), system)


def _columns(
    context: Context, report: AnswerReport, system: str, measure: str, order: list[str]
) -> dict[str, list[object]]:
    """Return the table's columns: ids, values, differences to the baseline, verdicts, questions."""
    values = report.values[measure]
    columns: dict[str, list[object]] = {
        "id": list(order),
        measure_words(measure, context.language): [values[system][name] for name in order],
    }
    baseline = _baseline(report, measure)
    if baseline not in (None, system):
        against = values[str(baseline)]
        columns["difference"] = [
            _difference(values[system][name], against.get(name)) for name in order
        ]
    columns["people"] = [
        _consensus_text(context, report.people[system].get(name)) for name in order
    ]
    columns["question"] = [report.texts[name] for name in order]
    return columns


def _baseline(report: AnswerReport, measure: str) -> str | None:
    """Return the system that a measure's other systems are compared with, if any."""
    return next(each.baseline for each in report.columns if each.measure == measure)


def _difference(value: float | None, against: float | None) -> float | None:
    """Return the difference of two values, None if one is missing."""
    return None if value is None or against is None else value - against


def _consensus_text(context: Context, verdict: bool | None) -> str:
    if verdict is None:
        return "–"
    return context.say(f"answer_report.page.found_{'correct' if verdict else 'incorrect'}")


def _draw_diff(context: Context, those: QuestionAnswers, system: str) -> None:
    """Draw the question with a word diff against the official or another system's answer."""
    say, key = context.say, f"{those.question}-{system}"
    st.markdown(f"**{md_literal(those.question)}**")
    plain_text(those.text, f"answer-question-{key}", "lead", those.language)
    others = {"": those.reference} if those.reference.strip() else {}
    others |= {name: text for name, text in those.answers.items() if name != system}
    if not others:
        plain_text(those.answers[system], f"answer-alone-{key}", language=those.language)
        return
    official = "answer_report.page.official"
    fields = Fields(context, "answer_report.page", "answer-beside")
    other = fields.pick("beside", others, lambda name: name or say(official), key=key)
    found = compare_answers(those, system, other)
    compared = found.compared
    one, two = compared.words
    counts = {"shared": f"{compared.shared:,}", "one": f"{one:,}", "other": f"{two:,}"}
    st.caption(say("answer_report.page.marks", **counts))
    sides = (
        (other or say(official), compared.one, f"other-{other}"),
        (system, compared.other, "own"),
    )
    for at, place in enumerate(st.columns(2, gap="medium")):
        name, pieces, side = sides[at]
        with place:
            st.markdown(f"**{md_literal(name)}**")
            footer = [Span(text) for text in found.footers[at : at + 1] if text]
            spans, where = [*_spans(pieces), *footer], f"answer-{side}-{key}"
            plain_text(spans, where, language=those.language, height=_HEIGHT)


def _spans(pieces: Iterable[Piece]) -> list[Span]:
    """Return the pieces of a diff as marked spans."""
    return [
        Span(piece.text, () if piece.kind is DiffKind.SHARED else (piece.kind.value,))
        for piece in pieces
    ]
