"""Bringing pages in, having them drafted, and bringing what was verified into the corpus."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from corpus.ocr.files import ENDINGS
from errors import UserError
from pages.ocr.drafting import draw_drafting
from pages.shell.context import Context
from pages.shell.guard import show
from pages.shell.notices import progress_bar, remember
from pages.shell.permission_notice import allowed
from pages.shell.upload_limits import archive_help
from services.ocr.importing import LANGUAGES, ImportOptions, import_uploaded
from services.ocr.publishing import PublishReport, publish_pages
from services.ocr.report import OcrReport
from services.uploads import UPLOADED_ARCHIVES, Upload


def draw_bring(context: Context, found: OcrReport, notice: str) -> None:
    """Draw the three steps beside each other; what came of each is remembered under `notice`."""
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        _bring(context, notice)
    with right:
        with st.container(border=True):
            draw_drafting(context, found)
        with st.container(border=True):
            if allowed(context, Act.IMPORT_LAW):
                _publish(context, found, notice)


def _bring(context: Context, notice: str) -> None:
    say = context.say
    st.subheader(say("ocr_report.bring.title"), anchor=False)
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
        language = st.segmented_control(
            say("ocr_report.bring.language"),
            LANGUAGES,
            default=LANGUAGES[0],
            required=True,
            format_func=lambda each: say(f"ocr_report.language.{each}"),
            key="ocr-language",
        )
        sent = st.form_submit_button(
            say("ocr_report.bring.run"), type="primary", icon=":material/upload_file:"
        )
    if not sent:
        return
    if not files:
        st.warning(say("ocr_report.bring.need_file"), icon=":material/edit:")
        return
    uploads = [Upload(file.name, file) for file in files]
    _take(context, uploads, ImportOptions(pages, unit.strip(), str(language)), notice)


def _take(context: Context, uploads: list[Upload], wish: ImportOptions, notice: str) -> None:
    try:
        with progress_bar(context, "ocr_report.bring.working") as report:
            done = import_uploaded(
                context.workspace, context.project, uploads, wish, report, by=context.person.id
            )
    except UserError as error:
        show(error, context.language)
        return
    counts = {"new": done.new, "unchanged": done.unchanged, "texts": done.with_text}
    remember(notice, context.say("ocr_report.bring.done", **counts))
    st.rerun()


def _publish(context: Context, found: OcrReport, notice: str) -> None:
    say = context.say
    st.subheader(say("ocr_report.publish.title"), anchor=False)
    st.caption(say("ocr_report.publish.help"))
    ready = found.states["verified"]
    pressed = st.button(
        say("ocr_report.publish.run", count=ready),
        disabled=not (ready or found.states["published"]),
        icon=":material/library_add:",
        key="ocr-publish",
    )
    if not pressed:
        return
    try:
        with progress_bar(context, "ocr_report.publish.working") as report:
            done = publish_pages(context.workspace, context.project, report, by=context.person.id)
    except UserError as error:
        show(error, context.language)
        return
    remember(notice, *_published(context, done))
    st.rerun()


def _published(context: Context, done: PublishReport) -> list[str]:
    told = "new" if done.new else "same"
    counts = {"units": done.units, "pages": done.pages, "documents": done.documents}
    lines = [context.say(f"ocr_report.publish.{told}", **counts)] if done.units else []
    waiting = ", ".join(f"{name} ({count})" for name, count in done.waiting.items())
    return [
        *lines,
        *([context.say("ocr_report.publish.waiting", names=waiting)] if waiting else []),
    ]
