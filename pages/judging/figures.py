"""Figures of a judge: confusion matrix, accuracy estimates, errors by group, agreement."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.guidelines.codebook_tree import parse
from annotation.guidelines.documents import text_of
from evaluation.figure import Figure
from evaluation.judging.accuracy import Withheld
from evaluation.judging.estimate import Between
from evaluation.judging.judged import MAJORITY, Cell, Group
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.interval_chart import Bar, grouped_bars, interval_chart
from pages.shell.widgets import draw_figure, draw_table, in_brackets, note_brackets
from services.judging.report import JudgeLine, JudgeReport, PairLine, doubt, doubt_of_people
from services.judging.report_tables import common_words, withheld_words

_ROWS = (
    ("judge_correct", (Cell.TRUE_POSITIVE, Cell.FALSE_POSITIVE)),
    ("judge_incorrect", (Cell.FALSE_NEGATIVE, Cell.TRUE_NEGATIVE)),
)
_WIDTHS = [1, 2, 2]
_DISAGREE = (Cell.FALSE_POSITIVE, Cell.FALSE_NEGATIVE)
_ESTIMATES = ("naive", "corrected", "tuned")
_CHARTED = 3  # systems: more are indistinguishable
_MOST = 8  # groups whose bars are distinguishable
_TASK = "judge_review"
_LEAST = 0.001  # below it a p-value is printed as such


def judge_words(context: Context, judge: str) -> str:
    """Return a judge's name, or the display name of the majority."""
    return context.say("judge_report.majority") if judge == MAJORITY else judge


def percent(figure: Figure) -> str:
    """Return a percentage with interval, e.g. ``88.3 % [86.1, 90.1]``, in brackets if weak."""
    return in_brackets(figure, figure.percent())


def number(figure: Figure) -> str:
    """Return a figure with its interval, in brackets if weak; a dash if undefined."""
    return in_brackets(figure, figure.text())


def draw_matrix(context: Context, line: JudgeLine) -> None:
    """Draw the confusion matrix: count, share and interval of each cell."""
    say = context.say
    st.header(say("judge_report.page.matrix"), anchor=False)
    st.caption(say("judge_report.page.matrix_help", n=f"{line.matrix.n:,}"))
    _, correct, incorrect = st.columns(_WIDTHS, vertical_alignment="bottom")
    correct.markdown(f"**{say('judge_report.people_correct')}**")
    incorrect.markdown(f"**{say('judge_report.people_incorrect')}**")
    for name, cells in _ROWS:
        head, *columns = st.columns(_WIDTHS, vertical_alignment="center")
        head.markdown(f"**{say(f'judge_report.{name}')}**")
        for column, cell in zip(columns, cells, strict=True):
            with column:
                _cell(context, line, cell)
    if line.matrix.tied:
        st.markdown(f"**{say('judge_report.tied')}**: {line.matrix.tied:,}")


def draw_judges(context: Context, found: JudgeReport) -> None:
    """Draw each judge's figures, and a line for answers on which judges tie.

    All are on the same answers: those that every judge has judged and people have settled.
    """
    say, lines = context.say, found.judges
    st.header(say("judge_report.page.judges"), anchor=False)
    st.caption(
        " ".join([common_words(found, context.language), say("judge_report.page.judges_help")])
    )
    names = ("agreement", "sensitivity", "specificity", "over", "under")
    columns: dict[str, list[str | int | None]] = {
        "head.judge": [judge_words(context, each.judge) for each in lines],
        "n": [each.matrix.n for each in lines],
    }
    for name in names:
        columns[f"figure.{name}"] = [percent(getattr(each.shares, name)) for each in lines]
    columns["figure.cohen_kappa"] = [number(each.between.kappa.figure) for each in lines]
    columns["figure.ac1"] = [number(each.between.ac1.figure) for each in lines]
    columns["page.said"] = [each.said for each in lines]
    columns["page.silent"] = [each.silent for each in lines]
    if len(lines) > 1:
        tied: dict[str, str | int] = {
            "head.judge": say("judge_report.tied"),
            "n": found.common.ties_correct.n,
        }
        for column, cells in columns.items():
            cells.append(tied.get(column))
    helps = ("agreement", "sensitivity", "specificity", "cohen_kappa", "ac1")
    config = {
        f"figure.{name}": st.column_config.Column(help=say(f"judge_report.about.{name}"))
        for name in helps
    }
    alt = say("judge_report.page.judges")
    draw_table(
        context, "judge_report", columns, "judge-judges", config=config, alt=alt, placeholder="–"
    )
    note_brackets(context, (getattr(each.shares, name) for each in lines for name in names))
    if len(lines) > 1:
        told = {"ties": percent(found.common.ties), "correct": percent(found.common.ties_correct)}
        st.caption(plain(say("judge_report.page.ties", **told)))


