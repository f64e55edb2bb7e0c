"""Having an engine draft pages from the screen: the form, and how far it is."""

from __future__ import annotations

from functools import partial

import streamlit as st

from llm.roles import Role
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.task_progress import begin, draw_task
from services.background.tasks import TaskKind
from services.models.workspace_models import roles
from services.ocr import tesseract
from services.ocr.background import Drafted, ended_early, start_drafting, why
from services.ocr.report import OcrReport
from services.ocr.vision_drafting import ENGINE as MODEL


def draw_drafting(context: Context, found: OcrReport) -> None:
    """Draw the form, or the drafting that is under way."""
    st.subheader(context.say("ocr_report.draft.title"), anchor=False)
    st.caption(context.say("ocr_report.draft.help"))
    kind, words = TaskKind.DRAFT_PAGES, "ocr_report.draft.working"
    if not draw_task(context, kind, words, partial(_result, context)):
        _form(context, found)


def _form(context: Context, found: OcrReport) -> None:
    say = context.say
    version = tesseract.version()
    seen = next(each for each in roles(context.workspace) if each.role is Role.DRAFT_OCR).endpoint
    names = {tesseract.ENGINE: f"Tesseract {version or ''}".strip()}
    names |= {MODEL: seen.model} if seen is not None else {}
    engine = st.segmented_control(
        say("ocr_report.draft.engine"),
        list(names),
        default=tesseract.ENGINE,
        required=True,
        format_func=lambda each: plain(names[each]),
        key="ocr-engine",
    )
    if seen is None:
        st.caption(f":material/info: {plain(say('llm.adds.draft_ocr'))}")
    every = st.checkbox(
        say("ocr_report.draft.every"), help=say("ocr_report.draft.every_help"), key="ocr-every"
    )
    pressed = st.button(
        say("ocr_report.draft.run"),
        type="primary" if found.states["new"] else "secondary",
        disabled=not found.lines,
        icon=":material/document_scanner:",
        key="ocr-draft",
    )
    if pressed:
        begin(context, start_drafting, str(engine), every)


def _result(context: Context, done: Drafted) -> None:
    counts = {"drafted": done.drafted, "pages": done.pages, "already": done.already}
    st.success(context.say("ocr_report.draft.done", **counts), icon=":material/check_circle:")
    for reason, count in done.problems.items():
        said = why(reason, context.language)
        words = context.say("ocr_report.draft.failed", count=count, reason=said)
        st.warning(plain(words), icon=":material/error:")
    if ended_early(done) is not None:
        st.info(context.say("ocr_report.draft.left", left=done.left), icon=":material/info:")
