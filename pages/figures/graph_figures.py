"""Figures about the citation graph: a question's neighbourhood, and 1-hop hit rates."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.figures.display import show_figure
from pages.shell.context import Context
from retrieval.core.describe import describe
from services.figures.choices import Askable, askable, dense_specs
from services.figures.drawings import of_hits, of_question
from services.figures.figure_data import DIRECTIONS, MOST, STANDARD, View
from services.figures.series import hit_rates, question_figure
from services.gold.search_coverage import levels_said

_ASKED = "figures-hits-asked"
_TEXT = 70  # characters of a question in the list


def draw_neighbourhood(context: Context) -> None:
    """Draw the neighbourhood of the question that is chosen."""
    st.markdown(context.say("figures.neighbourhood_lead"))
    questions = askable(context.workspace, context.project, by=context.person.id)
    if not questions:
        st.info(context.say("figures.no_gold"), icon=":material/hourglass_empty:")
        return
    with st.form("figures-neighbourhood", border=False):
        chosen = _question(context, questions)
        view = _view(context, "neighbourhood")
        sent = st.form_submit_button(context.say("figures.draw"), type="primary")
    if sent:
        st.session_state["figures-neighbourhood-asked"] = (context.project, chosen, view)
    asked = st.session_state.get("figures-neighbourhood-asked")
    if asked is None or asked[0] != context.project:
        return
    _, question, drawn = asked
    with st.spinner(context.say("figures.drawing")):
        found = question_figure(
            context.workspace, context.project, question, drawn, by=context.person.id
        )
        cosine, explicit = found.found.cosine.hits, found.found.explicit.hits
        words = context.say("figures.neighbourhood_alt", cosine=cosine, explicit=explicit)
        show_figure(context, of_question(found), f"neighbourhood-{question}", words)
        searched = levels_said(found.levels, context.language)
        count = found.not_searched
        st.caption(context.say("figures.question_searched", levels=searched, count=count))
    st.caption(context.say("figures.neighbourhood_note"))


def draw_hits(context: Context) -> None:
    """Draw the hit rates of three graphs."""
    st.markdown(context.say("figures.hits_lead"))
    if not askable(context.workspace, context.project, by=context.person.id):
        st.info(context.say("figures.no_gold"), icon=":material/hourglass_empty:")
        return
    with st.form("figures-hits", border=False):
        view = _view(context, "hits")
        if st.form_submit_button(context.say("figures.compute"), type="primary"):
            st.session_state[_ASKED] = (context.project, view)
    asked = st.session_state.get(_ASKED)
    if asked is None or asked[0] != context.project:
        return
    with st.spinner(context.say("figures.drawing")):
        found = hit_rates(context.workspace, context.project, asked[1], by=context.person.id)
        words = context.say("figures.hits_alt", n=found.questions)
        show_figure(context, of_hits(found), "hits", words)


def _question(context: Context, questions: Sequence[Askable]) -> str:
    texts = {each.external_id: each.question for each in questions}

    def named(question: str) -> str:
        text = " ".join(texts[question].split())
        return f"{question} · {text[:_TEXT]}{'…' if len(text) > _TEXT else ''}"

    return str(
        st.selectbox(
            context.say("figures.question"),
            list(texts),
            format_func=named,
            key="figures-question",
        )
    )


def _view(context: Context, part: str) -> View:
    say = context.say
    specs = dense_specs(context.workspace, context.project, by=context.person.id)
    method, count, near, way = st.columns([3, 1, 1, 1.6], vertical_alignment="bottom")
    place = method.selectbox(
        say("figures.method"),
        range(len(specs)),
        format_func=lambda at: describe(specs[at]),
        key=f"figures-{part}-method",
    )
    seeds = count.number_input(
        *(say("figures.seeds"), 1, MOST, STANDARD.seeds),
        help=say("figures.seeds_help"),
        key=f"figures-{part}-seeds",
    )
    neighbours = near.number_input(
        *(say("figures.neighbours"), 1, MOST, STANDARD.neighbours),
        help=say("figures.neighbours_help"),
        key=f"figures-{part}-neighbours",
    )
    direction = way.selectbox(
        say("figures.direction"),
        DIRECTIONS,
        format_func=lambda each: say(f"figures.way.{each}"),
        key=f"figures-{part}-direction",
    )
    return View(specs[place or 0], int(seeds), int(neighbours), direction)