def draw_people_alone(context: Context, found: JudgeReport) -> None:
    """Draw each system's accuracy according to people, whichever judge is chosen."""
    say, alone = context.say, found.people_alone
    if not any(each.disputed.n for _, each in alone):
        return
    st.header(say("judge_report.page.alone"), anchor=False)
    st.caption(say("judge_report.page.alone_help"))
    columns: dict[str, Sequence[str | int]] = {
        "page.system_head": [system for system, _ in alone],
        "figure.people": [
            _share_or_reason(context, each.people, each.withheld) for _, each in alone
        ],
        "page.right": [_count_text(each.people) for _, each in alone],
        "page.sample": [each.disputed.n for _, each in alone],
    }
    if any(each.disputed.value for _, each in alone):
        for name in ("disputed", "found"):
            columns[f"figure.{name}"] = [_with_n(getattr(each, name)) for _, each in alone]
        columns["page.waiting"] = [each.waiting for _, each in alone]
    alt = say("judge_report.page.alone")
    draw_table(context, "judge_report", columns, "judge-alone", alt=alt)
    note_brackets(context, (each.people for _, each in alone))
    for system, each in alone:
        _warn(context, doubt_of_people(system, each))


def _count_text(figure: Figure) -> str:
    """Return the count behind a share, e.g. ``11 / 15``."""
    return "–" if figure.value is None else f"{figure.value * figure.n:.3g} / {figure.n:,}"


def _cell(context: Context, line: JudgeLine, cell: Cell) -> None:
    share = line.matrix.share(cell)
    value = 0.0 if share.value is None else share.value
    icon = ":material/difference:" if cell in _DISAGREE else ":material/check:"
    with st.container(border=True):
        label = f"{icon} {context.say(f'judge_report.page.{cell.value}')}"
        draw_figure(context, label, f"{100 * value:.2f} %", share.weak)
        interval = plain(share.interval(100, 1))
        st.caption(f"n = {line.matrix.count(cell):,} · 95 % {interval}")


def draw_accuracy(context: Context, line: JudgeLine) -> None:
    """Draw each system's accuracy estimates, a chart of the first few, and warnings."""
    say = context.say
    st.header(say("judge_report.page.accuracy"), anchor=False)
    st.caption(say("judge_report.page.accuracy_help"))
    columns: dict[str, Sequence[str | int]] = {
        "page.system_head": [system for system, _ in line.accuracies],
    }
    for name in _ESTIMATES:
        columns[f"figure.{name}"] = [
            _share_or_reason(context, getattr(found, name), found.why(name))
            for _, found in line.accuracies
        ]
    columns["page.said"] = [found.naive.n for _, found in line.accuracies]
    columns["page.sample"] = [found.sampled.n for _, found in line.accuracies]
    alt = say("judge_report.page.accuracy")
    draw_table(context, "judge_report", columns, "judge-accuracy", alt=alt)
    _chart(context, line)
    for system, found in line.accuracies:
        _warn(context, doubt(system, found))


def _share_or_reason(context: Context, figure: Figure, why: Withheld | None) -> str:
    """Return a share with its interval, or the reason why it is withheld."""
    return percent(figure) if why is None else f"– ({withheld_words(why, context.language)})"


def _with_n(figure: Figure) -> str:
    return f"{percent(figure)} (n = {figure.n:,})"


def _chart(context: Context, line: JudgeLine) -> None:
    several = len(line.accuracies) > 1
    bars = []
    for system, found in line.accuracies[:_CHARTED]:
        for name in _ESTIMATES:
            figure, words = getattr(found, name), context.say(f"judge_report.figure.{name}")
            if figure.value is not None:
                bars.append(Bar(f"{system} · {words}" if several else words, system, figure))
    if bars:
        interval_chart(bars, context.say("judge_report.page.accuracy_chart"), "judge-accuracies")


def _warn(context: Context, told: tuple[str, dict[str, str]] | None) -> None:
    """Draw why figures are withheld or lack an interval."""
    if told is not None:
        name, params = told
        words = context.say(f"judge_report.page.{name}", **params)
        st.caption(f":material/warning: {plain(words)}")


def draw_drift(context: Context, line: JudgeLine) -> None:
    """Draw over- and underestimated answers per group."""
    if not line.matrix.n:
        return
    say = context.say
    st.header(say("judge_report.page.drift"), anchor=False)
    st.caption(say("judge_report.page.drift_help"))
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(f"**{say('judge_report.page.by_kind')}**")
        _bars(context, line.kinds, [_kind(context, each) for each in line.kinds], "kind")
    with right:
        st.markdown(f"**{say('judge_report.page.by_length')}**")
        _bars(context, line.lengths, [_length(context, each) for each in line.lengths], "length")


