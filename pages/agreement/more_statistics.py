"""Further agreement statistics, each part computed on request."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import altair as alt
import pandas as pd
import streamlit as st

from annotation.agreement.report import WINDOW, odd_times, part, report, totals
from annotation.agreement.views import FigureRow, OddDecision, PersonPace, ReportPart, Table, View
from annotation.people.roles import Act
from evaluation.agreement.times import LEAST
from pages.agreement.figure_table import draw_chart, draw_table, item_table
from pages.shell.context import Context
from pages.shell.guard import guarded, md_literal
from pages.shell.interval_chart import PICKED, draw
from pages.shell.widgets import download_row, pick_row
from pages.task.documents import answer_names
from services.agreement.report import as_csv, as_markdown, name_of
from storage.tasks import Task

TASK: str = Task.CITATION_MAPPING
_CELL = 76  # pixels of a matrix cell
_MOST = 760  # pixels of the whole matrix
_LABEL = 140  # pixels for a name beside it
_MIDDLE = 0.6  # a cell from this value on is dark enough for white text
_CHARTED = 12  # more figures than this are drawn as a table only
DOCUMENT = Path(__file__).parents[2] / "docs" / "agreement.md"
_SECONDS = "%.0f"


def draw_statistics(context: Context, task: str = TASK) -> None:
    """Draw the statistics of both views, one below the other."""
    for table in totals(context.workspace, context.project, context.person.id, task):
        _statistics(context, table, task)
    if not context.may(Act.READ_OTHERS_LABELS):
        st.caption(f":material/visibility_off: {context.say('agreement.more.hidden')}")


def _tables(context: Context, name: ReportPart, task: str) -> list[Table]:
    return part(context.workspace, context.project, name, context.person.id, task)


def _fields(context: Context, table: Table, task: str) -> dict[str, Sequence[str]]:
    """Return the columns that name a figure's field and answer; empty unless it is of a form.

    A project's own fields have the names of its codebook.
    """
    if table.view is not View.FIELDS:
        return {}
    names = answer_names(context, task)
    found: dict[str, Sequence[str]] = {
        context.say("agreement.more.field"): [
            names.get(row.names[0], row.names[0]) for row in table.rows
        ]
    }
    if table.part is ReportPart.CATEGORIES:
        found[context.say("agreement.more.answer")] = [
            names.get(".".join(row.names), names.get(row.names[1], row.names[1]))
            for row in table.rows
        ]
    return found


def _statistics(context: Context, table: Table, task: str) -> None:
    say = context.say
    st.markdown(f"**{say(f'agreement.view.{table.view}')}**")
    about = "reviews" if task == Task.JUDGE_REVIEW else table.view
    st.caption(say(f"agreement.view_about.{about}", items=f"{table.items:,}"))
    if not table.items:
        key = "agreement.more.nothing" if task == TASK else "agreement.nothing_said"
        st.info(say(key, n=table.items), icon=":material/hourglass_empty:")
        return
    names = [say(f"statistics.name.{row.finding.statistic}") for row in table.rows]
    columns = _fields(context, table, task) | {say("agreement.more.statistic"): names}
    of = "" if task == TASK else f"{task}-"
    draw_table(context, table, columns, f"agreement-{of}{table.view}")
    for note in table.notes:
        st.caption(md_literal(note.say(context.language)))


def draw_pairs(context: Context, task: str = TASK) -> None:
    """Draw pairwise agreement of both views, one below the other."""
    for table in _tables(context, ReportPart.PAIRS, task):
        _pairs(context, table, task)


def _pairs(context: Context, table: Table, task: str) -> None:
    say = context.say
    st.markdown(f"**{say(f'agreement.view.{table.view}')}**")
    if not any(row.finding.figure.n for row in table.rows):
        st.info(say("agreement.more.nothing", n=table.items), icon=":material/hourglass_empty:")
        return
    if task != TASK:
        _pairs_of_form(context, table, task)
        return
    statistic = say(f"statistics.name.{table.rows[0].finding.statistic}")
    title = say("agreement.more.matrix", statistic=statistic)
    st.caption(f"{title}. {say('agreement.part_about.pairs')}")
    st.caption(say("agreement.more.click"))
    clicked = matrix(table.rows, title, f"agreement-matrix-{table.view}")
    names = {
        say("agreement.more.first"): [row.names[0] for row in table.rows],
        say("agreement.more.second"): [row.names[1] for row in table.rows],
    }
    draw_table(context, table, names, f"agreement-pairs-{table.view}", clicked)


def _pairs_of_form(context: Context, table: Table, task: str) -> None:
    """Draw pairwise agreement as a table: a form has a figure for each field."""
    say = context.say
    st.caption(say("agreement.part_about.pairs"))
    columns = _fields(context, table, task) | {
        say("agreement.more.first"): [row.names[-2] for row in table.rows],
        say("agreement.more.second"): [row.names[-1] for row in table.rows],
        say("agreement.more.statistic"): [
            say(f"statistics.name.{row.finding.statistic}") for row in table.rows
        ],
    }
    draw_table(context, table, columns, f"agreement-pairs-{task}")


def matrix(rows: Sequence[FigureRow], description: str, key: str) -> int | None:
    """Draw pairwise agreement as a symmetric heat map, darker for higher; blank if undefined.

    Returns the row of the cell that is clicked on.
    """
    people = sorted({name for row in rows for name in row.names})
    cell = alt.Step(min(_CELL, _MOST / len(people)))
    places = alt.Scale(domain=people, padding=0.06)
    across = alt.Axis(labelAngle=0, orient="top", labelLimit=_CELL, ticks=False, domain=False)
    down = alt.Axis(labelLimit=_LABEL, ticks=False, domain=False)
    base = alt.Chart(matrix_frame(rows)).encode(
        x=alt.X("a:N", axis=across, title=None, scale=places),
        y=alt.Y("b:N", axis=down, title=None, scale=places),
        tooltip=["a:N", "b:N", alt.Tooltip("value:Q", format=".3f"), "n:Q"],
    )
    cells = base.mark_rect(cornerRadius=3, cursor="pointer").encode(
        color=alt.Color(
            "value:Q", scale=alt.Scale(domain=[0, 1], clamp=True, scheme="blues"), legend=None
        )
    )
    ink = alt.condition(f"datum.value > {_MIDDLE}", alt.value("white"), alt.value("#15181c"))
    figures = base.mark_text(fontSize=14, dy=-7).encode(
        text=alt.Text("value:Q", format=".2f"), color=ink
    )
    counts = base.mark_text(fontSize=11, dy=10).encode(text=alt.Text("count:N"), color=ink)
    picked = alt.selection_point(name=PICKED, fields=["at"])
    chart = (cells.add_params(picked) + figures + counts).properties(width=cell, height=cell)
    return draw(chart, key, description, picks=True, width="content")


def matrix_frame(rows: Sequence[FigureRow]) -> pd.DataFrame:
    """Return a row per cell that has a value, each pair in both orders.

    Columns: at (the row), a, b, value, n, and n as text.
    """
    lines = [
        (at, *names, row.finding.figure.value, row.finding.figure.n, f"n = {row.finding.figure.n}")
        for at, row in enumerate(rows)
        if row.finding.figure.value is not None
        for names in (row.names, row.names[::-1])
    ]
    return pd.DataFrame(lines, columns=["at", "a", "b", "value", "n", "count"])


def draw_drift(context: Context, task: str = TASK) -> None:
    """Draw agreement over time for both views, one below the other."""
    tables = _tables(context, ReportPart.DRIFT, task)
    st.caption(context.say("agreement.part_about.drift"))
    for table in tables:
        _windows(context, table)


def _windows(context: Context, table: Table) -> None:
    """Draw a dot per window with its interval, and the windows as a table."""
    say = context.say
    st.markdown(f"**{say(f'agreement.view.{table.view}')}**")
    if not table.rows:
        st.info(say("agreement.more.nothing", n=table.items), icon=":material/hourglass_empty:")
        return
    clicked = None
    if len(table.rows) < 2:
        least = WINDOW + WINDOW // 2  # the last window absorbs a rest of less than half a window
        st.info(say("agreement.more.one_window", n=least), icon=":material/info:")
    else:
        clicked = _chart(context, table)
    names = {
        say("agreement.more.from"): [row.names[0] for row in table.rows],
        say("agreement.more.until"): [row.names[1] for row in table.rows],
    }
    draw_table(context, table, names, f"agreement-drift-{table.view}", clicked)


def _chart(context: Context, table: Table) -> int | None:
    statistic = context.say(f"statistics.name.{table.rows[0].finding.statistic}")
    title = context.say("agreement.more.drift_chart", statistic=statistic)
    labels = [f"{at}. {row.names[0]} – {row.names[1]}" for at, row in enumerate(table.rows, 1)]
    return draw_chart(context, table, labels, title, f"agreement-drift-chart-{table.view}")


def draw_categories(context: Context, task: str = TASK) -> None:
    """Draw agreement per label, then per provision, most frequent first."""
    if task != TASK:
        st.caption(context.say("agreement.part_about.categories_fields"))
        for table in _tables(context, ReportPart.CATEGORIES, task):
            draw_table(context, table, _fields(context, table, task), f"agreement-of-{task}")
        return
    st.caption(context.say("agreement.part_about.categories"))
    for table in _tables(context, ReportPart.CATEGORIES, task):
        _labels(context, table)


def _labels(context: Context, table: Table) -> None:
    say = context.say
    st.markdown(f"**{say(f'agreement.view.{table.view}')}**")
    if not table.items or not table.rows:
        st.info(say("agreement.more.nothing", n=table.items), icon=":material/hourglass_empty:")
        return
    heading = "label" if table.view is View.CANDIDATES else "provision"
    names = [name_of(table, row, context.language) for row in table.rows]
    title, key = say("statistics.name.specific"), f"agreement-of-{table.view}"
    clicked = None
    if len(table.rows) <= _CHARTED:
        clicked = draw_chart(context, table, names, title, f"{key}-chart")
    draw_table(context, table, {say(f"agreement.more.{heading}"): names}, key, clicked)


def draw_calibration(context: Context, task: str = TASK) -> None:
    """Draw the calibration results of everybody who submitted calibration items."""
    say = context.say
    (table,) = _tables(context, ReportPart.CALIBRATION, task)
    if not table.rows:
        st.info(say("agreement.more.no_calibration"), icon=":material/info:")
        return
    st.caption(say("agreement.part_about.calibration"))
    people = [row.names[0] for row in table.rows]
    title = say("statistics.name.calibration")
    clicked = draw_chart(context, table, people, title, "agreement-calibration-chart")
    names = {say("agreement.more.first"): people}
    draw_table(context, table, names, "agreement-calibration", clicked)


def draw_files(context: Context, task: str = TASK) -> None:
    """Draw a download button per file."""
    found = report(context.workspace, context.project, context.person.id, task)
    files = {
        # Excel reads a CSV as UTF-8 only with a byte order mark.
        "csv": as_csv(found, context.language).encode("utf-8-sig"),
        "md": as_markdown(found, context.language).encode(),
    }
    name = f"{context.project}-agreement" + ("" if task == TASK else f"-{task}")
    download_row(context, "agreement.more.", files, name, "agreement")


def draw_methods(context: Context) -> None:
    """Draw a button that opens the methods document."""
    title = context.say("agreement.more.methods")
    if st.button(title, icon=":material/menu_book:", key="agreement-methods"):
        _open(context)


def _open(context: Context) -> None:
    @st.dialog(context.say("agreement.more.methods"), width="large")
    def document() -> None:
        st.caption(context.say("agreement.more.methods_language"))
        # The first line is the title, which the dialog shows itself.
        st.markdown(DOCUMENT.read_text("utf-8").partition("\n")[2])

    document()


def draw_times(context: Context, task: str = TASK) -> None:
    """Draw everybody's pace, then unusually fast or slow submissions with links to items."""
    say = context.say
    found = odd_times(context.workspace, context.project, context.person.id, task)
    if not found.people:
        st.info(say("agreement.more.nothing", n=0), icon=":material/hourglass_empty:")
        return
    st.caption(say("agreement.part_about.times"))
    _people(context, found.people)
    st.markdown(f"**{say('agreement.times.decisions')}** · {len(found.decisions):,}")
    if found.decisions:
        _decisions(context, found.decisions)
    else:
        st.caption(say("agreement.times.none", least=LEAST))


