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
from pages.law.watch import draw_queue
from pages.shell.context import Context
from pages.shell.guard import fragment, md_literal
from pages.shell.notices import draw_head, show_remembered
from pages.shell.plain_text import Span, plain_text, split_by_marks
from pages.shell.widgets import choose, draw_table, pick_row
from services.law.comparison import (
    ComparisonReport,
    before,
    change_in_words,
    compare,
    dates_in_words,
    snapshots,
)
from services.law.overview import SnapshotLine

_ALL = "all"
_SHOWN = (Status.CHANGED, Status.ADDED, Status.REMOVED, Status.RENUMBERED)
_TEXT_HEIGHT = 480  # pixels of a text before it scrolls
_LONG = 1200  # characters

Row = tuple[StatuteChange, UnitChange]
_NOTICE = "compare-notice"
_COUNTED = (Status.CHANGED, Status.ADDED, Status.REMOVED, Status.RENUMBERED)


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
    picked = pick_row(
        context,
        "compare",
        columns,
        "compare-units",
        config={
            "statute": st.column_config.TextColumn(width="medium"),
            "alike": st.column_config.NumberColumn(format="percent"),
        },
        placeholder="",
    )
    if picked is not None:
        _side_by_side(context, report, *rows[picked])
    else:
        st.caption(say("compare.pick"))


def _filtered(context: Context, touched: Sequence[StatuteChange]) -> list[Row]:
    """Draw the filters; return the changes that pass them."""
    say = context.say
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    with left:
        status = choose(
            context,
            "compare.show",
            [_ALL, *_SHOWN],
            lambda each: say("compare.all" if each == _ALL else f"compare.status.{each}"),
            "compare-show",
        )
    titles = {each.statute.semantic_id: each.statute.title for each in touched}
    statute = right.selectbox(
        say("compare.statute"),
        ["", *titles],
        format_func=lambda each: titles.get(each, say("compare.all_statutes")),
        key="compare-statute",
        label_visibility="collapsed",
    )
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
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        marked = (headings, texts, DiffKind.REMOVED)
        _side(context, f"{report.old.id} {report.old.name}", statute.old, old, marked)
    with right, st.container(border=True, height="stretch"):
        marked = (headings, texts, DiffKind.INSERTED)
        _side(context, f"{report.new.id} {report.new.name}", statute.new, new, marked)


def _side(
    context: Context,
    snapshot: str,
    statute: Statute | None,
    unit: Unit | None,
    marked: tuple[list[Piece], list[Piece], DiffKind],
) -> None:
    """Draw one snapshot's wording, marking text that the other lacks."""
    headings, texts, kind = marked
    plain_text(snapshot, f"compare-snapshot-{kind}", "quiet", context.language)
    if statute is None or unit is None:
        st.caption(context.say("compare.not_there"))
        return
    heading = [Span(" "), *_marked(unit.heading, headings, kind)] if unit.heading else []
    title = [Span(f"{statute.title} {unit.label}"), *heading]
    plain_text(title, f"compare-title-{kind}", "lead", statute.language)
    for flag in ("deleted", "text_missing"):
        if getattr(unit, flag):
            st.caption(context.say(f"compare.{flag}"))
    plain_text(
        _marked(unit.text, texts, kind),
        f"compare-text-{kind}",
        language=statute.language,
        height=_TEXT_HEIGHT if len(unit.text) > _LONG else None,
    )


def _marked(text: str, pieces: list[Piece], kind: DiffKind) -> list[Span]:
    """Return a text as spans with its differences marked."""
    return split_by_marks(text, {str(kind): spans(pieces, kind)})


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
    draw_head(context, "compare")
    show_remembered(_NOTICE)
    there = snapshots(*context.here, context.by)
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
    """Draw the choice of two snapshots; return their ids, older law first."""
    lines = {line.id: line for line in there}
    chosen: list[int] = []
    used = next(at for at, line in enumerate(there) if line.in_use)
    places = there.index(before(there, there[used])), used
    for column, name, at in zip(st.columns(2), ("older", "newer"), places, strict=True):
        chosen.append(
            column.selectbox(
                context.say(f"compare.{name}"),
                list(lines),
                index=at,
                format_func=lambda each: snapshot_name(context, lines[each]),
                key=f"compare-{name}",
            )
        )
    words = context.say("compare.in_use", name=there[used].name, effective=date_of(there[used]))
    st.caption(md_literal(words))
    if context.may(Act.IMPORT_LAW):
        _use_buttons(context, [lines[fromkey] for fromkey in dict.fromkeys(chosen)])
    return chosen[0], chosen[1]


def _use_buttons(context: Context, chosen: Sequence[SnapshotLine]) -> None:
    """Draw a button for each chosen snapshot that is not in use."""
    with st.container(horizontal=True):
        for line in chosen:
            if not line.in_use:
                words = context.say("compare.use", id=line.id)
                use_button(context, line, _NOTICE, words, f"compare-use-{line.id}")


def _counts(context: Context, report: ComparisonReport) -> None:
    """Draw how many statutes and units differ."""
    if report.backwards:
        dates = {"earlier": report.dates.earlier, "later": report.dates.later}
        st.warning(context.say("compare.backwards", **dates), icon=":material/history:")
    st.markdown(md_literal(change_in_words(report, context.language)))
    units = report.units
    for column, status in zip(st.columns(len(_COUNTED)), _COUNTED, strict=True):
        column.metric(
            context.say(f"compare.status.{status}"),
            f"{units[status]:,}",
            border=True,
            help=context.say(f"compare.status_help.{status}"),
        )
    same = f"{units[Status.UNCHANGED]:,}", f"{report.statutes[StatuteStatus.UNCHANGED]:,}"
    st.caption(context.say("compare.unchanged", units=same[0], statutes=same[1]))
    st.caption(" ".join(_totals_text(context, report)))


def _totals_text(context: Context, report: ComparisonReport) -> tuple[str, str]:
    """Return the totals behind the counts, and the effective dates compared."""
    figures = (*report.provisions, *report.deleted)
    names = ("old", "new", "old_deleted", "new_deleted")
    counts = {name: f"{count:,}" for name, count in zip(names, figures, strict=True)}
    dates = {name: f"{count:,}" for name, count in asdict(report.dates).items()}
    return context.say("compare.counted", **counts), context.say("compare.dates", **dates)


@fragment
def _changes(context: Context, report: ComparisonReport) -> None:
    """Draw the changes, as a fragment: filters and selection redraw nothing else."""
    draw_statutes(context, report)
    draw_units(context, report)
