"""The pages of a project: how far each is, who worked on it, and its image."""

from __future__ import annotations

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import plain
from services.ocr.report import OcrReport, PageLine
from services.ocr.views import image_of

_KEY = "ocr-pages"


def draw_list(context: Context, found: OcrReport) -> None:
    """Draw the table of pages; one that is selected shows its image."""
    say = context.say
    if not found.lines:
        st.info(say("ocr_report.no_pages"), icon=":material/info:")
        return
    st.caption(say("ocr_report.list_help"))
    table, image = st.columns([3, 2], gap="medium")
    with table:
        event = st.dataframe(
            _table(context, found.lines),
            hide_index=True,
            on_select="rerun",
            selection_mode="single-row",
            placeholder="–",
            key=_KEY,
        )
    rows = event["selection"]["rows"]
    with image:
        if rows:
            _page(context, found.lines[rows[0]])


def _table(context: Context, lines: tuple[PageLine, ...]) -> dict[str, list[object]]:
    say = context.say
    return {
        say("ocr_report.page"): [line.page.external_id for line in lines],
        say("ocr_report.how_far"): [say(f"ocr_report.state.{line.state}") for line in lines],
        say("ocr_report.engine"): [line.engine for line in lines],
        say("ocr_report.characters"): [line.errors for line in lines],
        say("ocr_report.corrector"): [line.corrector for line in lines],
        say("ocr_report.verifier"): [line.verifier for line in lines],
        say("ocr_report.time"): [_rounded(line.item_seconds) for line in lines],
        say("ocr_report.unit"): [line.page.unit for line in lines],
    }


def _page(context: Context, line: PageLine) -> None:
    page = line.page
    about = {"file": page.file, "number": page.number, "width": page.width, "height": page.height}
    st.caption(plain(context.say("ocr_report.about", **about)))
    _, content = image_of(context.workspace, context.project, page.id, context.person.id)
    st.image(content, width="stretch")


def _rounded(seconds: float | None) -> int | None:
    return None if seconds is None else round(seconds)
