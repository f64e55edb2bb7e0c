"""Benchmark audit screen: an uploaded archive or the project's own gold, and what is wrong."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from corpus.benchmarks.reading import read_benchmark
from corpus.benchmarks.rows import ENDINGS
from evaluation.reports.report import Report
from messages import LANGUAGES
from pages.shell.context import Context
from pages.shell.guard import fragment, md_literal
from pages.shell.notices import allowed, draw_head, progress_bar
from pages.shell.reports import draw_files, draw_section
from pages.shell.uploads import archive_help
from services.audit.report import FIGURES, as_report, audit
from services.gold.release import audit_gold
from services.uploads import UPLOADED_ARCHIVES, Upload, staged_tree

_FOUND = "audit-found"
_READ = (*ENDINGS, ".md", "")  # with the card and the licence


def render(context: Context) -> None:
    """Draw the page."""
    draw_head(context, "audit_page")
    if allowed(context, Act.EXPORT_GOLD):
        _body(context)


@fragment
def _body(context: Context) -> None:
    """Draw the form, and the audit of an uploaded benchmark or of the project's own gold."""
    with st.form("audit-what", border=True):
        given = st.file_uploader(
            context.say("audit_page.archive"),
            [ending[1:] for ending in (*UPLOADED_ARCHIVES, *ENDINGS, ".md")],
            accept_multiple_files=True,
            help=archive_help(context, context.say("audit_page.archive_help")),
            key="audit-archive",
        )
        with st.container(horizontal=True):
            sent = st.form_submit_button(context.say("audit_page.run"), type="primary")
            own = st.form_submit_button(context.say("audit_page.own"), icon=":material/verified:")
    if own or (sent and given):
        st.session_state.pop(_FOUND, None)
        with progress_bar(context, "audit_page.ranking") as progress:
            if own:
                done = audit_gold(*context.here, by=context.by, progress=progress)
            else:
                uploads = [Upload(each.name, each) for each in given]
                with staged_tree(uploads, endings=_READ) as staged:
                    done = audit(read_benchmark(staged.path), progress)
        st.session_state[_FOUND] = (
            context.project,
            {language: as_report(done, language) for language in LANGUAGES},
        )
    elif sent:
        st.info(context.say("audit_page.no_file"), icon=":material/info:")
    project, reports = st.session_state.get(_FOUND, ("", {}))
    if project == context.project:
        _report(context, reports[context.language])


def _report(context: Context, report: Report) -> None:
    """Draw the findings of an audit, with the cases of the picked check."""
    st.markdown(md_literal(f"{report.title}: {report.lead}"))
    findings, *others = report.sections
    row = draw_section(context, findings, "audit")
    cases = {each.name: each for each in others if each.name not in FIGURES}
    if cases:
        names = list(cases)
        pressed = None if row is None else findings.sheet.rows[row][findings.sheet.at("check")]
        name = getattr(pressed, "value", "")
        shown = st.selectbox(
            context.say("audit_page.cases"),
            names,
            index=names.index(name) if name in cases else 0,
            format_func=lambda each: cases[each].title,
            key=f"audit-cases-{name}",
        )
        draw_section(context, cases[shown], "audit")
    for section in others:
        if section.name in FIGURES:
            draw_section(context, section, "audit")
    draw_files(context, report, "audit")
