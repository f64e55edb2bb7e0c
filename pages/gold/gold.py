"""Gold screen: outcome per question, provenance, export.

What came of the project's own tasks, to download: on the screen Gold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import streamlit as st

from annotation.gold.derivation import GoldItem, count_gold, derive, judged_pairs
from annotation.gold.lineage import DECIDED, LineageEntry
from annotation.people.roles import Act
from annotation.start.waiting import own_tasks_of
from annotation.work.submissions import TOOLS, beginning
from pages.gold.export import draw_datasheet_form, draw_export
from pages.gold.release import draw_release
from pages.gold.split import draw_split
from pages.law.snapshot_choice import draw_to_check
from pages.shell.context import Context
from pages.shell.gold_choice import draw_label_sources
from pages.shell.guard import fragment, md_literal
from pages.shell.notices import allowed, draw_head
from pages.shell.plain_text import plain_text
from pages.shell.widgets import choose, download, draw_metrics, draw_table, pick_row
from pages.task.decision_bar import circumstances, spent
from services.agreement.task_progress import item_lines
from services.tasks.own_tasks import export_labels
from storage.tasks import Task

_FORMATS = (".csv", ".jsonl")
_INCOMPLETE = ("untouched", "partly")


def draw_labels(context: Context) -> bool:
    """Draw the state of each own task and its labels as files; return whether there is one."""
    tasks = own_tasks_of(*context.here) if context.may(Act.READ_OTHERS_LABELS) else []
    if tasks:
        st.header(context.say("own_task.labels.title"), anchor=False)
    for task in tasks:
        _draw_task(context, task)
    return bool(tasks)


def _draw_task(context: Context, task: Task) -> None:
    """Draw a task's counts and the downloads of its labels."""
    lines = item_lines(*context.here, [task], context.by)
    complete = sum(each.state not in _INCOMPLETE for each in lines)
    disputed = sum(each.state == "open" for each in lines)
    counts = {"complete": complete, "items": len(lines), "open": disputed}
    said = context.say("own_task.labels.line", **counts)
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{md_literal(context.task_name(task))}** · {said}", width="stretch")
        for end in _FORMATS:
            file = f"{task.replace(':', '-')}{end}"
            words = context.say("own_task.labels.file", format=end[1:])
            key = f"labels-{task}{end}"
            download(words, partial(_label_file, context, task, file), file, key)


