"""Statistics of data sets: this project beside other projects and an uploaded BEIR folder."""

from __future__ import annotations

import streamlit as st

from pages.figures.display import show_figure
from pages.figures.run_figures import pick_tokeniser
from pages.shell.context import Context
from pages.shell.upload_limits import archive_help
from services.figures.choices import other_projects
from services.figures.dataset_statistics import BeirFolder, Other, Statistics, statistics
from services.figures.drawings import of_statistics
from services.uploads import UPLOADED_ARCHIVES, Upload, staged_tree

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
            help=archive_help(context, context.say("figures.beir_help")),
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
