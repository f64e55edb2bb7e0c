"""The OCR report screen: how good the engines are, bringing pages in, and every page."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from pages.ocr.figures import draw_figures
from pages.ocr.importing import draw_bring
from pages.ocr.page_list import draw_list
from pages.shell.context import Context
from pages.shell.notices import show_remembered
from pages.shell.permission_notice import allowed
from services.ocr.report import STATES, OcrReport, ocr_report

NOTICE = "ocr-report-notice"
TABS = ("report", "bring", "pages")


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("ocr_report.title"), anchor=False)
    st.markdown(context.say("ocr_report.lead"))
    show_remembered(NOTICE)
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    found = ocr_report(context.workspace, context.project, context.person.id)
    _states(context, found)
    shown = [name for name in TABS if name != "bring" or context.may(Act.MAKE_ITEMS)]
    chosen = st.segmented_control(
        context.say("ocr_report.tab.label"),
        shown,
        default="bring" if not found.lines and "bring" in shown else shown[0],
        required=True,
        format_func=lambda name: context.say(f"ocr_report.tab.{name}"),
        label_visibility="collapsed",
        key="ocr-tab",
    )
    if chosen == "bring":
        draw_bring(context, found, NOTICE)
    elif chosen == "pages":
        draw_list(context, found)
    else:
        draw_figures(context, found)


def _states(context: Context, found: OcrReport) -> None:
    """Draw how many pages have come how far; each counts where it is now."""
    for column, state in zip(st.columns(len(STATES)), STATES, strict=True):
        words = context.say(f"ocr_report.state.{state}")
        column.metric(
            words,
            f"{found.states[state]:,}",
            border=True,
            help=context.say(f"ocr_report.is.{state}"),
        )
