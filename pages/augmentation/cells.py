"""Matrix of cells: target and actual numbers of questions, and their generation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st

from construction.augmentation.axes import ANY, MOST_WANTED, Axes, Cell, Demand, Wanted
from llm.budget import Use
from llm.roles import Role
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.reports import draw_files, draw_section
from pages.shell.task_progress import begin, draw_end, draw_model, draw_task
from pages.shell.widgets import draw_table
from services.augmentation.planning import (
    ALL,
    CellPlan,
    WritingOptions,
    cost_words,
    gold_by_question,
    plan,
)
from services.augmentation.report import Matrix, MatrixRow, fillable, matrix
from services.augmentation.report_tables import as_report, entry_name
from services.augmentation.writing import WritingDone, start_writing
from services.background.tasks import TaskKind

_PLANNED = "augment-planned"
# On a phone the boxes are stacked, far from the heads of their columns.
_LEVEL_STYLE = """<style>
.cell-level { display: none; font-weight: 600; }
@media (max-width: 640px) { .cell-level { display: block; } }
</style>"""
_MOST_SEED = 2**31 - 1


def draw_cells(context: Context) -> None:
    """Draw the tab of target cells: the totals, the form, and the rest of the report."""
    report = as_report(matrix(*context.here, context.by), context.language)
    sections = report.filled
    if sections:
        st.markdown(md_literal(report.lead))
        draw_section(context, sections[0], "augment")
    else:
        st.info(report.lead, icon=":material/info:")
    with st.container(border=True):
        st.header(context.say("augment.choose.title"), anchor=False)
        st.caption(context.say("augment.choose.help"))
        ready = draw_model(context, Role.GENERATE)
        if not _draw_running(context):
            _form(context, ready)
    for section in sections[1:]:
        draw_section(context, section, "augment")
    if sections:
        draw_files(context, report, "augment")


def _draw_running(context: Context) -> bool:
    """Draw the running task or its end; return whether one is running."""

    def ended(done: WritingDone) -> None:
        """Draw the outcome of the task."""
        counts = {name: getattr(done, name) for name in ("written", "asked", "unanswered")}
        words = context.say(
            "augment.written", **counts, out=sum(done.outcomes.values()) - done.written
        )
        draw_end(context, words, done.end, done.reason)

    return draw_task(context, TaskKind.AUGMENT, "augment.progress", ended)


@fragment
def _form(context: Context, ready: bool) -> None:
    """Draw the form of targets and options; plan, then generate."""
    found = matrix(*context.here, context.by)
    wanted = _grid(context, found, _pick_facet(context, found.axes))
    options = _generation_options(context, found.axes, wanted)
    lacking = not ready or not wanted
    if _fields(context).press("plan", icon=":material/checklist:", disabled=lacking):
        with guarded(context.language):
            with st.spinner(context.say("augment.plan.drawing")):
                made = plan(*context.here, options, context.by)
            summary = _Summary(made.cells, len(made.askings), made.estimate)
            st.session_state[_PLANNED] = context.project, options, summary
    kept_plan = st.session_state.get(_PLANNED)
    if kept_plan is not None and kept_plan[0] == context.project:
        _draw_plan(context, found.axes, options, *kept_plan[1:])


def _pick_facet(context: Context, axes: Axes) -> str:
    """Draw the choice of a facet; return its key, ANY for all."""
    options = [ANY, *(each.key for each in axes.facets)]
    return _fields(context).pick("facet", options, lambda key: _facet(context, axes, key), ANY)


def _grid(context: Context, matrix: Matrix, facet: str) -> list[Wanted]:
    """Draw a target field per cell that can be filled; return those with a target, now or before.

    A cell planned before is returned with a target of 0 too.
    """
    counts = {row.cell: row for row in matrix.rows}
    can = fillable(matrix.axes)
    st.html(_LEVEL_STYLE)
    head = st.columns([2, *[1] * len(matrix.axes.levels)])
    for column, level in zip(head[1:], matrix.axes.levels, strict=True):
        column.markdown(f"**{level.key}** {md_literal(level.label[context.language])}")
    wanted = []
    for kind in matrix.axes.types:
        name, *boxes = st.columns([2, *[1] * len(matrix.axes.levels)])
        name.markdown(md_literal(kind.label[context.language]))
        for box, level in zip(boxes, matrix.axes.levels, strict=True):
            cell = Cell(kind.key, level.key, facet)
            row = counts.get(cell)
            if (kind.key, level.key) not in can:
                box.caption(
                    context.say("augment.cell_never"), help=context.say("augment.plan.impossible")
                )
                continue
            with box.container(gap=None):
                st.html(f'<span class="cell-level">{escape(level.key)}</span>')
                target = _target(context, cell, row)
            if target or (row and row.planned):
                wanted.append(Wanted(cell, target))
    return wanted


def _target(context: Context, cell: Cell, row: MatrixRow | None) -> int:
    """Draw the field for the number of questions wanted in a cell; return it."""
    words = f"{context.say('augment.choose.target')}: {cell.id}"
    shown = {"label": words, "label_visibility": "collapsed", "key": f"target-{cell.id}"}
    target = _fields(context).number("target", 0, MOST_WANTED, row.planned if row else 0, **shown)
    if row is not None:
        names = ("made", "rejected", "admitted", "missing")
        values = {name: getattr(row, name) for name in names}
        key = "cell_rejected" if row.rejected else "cell_counts"
        st.caption(context.say(f"augment.{key}", **values))
    return target


def _generation_options(context: Context, axes: Axes, targets: Sequence[Wanted]) -> WritingOptions:
    """Draw the options of generation; return them with the target cells."""
    say, fields = context.say, _fields(context)
    left, middle, right = fields.row([3, 2, 1])
    demands = left.several(
        "demands", Demand, "augment.demand", placeholder=say("augment.choose.nothing_more")
    )
    domain = middle.pick(
        "domain",
        [each.key for each in axes.domains],
        lambda key: entry_name(axes.domains, key, context.language),
        none="augment.choose.any_domain",
        disabled=not axes.domains,
    )
    seed = right.number("seed", 0, _MOST_SEED, 0)
    styled = fields.tick("styled")
    seeds: list[str] = []
    if fields.tick("vary"):
        known = list(gold_by_question(*context.here, context.by))
        every = say("augment.choose.seeds_all", count=len(known))
        seeds = fields.several("seeds", known, placeholder=every) or [ALL]
    cells = tuple(Wanted(each.cell, each.target, tuple(demands), domain) for each in targets)
    return WritingOptions(cells, seed, styled, tuple(seeds))


@dataclass(frozen=True, slots=True)
class _Summary:
    """A plan without its provisions, kept in the session while the reader looks at it."""

    cells: tuple[CellPlan, ...]
    asked: int
    estimate: Use


def _draw_plan(
    context: Context, axes: Axes, options: WritingOptions, plan: WritingOptions, summary: _Summary
) -> None:
    """Draw a plan and the button that starts it; only a note if `options` changed since."""
    say = context.say
    if plan != options:
        st.caption(say("augment.plan.changed"))
        return
    columns = {
        "cell": [_cell_words(context, axes, each.wanted.cell) for each in summary.cells],
        "target": [each.wanted.target for each in summary.cells],
        "there": [each.there for each in summary.cells],
        "asked": [each.asked for each in summary.cells],
        "found": [each.found for each in summary.cells],
        "note": [each.note(context.language) for each in summary.cells],
    }
    draw_table(context, "augment.plan", columns, "augment-plan-table", wide="note")
    if summary.asked:
        st.markdown(md_literal(cost_words(summary.estimate, context.language)))
        words = say("augment.plan.write", count=summary.asked)
    else:
        st.info(say("augment.plan.nothing"), icon=":material/info:")
        words = say("augment.plan.keep")
    if st.button(words, type="primary", icon=":material/edit_note:", key="augment-write"):
        del st.session_state[_PLANNED]
        begin(context, start_writing, plan)


def _cell_words(context: Context, axes: Axes, cell: Cell) -> str:
    facet = _facet(context, axes, cell.facet)
    return f"{entry_name(axes.types, cell.type, context.language)} · {cell.difficulty} · {facet}"


def _facet(context: Context, axes: Axes, key: str) -> str:
    """Return the display name of a facet."""
    return entry_name(axes.facets, key, context.language) or context.say("augment.any_facet")


def _fields(context: Context) -> Fields:
    """Return the fields of the form, whose input is kept to continue later."""
    return Fields(context, "augment.choose", "augment", f"augment-{context.project}")
