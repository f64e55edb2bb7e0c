"""Shared widgets: single choice, choice of task, selectable table, download, figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from mimetypes import guess_type
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotation.start.waiting import idle_tasks
from messages import catalogue
from pages.shell.context import Context
from pages.shell.guard import md_literal
from storage.tasks import Task

if TYPE_CHECKING:
    from evaluation.figure import Figure  # loads numpy, which the sidebar can do without

NOTHING = ""
"""The option of a select box that chooses nothing: with None, Streamlit would show its own English
placeholder and a clear button.
"""
_State = TypeVar("_State", bound=str)
Views: TypeAlias = Mapping[str, Callable[[Context], object]]
"""What draws each view of a screen, by its name."""
TIME = st.column_config.DatetimeColumn(format="YYYY-MM-DD HH:mm", timezone="UTC")


def picked(key: str, now: Any, act: Callable[[Any], None]) -> None:
    """Call `act` with a widget's value if it changed (the widget's callback).

    Streamlit may call it for a widget that it has just forgotten, with nothing chosen: for example
    when a link is tapped while a text field has the focus.
    """
    value = st.session_state.get(key, now)
    if value != now:
        act(value)


def choose_task(
    context: Context, label: str, tasks: Sequence[Task], key: str, place: Any = st, **more: Any
) -> Task:
    """Draw a choice of task, at first that of the address, or else the first that has items."""
    idle = idle_tasks(*context.here)
    asked = st.query_params.get("task", "")
    chosen: Task = place.selectbox(
        context.say(label),
        tasks,
        tasks.index(Task(asked))
        if asked in tasks
        else next((at for at, each in enumerate(tasks) if each not in idle), 0),
        format_func=lambda each: context.task_name(each, "tasks"),
        key=key,
        **more,
    )
    return chosen


def choose(
    context: Context,
    label: str,
    options: Sequence[str],
    labels: str | Callable[[Any], str],
    key: str,
    default: str = "",
    titled: bool = False,
) -> str:
    """Draw a single choice of `options`, labelled by `labels` or by catalogue keys below it.

    The initial choice is `default`, else the first; `titled` shows the label above.
    """
    chosen: str = st.segmented_control(
        context.say(label),
        options,
        default=default or options[0],
        required=True,
        format_func=labels if callable(labels) else lambda name: context.say(f"{labels}.{name}"),
        label_visibility="visible" if titled else "collapsed",
        key=key,
    )
    return chosen


def select(
    context: Context, label: str, options: Mapping[Any, str], key: str, place: Any = st, **more: Any
) -> Any:
    """Draw a select box of options by value with their texts; return the chosen value.

    Streamlit may ask for the text of a value that was an option before.
    """
    return place.selectbox(
        context.say(label),
        list(options),
        format_func=lambda value: options.get(value, str(value)),
        key=key,
        **more,
    )


def draw_metrics(figures: Mapping[str, tuple[str, str | None]], **options: Any) -> None:
    """Draw figures side by side: label → value, with its help or None."""
    for column, (label, (value, hint)) in zip(
        st.columns(len(figures)), figures.items(), strict=True
    ):
        column.metric(label, value, border=True, help=hint, **options)


def draw_parts(
    context: Context, words: str, parts: Mapping[str, Callable[[Context], None]], key: str
) -> None:
    """Draw a tab for each part, named by its catalogue entry behind `words`; draw the open one."""
    names = [context.say(f"{words}{name}") for name in parts]
    for tab, draw in zip(st.tabs(names, on_change="rerun", key=key), parts.values(), strict=True):
        if tab.open:
            with tab:
                draw(context)


def choose_counted(context: Context, words: str, counts: Mapping[_State, int], key: str) -> _State:
    """Draw the choice of a state, each with its number; their names are below `words`."""

    def named(state: _State) -> str:
        """Return a state's name with its number."""
        return f"{context.say(f'{words}.{state}')} ({counts[state]:,})"

    chosen = choose(context, f"{words}.label", list(counts), named, key)
    return next(each for each in counts if each == chosen)


def draw_view(
    context: Context,
    words: str,
    key: str,
    views: Views,
    default: str = "",
) -> None:
    """Draw the choice of a view, whose names are below `words`, and then the chosen one."""
    chosen = choose(context, f"{words}.label", list(views), words, key, default)
    views[chosen](context)


