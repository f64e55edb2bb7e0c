"""Having an engine draft pages from the screen: the form, and how far it is."""

from __future__ import annotations

import streamlit as st

from errors import UserError
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.guard import guarded, plain, show
from services.background.tasks import BackgroundTask
from services.models.workspace_models import roles
from services.ocr import tesseract
from services.ocr.background import (
    Drafted,
    close_drafting,
    drafting,
    ended_early,
    start_drafting,
    why,
)
from services.ocr.report import OcrReport
from services.ocr.vision_drafting import ENGINE as MODEL

_EVERY = 1.0  # seconds between two looks


def draw_drafting(context: Context, found: OcrReport) -> None:
    """Draw the form, or the drafting that is under way."""
    st.subheader(context.say("ocr_report.draft.title"), anchor=False)
    st.caption(context.say("ocr_report.draft.help"))
    task = drafting(context.workspace, context.project, context.person.id)
    if task is not None and task.running:
        st.fragment(_watch, run_every=_EVERY)(context)
        return
    if task is not None:
        _ended(context, task)
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
    if not pressed:
        return
    try:
        start_drafting(context.workspace, context.project, str(engine), every, context.person.id)
    except UserError as error:
        show(error, context.language)
        return
    st.rerun()


def _watch(context: Context) -> None:
    """Draw how far it is. A fragment: it alone is drawn anew every second."""
    with guarded(context.language):
        task = drafting(context.workspace, context.project, context.person.id)
        if task is None or not task.running:
            st.rerun()
            return
        done, total = task.progress.done, task.progress.total
        words = context.say("ocr_report.draft.working", done=done, total=total)
        st.progress(min(done / total, 1.0) if total else 0.0, words)
        if st.button(context.say("ocr_report.draft.stop"), icon=":material/stop:", key="ocr-stop"):
            task.beside.stop()
            st.caption(context.say("ocr_report.draft.stopping"))


def _ended(context: Context, task: BackgroundTask[Drafted]) -> None:
    """Say what came of the run that ended last, until it is closed."""
    if isinstance(task.error, UserError):
        show(task.error, context.language)
    elif task.error is not None:
        st.error(context.say("ocr_report.draft.broke"), icon=":material/bug_report:")
    elif task.result is not None:
        _result(context, task.result)
    if st.button(context.say("ocr_report.draft.close"), key="ocr-close", type="tertiary"):
        close_drafting(context.workspace, context.project, context.person.id)
        st.rerun()


def _result(context: Context, done: Drafted) -> None:
    counts = {"drafted": done.drafted, "pages": done.pages, "already": done.already}
    st.success(context.say("ocr_report.draft.done", **counts), icon=":material/check_circle:")
    for reason, count in done.problems.items():
        said = why(reason, context.language)
        words = context.say("ocr_report.draft.failed", count=count, reason=said)
        st.warning(plain(words), icon=":material/error:")
    if ended_early(done) is not None:
        st.info(context.say("ocr_report.draft.left", left=done.left), icon=":material/info:")