def _people(context: Context, people: Sequence[PersonPace]) -> None:
    say = context.say
    columns = {
        "person": [each.person for each in people],
        "times.submissions": [each.n for each in people],
        "times.median": [each.median for each in people],
        "more.interval": [_interval(each) for each in people],
        "times.odd": [each.odd for each in people],
        "more.reading": [_reading(context, each) for each in people],
    }
    shapes = {"times.median": st.column_config.NumberColumn(format=_SECONDS)}
    row = pick_row(
        context, "agreement", columns, "agreement-pace", wide="more.reading", config=shapes
    )
    if row is not None:
        with st.container(border=True):
            _submissions(context, people[row])
    else:
        st.caption(f":material/touch_app: {say('agreement.more.pick_row')}")


def _interval(pace: PersonPace) -> str:
    known = pace.low is not None and pace.high is not None
    return f"[{pace.low:.0f}, {pace.high:.0f}]" if known else "–"


def _reading(context: Context, pace: PersonPace) -> str:
    if pace.low is None or pace.high is None:
        return context.say("agreement.times.few", n=pace.n)
    key = "odd_pace" if pace.odd else "usual"
    return context.say(f"agreement.times.{key}", low=f"{pace.low:.0f}", high=f"{pace.high:.0f}")


def _submissions(context: Context, pace: PersonPace) -> None:
    say = context.say
    heading = say("agreement.items.behind", what=pace.person)
    st.markdown(f"**{md_literal(heading)}** · {pace.n:,}")
    took = say("agreement.times.took")
    item_table(
        context,
        [item for item, _ in pace.submissions],
        "agreement-pace-items",
        {took: [seconds for _, seconds in pace.submissions]},
        {took: st.column_config.NumberColumn(format=_SECONDS)},
    )


