"""Exchange screen: export and import of all annotations, import of other tools' labels.

Import of labels from another tool: task, file, mapping of its values, preview, import.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path

import streamlit as st

from annotation.exchange.files import Exchanged, annotations_bytes, import_annotations
from annotation.exchange.foreign import recognised
from annotation.people.roles import Act
from annotation.work.submissions import TOOLS
from pages.exchange.label_mapping import MEANINGS, draw_guide
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, guarded
from pages.shell.navigation import to_top
from pages.shell.notices import allowed, draw_head, redraw_with, show_remembered
from pages.shell.task_progress import begin, draw_at_top, start_button, started
from pages.shell.uploads import archive_help
from pages.shell.widgets import download, draw_table
from services.background.tasks import TaskKind
from services.exchange.label_guess import label_tasks
from services.exchange.label_guides import FormGuide, Guide
from services.exchange.label_import import imported_files, start_import
from services.exchange.label_lookup import LabelImport, LabelsReport, look_up
from services.uploads import (
    LABEL_ENDINGS,
    UPLOADED_ARCHIVES,
    Upload,
    staged_file,
    staged_labels,
)
from storage.tasks import display_name

_SHOWN = 100  # refusals listed
_COUNTED = {"submitted": "submitted", "draft": "drafts", "discarded": "skipped"}
_HASH = 12  # leading digits, enough to tell files apart


@fragment
def draw_labels(context: Context) -> None:
    """Draw the import of another tool's labels: file, mapping, preview, start in the background."""
    st.caption(context.say("exchange.labels_help"))
    fields = Fields(context, "exchange", "labels")
    left, right = fields.row([1, 2])
    tasks = label_tasks(*context.here, context.by)
    task = left.pick("task", tasks, lambda each: display_name(each, context.language))
    kinds = dict.fromkeys(LABEL_ENDINGS + UPLOADED_ARCHIVES)
    file = right.file("labels_file", kinds, help=archive_help(context), key="file")
    if file is None:
        return
    file.seek(0)
    with staged_labels(Upload(file.name, file)) as staged:
        path, key = staged.path, f"tool-{file.file_id}"
        tool = fields.pick("tool", TOOLS, TOOLS.__getitem__, recognised(path), key=key)
        guide = draw_guide(context, path, tool, task)
        if guide is not None:
            _draw_import(context, path, tool, guide, task)


def _draw_import(
    context: Context, path: Path, tool: str, guide: Guide | FormGuide, task: str
) -> None:
    """Draw a preview of the import, and the button that starts it."""
    ready = look_up(*context.here, path, tool, guide, context.by, task)
    _samples(context, ready)
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
    """Return the lines of the notice of a finished import of labels."""
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
    """Draw the label files imported before, with counts, if there are any."""
    files = imported_files(*context.here, by=context.by)
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
    """Draw what importing the labels would do, and what is refused."""
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


def _samples(context: Context, ready: LabelImport) -> None:
    """Draw the first labels as they would come in."""
    if not ready.samples:
        return
    st.markdown(f"**{context.say('exchange.samples')}**")
    labels = [label for label, _ in ready.samples]
    columns = {
        "item_name": [each.item for each in labels],
        "person": [each.person for each in labels],
        "state": [context.say(f"exchange.count.{_COUNTED[each.status]}") for each in labels],
        "answers": [_answers_text(context, said) for _, said in ready.samples],
        "remark": [each.comment for each in labels],
    }
    draw_table(context, "exchange", columns, "labels-samples", "answers")


def _answers_text(context: Context, said: Mapping[str, str]) -> str:
    """Return the answers in a file as one line, each under what it means."""
    names = {name: context.say(f"exchange.means.{name}") for name in MEANINGS}
    return " · ".join(f"{names.get(name, name)}: {text}" for name, text in said.items())


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
    """Draw the download of the project's annotations."""
    st.caption(context.say("exchange.download_help"))
    download(
        context.say("exchange.download"),
        # Computed on click: it is the complete history.
        partial(annotations_bytes, *context.here, context.by),
        f"{context.project}-annotations.jsonl",
        "exchange-download",
    )


def _import(context: Context) -> None:
    """Draw the import of an annotation file."""
    st.caption(context.say("exchange.import_help"))
    with st.form("exchange-import", border=False):
        kinds, bounds = ["jsonl", *UPLOADED_ARCHIVES], archive_help(context)
        fields = Fields(context, "exchange", "exchange")
        file = fields.file("import_file", kinds, help=bounds, key="file")
        sent = st.form_submit_button(context.say("exchange.import"), icon=":material/upload_file:")
    if not sent:
        return
    if file is None:
        st.warning(context.say("exchange.need_file"), icon=":material/edit:")
        return
    with guarded(context.language):
        with staged_file(Upload(file.name, file), ".jsonl") as path:
            done = import_annotations(*context.here, path, by=context.by)
        redraw_with(_NOTICE, _outcome_text(context, done))


def _outcome_text(context: Context, done: Exchanged) -> str:
    """Return the notice of an import of annotations: counts, or that the file was known."""
    if not done.new:
        return context.say("exchange.known")
    counts = done.counts
    decided = counts.get("adjudication", 0) + counts.get("settlement", 0)
    shown = {name: f"{counts.get(name, 0):,}" for name in ("person", "submission")}
    shown["adjudication"] = f"{decided:,}"
    return context.say("exchange.imported", records=f"{sum(counts.values()) - 1:,}", **shown)
