"""Amendments screen: two snapshots compared, and the decisions to recheck."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import streamlit as st

from annotation.people.roles import Act
from corpus.compare.diff import DiffKind, Piece, diff, spans
from corpus.compare.model import Status, StatuteChange, StatuteStatus, UnitChange
from corpus.model import Statute, Unit
from pages.law.snapshot_choice import date_of, snapshot_name, use_button
from pages.law.watch import draw_queue, draw_text, draw_two
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, md_literal
from pages.shell.notices import draw_head
from pages.shell.plain_text import Span, plain_text, split_by_marks
from pages.shell.widgets import choose, draw_metrics, draw_table, pick_row
from services.law.comparison import (
    ComparisonReport,
    before,
    change_in_words,
    compare,
    dates_in_words,
)
from services.law.overview import SnapshotLine, overview

_ALL = "all"
_SHOWN = (Status.CHANGED, Status.ADDED, Status.REMOVED, Status.RENUMBERED)

Row = tuple[StatuteChange, UnitChange]
_NOTICE = "compare-notice"


def draw_statutes(context: Context, report: ComparisonReport) -> None:
    """Draw the number of added, removed, renumbered and changed provisions per statute."""
    say, touched = context.say, report.comparison.touched
    counts = [each.counts for each in touched]
    columns: dict[str, list[object]] = {
        "statute": [each.statute.title for each in touched],
        "became": [say(f"compare.statute_status.{each.status}") for each in touched],
    }
    if any(each.status is StatuteStatus.RENAMED for each in touched):
        columns["old_title"] = [_title_before(each) for each in touched]
    for status in _SHOWN:
        columns[f"status.{status}"] = [count[status] for count in counts]
    with st.expander(say("compare.per_statute"), icon=":material/table_rows:"):
        draw_table(context, "compare", columns, wide="statute")


def draw_units(context: Context, report: ComparisonReport) -> None:
    """Draw the changed provisions, and the wordings of the selected one."""
    say = context.say
    st.header(say("compare.provisions"), anchor=False)
    rows = _filtered(context, report.comparison.touched)
    columns = {
        "statute": [statute.statute.title for statute, _ in rows],
        "provision": [unit.unit.label for _, unit in rows],
        "heading": [unit.unit.heading for _, unit in rows],
        "became": [say(f"compare.status.{unit.status}") for _, unit in rows],
        "dates_of": [dates_in_words(statute) for statute, _ in rows],
        "before": [_place_before(*row) for row in rows],
        "alike": [_similarity(unit) for _, unit in rows],
    }
    config = {
        "statute": st.column_config.TextColumn(width="medium"),
        "alike": st.column_config.NumberColumn(format="percent"),
    }
    about = columns, "compare-units", "compare.pick"
    picked = pick_row(context, "compare", *about, config=config, placeholder="")
    if picked is not None:
        _side_by_side(context, report, *rows[picked])


def _filtered(context: Context, touched: Sequence[StatuteChange]) -> list[Row]:
    """Draw the filters; return the changes that pass them."""
    say = context.say
    left, right = Fields(context, "compare", "compare").row([3, 2], vertical_alignment="bottom")
    with left.place:
        names = {_ALL: say("compare.all")} | {e: say(f"compare.status.{e}") for e in _SHOWN}
        status = choose(context, "compare.show", [*names], names.__getitem__, "compare-show")
    titles = {"": say("compare.all_statutes")}
    titles |= {each.statute.semantic_id: each.statute.title for each in touched}
    statute = right.pick("statute", titles, titles, label_visibility="collapsed")
    return [
        (each, unit)
        for each in touched
        if statute in ("", each.statute.semantic_id)
        for unit in each.touched
        if status in (_ALL, unit.status)
    ]


def _side_by_side(
    context: Context, report: ComparisonReport, statute: StatuteChange, change: UnitChange
) -> None:
    """Draw both wordings of a unit with their differences."""
    old, new = change.old, change.new
    texts = diff(old.text if old else "", new.text if new else "")
    headings = diff(old.heading if old else "", new.heading if new else "")
    sides = (report.old, statute.old, old), (report.new, statute.new, new)
    for kind, (law, whole, unit) in draw_two(sides):
        plain_text(f"{law.id} {law.name}", f"compare-snapshot-{kind}", "quiet", context.language)
        if whole is None or unit is None:
            st.caption(context.say("compare.not_there"))
        else:
            _side(context, whole, unit, headings, texts, kind)


def _side(
    context: Context,
    statute: Statute,
    unit: Unit,
    headings: list[Piece],
    texts: list[Piece],
    kind: DiffKind,
) -> None:
    """Draw one snapshot's wording, marking text that the other lacks."""
    marked = split_by_marks(unit.heading, {str(kind): spans(headings, kind)})
    heading = [Span(" "), *marked] if unit.heading else []
    title = [Span(f"{statute.title} {unit.label}"), *heading]
    plain_text(title, f"compare-title-{kind}", "lead", statute.language)
    for flag in ("deleted", "text_missing"):
        if getattr(unit, flag):
            st.caption(context.say(f"compare.{flag}"))
    draw_text(unit.text, texts, kind, f"compare-text-{kind}", statute.language)


