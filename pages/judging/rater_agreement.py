"""How far people agree with each other and with judges; order of pairs; why judges erred."""

from __future__ import annotations

import streamlit as st

from annotation.guidelines.codebook_tree import parse
from annotation.guidelines.documents import text_of
from evaluation.judging.chance import Between
from pages.judging.matrix import judge_words, number, percent
from pages.shell.context import Context
from services.judging.report import JudgeReport, PairLine

_TASK = "judge_review"
_LEAST = 0.001  # below it a p-value is printed as such


def draw_people(context: Context, found: JudgeReport) -> None:
    """Draw agreement between people, and of each judge with what people found and each rater."""
    say = context.say
    lines = _lines(context, found)
    if not lines:
        return
    st.subheader(say("judge_report.page.people"), anchor=False)
    st.caption(say("judge_report.page.people_help"))
    st.dataframe(
        {
            say("judge_report.page.between"): [name for name, _ in lines],
            say("judge_report.figure.raw"): [percent(each.raw.figure) for _, each in lines],
            "κ": [number(each.kappa.figure) for _, each in lines],
            say("judge_report.figure.ac1"): [number(each.ac1.figure) for _, each in lines],
            "n": [each.raw.figure.n for _, each in lines],
        },
        hide_index=True,
        key="judge-people",
        alt=say("judge_report.page.people"),
    )


def draw_positions(context: Context, found: JudgeReport) -> None:
    """Draw how pairwise judges mind the order."""
    if not found.positions:
        return
    say, lines = context.say, found.positions
    st.subheader(say("judge_report.page.position"), anchor=False)
    st.caption(say("judge_report.page.position_help"))
    st.dataframe(
        {
            say("judge_report.head.judge"): [each.judge for each in lines],
            say("judge_report.page.compared"): [_compared(context, each) for each in lines],
            say("judge_report.figure.wins"): [percent(each.bias.wins) for each in lines],
            say("judge_report.figure.consistent"): [
                percent(each.bias.consistent) for each in lines
            ],
            say("judge_report.figure.shown_first"): [
                percent(each.bias.shown_first) for each in lines
            ],
            say("judge_report.page.p"): [p_words(each.bias.p) for each in lines],
            say("judge_report.page.pairs"): [each.bias.pairs for each in lines],
            say("judge_report.page.half"): [each.bias.half_asked for each in lines],
        },
        hide_index=True,
        key="judge-positions",
        alt=say("judge_report.page.position"),
    )


def draw_categories(context: Context, found: JudgeReport) -> None:
    """Draw how many reviews name each category, by what the judge did."""
    if not found.categories:
        return
    say, lines, names = context.say, found.categories, _names(context)
    st.subheader(say("judge_report.page.categories"), anchor=False)
    st.caption(say("judge_report.page.categories_help"))
    st.dataframe(
        {
            say("judge_report.page.category"): [names.get(each.key, each.key) for each in lines],
            say("judge_report.figure.over"): [each.over for each in lines],
            say("judge_report.figure.under"): [each.under for each in lines],
            say("judge_report.page.fair"): [each.fair for each in lines],
        },
        hide_index=True,
        key="judge-categories",
        alt=say("judge_report.page.categories"),
    )


def _lines(context: Context, found: JudgeReport) -> list[tuple[str, Between]]:
    lines = [(context.say("judge_report.everybody"), found.people)]
    lines += [(f"{each.first} – {each.second}", each) for each in found.people_pairs]
    for judge in found.judges:
        name = judge_words(context, judge.judge)
        lines.append((f"{name} – {context.say('judge_report.consensus')}", judge.between))
        lines += [(f"{name} – {person}", between) for person, between in judge.raters]
    return [(name, each) for name, each in lines if each.raw.figure.n]


def p_words(p: float | None) -> str:
    """Return a p-value as it is printed; a dash where there is none."""
    if p is None:
        return "–"
    return f"{p:.3f}" if p >= _LEAST else f"< {_LEAST}"


def _compared(context: Context, line: PairLine) -> str:
    return f"{line.system} – {line.against or context.say('judge_report.page.official')}"


def _names(context: Context) -> dict[str, str]:
    """Return what the codebook calls each category now."""
    person, language = context.person.id, context.language
    text = text_of(context.workspace, person, "codebook", _TASK, language).text
    return {each.key: each.label[language] for each in parse(text, _TASK).options}
