"""Choice of the snapshot and of the levels searched, and the notice of decisions to recheck.

Searched levels of retrieval: the setting, who set it, and the form to change it.

Notice of decisions to recheck after an amendment, with a link to the queue.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal
from pages.shell.notices import allowed, progress_bar, redraw_with
from pages.shell.widgets import TIME, draw_table
from services.gold.search_coverage import levels_in_words
from services.law.activation import ToCheckCounts, counts_to_check, use_snapshot
from services.law.levels import LevelsView, read_levels, set_levels
from services.law.overview import SnapshotLine, overview


def draw_levels(context: Context, notice_key: str) -> None:
    """Draw the setting of the levels searched; `notice_key` keeps the message of a change."""
    say = context.say
    view = read_levels(*context.here, context.by)
    title = say("levels.title", levels=levels_in_words(view.levels, context.language))
    with st.expander(title, icon=":material/filter_alt:"):
        st.caption(say("levels.help"))
        said, origin = view.said, say("levels.usual")
        if said.at is not None:
            about = {"person": said.person or say("levels.operator")}
            origin = say("levels.since", at=f"{said.at:%Y-%m-%d %H:%M}", **about)
        st.caption(md_literal(origin))
        if allowed(context, Act.SET_LEVELS):
            _form(context, view, notice_key)


def searched_caption(context: Context) -> None:
    """Draw which levels a new run would search."""
    view = read_levels(*context.here, context.by)
    levels = levels_in_words(view.levels, context.language)
    st.caption(context.say("levels.run_form", levels=levels))


def _form(context: Context, view: LevelsView, notice_key: str) -> None:
    """Draw the choice of levels to search, and save it."""
    say = context.say
    options = {
        str(level): say("levels.option", level=say(f"data.levels.{level}"), count=f"{units:,}")
        for level, units in view.counts.items()
    }
    with st.form("data-levels", border=False):
        chosen = st.pills(
            say("levels.which"),
            list(options),
            selection_mode="multi",
            default=list(map(str, view.levels)),
            format_func=options.__getitem__,
            # If somebody else has changed the setting meanwhile, the form shows that.
            key=f"data-levels-{'-'.join(view.levels)}",
        )
        sent = st.form_submit_button(say("levels.run"), icon=":material/filter_alt:")
    if not sent:
        return
    with guarded(context.language):
        changed = set_levels(*context.here, chosen, context.by)
        now = read_levels(*context.here, context.by).levels
        key = "done" if changed else "same"
        redraw_with(notice_key, say(f"levels.{key}", levels=levels_in_words(now, context.language)))


def draw_to_check(context: Context, notice_key: str) -> None:
    """Draw the number of decisions to recheck, if any, with a link to all of them.

    `notice_key` is the key of the message shown after an act.
    """
    counts = counts_to_check(*context.here, context.by)
    if not counts.any:
        return
    with st.container(border=True, key="to-check"):
        draw_counts(context, counts, notice_key)
        st.markdown(link_to_all(context))


def draw_counts(context: Context, counts: ToCheckCounts, notice_key: str) -> None:
    """Draw the counts of decisions to recheck, and the button that builds missing candidates.

    `notice_key` is the key of the message shown after an act.
    """
    own = not context.may(Act.READ_OTHERS_LABELS)
    for line in counts.lines(context.language, own):
        st.markdown(f":material/history: {md_literal(line)}")
    if counts.lacking and context.may(Act.IMPORT_LAW):
        _create_candidates(context, notice_key)


def link_to_all(context: Context) -> str:
    """Return a link to the page of decisions to recheck, as Markdown."""
    return f"[{context.say('to_check.open')}](./{context.link('compare')})"


def _create_candidates(context: Context, notice_key: str) -> None:
    """Draw the button that builds the candidates that the law in use lacks."""
    words = context.say("to_check.finish")
    if not st.button(words, key="to-check-finish", icon=":material/manage_search:"):
        return
    in_use = overview(*context.here, context.by).snapshot_id
    with guarded(context.language):
        with progress_bar(context, "to_check.finishing") as report:
            done = use_snapshot(*context.here, in_use or 0, context.by, report)
        redraw_with(notice_key, *done.lines(context.language))


def snapshot_table(context: Context, lines: Sequence[SnapshotLine], notice_key: str) -> None:
    """Draw the project's snapshots, and if there are others the choice of the one in use.

    `notice_key` is the key of the message shown after an act.
    """
    columns = {
        "number": [line.id for line in lines],
        "snapshot": [line.name for line in lines],
        "effective": [date_of(line) for line in lines],
        "imported": [line.imported for line in lines],
        "in_use": [line.in_use for line in lines],
    }
    draw_table(context, "data", columns, config={"imported": TIME})
    others = {line.id: line for line in lines if not line.in_use}
    if not others or not allowed(context, Act.IMPORT_LAW):
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        names = {number: snapshot_name(context, line) for number, line in others.items()}
        chosen = Fields(context, "data.use", "data-use").pick("which", names, names)
        use_button(context, others[chosen], notice_key, context.say("data.use.run"), "data-use")
    st.caption(context.say("data.use.help"))


def use_button(context: Context, line: SnapshotLine, notice_key: str, label: str, key: str) -> None:
    """Draw the button that puts a snapshot in use; its outcome is kept under `notice_key`."""
    if not st.button(label, key=key, icon=":material/history:"):
        return
    with guarded(context.language):
        with progress_bar(context, "to_check.finishing") as report:
            done = use_snapshot(*context.here, line.id, context.by, report)
        now = overview(*context.here, context.by)
        missing = now.items - now.ready
        redraw_with(
            notice_key,
            context.say("data.use.done", id=line.id, name=line.name),
            *done.lines(context.language),
            context.say("data.use.candidates", missing=f"{missing:,}") if missing else "",
            link=link_to_all(context) if done.to_check.any else "",
        )


def snapshot_name(context: Context, line: SnapshotLine) -> str:
    """Return a snapshot's display name in a choice."""
    key = "compare.option_in_use" if line.in_use else "compare.option"
    return context.say(key, id=line.id, name=line.name, effective=date_of(line))


def date_of(line: SnapshotLine) -> str:
    """Return a snapshot's effective date, a dash if it has none."""
    return line.effective.isoformat() if line.effective else "–"
