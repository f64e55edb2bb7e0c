"""Import of pages, OCR drafts, and publication of verified pages to the corpus."""

from __future__ import annotations

from functools import partial

import streamlit as st

from annotation.people.roles import Act
from corpus.ocr.files import ENDINGS
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import allowed, progress_bar, remember
from pages.shell.task_progress import begin, draw_task
from pages.shell.uploads import archive_help
from pages.shell.widgets import choose
from services.background.tasks import TaskKind
from services.models.workspace_models import roles
from services.ocr import tesseract
from services.ocr.drafting import DraftReport
from services.ocr.importing import LANGUAGES, ImportOptions, import_uploaded
from services.ocr.publishing import PublishReport, publish_pages
from services.ocr.report import OcrReport
from services.ocr.vision_drafting import ENGINE as MODEL
from services.ocr.vision_drafting import start_drafting, why
from services.uploads import UPLOADED_ARCHIVES, Upload


def draw_drafting(context: Context, report: OcrReport) -> None:
    """Draw the form, or the running task."""
    st.header(context.say("ocr_report.draft.title"), anchor=False)
    st.caption(context.say("ocr_report.draft.help"))
    kind, words = TaskKind.DRAFT_PAGES, "ocr_report.draft.working"
    if not draw_task(context, kind, words, partial(_draw_outcome, context)):
        _form(context, report)


def _form(context: Context, report: OcrReport) -> None:
    """Draw the form that drafts pages."""
    say = context.say
    version = tesseract.version()
    seen = next(role for role in roles(context.workspace) if role.role is Role.DRAFT_OCR).endpoint
    names = {tesseract.ENGINE: f"Tesseract {version or ''}".strip()}
    names |= {MODEL: seen.model} if seen is not None else {}
    label, words = "ocr_report.draft.engine", lambda each: md_literal(names[each])
    engine = choose(context, label, list(names), words, "ocr-engine", titled=True)
    if seen is None:
        st.caption(f":material/info: {md_literal(say('llm.adds.draft_ocr'))}")
    every = st.checkbox(
        say("ocr_report.draft.every"), help=say("ocr_report.draft.every_help"), key="ocr-every"
    )
    pressed = st.button(
        say("ocr_report.draft.run"),
        type="primary" if report.states["new"] else "secondary",
        disabled=not report.lines,
        icon=":material/document_scanner:",
        key="ocr-draft",
    )
    if pressed:
        begin(context, start_drafting, str(engine), every)


def _draw_outcome(context: Context, done: DraftReport) -> None:
    """Draw how many pages were drafted, and why others were not."""
    counts = {"drafted": done.drafted, "pages": done.pages, "already": done.already}
    st.success(context.say("ocr_report.draft.done", **counts), icon=":material/check_circle:")
    for reason, count in done.problems.items():
        said = why(reason, context.language)
        words = context.say("ocr_report.draft.failed", count=count, reason=said)
        st.warning(md_literal(words), icon=":material/error:")
    if done.left:
        st.info(context.say("ocr_report.draft.left", left=done.left), icon=":material/info:")


def draw_bring(context: Context, report: OcrReport, notice: str) -> None:
    """Draw the three steps side by side; each outcome is remembered under `notice`."""
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        _draw_import(context, notice)
    with right:
        with st.container(border=True):
            draw_drafting(context, report)
        with st.container(border=True):
            if allowed(context, Act.IMPORT_LAW):
                _publish(context, report, notice)


def _draw_import(context: Context, notice: str) -> None:
    """Draw the form that imports pages."""
    say = context.say
    st.header(say("ocr_report.bring.title"), anchor=False)
    st.caption(say("ocr_report.bring.help"))
    with st.form("ocr-bring", border=False):
        kinds = [ending.removeprefix(".") for ending in (*ENDINGS, *UPLOADED_ARCHIVES)]
        files = st.file_uploader(
            say("ocr_report.bring.files"),
            kinds,
            accept_multiple_files=True,
            help=archive_help(context),
            key="ocr-files",
        )
        pages = st.text_input(
            say("ocr_report.bring.pages"),
            max_chars=200,
            placeholder="1-20,35",
            help=say("ocr_report.bring.pages_help"),
            key="ocr-pages-wanted",
        )
        unit = st.text_input(
            say("ocr_report.bring.unit"),
            max_chars=300,
            help=say("ocr_report.bring.unit_help"),
            key="ocr-unit",
        )
        words = "ocr_report.language", "ocr-language"
        language = choose(context, "ocr_report.bring.language", LANGUAGES, *words, titled=True)
        sent = st.form_submit_button(
            say("ocr_report.bring.run"), type="primary", icon=":material/upload_file:"
        )
    if not sent:
        return
    if not files:
        st.warning(say("ocr_report.bring.need_file"), icon=":material/edit:")
        return
    uploads = [Upload(file.name, file) for file in files]
    wish = ImportOptions(pages, unit.strip(), str(language))
    with guarded(context.language):
        with progress_bar(context, "ocr_report.bring.working") as report:
            done = import_uploaded(*context.here, uploads, wish, report, by=context.by)
        counts = {"new": done.new, "unchanged": done.unchanged, "texts": done.with_text}
        remember(notice, context.say("ocr_report.bring.done", **counts))
        st.rerun()


def _publish(context: Context, ocr_report: OcrReport, notice: str) -> None:
    """Draw the form that publishes verified pages as law."""
    say = context.say
    st.header(say("ocr_report.publish.title"), anchor=False)
    st.caption(say("ocr_report.publish.help"))
    ready = ocr_report.states["verified"]
    pressed = st.button(
        say("ocr_report.publish.run", count=ready),
        disabled=not (ready or ocr_report.states["published"]),
        icon=":material/library_add:",
        key="ocr-publish",
    )
    if not pressed:
        return
    with guarded(context.language):
        with progress_bar(context, "ocr_report.publish.working") as report:
            done = publish_pages(*context.here, report, by=context.by)
        remember(notice, *_outcome_lines(context, done))
        st.rerun()


def _outcome_lines(context: Context, done: PublishReport) -> list[str]:
    counts = {"units": done.units, "pages": done.pages, "documents": done.documents}
    told = context.say(f"ocr_report.publish.{'new' if done.new else 'same'}", **counts)
    names = ", ".join(f"{name} ({count})" for name, count in done.waiting.items())
    waiting = context.say("ocr_report.publish.waiting", names=names)
    return [*([told] if done.units else []), *([waiting] if names else [])]
