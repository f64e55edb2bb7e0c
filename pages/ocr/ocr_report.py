"""OCR report screen: quality of engines, import of pages, list of pages.

Import of pages, OCR drafts, and publication of verified pages to the corpus.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from annotation.people.roles import Act
from corpus.ocr.files import ENDINGS
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import allowed, draw_head, progress_bar, redraw_with
from pages.shell.reports import draw_report
from pages.shell.task_progress import begin, draw_task
from pages.shell.uploads import archive_help
from pages.shell.widgets import choose, draw_metrics, draw_view, pick_row
from services.background.tasks import TaskKind
from services.models.workspace_models import roles
from services.ocr import tesseract
from services.ocr.drafting import DraftReport
from services.ocr.importing import LANGUAGES, ImportOptions, import_uploaded
from services.ocr.publishing import PublishReport, image_of, publish_pages
from services.ocr.report import STATES, OcrReport, PageLine, ocr_report
from services.ocr.report_tables import as_report
from services.ocr.vision_drafting import ENGINE as MODEL
from services.ocr.vision_drafting import start_drafting, why
from services.uploads import UPLOADED_ARCHIVES, Upload


def draw_drafting(context: Context, report: OcrReport) -> None:
    """Draw the form that has an engine draft texts of pages, or the running drafting."""
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
    fields = Fields(context, "ocr_report.draft", "ocr")
    every = fields.tick("every")
    kind, icon = "primary" if report.states["new"] else "secondary", ":material/document_scanner:"
    if fields.press("run", key="draft", type=kind, disabled=not report.lines, icon=icon):
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


def draw_bring(context: Context, report: OcrReport, notice_key: str) -> None:
    """Draw import, drafting and publication of pages; `notice_key` keeps the outcomes."""
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        _draw_import(context, notice_key)
    with right:
        with st.container(border=True):
            draw_drafting(context, report)
        with st.container(border=True):
            if allowed(context, Act.IMPORT_LAW):
                _publish(context, report, notice_key)


def _draw_import(context: Context, notice_key: str) -> None:
    """Draw the form that imports pages; import what it sends."""
    say, fields = context.say, Fields(context, "ocr_report.bring", "ocr")
    st.header(say("ocr_report.bring.title"), anchor=False)
    st.caption(say("ocr_report.bring.help"))
    with st.form("ocr-bring", border=False):
        kinds = (*ENDINGS, *UPLOADED_ARCHIVES)
        files = fields.file("files", kinds, accept_multiple_files=True, help=archive_help(context))
        pages = fields.text("pages", max_chars=200, placeholder="1-20,35", key="pages-wanted")
        unit = fields.text("unit", max_chars=300)
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
        redraw_with(notice_key, context.say("ocr_report.bring.done", **counts))


def _publish(context: Context, ocr_report: OcrReport, notice_key: str) -> None:
    """Draw the button that publishes verified pages as law."""
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
        redraw_with(notice_key, *_outcome_lines(context, done))


def _outcome_lines(context: Context, done: PublishReport) -> list[str]:
    counts = {"units": done.units, "pages": done.pages, "documents": done.documents}
    told = context.say(f"ocr_report.publish.{'new' if done.new else 'same'}", **counts)
    names = ", ".join(f"{name} ({count})" for name, count in done.waiting.items())
    waiting = context.say("ocr_report.publish.waiting", names=names)
    return [*([told] if done.units else []), *([waiting] if names else [])]


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
    """Draw a page's image below its file name, number and size."""
    page = line.page
    about = {"file": page.file, "number": page.number, "width": page.width, "height": page.height}
    st.caption(md_literal(context.say("ocr_report.about", **about)))
    _, content = image_of(*context.here, page.id, context.by)
    st.image(content, width="stretch")


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "ocr_report", NOTICE)
    if not allowed(context, Act.READ_OTHERS_LABELS):
        return
    found = ocr_report(*context.here, context.by)
    _states(context, found)
    views: dict[str, Callable[[Context], object]] = {"report": partial(draw_figures, found=found)}
    if makes := context.may(Act.MAKE_ITEMS):
        views["bring"] = partial(draw_bring, report=found, notice_key=NOTICE)
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
