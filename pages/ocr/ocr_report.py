"""OCR report screen: quality of engines, import of pages, list of pages."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from pages.ocr.importing import draw_bring
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.notices import allowed, draw_head, show_remembered
from pages.shell.reports import draw_report
from pages.shell.widgets import draw_metrics, draw_view, pick_row
from services.ocr.publishing import image_of
from services.ocr.report import STATES, OcrReport, PageLine, ocr_report
from services.ocr.report_tables import as_report

_KEY = "ocr-pages"
NOTICE = "ocr-report-notice"


def draw_figures(context: Context, found: OcrReport) -> None:
    """Draw the report's figures, or what is missing for them."""
    if not found.engines:
        waits = "ocr_report.no_pages" if not found.lines else "ocr_report.none_corrected"
        st.info(context.say(waits), icon=":material/info:")
        return
    draw_report(context, as_report(found, context.language), "ocr")


def draw_list(context: Context, found: OcrReport) -> None:
    """Draw the table of pages, with the image of the selected one."""
    say = context.say
    if not found.lines:
        st.info(say("ocr_report.no_pages"), icon=":material/info:")
        return
    st.caption(say("ocr_report.list_help"))
    table, image = st.columns([3, 2], gap="medium")
    with table:
        lines = found.lines
        columns = {
            "page": [line.page.external_id for line in lines],
            "how_far": [say(f"ocr_report.state.{line.state}") for line in lines],
            "engine": [line.engine for line in lines],
            "characters": [line.errors for line in lines],
            "corrector": [line.corrector for line in lines],
            "verifier": [line.verifier for line in lines],
            "time": [s if (s := line.item_seconds) is None else round(s) for line in lines],
            "unit": [line.page.unit for line in lines],
        }
        row = pick_row(context, "ocr_report", columns, _KEY, placeholder="–")
    with image:
        if row is not None:
            _page(context, lines[row])


def _page(context: Context, line: PageLine) -> None:
    """Draw a page's image beside its text."""
    page = line.page
    about = {"file": page.file, "number": page.number, "width": page.width, "height": page.height}
    st.caption(md_literal(context.say("ocr_report.about", **about)))
    _, content = image_of(*context.here, page.id, context.by)
    st.image(content, width="stretch")


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "ocr_report")
    show_remembered(NOTICE)
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    found = ocr_report(*context.here, context.by)
    _states(context, found)
    views: dict[str, Callable[[Context], object]] = {"report": partial(draw_figures, found=found)}
    if makes := context.may(Act.MAKE_ITEMS):
        views["bring"] = partial(draw_bring, report=found, notice=NOTICE)
    views["pages"] = partial(draw_list, found=found)
    first = "bring" if makes and not found.lines else ""
    draw_view(context, "ocr_report.tab", "ocr-tab", views, first)


def _states(context: Context, found: OcrReport) -> None:
    """Draw the number of pages per state; each page counts once."""
    figures = {
        context.say(f"ocr_report.state.{each}"): (
            f"{found.states[each]:,}",
            context.say(f"ocr_report.is.{each}"),
        )
        for each in STATES
    }
    draw_metrics(figures)
