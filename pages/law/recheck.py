"""Gold to be checked again after a change of the law: the notice, and the queue."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.gold.rechecks import Basis, Recheck
from annotation.people.roles import Act
from annotation.work.submissions import beginning
from pages.shell.context import Context
from pages.shell.guard import guarded, plain
from pages.shell.notices import progress_bar, remember
from pages.shell.widgets import draw_table
from services.law.activation import ToCheckCounts, to_check, use_snapshot
from services.law.comparison import ComparisonReport
from services.law.overview import overview


def draw_to_check(context: Context, notice: str) -> None:
    """Draw how many decisions there are, where there are any, with a way to all of them."""
    counts = to_check(*context.here, context.by).counts
    if not counts.questions:
        return
    with st.container(border=True, key="to-check"):
        draw_counts(context, counts, notice)
        st.markdown(link_to_all(context))


def draw_counts(context: Context, counts: ToCheckCounts, notice: str) -> None:
    """Draw the counts and, where candidates are lacking, the button that makes them."""
    own = not context.may(Act.READ_OTHERS_LABELS)
    for line in counts.lines(context.language, own):
        st.markdown(f":material/history: {plain(line)}")
    if counts.lacking and context.may(Act.IMPORT_LAW):
        _finish(context, notice)


def link_to_all(context: Context) -> str:
    """Return a link to the page that lists what is to be checked again, as Markdown."""
    return f"[{context.say('to_check.open')}](./{context.link('compare')})"


def _finish(context: Context, notice: str) -> None:
    words = context.say("to_check.finish")
    if not st.button(words, key="to-check-finish", icon=":material/manage_search:"):
        return
    in_use = overview(*context.here, context.by).snapshot_id
    with guarded(context.language):
        with progress_bar(context, "to_check.finishing") as report:
            done = use_snapshot(*context.here, in_use or 0, context.by, report)
        remember(notice, *done.lines(context.language))
        st.rerun()


def draw_queue(context: Context, report: ComparisonReport, notice: str) -> None:
    """Draw what this person has to check again; annotators see their own decisions only.

    It is held against the newer law of the report; `notice` is where what comes of it is told.
    """
    say = context.say
    st.subheader(say("compare.recheck.title"), anchor=False)
    st.caption(say(f"compare.recheck.help_{'adjudicator' if _sees_all(context) else 'annotator'}"))
    found = to_check(*context.here, context.by, report.new.id)
    entries = found.entries
    if not report.new.in_use:
        st.caption(plain(say("compare.recheck.not_in_use", id=report.new.id)))
    if not entries:
        st.success(say("compare.recheck.none"), icon=":material/done_all:")
        return
    if report.new.in_use:
        draw_counts(context, found.counts, notice)
    else:
        st.markdown(found.counts.lines(context.language, not _sees_all(context))[0])
    draw_table(
        context,
        "compare.recheck",
        _columns(context, entries),
        "compare-rechecks",
        config={
            "question": st.column_config.TextColumn(width="medium"),
            "question_id": st.column_config.TextColumn(width="small"),
            "open": st.column_config.LinkColumn(
                display_text=say("compare.recheck.open"), width="small"
            ),
        },
    )


def _sees_all(context: Context) -> bool:
    return context.may(Act.READ_OTHERS_LABELS)


def _columns(context: Context, entries: Sequence[Recheck]) -> dict[str, list[object]]:
    say = context.say
    columns: dict[str, list[object]] = {
        "open": [address(context, entry) for entry in entries],
        "question_id": [entry.external_id for entry in entries],
        "question": [beginning(entry.question) for entry in entries],
        "why": [say(f"compare.recheck.{entry.reason}") for entry in entries],
        "compare.provision": [entry.place or entry.unit or "–" for entry in entries],
        "compare.became": [
            say(f"compare.status.{entry.became}") if entry.became else "–" for entry in entries
        ],
        "decisions": [
            ", ".join(_decision(context, basis) for basis in entry.decisions) for entry in entries
        ],
    }
    if _sees_all(context):
        columns["gold"] = [entry.gold for entry in entries]
        columns["who"] = [", ".join(map(_who, entry.decisions)) for entry in entries]
    return columns


def address(context: Context, entry: Recheck) -> str:
    """Return the address, beside this page's, where the person can look at the item."""
    by_hand = any(basis.kind == "adjudication" for basis in entry.decisions)
    settles = context.may(Act.ADJUDICATE)
    if _sees_all(context) and not (settles and (by_hand or not entry.gold)):
        return context.link("gold")  # nothing for this person to open
    # The first page of the app, which is where annotators work, has no name in its address.
    page = "adjudication" if _sees_all(context) else "./"
    return context.link(page, item=entry.item_id)


def _decision(context: Context, basis: Basis) -> str:
    kind = context.say(f"compare.kind.{basis.kind}")
    return f"{kind}: {context.say(f'compare.decision.{basis.decision}')}"


def _who(basis: Basis) -> str:
    return f"{basis.person} {basis.at:%Y-%m-%d %H:%M}"
