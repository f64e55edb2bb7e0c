"""Decisions to recheck after an amendment: counts by task, queue, wordings, actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

import streamlit as st

from annotation.gold.law_checks import Kind
from annotation.gold.rechecks import Recheck
from annotation.people.roles import Act
from annotation.work.submissions import beginning
from corpus.compare.diff import DiffKind, Piece, diff, spans
from pages.law.snapshot_choice import draw_counts
from pages.shell.context import Context, query_of, screen_of
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import redraw_with
from pages.shell.plain_text import plain_text, split_by_marks
from pages.shell.widgets import choose, draw_table, pick_row
from services.law.activation import ToCheck, revision
from services.law.comparison import ComparisonReport
from services.law.watch import (
    LawWatch,
    TaskCounts,
    add_check,
    change_in_words,
    law_watch,
    wordings,
)
from storage.db.workspace import Workspace
from storage.tasks import Task

_ALL = "all"
_OPEN = "open"
_LONG = 1200  # characters
_TEXT_HEIGHT = 420  # pixels of a text before it scrolls
_Side = TypeVar("_Side")
_ICONS: dict[Kind, str] = {
    "confirm": ":material/check:",
    "send_back": ":material/reply:",
    "set_aside": ":material/inventory_2:",
    "reopen": ":material/lock_open:",
}


def draw_queue(context: Context, report: ComparisonReport, notice_key: str) -> None:
    """Draw the person's decisions to recheck; annotators see their own items only.

    They are checked against the newer law of the report; `notice_key` keeps the next message.
    """
    say = context.say
    st.header(say("compare.recheck.title"), anchor=False)
    st.caption(say(f"compare.recheck.help_{'adjudicator' if _sees_all(context) else 'annotator'}"))
    where = context.workspace.place, context.project, context.by
    found = _watch(*where, report.new.id, revision(*context.here, context.by), context.workspace)
    if not report.new.in_use:
        st.caption(md_literal(say("compare.recheck.not_in_use", id=report.new.id)))
    _draw_tasks(context, found)
    if not found.entries:
        st.success(say("compare.recheck.none"), icon=":material/done_all:")
        return
    counts = ToCheck(found.open).counts
    if report.new.in_use and counts.any:
        draw_counts(context, counts, notice_key)
    else:
        st.markdown(counts.lines(context.language, not _sees_all(context))[0])
    _draw_entries(context, found, report.new.in_use, notice_key)


@st.cache_data(max_entries=16, show_spinner=False)
def _watch(
    place: str, project: str, by: int, snapshot_id: int, version: str, _ws: Workspace
) -> LawWatch:
    """Return the re-checks of the project, cached by the state of the database."""
    return law_watch(_ws, project, by=by, snapshot_id=snapshot_id)


def _draw_tasks(context: Context, watch: LawWatch) -> None:
    """Draw the number of items per task and state."""
    tasks = [each for each in watch.counts if each.items]
    if not tasks:
        return
    columns = {name: [getattr(each, name) for each in tasks] for name in TaskCounts.__slots__}
    columns["task"] = [context.say(f"app.pages.{task}") for task in columns["task"]]
    draw_table(context, "watch.counts", columns, "watch-counts")
    if any(each.unknown for each in tasks):
        st.caption(context.say("watch.counts.unknown_help"))


@fragment
def _draw_entries(context: Context, watch: LawWatch, in_use: bool, notice_key: str) -> None:
    """Draw the queue, and the selected entry."""
    entries = _filtered(context, watch)
    say = context.say
    config = {
        "question": st.column_config.TextColumn(width="medium"),
        "question_id": st.column_config.TextColumn(width="small"),
        "open": st.column_config.LinkColumn(
            display_text=say("compare.recheck.open"), width="small"
        ),
    }
    acts = in_use and context.may(Act.RECHECK_LAW)
    picked = pick_row(
        context,
        "compare.recheck",
        _columns(context, entries),
        "compare-rechecks",
        "watch.pick" if acts else "compare.pick",
        config=config,
        placeholder="",
    )
    if picked is not None:
        _draw_entry(context, entries[picked], in_use, notice_key)


def _filtered(context: Context, watch: LawWatch) -> Sequence[Recheck]:
    """Draw the choice of a task and of open entries; return the filtered entries."""
    tasks = list(dict.fromkeys(str(each.task) for each in watch.entries))
    entries: Sequence[Recheck] = watch.entries
    if len(tasks) > 1:
        say = context.say
        names = {_ALL: say("compare.all")} | {each: say(f"app.pages.{each}") for each in tasks}
        task = choose(context, "watch.task", [*names], names.__getitem__, "watch-task")
        entries = [each for each in entries if task in (_ALL, each.task)]
    if len(watch.open) < len(watch.entries):
        shown = choose(context, "compare.show", [_OPEN, _ALL], "watch.show", "watch-show")
        entries = [each for each in entries if shown == _ALL or each in watch.open]
    return entries


def _sees_all(context: Context) -> bool:
    """Return True if the person may read others' labels."""
    return context.may(Act.READ_OTHERS_LABELS)


