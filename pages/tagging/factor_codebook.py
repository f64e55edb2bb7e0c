"""Codebook screen of factor tagging: read, edit, upload and compare versions."""

from __future__ import annotations

from functools import partial

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.notices import show_remembered
from pages.shell.widgets import choose
from pages.tagging.codebook_editor import draw_editor
from pages.tagging.codebook_tree import draw_tree
from pages.tagging.codebook_versions import draw_files, draw_versions
from services.tagging.codebook import held

NOTICE = "factor-book-notice"


def render(context: Context) -> None:
    """Draw the page."""
    say = context.say
    st.title(say("app.pages.factor_codebook"), anchor=False)
    found = held(*context.here, by=context.by)
    counted = [sub_factor for factor in found.book.factors for sub_factor in factor.sub_factors]
    st.markdown(
        say(
            "factor_book.lead",
            number=found.text.number,
            factors=len(found.book.factors),
            sub_factors=len(counted),
            claims=sum(each.claim for each in counted),
        )
    )
    show_remembered(NOTICE)
    draw = {
        "read": partial(draw_tree, context, found),
        "edit": partial(draw_editor, context, NOTICE),
        "files": partial(draw_files, context, found, NOTICE),
        "versions": partial(draw_versions, context, found),
    }
    views = [each for each in draw if each != "edit" or context.may(Act.EDIT_GUIDELINES)]
    view = choose(context, "factor_book.view", views, "factor_book.views", "factor-book-view")
    draw[view]()