def _decisions(context: Context, odd: Sequence[OddDecision]) -> None:
    say = context.say
    took, expected = say("agreement.times.took"), say("agreement.times.expected")
    seconds = st.column_config.NumberColumn(format=_SECONDS)
    z = st.column_config.NumberColumn(format="%.1f", help=say("agreement.times.z_help"))
    item_table(
        context,
        [each.item for each in odd],
        "agreement-odd-times",
        {
            say("agreement.person"): [each.person for each in odd],
            took: [each.seconds for each in odd],
            expected: [each.expected for each in odd],
            "z": [each.z for each in odd],
        },
        {took: seconds, expected: seconds, "z": z},
    )


PARTS: dict[str, Callable[[Context, str], None]] = {
    "statistics": draw_statistics,
    "pairs": draw_pairs,
    "drift": draw_drift,
    "categories": draw_categories,
    "calibration": draw_calibration,
    "times": draw_times,
    "files": draw_files,
}
_FOR_ALL = ("statistics", "files")  # the rest is for readers of others' labels
_CHECKED = (Task.OCR_CORRECTION, Task.OCR_VERIFICATION)  # of which texts are compared, not choices
_OF_MAPPING = ("statistics", "drift", "calibration")  # a form has them above, or not at all


@st.fragment
def draw_more(context: Context, task: str = TASK) -> None:
    """Draw the chosen part, as a fragment: a choice redraws nothing else."""
    with guarded(context.language):  # the app's error guard does not cover a fragment's own rerun
        _draw_chosen(context, task)


def _draw_chosen(context: Context, task: str) -> None:
    st.header(context.say("agreement.more.title"), anchor=False)
    sighted = context.may(Act.READ_OTHERS_LABELS)
    known = [name for name in PARTS if task == TASK or name not in _OF_MAPPING]
    if task in _CHECKED:
        known.remove("categories")
    chosen = st.segmented_control(
        context.say("agreement.more.pick"),
        [name for name in known if sighted or name in _FOR_ALL],
        format_func=lambda name: context.say(f"agreement.part.{name}"),
        key="agreement-part" if task == TASK else f"agreement-part-{task}",
        label_visibility="collapsed",
    )
    if chosen is not None:
        PARTS[chosen](context, task)
    draw_methods(context)