def draw_table(
    context: Context,
    key_prefix: str,
    columns: Mapping[str, Any],
    key: str | None = None,
    wide: str = "",
    config: Mapping[str, Any] | None = None,
    constant: Sequence[str] = (),
    **options: Any,
) -> Any:
    """Draw a table whose column names are catalogue keys below `key_prefix`; return its state.

    A column name may also be a full catalogue key or plain text. `wide` is the widest column,
    `config` configures others: a number is the width in pixels of a column that its catalogue entry
    ``<name>_help`` explains, if there is one. Columns in `constant` that have one value in all rows
    become one line above the table. More than ten rows scroll.
    """
    columns = _without_constant(context, key_prefix, columns, constant)
    shapes = dict(config or {})
    if wide:
        shapes[wide] = st.column_config.Column(width="large")
    return st.dataframe(
        {_heading(context, key_prefix, name): values for name, values in columns.items()},
        hide_index=True,
        column_config={
            _heading(context, key_prefix, name): _shape(context, key_prefix, name, how)
            for name, how in shapes.items()
            if name in columns
        },
        key=key,
        **options,
    )


def _without_constant(
    context: Context, key_prefix: str, columns: Mapping[str, Any], names: Sequence[str]
) -> Mapping[str, Any]:
    """Draw a line for the columns with one value in all rows; return the other columns."""
    found = {
        name: columns[name][0]
        for name in names
        if len(columns.get(name, ())) > 1 and len(set(columns[name])) == 1
    }
    if found:
        said = [f"{_heading(context, key_prefix, name)}: {value}" for name, value in found.items()]
        st.caption(md_literal(context.say("table.constant", said=" · ".join(said))))
    return {name: values for name, values in columns.items() if name not in found}


def _heading(context: Context, key_prefix: str, name: str) -> str:
    """Return the heading of a column, its name if there is no message."""
    keys = (key for key in (f"{key_prefix}.{name}", name) if key in catalogue())
    return next(map(context.say, keys), name)


def _shape(context: Context, key_prefix: str, name: str, how: Any) -> Any:
    """Return how a column is drawn; `how` may be its width."""
    if not isinstance(how, int):
        return how
    keys = (key for key in (f"{key_prefix}.{name}_help", f"{name}_help") if key in catalogue())
    return st.column_config.Column(width=how, help=next(map(context.say, keys), None))


def pick_row(
    context: Context,
    key_prefix: str,
    columns: Mapping[str, Any],
    key: str,
    hint: str = "",
    **options: Any,
) -> int | None:
    """Draw a table with a selectable row; return the index of the selected row, if any.

    `hint` is the catalogue key of what is said below while no row is selected.
    """
    options = {"on_select": "rerun", "selection_mode": "single-row"} | options
    state = draw_table(context, key_prefix, columns, key, **options)
    rows: list[int] = state["selection"]["rows"]
    if rows and rows[0] < len(next(iter(columns.values()))):
        return rows[0]
    if hint:
        st.caption(context.say(hint))
    return None


def download(
    label: str,
    content: str | bytes | Callable[[], str | bytes],
    file: str,
    key: str,
    place: DeltaGenerator | None = None,
    **options: Any,
) -> None:
    """Draw a button that downloads `content` (a function is called on click) as `file`."""
    (place or st).download_button(
        label,
        content,
        file,
        guess_type(file)[0] or "text/plain",
        icon=":material/download:",
        on_click="ignore",
        key=key,
        **options,
    )


def download_row(
    context: Context, key_prefix: str, files: Mapping[str, Any], name: str, key: str
) -> None:
    """Draw a download button per file, content by extension; `key_prefix` prefixes its label."""
    with st.container(horizontal=True):
        for ending, content in files.items():
            label = context.say(f"{key_prefix}{ending}")
            given = partial(_csv, content) if ending == "csv" else content
            download(label, given, f"{name}.{ending}", f"{key}-{ending}")


def _csv(content: str | Callable[[], str]) -> bytes:
    """Return a CSV with a byte order mark, without which Excel does not read it as UTF-8."""
    return (content() if callable(content) else content).encode("utf-8-sig")


def in_brackets(figure: Figure, cell: str) -> str:
    """Return a figure's table cell, in brackets if it rests on too few observations."""
    return f"({cell})" if figure.weak else cell


def note_brackets(context: Context, figures: Iterable[Figure]) -> None:
    """Draw the meaning of brackets below a table that has any."""
    if any(figure.weak for figure in figures):
        st.caption(context.say("common.brackets"))
