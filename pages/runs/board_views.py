"""Leaderboard: choice of compared runs, and saved views.

Marks of runs on the leaderboard: retired, tags, notes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import streamlit as st

from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.gold_choice import choose_gold
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import redraw_with
from pages.shell.widgets import NOTHING
from services.runs import marks
from services.runs.board_report import Pick
from services.runs.rows import RunName
from services.runs.views import (
    NAME_CHARACTERS,
    NamedView,
    RunChoices,
    View,
    list_views,
    remove_view,
    save_view,
)
from storage.runs.run_store import Mark

_VIEW, _RUNS, _OPENED = "board-view", "board-runs", "board-opened"
_NAMED, _BEFORE = "board-named", "board-picked-before"


def draw_view_choice(context: Context) -> NamedView | None:
    """Draw the choice of a saved view, if there are any; return the chosen one.

    Choosing one sets all other choices of the screen, which may be changed afterwards.
    """
    views = {view.name: view for view in list_views(*context.here, context.by)}
    if not views:
        st.session_state.pop(_VIEW, None)
        return None
    if st.session_state.get(_VIEW, NOTHING) not in (NOTHING, *views):
        del st.session_state[_VIEW]
    name = Fields(context, "run_views", "board").pick(
        "choose",
        views,
        none="run_views.no_view",
        key="view",
        on_change=lambda: _set_choices(context, views.get(st.session_state.get(_VIEW, NOTHING))),
    )
    return views.get(name)


def _set_choices(context: Context, chosen: NamedView | None) -> None:
    """Set the screen's fields to those of a view, or to the defaults without one."""
    view = View() if chosen is None else chosen.view
    choose_gold(context, view.gold)
    state = {
        _RUNS: list(view.runs),
        "board-measures": list(view.measures),
        f"order-{'-'.join(view.measures)}": view.by,
        "board-baseline": view.baseline or NOTHING,
        "board-column": view.stratum[0] if view.stratum else NOTHING,
        "board-resamples": view.resamples,
        "board-holm": view.inference.family,
        "board-unlike": view.unlike,
    }
    if view.stratum:
        state[f"board-stratum-{view.stratum[0]}"] = view.stratum[1]
    st.session_state.update(state)


def named_run(choices: RunChoices) -> int | None:
    """Return the run that the address names, None for none; at first add it to those compared."""
    named = st.query_params.get("run", "")
    run = next((each.run_id for each in choices.runs if str(each.run_id) == named), None)
    if run is not None and _NAMED not in st.session_state:  # once: then what is chosen counts
        st.session_state[_NAMED] = run
        shown = st.session_state.get(_RUNS) or choices.usual()
        if run not in shown:
            st.session_state[_RUNS] = [*shown, run]
    return run


def picked_since(picked: Pick | None) -> Pick | None:
    """Return the pick if it was made after the address named a run, else None."""
    return None if picked == st.session_state.setdefault(_BEFORE, picked) else picked


def draw_run_choice(context: Context, choices: RunChoices) -> tuple[int, ...]:
    """Draw the choice of runs; return their ids, by default those of the usual runs."""
    say, labels = context.say, {run.run_id: run for run in choices.runs}

    def named(run: int) -> str:
        """Return the display name of a run."""
        retired = f" · {say('run_marks.retired')}" if labels[run].marks.retired else ""
        return f"{labels[run].name}{retired}"

    opened: Sequence[int] = ()
    folded = {each.number: each for each in choices.experiments}
    if folded and not st.session_state.get(_RUNS):
        opened = st.pills(
            say("run_choice.open"),
            list(folded),
            selection_mode="multi",
            format_func=lambda number: say(
                "run_choice.option",
                experiment=md_literal(folded[number].display_name(context.language)),
                count=len(folded[number].lines),
            ),
            key=_OPENED,
        )
    usual = choices.usual(opened)
    st.session_state[_RUNS] = [run for run in st.session_state.get(_RUNS, ()) if run in labels]
    hint = say("run_choice.usual", count=len(usual))
    fields = Fields(context, "run_choice", "board")
    picked = fields.several("compared", labels, named, key="runs", placeholder=hint)
    if picked:
        return tuple(run for run in labels if run in picked)
    if len(usual) > 1:
        st.button(
            say("run_choice.pick"),
            key="board-pick",
            on_click=lambda: st.session_state.update({_RUNS: list(usual)}),
        )
    return usual


def draw_saving(context: Context, chosen: NamedView | None, now: View, notice_key: str) -> None:
    """Draw the form that saves the current choices `now`, and the button that deletes the view.

    `chosen` is the saved view that is open. `notice_key` keeps the message shown after an act.
    """
    say, where = context.say, context.here
    st.caption(say("run_views.save_lead"))
    called = chosen.name if chosen else ""
    fields = Fields(context, "run_views", "board-view")
    name = fields.text("name", called, max_chars=NAME_CHARACTERS, key=f"name-{called}")
    if fields.press("save"):
        save = partial(save_view, *where, name, now, context.by)
        _carry_out(context, notice_key, "saved", name, save)
    if chosen and fields.press("remove"):
        remove = partial(remove_view, *where, called, context.by)
        _carry_out(context, notice_key, "removed", called, remove)


def _carry_out(
    context: Context, notice_key: str, done: str, name: str, act: Callable[[], object]
) -> None:
    """Carry out an act on a view of runs; remember its notice and redraw."""
    with guarded(context.language):
        act()
        redraw_with(notice_key, context.say(f"run_views.{done}", name=" ".join(name.split())))


_NOTE_HEIGHT = 90
_MARKS: Mapping[str, Mark] = {  # of each button
    **{"retire": "retired", "restore": "restored"},
    **{"add_tag": "tagged", "remove_tag": "untagged"},
}


def draw_marks(context: Context, runs: Sequence[RunName], notice_key: str) -> None:
    """Draw the form that retires, tags and annotates runs; `notice_key` keeps its outcome."""
    st.caption(context.say("run_marks.lead"))
    known = {run.run_id: run for run in runs}
    fields = Fields(context, "run_marks", "marks")
    picked = fields.several("pick", known, lambda run: known[run].name, key="runs")
    carry_out = partial(_carry_out_mark, context, picked, notice_key)
    for name, limit, *acts in (
        ("why", marks.NOTE_CHARACTERS, "retire", "restore"),
        ("tag", marks.TAG_CHARACTERS, "add_tag", "remove_tag"),
    ):
        field, *places = fields.row([3, 1, 1], vertical_alignment="bottom")
        text = field.text(f"{name}_field", max_chars=limit, key=name)
        for place, act in zip(places, acts, strict=True):
            if place.press(act, key=act, width="stretch"):
                carry_out(_MARKS[act], text)
    if len(picked) != 1:
        return
    (run,) = picked
    size = {"height": _NOTE_HEIGHT, "max_chars": marks.NOTE_CHARACTERS}
    note = fields.lines("note_field", known[run].marks.note, key=f"note-{run}", **size)
    if fields.press("save_note"):
        carry_out("noted", note)


def _carry_out_mark(
    context: Context, picked: list[int], notice_key: str, mark: Mark, text: str
) -> None:
    """Mark the picked runs; remember the notice and redraw."""
    if not picked:
        st.warning(context.say("run_marks.need_run"), icon=":material/edit:")
        return
    with guarded(context.language):
        changed = marks.mark_runs(*context.here, picked, mark, text, context.by)
        redraw_with(notice_key, *marks.marked_lines(mark, picked, changed, context.language))