def _kind(context: Context, group: Group) -> str:
    return group.name or context.say("judge_report.no_kind")


def _length(context: Context, group: Group) -> str:
    low, high = f"{group.shortest:,}", f"{group.longest:,}"
    if low == high:
        return context.say("judge_report.page.length", length=low)
    return context.say("judge_report.page.lengths", low=low, high=high)


def _bars(context: Context, groups: Sequence[Group], names: Sequence[str], key: str) -> None:
    bars = [
        Bar(f"{name} (n = {group.matrix.n:,})", context.say(f"judge_report.figure.{which}"), figure)
        for name, group in list(zip(names, groups, strict=True))[:_MOST]
        for which, figure in (("over", group.shares.over), ("under", group.shares.under))
    ]
    grouped_bars(bars, context.say("judge_report.page.drift_chart"), f"judge-drift-{key}")


def draw_people(context: Context, found: JudgeReport) -> None:
    """Draw agreement among people, and of each judge with the consensus and each rater."""
    say = context.say
    lines = _agreement_lines(context, found)
    if not lines:
        return
    st.header(say("judge_report.page.people"), anchor=False)
    st.caption(say("judge_report.page.people_help"))
    columns = {
        "judge_report.page.between": [name for name, _ in lines],
        "raw": [percent(each.raw.figure) for _, each in lines],
        "κ": [number(each.kappa.figure) for _, each in lines],
        "ac1": [number(each.ac1.figure) for _, each in lines],
        "n": [each.raw.figure.n for _, each in lines],
    }
    draw_table(
        context, "judge_report.figure", columns, "judge-people", alt=say("judge_report.page.people")
    )
    note_brackets(context, (each.raw.figure for _, each in lines))


def draw_positions(context: Context, found: JudgeReport) -> None:
    """Draw the position bias of pairwise judges."""
    if not found.positions:
        return
    say, lines = context.say, found.positions
    st.header(say("judge_report.page.position"), anchor=False)
    st.caption(say("judge_report.page.position_help"))
    columns = {
        "judge_report.head.judge": [each.judge for each in lines],
        "compared": [_pair_name(context, each) for each in lines],
        **{
            f"judge_report.figure.{shown[0].name}": [percent(figure) for figure in shown]
            for shown in zip(*(each.bias.figures for each in lines), strict=True)
        },
        "p": [p_words(each.bias.p) for each in lines],
        "pairs": [each.bias.pairs for each in lines],
        "half": [each.bias.half_asked for each in lines],
        "silent": [each.bias.silent for each in lines],
    }
    draw_table(
        context,
        "judge_report.page",
        columns,
        "judge-positions",
        alt=say("judge_report.page.position"),
    )
    note_brackets(context, (figure for each in lines for figure in each.bias.figures))


def draw_categories(context: Context, found: JudgeReport) -> None:
    """Draw the number of reviews per error category, by the judge's error."""
    if not found.categories:
        return
    say, lines, names = context.say, found.categories, _category_names(context)
    st.header(say("judge_report.page.categories"), anchor=False)
    st.caption(say("judge_report.page.categories_help"))
    columns = {
        "category": [names.get(each.key, each.key) for each in lines],
        "judge_report.figure.over": [each.over for each in lines],
        "judge_report.figure.under": [each.under for each in lines],
        "fair": [each.fair for each in lines],
    }
    draw_table(
        context,
        "judge_report.page",
        columns,
        "judge-categories",
        alt=say("judge_report.page.categories"),
    )


def _agreement_lines(context: Context, found: JudgeReport) -> list[tuple[str, Between]]:
    lines = [(context.say("judge_report.everybody"), found.people)]
    lines += [(f"{each.first} – {each.second}", each) for each in found.people_pairs]
    for judge in found.judges:
        name = judge_words(context, judge.judge)
        lines.append((f"{name} – {context.say('judge_report.consensus')}", judge.between))
        lines += [(f"{name} – {person}", between) for person, between in judge.raters]
    return [(name, each) for name, each in lines if each.raw.figure.n]


def p_words(p: float | None) -> str:
    """Return a p-value as printed; a dash if there is none."""
    if p is None:
        return "–"
    return f"{p:.3f}" if p >= _LEAST else f"< {_LEAST}"


def _pair_name(context: Context, line: PairLine) -> str:
    return f"{line.system} – {line.against or context.say('judge_report.page.official')}"


def _category_names(context: Context) -> dict[str, str]:
    """Return the codebook's current name of each category."""
    person, language = context.by, context.language
    text = text_of(context.workspace, person, "codebook", _TASK, language).text
    return {each.key: each.label[language] for each in parse(text, _TASK).options}
