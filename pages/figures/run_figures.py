"""Figures of runs: a measure against lexical similarity, and bars with intervals."""

from __future__ import annotations

import streamlit as st

from evaluation.figures.buckets import WIDTH
from evaluation.ranking.measures import OFFERED, Measure, parse_measure
from pages.figures.display import show_figure
from pages.shell.context import Context
from retrieval.text.tokenise import DEFAULT, TOKENISERS
from services.figures.drawings import of_bars, of_curves
from services.figures.series import MOST_RUNS, run_bars, run_names, similarity_curves

_BARS = ("Recall@5", "Recall@10", "nDCG@10")
_MEASURES = tuple(dict.fromkeys([*_BARS, *map(repr, OFFERED)]))
_WIDTHS = (0.05, WIDTH, 0.2)


def draw_similarity(context: Context) -> None:
    """Draw how a measure of runs changes with the likeness of question and gold."""
    st.markdown(context.say("figures.similarity_lead"))
    runs = _runs(context, "similarity")
    left, middle, right = st.columns([1, 1, 1])
    measure = parse_measure(
        left.selectbox(
            context.say("figures.measure"),
            _MEASURES,
            _MEASURES.index("Recall@10"),
            key="figures-measure",
        )
    )
    width = middle.selectbox(
        context.say("figures.width"), _WIDTHS, _WIDTHS.index(WIDTH), key="figures-width"
    )
    tokeniser = pick_tokeniser(context, right, "similarity")
    if not runs:
        return
    with st.spinner(context.say("figures.drawing")):
        curves = similarity_curves(
            context.workspace, runs, measure, float(width), tokeniser, by=context.person.id
        )
        words = context.say("figures.similarity_alt", measure=repr(measure))
        show_figure(context, of_curves(curves, repr(measure)), "similarity", words)


def draw_bars(context: Context) -> None:
    """Draw measures of runs as bars."""
    st.markdown(context.say("figures.bars_lead"))
    runs = _runs(context, "bars")
    chosen = st.multiselect(
        context.say("figures.measures"), _MEASURES, list(_BARS), key="figures-bar-measures"
    )
    if not runs or not chosen:
        return
    measures: list[Measure] = [parse_measure(each) for each in chosen]
    bars = run_bars(context.workspace, runs, measures, by=context.person.id)
    words = context.say("figures.bars_alt", measures=", ".join(chosen))
    show_figure(context, of_bars(bars), "bars", words)
    st.caption(context.say("figures.bars_note"))


def pick_tokeniser(context: Context, place: object, part: str) -> str:
    """Draw the choice of how text is cut into `place`, a column; return what is chosen."""
    names = list(TOKENISERS)
    return str(
        place.selectbox(  # type: ignore[attr-defined]
            context.say("figures.tokeniser"),
            names,
            names.index(DEFAULT),
            format_func=lambda each: context.say(f"leaderboard.tokenisers.{each}"),
            key=f"figures-{part}-tokeniser",
        )
    )


def _runs(context: Context, part: str) -> list[int]:
    """Draw the choice of runs and return their numbers; say so where there is none."""
    names = {
        each.run_id: each.name
        for each in run_names(context.workspace, context.project, by=context.person.id)
    }
    if not names:
        st.info(context.say("figures.no_runs"), icon=":material/info:")
        return []
    return list(
        st.multiselect(
            context.say("figures.runs"),
            list(names),
            list(names)[:1],
            format_func=lambda each: names[each],
            max_selections=MOST_RUNS,
            key=f"figures-{part}-runs",
        )
    )
