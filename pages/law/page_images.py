"""The images of the pages that a unit's text was read from, beside the unit."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import plain
from services.ocr.views import image_of
from storage.ocr.pages import PageOfUnit


def draw_pages(context: Context, sources: Sequence[PageOfUnit]) -> None:
    """Draw a choice of the pages; the one chosen shows its image. Nothing for any other unit."""
    if not sources:
        return
    names = {each.page_id: plain(each.external_id) for each in sources}
    chosen = st.pills(
        context.say("corpus.page_images"),
        list(names),
        format_func=lambda page: f":material/image: {names[page]}",
        key=f"corpus-page-{sources[0].page_id}",
    )
    if chosen is None:
        return
    _, content = image_of(context.workspace, context.project, int(chosen), context.person.id)
    with st.container(border=True):
        st.image(content, width="stretch")
