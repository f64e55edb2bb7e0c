"""Exchange screen: export and import of all annotations, import of other tools' labels.

Import of labels from another tool: file, mapping of its values, preview, import.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import streamlit as st

from annotation.exchange.files import Exchanged, annotations_bytes, import_annotations
from annotation.exchange.foreign import Fields, Survey, read_labels, survey, users_and_choices
from annotation.people.members import list_people
from annotation.people.roles import Act, may
from annotation.work.submissions import TOOLS, Decision
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded
from pages.shell.navigation import to_top
from pages.shell.notices import allowed, draw_head, remember, show_remembered
from pages.shell.task_progress import begin, draw_at_top, start_button, started
from pages.shell.uploads import archive_help, megabytes
from pages.shell.widgets import choose, download, draw_table
from services.background.tasks import TaskKind
from services.exchange.label_import import brought_files, start_import, unit_choices
from services.exchange.label_lookup import GUIDE_BYTES, Guide, LabelsReport, look_up, read_guide
from services.uploads import UPLOADED_ARCHIVES, Upload, staged_file

MEANINGS = (*Decision, "no_provision")
ROWS = 60  # users or choices that the form asks about; more need a mapping file
_SHOWN = 100  # refusals listed
_HASH = 12  # leading digits, enough to tell files apart


@fragment
def draw_labels(context: Context) -> None:
    """Draw the import of labels, which runs in the background (`labels_came`)."""
    st.caption(context.say("exchange.labels_help"))
    kinds = ["json", "jsonl", *(ending.removeprefix(".") for ending in UPLOADED_ARCHIVES)]
    left, right = st.columns([1, 2])
    tool = left.selectbox(
        context.say("exchange.tool"), TOOLS, format_func=TOOLS.__getitem__, key="labels-tool"
    )
    file = right.file_uploader(
        context.say("exchange.labels_file"),
        kinds,
        help=archive_help(context),
        key="labels-file",
    )
    if file is None:
        return
    file.seek(0)
    with staged_file(Upload(file.name, file), ".json", ".jsonl") as path:
        guide = _guide(context, path, tool)
        if guide is not None:
            _draw_import(context, path, tool, guide)


def _guide(context: Context, path: Path, tool: str) -> Guide | None:
    """Draw the mapping by form or by file; return it, None until it is complete."""
    words, options = "exchange.meaning", ["by_form", "by_file"]
    asked = choose(context, words, options, "exchange", "labels-meaning", titled=True)
    if asked == "by_form":
        return _guide_by_form(context, path, tool)
    given = st.file_uploader(
        context.say("exchange.mapping_file"),
        ["json"],
        max_upload_size=megabytes(GUIDE_BYTES),
        key="labels-mapping",
    )
    if given is None:
        return None
    given.seek(0)
    with staged_file(Upload(given.name, given), ".json") as mapping:
        return read_guide(mapping)


def _guide_by_form(context: Context, path: Path, tool: str) -> Guide | None:
    fields = _fields(context, survey(path, tool))
    if fields is None:
        st.info(context.say("exchange.no_choices"), icon=":material/search_off:")
        return None
    users, choices = users_and_choices(read_labels(path, tool, fields).read)
    units = unit_choices(*context.here, choices, by=context.by)
    mean = _unit_ids(context, len(units))
    choices = tuple(each for each in choices if not (mean and each in units))
    if max(len(users), len(choices)) > ROWS:
        st.info(context.say("exchange.too_many", limit=ROWS), icon=":material/info:")
        return None
    people, decisions = st.columns([2, 3], gap="large")
    with people:
        who = _people(context, users)
    with decisions:
        return Guide(fields, who, _decisions(context, choices), mean)


def _unit_ids(context: Context, count: int) -> str:
    """Draw whether choices that are provision ids mean accept; "" if each needs a mapping."""
    if not count:
        return ""
    label = context.say("exchange.unit_ids", count=f"{count:,}")
    asked = st.checkbox(
        label, value=True, help=context.say("exchange.unit_ids_help"), key="labels-unit-ids"
    )
    return str(Decision.ACCEPT) if asked else ""


def _fields(context: Context, found: Survey) -> Fields | None:
    if not (found.items and found.choices):
        return None
    item, choices, comment = st.columns(3)
    told = set(found.choices)  # a tool with separate comments has its comment field suggested
    named = [
        item.selectbox(context.say("exchange.item"), found.items, key="labels-item"),
        choices.selectbox(context.say("exchange.choices"), found.choices, key="labels-choices"),
        comment.selectbox(
            context.say("exchange.comment"),
            found.comments,
            index=next((at for at, name in enumerate(found.comments) if name not in told), None),
            placeholder=context.say("exchange.no_comment"),
            key="labels-comment",
        ),
    ]
    return Fields(*(each or "" for each in named))


def _people(context: Context, users: Sequence[str]) -> dict[str, str]:
    """Draw a choice of person for each user; equal names are preset."""
    st.markdown(f"**{context.say('exchange.people')}**")
    known = list_people(*context.here)
    names = [each.name for each in known if each.active and may(each.role, Act.ANNOTATE)]
    chosen: dict[str, str | None] = {}
    for user in users:
        st.text(user)  # a label would be Markdown, in which an address becomes a link
        chosen[user] = st.selectbox(
            context.say("exchange.whom"),
            names,
            index=names.index(user) if user in names else None,
            placeholder=context.say("exchange.whom"),
            label_visibility="collapsed",
            key=f"labels-user-{user}",
        )
    return {user: name for user, name in chosen.items() if name}


def _decisions(context: Context, choices: Sequence[str]) -> dict[str, tuple[str, str] | None]:
    """Draw a choice of decision and unit for each label; return the mapping."""
    if not choices:
        return {}
    st.markdown(f"**{context.say('exchange.decisions')}**")
    said: dict[str, tuple[str, str] | None] = {}
    for choice in choices:
        left, right = st.columns([2, 3], vertical_alignment="bottom")
        left.text(choice)
        meaning = left.selectbox(
            context.say("exchange.decisions"),
            MEANINGS,
            label_visibility="collapsed",
            format_func=lambda each: context.say(f"exchange.means.{each}"),
            key=f"labels-meaning-{choice}",
        )
        if meaning == "no_provision":
            said[choice] = None
            continue
        unit = right.text_input(
            context.say("exchange.unit"),
            choice if "_" in choice else "",
            placeholder=context.say("exchange.unit_example"),
            help=context.say("exchange.unit_help"),
            key=f"labels-unit-{choice}",
        )
        if unit:
            said[choice] = unit.strip(), meaning
    return said


def _draw_import(context: Context, path: Path, tool: str, guide: Guide) -> None:
    """Draw a preview of the import, and the button that starts it."""
    ready = look_up(*context.here, path, tool, guide, by=context.by)
    _preview(context, ready.report)
    leave_out = bool(ready.report.refused and ready.jobs) and st.checkbox(
        context.say("exchange.leave_out", count=f"{len(ready.report.refused):,}"),
        key="labels-leave-out",
    )
    if start_button(
        context,
        TaskKind.LABELS,
        context.say("exchange.labels_import"),
        not ready.jobs or (bool(ready.report.refused) and not leave_out),
        type="primary",
        icon=":material/upload_file:",
        key="labels-import",
    ):
        begin(context, start_import, ready, leave_out)


def labels_came(context: Context, report: LabelsReport) -> list[str]:
    """Return the notice of a finished import."""
    more = {
        "changed": report.changed,
        "begun": report.begun,
        "left_out": len(report.refused),
        "waiting": report.waiting,
    }
    said = [context.say("exchange.labels_done", count=f"{report.new:,}")]
    return said + [
        context.say(f"exchange.labels_{name}", count=f"{count:,}")
        for name, count in more.items()
        if count
    ]


def draw_files(context: Context) -> None:
    """Draw the imported files with counts, if there are any."""
    files = brought_files(*context.here, by=context.by)
    if not files:
        return
    st.subheader(context.say("exchange.files"), anchor=False)
    columns = {
        "file_name": [each.name for each in files],
        "tool": [TOOLS.get(each.tool, each.tool) for each in files],
        "came": [
            context.say("exchange.came_of", came=f"{each.came:,}", labels=f"{each.labels:,}")
            for each in files
        ],
        "imported_at": [f"{each.at:%Y-%m-%d %H:%M} UTC" for each in files],
        "imported_by": [each.by or context.say("exchange.operator") for each in files],
        "sha256": [each.sha256[:_HASH] for each in files],
    }
    draw_table(context, "exchange", columns, "labels-files")
    if any(each.came < each.labels for each in files):
        st.caption(context.say("exchange.unfinished"))


def _preview(context: Context, report: LabelsReport) -> None:
    told = {
        "submitted": report.submitted,
        "drafts": report.drafts,
        "skipped": report.skipped,
        "already": report.already,
        "begun": report.begun,
        "refused": len(report.refused),
    }
    for column, (name, count) in zip(st.columns(len(told)), told.items(), strict=True):
        column.metric(context.say(f"exchange.count.{name}"), f"{count:,}", border=True)
    if report.changed:
        st.info(
            context.say("exchange.supersedes", count=f"{report.changed:,}"),
            icon=":material/history:",
        )
    if not report.refused:
        return
    st.warning(context.say("exchange.refused"), icon=":material/block:")
    listed = report.refused[:_SHOWN]
    columns = {
        "where": [e.where.render(context.language) for e in listed],
        "why": [each.what(context.language) for each in listed],
        "remedy": [each.remedy(context.language) for each in listed],
    }
    draw_table(context, "exchange", columns, "labels-refused")
    if len(report.refused) > _SHOWN:
        more = len(report.refused) - _SHOWN
        st.caption(context.say("exchange.refused_more", count=f"{more:,}"))


_NOTICE = "exchange-notice"


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "exchange")
    came = partial(labels_came, context)
    draw_at_top(context, TaskKind.LABELS, "exchange.labels_progress", _NOTICE, came)
    to_top(f"{show_remembered(_NOTICE)} {started()}")
    with st.container(border=True):
        st.header(context.say("exchange.file"), anchor=False)
        if allowed(context, Act.MANAGE_PEOPLE):
            out, into = st.columns(2, gap="large")
            with out:
                _download(context)
            with into:
                _import(context)
    with st.container(border=True):
        st.header(context.say("exchange.labels"), anchor=False)
        if allowed(context, Act.IMPORT_LABELS):
            draw_labels(context)
            draw_files(context)


def _download(context: Context) -> None:
    st.caption(context.say("exchange.download_help"))
    download(
        context.say("exchange.download"),
        # Computed on click: it is the complete history.
        partial(annotations_bytes, *context.here, context.by),
        f"{context.project}-annotations.jsonl",
        "exchange-download",
    )


def _import(context: Context) -> None:
    st.caption(context.say("exchange.import_help"))
    kinds = ["jsonl", *(ending.removeprefix(".") for ending in UPLOADED_ARCHIVES)]
    with st.form("exchange-import", border=False):
        file = st.file_uploader(
            context.say("exchange.import_file"),
            kinds,
            help=archive_help(context),
            key="exchange-file",
        )
        sent = st.form_submit_button(context.say("exchange.import"), icon=":material/upload_file:")
    if not sent:
        return
    if file is None:
        st.warning(context.say("exchange.need_file"), icon=":material/edit:")
        return
    with guarded(context.language):
        with staged_file(Upload(file.name, file), ".jsonl") as path:
            done = import_annotations(*context.here, path, by=context.by)
        remember(_NOTICE, _outcome_text(context, done))
        st.rerun()


def _outcome_text(context: Context, done: Exchanged) -> str:
    if not done.new:
        return context.say("exchange.known")
    counts = done.counts
    decided = counts.get("adjudication", 0) + counts.get("settlement", 0)
    shown = {name: f"{counts.get(name, 0):,}" for name in ("person", "submission")}
    shown["adjudication"] = f"{decided:,}"
    return context.say("exchange.imported", records=f"{sum(counts.values()) - 1:,}", **shown)
