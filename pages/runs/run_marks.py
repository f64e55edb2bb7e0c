"""Marks of runs on the leaderboard: retired, tags, notes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.notices import remember
from services.runs import marks
from services.runs.choices import RunName

_RUNS = "marks-runs"
_NOTE_HEIGHT = 90


def draw_marks(context: Context, runs: Sequence[RunName], notice: str) -> None:
    """Draw the form; the outcome is remembered under `notice`, and the page redrawn."""
    say = context.say
    st.caption(say("run_marks.lead"))
    labels = {run.run_id: run.label for run in runs}
    picked = st.multiselect(
        say("run_marks.pick"),
        list(labels),
        format_func=lambda run: f"{run} · {labels[run]}",
        key=_RUNS,
    )
    _retiring(context, picked, notice)
    _tagging(context, picked, notice)
    _noting(context, {run.run_id: run for run in runs}, picked, notice)


def _retiring(context: Context, picked: list[int], notice: str) -> None:
    field, *buttons = st.columns([3, 1, 1], vertical_alignment="bottom")
    why = field.text_input(
        context.say("run_marks.why_field"), max_chars=marks.NOTE_CHARACTERS, key="marks-why"
    )
    where = context.workspace, context.project, picked
    retire, restore = (
        button.button(context.say(f"run_marks.{name}"), key=f"marks-{name}", width="stretch")
        for button, name in zip(buttons, ("retire", "restore"), strict=True)
    )
    if retire:
        _carry_out(
            context, picked, notice, "retired", lambda: marks.retire(*where, why, context.by)
        )
    if restore:
        _carry_out(context, picked, notice, "restored", lambda: marks.restore(*where, context.by))


def _tagging(context: Context, picked: list[int], notice: str) -> None:
    field, *buttons = st.columns([3, 1, 1], vertical_alignment="bottom")
    text = field.text_input(
        context.say("run_marks.tag_field"), max_chars=marks.TAG_CHARACTERS, key="marks-tag"
    )
    where = context.workspace, context.project, picked, text, context.by
    add, remove = (
        button.button(context.say(f"run_marks.{name}"), key=f"marks-{name}", width="stretch")
        for button, name in zip(buttons, ("add_tag", "remove_tag"), strict=True)
    )
    if add:
        _carry_out(context, picked, notice, "tagged", lambda: marks.tag(*where))
    if remove:
        _carry_out(context, picked, notice, "untagged", lambda: marks.untag(*where))


def _noting(context: Context, runs: dict[int, RunName], picked: list[int], notice: str) -> None:
    """Draw the note of the chosen run, only if exactly one is chosen."""
    if len(picked) != 1:
        return
    (run,) = picked
    text = st.text_area(
        context.say("run_marks.note_field"),
        runs[run].marks.note,
        height=_NOTE_HEIGHT,
        max_chars=marks.NOTE_CHARACTERS,
        key=f"marks-note-{run}",
    )
    where = context.workspace, context.project, run, text, context.by
    if st.button(context.say("run_marks.save_note"), key="marks-save-note"):
        _carry_out(context, picked, notice, "noted", lambda: picked if marks.note(*where) else ())


def _carry_out(
    context: Context,
    picked: list[int],
    notice: str,
    mark: str,
    change: Callable[[], Sequence[int]],
) -> None:
    if not picked:
        st.warning(context.say("run_marks.need_run"), icon=":material/edit:")
        return
    with guarded(context.language):
        changed = change()
        before = [run for run in picked if run not in changed]
        remember(
            notice,
            *_notice_lines(context, f"run_marks.done.{mark}", changed),
            *_notice_lines(context, "run_marks.as_before", before),
        )
        st.rerun()


def _notice_lines(context: Context, words: str, runs: Sequence[int]) -> list[str]:
    named = ", ".join(map(str, runs))
    return [context.say(words, count=len(runs), runs=named)] if runs else []
