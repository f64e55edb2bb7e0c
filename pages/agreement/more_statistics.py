"""More statistics: one part at a time, worked out when somebody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import altair as alt
import pandas as pd
import streamlit as st

from annotation.agreement.report import WINDOW, part, report, totals
from annotation.agreement.times import odd_times
from annotation.agreement.views import FigureRow, OddDecision, PersonPace, ReportPart, Table, View
from annotation.people.roles import Act
from evaluation.agreement.times import LEAST
from pages.agreement.figure_table import draw_chart, draw_table, item_table
from pages.shell.context import Context
from pages.shell.guard import guarded, plain
from pages.shell.interval_chart import PICKED, draw
from pages.shell.widgets import download_row, pick_row
from services.agreement.report import as_csv, as_markdown, name_of

_CELL = 76  # pixels of a cell of the matrix
_MOST = 760  # pixels for all of them
_LABEL = 140  # pixels for a name beside it
_MIDDLE = 0.6  # from here on a cell is dark enough for white figures
_CHARTED = 12  # more figures than this are a table alone
DOCUMENT = Path(__file__).parents[2] / "docs" / "agreement.md"
_SECONDS = "%.0f"


def draw_statistics(context: Context) -> None:
    """Draw both views, one below the other."""
    for table in totals(context.workspace, context.project, context.person.id):
        _statistics(context, table)
    if not context.may(Act.READ_OTHERS_LABELS):
        st.caption(f":material/visibility_off: {context.say('agreement.more.hidden')}")


def _statistics(context: Context, table: Table) -> None:
    say = context.say
    st.markdown(f"**{say(f'agreement.view.{table.view}')}**")
    st.caption(say(f"agreement.view_about.{table.view}", items=f"{table.items:,}"))
    if not table.items:
        st.info(say("agreement.more.nothing", n=table.items), icon=":material/hourglass_empty:")
        return
    names = [say(f"statistics.name.{row.finding.statistic}") for row in table.rows]
    draw_table(context, table, {say("agreement.more.statistic"): names}, f"agreement-{table.view}")
    for note in table.notes:
        st.caption(plain(note.say(context.language)))


def draw_pairs(context: Context) -> None:
    """Draw both views, one below the other."""
    for table in part(context.workspace, context.project, ReportPart.PAIRS, context.person.id):
        _pairs(context, table)


def _pairs(context: Context, table: Table) -> None:
    say = context.say
    st.markdown(f"**{say(f'agreement.view.{table.view}')}**")
    if not any(row.finding.figure.n for row in table.rows):
        st.info(say("agreement.more.nothing", n=table.items), icon=":material/hourglass_empty:")
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


def matrix(rows: Sequence[FigureRow], description: str, key: str) -> int | None:
    """Draw every two people as two cells; the darker, the more they agree. No value: no figure.

    Return the row of the cell that is clicked on.
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
    """Return a line per cell that has a value, each pair both ways round.

    Columns: at (the row), a, b, value, n, and n in words.
    """
    lines = [
        (at, *names, row.finding.figure.value, row.finding.figure.n, f"n = {row.finding.figure.n}")
        for at, row in enumerate(rows)
        if row.finding.figure.value is not None
        for names in (row.names, row.names[::-1])
    ]
    return pd.DataFrame(lines, columns=["at", "a", "b", "value", "n", "count"])


def draw_drift(context: Context) -> None:
    """Draw both views, one below the other."""
    tables = part(context.workspace, context.project, ReportPart.DRIFT, context.person.id)
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
        least = WINDOW + WINDOW // 2  # what is left over by less than half a window joins it
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


def draw_categories(context: Context) -> None:
    """Draw the labels, then the provisions, the most chosen first."""
    st.caption(context.say("agreement.part_about.categories"))
    for table in part(context.workspace, context.project, ReportPart.CATEGORIES, context.person.id):
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


def draw_calibration(context: Context) -> None:
    """Draw everybody who submitted calibration items."""
    say = context.say
    (table,) = part(context.workspace, context.project, ReportPart.CALIBRATION, context.person.id)
    if not table.rows:
        st.info(say("agreement.more.no_calibration"), icon=":material/info:")
        return
    st.caption(say("agreement.part_about.calibration"))
    people = [row.names[0] for row in table.rows]
    title = say("statistics.name.calibration")
    clicked = draw_chart(context, table, people, title, "agreement-calibration-chart")
    names = {say("agreement.more.first"): people}
    draw_table(context, table, names, "agreement-calibration", clicked)


def draw_files(context: Context) -> None:
    """Draw a button for each file."""
    found = report(context.workspace, context.project, context.person.id)
    files = {
        # A spreadsheet takes a CSV for anything but UTF-8 unless it starts with the mark.
        "csv": as_csv(found, context.language).encode("utf-8-sig"),
        "md": as_markdown(found, context.language).encode(),
    }
    name = f"{context.project}-agreement"
    download_row(context, "agreement.more.", files, name, "agreement")


def draw_methods(context: Context) -> None:
    """Draw a button that opens the document."""
    title = context.say("agreement.more.methods")
    if st.button(title, icon=":material/menu_book:", key="agreement-methods"):
        _open(context)


def _open(context: Context) -> None:
    @st.dialog(context.say("agreement.more.methods"), width="large")
    def document() -> None:
        st.caption(context.say("agreement.more.methods_language"))
        # The first line is the title, which the dialog has.
        st.markdown(DOCUMENT.read_text("utf-8").partition("\n")[2])

    document()


def draw_times(context: Context) -> None:
    """Draw the pace of everybody, then the odd submissions, each with a way to its question."""
    say = context.say
    found = odd_times(context.workspace, context.project, context.person.id)
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
    st.markdown(f"**{plain(heading)}** · {pace.n:,}")
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


PARTS: dict[str, Callable[[Context], None]] = {
    "statistics": draw_statistics,
    "pairs": draw_pairs,
    "drift": draw_drift,
    "categories": draw_categories,
    "calibration": draw_calibration,
    "times": draw_times,
    "files": draw_files,
}
_FOR_ALL = ("statistics", "files")  # the rest is for who reads others' labels


@st.fragment
def draw_more(context: Context) -> None:
    """Draw what is chosen, nothing at first; choosing draws nothing else anew."""
    with guarded(context.language):  # the app's guard is not around a fragment's own rerun
        _chosen(context)


def _chosen(context: Context) -> None:
    st.subheader(context.say("agreement.more.title"), anchor=False)
    sighted = context.may(Act.READ_OTHERS_LABELS)
    chosen = st.segmented_control(
        context.say("agreement.more.pick"),
        [name for name in PARTS if sighted or name in _FOR_ALL],
        format_func=lambda name: context.say(f"agreement.part.{name}"),
        key="agreement-part",
        label_visibility="collapsed",
    )
    if chosen is not None:
        PARTS[chosen](context)
    draw_methods(context)
