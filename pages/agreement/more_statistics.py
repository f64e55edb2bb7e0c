"""Further agreement statistics, each part computed on request."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from annotation.agreement.report import odd_times, part, report, totals
from annotation.agreement.views import ItemLine, ReportPart, Table
from annotation.people.roles import Act
from pages.agreement.figure_table import draw_figures, draw_heading, item_table
from pages.shell.context import Context
from pages.shell.guard import fragment
from pages.shell.reports import draw_files, draw_section
from pages.task.documents import answer_names
from services.agreement.report import as_report, times_sections
from storage.tasks import Task

TASK: str = Task.CITATION_MAPPING
DOCUMENT = Path(__file__).parents[2] / "docs" / "agreement.md"
PARTS = (*(str(each) for each in ReportPart), "times", "files")
_FOR_ALL = (ReportPart.STATISTICS, "files")  # the rest is for readers of others' labels
_CHECKED = (Task.OCR_CORRECTION, Task.OCR_VERIFICATION)  # of which texts are compared, not choices
_OF_CHOICES = (ReportPart.CATEGORIES, ReportPart.CONFUSION)
# A form has them above, or not at all.
_OF_MAPPING = (ReportPart.STATISTICS, ReportPart.DRIFT, ReportPart.CALIBRATION)


def draw_part(context: Context, name: ReportPart, task: str = TASK) -> None:
    """Draw the figures of a part, one view below the other."""
    if name is ReportPart.STATISTICS:
        tables = totals(*context.here, context.by, task)
    else:
        tables = part(*context.here, name, context.by, task)
    names = answer_names(context, task)
    for table in tables:
        if any(row.finding.figure.n for row in table.rows):
            draw_figures(context, table, _file(task), task, names)
        else:
            _draw_nothing(context, table, task)
    if not context.may(Act.READ_OTHERS_LABELS):
        st.caption(f":material/visibility_off: {context.say('agreement.more.hidden')}")


def _draw_nothing(context: Context, table: Table, task: str) -> None:
    """Explain why a table is empty."""
    key = "nothing_said" if task != TASK else "more.nothing"
    key = "more.no_calibration" if table.part is ReportPart.CALIBRATION else key
    words = context.say(f"agreement.{key}", n=table.items)
    st.info(words, icon=":material/hourglass_empty:")


def _file(task: str) -> str:
    """Return the beginning of names of files and widgets."""
    return "agreement" if task == TASK else f"agreement-{task}"


def _draw_files(context: Context, task: str) -> None:
    """Draw the downloads of the whole report."""
    found = report(*context.here, context.by, task)
    names = answer_names(context, task)
    draw_files(context, as_report(found, context.language, task, names=names), _file(task))


def _draw_methods(context: Context) -> None:
    """Draw a button that opens the description of the statistics in a dialog."""
    title = context.say("agreement.more.methods")

    @st.dialog(title, width="large")
    def document() -> None:
        """Draw the description of the statistics."""
        st.caption(context.say("agreement.more.methods_language"))
        # The first line is the title, which the dialog shows itself.
        st.markdown(DOCUMENT.read_text("utf-8").partition("\n")[2])

    if st.button(title, icon=":material/menu_book:", key="agreement-methods"):
        document()


def _draw_times(context: Context, task: str) -> None:
    """Draw everybody's pace, then unusually fast or slow submissions with links to items."""
    found = odd_times(*context.here, context.by, task)
    if not found.people:
        words = context.say("agreement.more.nothing", n=0)
        st.info(words, icon=":material/hourglass_empty:")
        return
    pace, odd = times_sections(found, context.language)
    row = draw_section(context, pace, _file(task))
    if row is not None:
        person = found.people[row]
        draw_heading(context, person.person, person.n)
        _draw_timed(context, person.submissions, "agreement-pace-items")
    row = draw_section(context, odd, _file(task))
    if row is not None:
        chosen = found.decisions[row]
        _draw_timed(context, [(chosen.item, chosen.seconds)], "agreement-odd-item")


def _draw_timed(context: Context, items: Sequence[tuple[ItemLine, float]], key: str) -> None:
    """List items with the seconds they took."""
    took = {context.say("agreement.column.seconds"): [seconds for _, seconds in items]}
    item_table(context, [item for item, _ in items], key, took)


@fragment
def draw_more(context: Context, task: str = TASK) -> None:
    """Draw the chosen part, as a fragment: a choice redraws nothing else."""
    st.header(context.say("agreement.more.title"), anchor=False)
    sighted = context.may(Act.READ_OTHERS_LABELS)
    left_out = (() if task == TASK else _OF_MAPPING) + (_OF_CHOICES if task in _CHECKED else ())
    known = [name for name in PARTS if name not in left_out]
    chosen = st.segmented_control(
        context.say("agreement.more.pick"),
        [name for name in known if sighted or name in _FOR_ALL],
        format_func=lambda name: context.say(f"agreement.part.{name}"),
        key="agreement-part" if task == TASK else f"agreement-part-{task}",
        label_visibility="collapsed",
    )
    if chosen == "files":
        _draw_files(context, task)
    elif chosen == "times":
        _draw_times(context, task)
    elif chosen is not None:
        draw_part(context, ReportPart(chosen), task)
    _draw_methods(context)
