"""Statistics of data sets: this project beside other projects and an uploaded BEIR folder."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from evaluation.figures.datasets import Description, Difference
from evaluation.figures.sheets import as_csv, difference_sheet
from jobs.dataset_statistics import BeirFolder, Other, Statistics, statistics
from jobs.drawings import of_statistics
from jobs.figure_choices import other_projects
from jobs.uploads import UPLOADED_ARCHIVES, Upload, staged_tree
from pages.context import Context
from pages.parts.figure_runs import pick_tokeniser
from pages.parts.figure_show import show_figure, value

_FOUND = "figures-statistics"


def draw_datasets(context: Context) -> None:
    """Draw the form, and the statistics last made for this project."""
    st.markdown(context.say("figures.datasets_lead"))
    _form(context)
    kept = st.session_state.get(_FOUND)
    if kept is None or kept[0] != context.project:
        return
    found: Statistics = kept[1]
    words = context.say("figures.datasets_alt")
    show_figure(context, of_statistics(found), "datasets", words)
    _described(context, found.datasets)
    if found.differences:
        _tested(context, found.differences)


def _form(context: Context) -> None:
    account = context.account.id if context.account else None
    known = other_projects(context.workspace, context.project, account, by=context.person.id)
    by_slug = {each.slug: each for each in known}
    with st.form("figures-datasets", border=False):
        left, right = st.columns([2, 1])
        chosen = left.multiselect(
            context.say("figures.others"), list(by_slug), key="figures-others"
        )
        tokeniser = pick_tokeniser(context, right, "datasets")
        given = st.file_uploader(
            context.say("figures.beir"),
            [ending[1:] for ending in UPLOADED_ARCHIVES],
            help=context.say("figures.beir_help"),
            key="figures-beir",
        )
        sent = st.form_submit_button(context.say("figures.compute"), type="primary")
    if sent:
        st.session_state.pop(_FOUND, None)
        others: list[Other] = [by_slug[slug] for slug in chosen]
        upload = Upload(given.name, given) if given else None
        with st.spinner(context.say("figures.drawing")):
            found = _made(context, others, tokeniser, upload)
        st.session_state[_FOUND] = (context.project, found)


def _made(
    context: Context, others: list[Other], tokeniser: str, upload: Upload | None
) -> Statistics:
    asked = context.workspace, context.project
    if upload is None:
        return statistics(*asked, others, tokeniser, by=context.person.id)
    with staged_tree([upload], endings=(".jsonl", ".tsv")) as staged:
        folder = BeirFolder(staged.path, upload.name.rsplit("/")[-1].split(".")[0])
        return statistics(*asked, [*others, folder], tokeniser, by=context.person.id)


def _described(context: Context, datasets: Sequence[Description]) -> None:
    say = context.say
    st.dataframe(
        {
            say("figures.dataset"): [each.name for each in datasets],
            say("figures.questions"): [each.questions for each in datasets],
            say("figures.without_gold"): [each.without_gold for each in datasets],
            say("figures.gold_each"): [value(each.gold) for each in datasets],
            say("drawing.query_gold"): [value(each.cosines["query_gold"]) for each in datasets],
            say("drawing.gold_answer"): [value(each.cosines["gold_answer"]) for each in datasets],
        },
        hide_index=True,
        alt=say("figures.tab.datasets"),
    )
    st.caption(say("figures.datasets_note"))


def _tested(context: Context, tests: Sequence[Difference]) -> None:
    say = context.say
    st.subheader(say("figures.tests"), anchor=False)
    st.dataframe(
        {
            say("figures.between"): [f"{each.left} – {each.right}" for each in tests],
            say("figures.cosine_of"): [say(f"drawing.{each.pair}") for each in tests],
            say("figures.test"): [say(f"figures.test_{each.test}") for each in tests],
            say("figures.statistic"): [_number(each.statistic) for each in tests],
            say("figures.p"): [_p(each.p) for each in tests],
            say("figures.p_holm"): [_p(each.corrected) for each in tests],
        },
        hide_index=True,
        alt=say("figures.tests"),
    )
    st.caption(say("figures.tests_note"))
    st.download_button(
        say("figures.download_tests"),
        as_csv(difference_sheet(tests)),
        f"{context.project}-tests.csv",
        "text/csv",
        on_click="ignore",
        icon=":material/download:",
        key="figure-tests-csv",
    )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _p(value: float | None) -> str:
    if value is None:
        return "–"
    return "< 0.001" if value < 0.001 else f"{value:.3f}"
