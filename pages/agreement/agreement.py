"""Agreement screen: progress of annotators, and agreement statistics."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.agreement.label_audit import label_audits
from annotation.agreement.overview import (
    AgreementReport,
    Progress,
    progress_of,
    report,
    work_of,
)
from annotation.agreement.report import headline
from annotation.agreement.views import ReportPart
from annotation.people.roles import Act
from annotation.tasks.own import all_tasks
from pages.agreement.more_statistics import (
    draw_figures,
    draw_heading,
    draw_more,
    draw_part,
    item_table,
)
from pages.shell.context import Context
from pages.shell.guard import fragment
from pages.shell.reports import cached, draw_section
from pages.shell.widgets import choose_task
from services.agreement.report import audit_section, progress_section, tasks_section
from services.overview.report import agreement_lines, revision
from storage.tasks import Task


@fragment
def draw_progress(context: Context, people: Sequence[Progress]) -> None:
    """Draw everybody's progress; for readers of others' labels, the selected person's items."""
    sighted = context.may(Act.READ_OTHERS_LABELS)
    section = progress_section(people, context.language, opens=sighted)
    row = draw_section(context, section, "agreement")
    if not people:
        st.info(context.say("agreement.nobody"), icon=":material/person_add:")
    elif row is not None:
        with st.container(border=True):
            _draw_items_of_person(context, people[row])
    elif sighted:
        st.caption(f":material/touch_app: {context.say('agreement.pick_person')}")


def _draw_items_of_person(context: Context, person: Progress) -> None:
    """List a person's questions with their status."""
    say = context.say
    found = work_of(*context.here, person.person_id, context.by)
    draw_heading(context, person.person, len(found))
    more: dict[str, Sequence[object]] = {
        say("agreement.state"): [say(f"agreement.states.{each.status}") for each in found],
        say("agreement.label.unsure"): [each.unsure for each in found],
        say("agreement.column.seconds"): [each.seconds for each in found],
    }
    item_table(context, [each.item for each in found], "agreement-work", more)


@fragment
def draw_main(context: Context) -> None:
    """Draw the three figures of whole answers, as a fragment: opening one redraws nothing else."""
    table = headline(*context.here, context.by)
    if any(row.finding.figure.value is not None for row in table.rows):
        title = context.say("agreement.figures")
        draw_figures(context, table, "agreement-main", Task.CITATION_MAPPING, {}, title)
        st.caption(context.say("agreement.method"))
    else:
        words = context.say("agreement.too_few", n=table.items)
        st.info(words, icon=":material/hourglass_empty:")


@fragment
def draw_audits(context: Context) -> None:
    """Draw the audits of the source's labels, if there are any, and the chosen one's questions."""
    found, say = label_audits(*context.here, context.by), context.say
    if not found:
        return
    row = draw_section(context, audit_section(found, context.language), "agreement")
    if row is None:
        st.caption(f":material/touch_app: {say('agreement.more.pick_row')}")
        return
    cases = found[row].cases
    more: dict[str, Sequence[object]] = {
        say("agreement.audit.state"): [say(f"agreement.column.{e.state}") for e in cases],
        say("agreement.audit.wrong"): [list(each.wrong) for each in cases],
        say("agreement.audit.missing"): [list(each.missing) for each in cases],
    }
    with st.container(border=True):
        item_table(context, [each.item for each in cases], "agreement-audited", more)


def _draw_tasks(context: Context) -> None:
    """Draw the main figure of each task, for readers of others' labels, if several have one."""
    if context.may(Act.READ_OTHERS_LABELS):
        version = revision(*context.here, context.by)
        lines = cached(context, version, agreement_lines, all_tasks(*context.here), context.by)
        section = tasks_section(lines, context.language)
        if len(section.sheet.rows) > 1:
            draw_section(context, section, "agreement")


def render(context: Context) -> None:
    """Draw the screen."""
    st.title(context.say("agreement.title"), anchor=False)
    _draw_tasks(context)
    task = choose_task(context, "agreement.task", all_tasks(*context.here), "agreement-task")
    if task != Task.CITATION_MAPPING:
        _form(context, task)
        return
    st.markdown(context.say("agreement.lead"))
    found = report(*context.here, context.by)
    if not found.items:
        st.info(context.say("agreement.no_items"), icon=":material/info:")
        return
    draw_main(context)
    if context.may(Act.READ_OTHERS_LABELS):
        draw_audits(context)
    draw_progress(context, found.progress)
    _differences(context, found)
    draw_more(context)


def _form(context: Context, task: str) -> None:
    """Draw progress, statistics and calibration of a form task."""
    say = context.say
    st.markdown(say("agreement.lead_form"))
    people = progress_of(*context.here, task, context.by)
    if not people:
        st.info(say("agreement.nobody_began"), icon=":material/info:")
        return
    draw_part(context, ReportPart.STATISTICS, task)
    draw_section(context, progress_section(people, context.language), f"agreement-{task}")
    if context.may(Act.READ_OTHERS_LABELS):
        draw_part(context, ReportPart.CALIBRATION, task)
    draw_more(context, task)


def _differences(context: Context, found: AgreementReport) -> None:
    """Draw on how many questions annotators differ; list them to readers of others' labels."""
    if not found.complete:
        return
    say, count = context.say, found.differing
    st.header(say("agreement.differ"), anchor=False)
    if not count:
        st.success(say("agreement.differ_none"), icon=":material/done_all:")
    elif not context.may(Act.READ_OTHERS_LABELS):
        st.info(say("agreement.differ_hidden", count=count), icon=":material/visibility_off:")
    else:
        counts = {"count": count, "complete": found.complete, "open": found.open}
        st.caption(say("agreement.differ_count", **counts, done=count - found.open))
        item_table(context, found.disagreements, "agreement-differing", {})