def _title_before(change: StatuteChange) -> str:
    """Return the former title of a renamed statute, else ""."""
    renamed = change.status is StatuteStatus.RENAMED
    return change.old.title if change.old and renamed else ""


def _place_before(statute: StatuteChange, change: UnitChange) -> str:
    """Return the old place of a renumbered provision, with its statute if that was renamed."""
    if change.status is not Status.RENUMBERED or change.old is None:
        return ""
    title = _title_before(statute)
    return f"{title} {change.old.label}" if title else change.old.label


def _similarity(change: UnitChange) -> float | None:
    """Return the similarity of a changed unit, None if it was added or deleted."""
    return change.similarity if change.old and change.new and not change.new.deleted else None


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "compare", _NOTICE)
    there = overview(*context.here, context.by).snapshots
    if len(there) < 2:
        st.info(context.say("compare.need_two"), icon=":material/info:")
        return
    chosen = _choose(context, there)
    report = compare(*context.here, *chosen, by=context.by)
    _counts(context, report)
    if report.comparison.touched:
        _changes(context, report)
    else:
        st.success(context.say("compare.nothing"), icon=":material/done_all:")
    draw_queue(context, report, _NOTICE)


def _choose(context: Context, there: Sequence[SnapshotLine]) -> tuple[int, int]:
    """Draw the choice of two snapshots; return the ids chosen as the older and the newer law."""
    names = {line.id: snapshot_name(context, line) for line in there}
    used = next(line for line in there if line.in_use)
    left, right = Fields(context, "compare", "compare").row(2)
    older = left.pick("older", names, names, before(there, used).id)
    newer = right.pick("newer", names, names, used.id)
    words = context.say("compare.in_use", name=used.name, effective=date_of(used))
    st.caption(md_literal(words))
    if context.may(Act.IMPORT_LAW):
        with st.container(horizontal=True):
            for line in sorted(there, key=lambda each: each.id != older):
                if line.id in (older, newer) and not line.in_use:
                    words = context.say("compare.use", id=line.id)
                    use_button(context, line, _NOTICE, words, f"compare-use-{line.id}")
    return older, newer


def _counts(context: Context, report: ComparisonReport) -> None:
    """Draw how many statutes and units differ."""
    if report.dates.backwards:
        dates = {"earlier": report.dates.earlier, "later": report.dates.later}
        st.warning(context.say("compare.backwards", **dates), icon=":material/history:")
    st.markdown(md_literal(change_in_words(report, context.language)))
    say, units = context.say, report.units
    figures = {
        say(f"compare.status.{each}"): (f"{units[each]:,}", say(f"compare.status_help.{each}"))
        for each in _SHOWN
    }
    draw_metrics(figures)
    same = f"{units[Status.UNCHANGED]:,}", f"{report.statutes[StatuteStatus.UNCHANGED]:,}"
    st.caption(say("compare.unchanged", units=same[0], statutes=same[1]))
    names = ("old", "new", "old_deleted", "new_deleted")  # the totals behind the counts
    totals = zip(names, (*report.provisions, *report.deleted), strict=True)
    counted = say("compare.counted", **{name: f"{count:,}" for name, count in totals})
    orders = {name: f"{count:,}" for name, count in asdict(report.dates).items()}
    st.caption(f"{counted} {say('compare.dates', **orders)}")


@fragment
def _changes(context: Context, report: ComparisonReport) -> None:
    """Draw the changes, as a fragment: filters and selection redraw nothing else."""
    draw_statutes(context, report)
    draw_units(context, report)