def _label_file(context: Context, task: Task, name: str) -> bytes:
    """Return the labels of a task as a file."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / name
        export_labels(*context.here, task, file, context.by)
        return file.read_bytes()


_HASH = 12  # leading digits, enough to tell snapshots apart
_NOTICE = "gold-notice"
_NAMED = 20  # questions listed in a message; the table has all of them


def draw_lineage(context: Context, item: GoldItem) -> None:
    """Draw an item's decisions; those of a pending item only to readers of others' labels."""
    with st.container(border=True):
        st.markdown(f"**{context.say('gold.lineage')} · {md_literal(item.external_id)}**")
        plain_text(item.question, f"lineage-{item.external_id}", "lead")
        if item.inherited is not None:
            of = item.inherited
            words = context.say("gold.inherited", parent=of.parent, label=of.label)
            st.caption(md_literal(words))
        if not item.settled and not context.may(Act.READ_OTHERS_LABELS):
            st.caption(context.say("gold.lineage_hidden"))
            return
        if not item.lineage:
            st.caption(context.say("gold.lineage_none"))
        for entry in item.lineage:
            _entry(context, entry)


def _entry(context: Context, entry: LineageEntry) -> None:
    """Draw an entry of the lineage: who, when, labels, comment."""
    say = context.say
    st.divider()
    head = st.container(horizontal=True, vertical_alignment="center")
    head.badge(
        say(f"gold.kind.{entry.kind}"),
        icon=":material/gavel:" if entry.kind in DECIDED else ":material/person:",
        color="violet" if entry.kind in DECIDED else "blue",
    )
    head.markdown(f"**{md_literal(entry.person)}**")
    head.caption(f"{entry.at:%Y-%m-%d %H:%M} UTC")
    if words := circumstances(context, entry.role == "administrator", entry.conflict):
        st.caption(f":material/warning: {words}")
    if entry.no_provision:
        st.text(say("gold.no_provision"))
    _labels(context, entry)
    for name in ("reason", "comment", "flag"):
        if words := getattr(entry, name):
            sent_back = name == "reason" and entry.kind == "earlier"
            st.caption(say("cases.sent_back_for" if sent_back else f"gold.{name}_said"))
            st.text(words)
    world = {
        "snapshot": entry.snapshot[:_HASH],
        "effective": entry.effective or "–",
        "guideline": entry.guideline_version,
        "codebook": entry.codebook_version,
        "spent": spent(context, entry.seconds),
    }
    st.caption(md_literal(say("gold.world", **world)))
    if (origin := entry.imported) is not None:
        at, tool = origin.made_at, TOOLS.get(origin.tool, origin.tool)
        time = say("gold.time_unknown") if at is None else f"{at:%Y-%m-%d %H:%M} UTC"
        about = {"user": origin.user, "file": origin.file, "sha256": origin.sha256[:_HASH]}
        # names of a file and a user are not Markdown
        st.text(say("gold.imported", tool=tool, at=time, **about))


def _labels(context: Context, entry: LineageEntry) -> None:
    """Draw the labels of an entry, except rejected units."""
    say = context.say
    telling = [label for label in entry.labels if label.label != "reject"]
    if telling:
        columns = {
            "provision": [each.unit for each in telling],
            "label": [say(f"adjudication.label.{each.label}") for each in telling],
            "citations": [", ".join(each.citations) for each in telling],
        }
        draw_table(context, "gold", columns)
    rejected = len(entry.labels) - len(telling)
    if rejected:
        st.caption(say("gold.rejected", count=rejected))


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "gold", _NOTICE)
    items = derive(*context.here, by=context.by)
    if items:
        _counts(context, items)
    if context.may(Act.SEE_SCORES):  # annotators never hear of labels of the data
        draw_label_sources(context)
    if not items:
        if not draw_labels(context):
            st.info(context.say("gold.empty"), icon=":material/info:")
        if context.may(Act.EXPORT_GOLD):
            draw_datasheet_form(context, _NOTICE)
        return
    draw_to_check(context, _NOTICE)
    if not any(item.settled for item in items):
        st.info(context.say("gold.none_settled"), icon=":material/hourglass_empty:")
    if allowed(context, Act.EXPORT_GOLD):
        ready = any(item.settled for item in items)
        draw_split(context, ready, _NOTICE)
        draw_datasheet_form(context, _NOTICE)
        draw_export(context, ready)
        draw_release(context, ready)
    _table(context, items)
    draw_labels(context)


def _counts(context: Context, every: Sequence[GoldItem]) -> None:
    """Draw the number of items by outcome."""
    found = count_gold(every)
    outcomes = Counter(found.outcomes)
    shown = {
        "agreed": outcomes["agreed"] + outcomes["single"],
        "consensus": outcomes["consensus"],
        "adjudicated": outcomes["adjudicated"],
        "pending": found.pending,
    }
    figures = {
        context.say(f"gold.{name}"): (f"{count:,}", context.say(f"gold.{name}_help"))
        for name, count in shown.items()
    }
    draw_metrics(figures)
    if found.final:
        none = found.no_provision
        parts = {"total": found.total, "final": found.final, "with": found.final - none}
        counts = {name: f"{count:,}" for name, count in {**parts, "none": none}.items()}
        st.caption(context.say("gold.of_final", **counts))
        judged = judged_pairs(*context.here, every, by=context.by).items()
        st.caption(context.say("gold.judged", **{name: f"{n:,}" for name, n in judged}))
    if found.inheriting:
        counts = {"count": f"{found.inheriting:,}", "settled": f"{found.inheriting_final:,}"}
        st.caption(context.say("gold.inheriting", **counts))
    if found.reasons:
        said = [
            f"{context.say(f'gold.reason.{name}')} {count:,}"
            for name, count in sorted(found.reasons.items())
        ]
        st.caption(f"{context.say('gold.why_pending')} {' · '.join(said)}")
    items = [item for item in every if item.inherited is None]  # the others were not decided on
    for reason, draw in (("amended", st.warning), ("no_candidates", st.info)):
        questions = [item.external_id for item in items if reason in item.pending]
        named = ", ".join(questions[:_NAMED])
        if len(questions) > _NAMED:
            named = f"{named} {context.say('gold.more', count=len(questions) - _NAMED)}"
        if questions:
            words = context.say(f"gold.{reason}", named=named)
            draw(md_literal(words), icon=":material/history:")


@fragment
def _table(context: Context, items: Sequence[GoldItem]) -> None:
    """Draw the table, as a fragment: filters and selection redraw nothing else."""
    say = context.say
    st.header(say("gold.table"), anchor=False)
    wanted = choose(context, "gold.show", ["all", "settled", "pending"], "gold", "gold-show")
    rows = [item for item in items if wanted in ("all", "settled" if item.settled else "pending")]
    columns = {
        "question_id": [item.external_id for item in rows],
        "question": [beginning(item.question) for item in rows],
        "outcome": [outcome_of(context, item) for item in rows],
        "provisions": [list(item.units) for item in rows],
    }
    config = {
        "question_id": st.column_config.TextColumn(width="small"),
        "provisions": st.column_config.ListColumn(width="large"),
    }
    about = columns, "gold-table", "gold.pick"
    row = pick_row(context, "gold", *about, wide="question", config=config)
    if row is not None:
        draw_lineage(context, rows[row])


def outcome_of(context: Context, item: GoldItem) -> str:
    """Return an item's outcome as text, or why it is pending."""
    if item.settled:
        said = context.say(f"gold.outcomes.{item.outcome}")
        if item.inherited is not None:
            said = context.say("gold.outcome_inherited", said=said, parent=item.inherited.parent)
        return f"{said}: {context.say('gold.no_provision')}" if item.no_provision else said
    why = ", ".join(context.say(f"gold.reason.{reason}") for reason in item.pending)
    return f"{context.say('gold.pending')}: {why}"