def _columns(context: Context, entries: Sequence[Recheck]) -> dict[str, list[object]]:
    """Return the columns of the table of re-checks."""
    say = context.say
    columns: dict[str, list[object]] = {
        "open": [address(context, entry) for entry in entries],
        "task": [say(f"app.pages.{entry.task}") for entry in entries],
        "question_id": [entry.external_id for entry in entries],
        "question": [beginning(entry.question) for entry in entries],
        "why": [say(f"compare.recheck.{entry.reason}") for entry in entries],
        "compare.provision": [entry.place or entry.unit or "–" for entry in entries],
        "compare.became": [
            say(f"compare.status.{entry.became}") if entry.became else "–" for entry in entries
        ],
        "state": [say(f"watch.state.{entry.state}") for entry in entries],
        "decisions": [
            ", ".join(
                f"{say(f'compare.kind.{each.kind}')}: {say(f'compare.decision.{each.decision}')}"
                for each in entry.decisions
            )
            or (say(f"watch.progress.{entry.progress}") if entry.progress else "–")
            for entry in entries
        ],
    }
    if _sees_all(context):
        columns["gold"] = [entry.gold for entry in entries]
        columns["who"] = [
            ", ".join(f"{each.person} {each.at:%Y-%m-%d %H:%M}" for each in entry.decisions)
            for entry in entries
        ]
    return columns


def address(context: Context, entry: Recheck) -> str | None:
    """Return a link to the item, or else to gold; None if this page shows everything."""
    settles = context.may(Act.ADJUDICATE)
    if entry.task != Task.CITATION_MAPPING:
        if _sees_all(context):
            return None  # this page has its wordings and actions
        return context.link(screen_of(entry.task), item=entry.item_id, **query_of(entry.task))
    by_hand = any(basis.kind == "adjudication" for basis in entry.decisions)
    if _sees_all(context) and not (settles and (by_hand or not entry.gold)):
        return context.link("gold")  # the person can open nothing else
    page = "adjudication" if _sees_all(context) else entry.task
    return context.link(page, item=entry.item_id)


def _draw_entry(context: Context, entry: Recheck, in_use: bool, notice_key: str) -> None:
    """Draw how the item depends on the provision, both wordings, and the actions."""
    say = context.say
    task = say(f"app.pages.{entry.task}")
    became = change_in_words(entry, context.language)
    st.markdown(f"**{md_literal(entry.external_id)}** · {task} · {md_literal(became)}")
    if entry.via:
        via = ", ".join(say(f"watch.via.{name}") for name in entry.via)
        st.caption(say("watch.rests", via=via))
    if entry.words:
        st.caption(say(f"watch.words.{entry.words}"))
    _draw_words(context, entry)
    if entry.check is not None:
        about = {"person": entry.check.person or "–", "time": f"{entry.check.at:%Y-%m-%d %H:%M}"}
        st.markdown(md_literal(say(f"watch.said.{entry.check.kind}", **about)))
        if entry.check.reason:
            st.text(entry.check.reason)
    if entry.task == Task.CITATION_MAPPING:
        st.caption(say("watch.mapping"))
    elif in_use and context.may(Act.RECHECK_LAW):
        _draw_acts(context, entry, notice_key)


def _draw_words(context: Context, entry: Recheck) -> None:
    """Draw the provision as decided on and as it is now."""
    found = wordings(*context.here, entry, context.by)
    old = {} if found.old is None else {"watch-old": found.old}
    new = {f"watch-new-{at}": each for at, each in enumerate(found.new)}
    before = found.old.text if found.old else ""
    pieces = diff(before, found.new[0].text) if len(new) == 1 else []
    for kind, (name, units) in draw_two((("before", old), ("now", new))):
        st.caption(context.say(f"watch.{name}"))
        if not units:
            st.caption(context.say("compare.not_there"))
        for key, each in units.items():
            head = f"{each.place} {each.heading}".rstrip()
            plain_text(head, f"{key}-head", "lead", each.language)
            draw_text(each.text, pieces, kind, key, each.language)


def draw_two(sides: tuple[_Side, _Side]) -> Iterator[tuple[DiffKind, _Side]]:
    """Yield the older and the newer side, each to be drawn in a column of its own."""
    kinds = DiffKind.REMOVED, DiffKind.INSERTED
    for place, kind, side in zip(st.columns(2, gap="medium"), kinds, sides, strict=True):
        with place, st.container(border=True, height="stretch"):
            yield kind, side


def draw_text(text: str, pieces: Sequence[Piece], kind: DiffKind, key: str, language: str) -> None:
    """Draw one of two wordings, with what only it has marked; a long one scrolls."""
    marked = split_by_marks(text, {str(kind): spans(pieces, kind)})
    plain_text(marked, key, language=language, height=_TEXT_HEIGHT if len(text) > _LONG else None)


def _draw_acts(context: Context, entry: Recheck, notice_key: str) -> None:
    """Draw the buttons that answer the re-check, and carry out the one pressed."""
    say, key = context.say, f"watch-{entry.item_id}-{entry.unit_id}"
    said = None if entry.check is None else entry.check.kind
    kinds = [kind for kind in _ICONS if kind != said and (kind != "reopen" or said)]
    chosen: Kind | None = None
    with st.form(f"{key}-form", border=False):
        reason = st.text_input(say("watch.reason"), key=f"{key}-reason")
        refused = st.container()
        with st.container(horizontal=True):
            for kind in kinds:
                if st.form_submit_button(
                    say(f"watch.act.{kind}"), key=f"{key}-{kind}", icon=_ICONS[kind]
                ):
                    chosen = kind
    if chosen is None:
        return
    with refused, guarded(context.language):
        ws, slug, by = *context.here, context.by
        before = entry.check and entry.check.id
        add_check(ws, slug, chosen, entry.item_id, entry.unit_id, reason, before=before, by=by)
        redraw_with(notice_key, say(f"watch.done.{chosen}", id=entry.external_id))
