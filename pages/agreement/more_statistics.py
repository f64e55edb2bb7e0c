"""Further agreement statistics, each part computed on request.

Agreement statistics with the items behind a figure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import streamlit as st

from annotation.agreement.report import odd_times, part, report, totals
from annotation.agreement.views import FigureRow, ItemLine, ReportPart, Table
from annotation.people.roles import Act
from annotation.work.submissions import beginning
from evaluation.agreement.interpretation import next_step, read
from pages.shell.context import Context
from pages.shell.guard import fragment, md_literal
from pages.shell.reports import draw_files, draw_section
from pages.task.documents import answer_names
from services.agreement.report import as_report, figures_section, times_sections
from services.agreement.sentences import name_of
from storage.tasks import Task

_MOST_ITEMS = 10  # a longer table scrolls
_ITEMS_HEIGHT = 390
_LINK, _QUESTION = 60, 760  # pixels: the remaining width is shared out among the columns


def draw_heading(context: Context, what: str, count: int) -> None:
    """Draw the heading of the `count` items behind a figure or a person's work."""
    words = context.say("agreement.items.behind", what=what)
    st.markdown(f"**{md_literal(words)}** · {count:,}")


def draw_items(
    context: Context, what: str, items: Sequence[ItemLine], key: str, calibration: bool
) -> None:
    """Draw the items behind the figure `what`, in the given order.

    `calibration`: the figure compares with known answers.
    """
    draw_heading(context, what, len(items))
    if not items:
        st.caption(context.say("agreement.items.none"))
        return
    more: dict[str, Sequence[object]] = {}
    if calibration:
        more[context.say("agreement.items.right")] = [item.agreement == 1 for item in items]
    elif any(item.agreement is not None for item in items):
        more[context.say("agreement.items.likeness")] = [item.agreement for item in items]
    item_table(context, items, key, more)


def item_table(
    context: Context, items: Sequence[ItemLine], key: str, more: Mapping[str, Sequence[object]]
) -> None:
    """Draw items with links that the reader may follow; `more` are columns between."""
    say, column = context.say, st.column_config
    links = _links(context, items)
    icon = ":material/open_in_new:"
    to = {name: column.LinkColumn(name, display_text=icon, width=_LINK) for name in links}
    st.dataframe(
        {
            **links,
            say("agreement.question_id"): [item.external_id for item in items],
            **more,
            say("agreement.question"): [beginning(item.question) for item in items],
        },
        column_config={
            **to,
            say("agreement.question_id"): column.TextColumn(width="small"),
            say("agreement.items.likeness"): column.NumberColumn(
                format="%.2f", width="small", help=say("agreement.items.likeness_help")
            ),
            say("agreement.items.right"): column.CheckboxColumn(width="small"),
            say("agreement.column.seconds"): column.NumberColumn(format="%.0f"),
            say("agreement.question"): column.TextColumn(width=_QUESTION),
        },
        hide_index=True,
        placeholder="",
        height="auto" if len(items) < _MOST_ITEMS else _ITEMS_HEIGHT,
        key=key,
    )
    if context.may(Act.ADJUDICATE) and len({each.case for each in items}) > 1:
        st.caption(say("agreement.items.only_settled"))


def _links(context: Context, items: Sequence[ItemLine]) -> dict[str, list[str | None]]:
    """Return the columns of links to disputes and history that the reader may open, by name."""
    found: dict[str, list[str | None]] = {}
    if context.may(Act.ADJUDICATE) and any(item.case for item in items):
        found[context.say("agreement.items.case")] = [case_address(context, e) for e in items]
    if context.may(Act.READ_OTHERS_LABELS):
        name = context.say("agreement.items.history")
        found[name] = [context.link("history", item=each.external_id) for each in items]
    return found


def case_address(context: Context, item: ItemLine) -> str | None:
    """Return the relative address of the item's dispute, None if there is none."""
    return context.link("adjudication", item=item.item_id) if item.case else None


def draw_figures(
    context: Context, table: Table, stem: str, task: str, names: Mapping[str, str], title: str = ""
) -> None:
    """Draw the figures of a table; of the chosen one its meaning and the items behind it."""
    section = figures_section(table, context.language, task, names)
    section = replace(section, title=title or section.title)
    row = draw_section(context, section, stem)
    if row is not None:
        with st.container(border=True):
            draw_behind(context, table, table.rows[row], f"{stem}-{section.name}", names)
    elif section.opens:
        st.caption(f":material/touch_app: {context.say('agreement.more.pick_row')}")


def draw_behind(
    context: Context, table: Table, row: FigureRow, key: str, names: Mapping[str, str]
) -> None:
    """Draw a figure's comparison, meaning, advice, and the items behind it."""
    say, finding = context.say, row.finding
    statistic = say(f"statistics.name.{finding.statistic}")
    name = name_of(table, row, context.language, names)
    st.markdown(f"**{md_literal(f'{name} · {statistic}' if name else statistic)}**")
    about = [say(f"statistics.about.{finding.statistic}")]
    if table.part is not ReportPart.CALIBRATION:
        about.insert(0, say(f"agreement.compared.{table.view}", n=f"{finding.figure.n:,}"))
    told = {
        "compared": " ".join(about),
        "means": " ".join(each.say(context.language) for each in read(finding)),
        "next": next_step(finding).say(context.language),
    }
    for heading, words in told.items():
        st.markdown(f"**{say(f'agreement.told.{heading}')}** {md_literal(words)}")
    if context.may(Act.READ_OTHERS_LABELS):
        known = table.part is ReportPart.CALIBRATION
        draw_items(context, name or statistic, row.items, f"{key}-items", known)


TASK: str = Task.CITATION_MAPPING
DOCUMENT = Path(__file__).parents[2] / "docs" / "agreement.md"
PARTS = (*(str(each) for each in ReportPart), "times", "files")
_FOR_ALL = (ReportPart.STATISTICS, "files")  # the rest is for readers of others' labels
_CHECKED = (Task.OCR_CORRECTION, Task.OCR_VERIFICATION)  # of which texts are compared, not choices
_OF_CHOICES = (ReportPart.CATEGORIES, ReportPart.CONFUSION)
# A form has them above, or not at all.
_OF_MAPPING = (ReportPart.STATISTICS, ReportPart.DRIFT, ReportPart.CALIBRATION)


def draw_part(context: Context, name: ReportPart, task: str) -> None:
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
    """Return the stem of a task's file names and widget keys."""
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
    """Draw the choice of a part and the part, as a fragment: a choice redraws nothing else."""
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
