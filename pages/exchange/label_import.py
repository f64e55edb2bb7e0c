"""Labels from another tool: the file, what its words mean, what would come in, the import."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from annotation.exchange.foreign import Fields, read_labels
from annotation.exchange.survey import Survey, survey, users_and_choices
from annotation.people.members import list_people
from annotation.people.roles import Act, may
from annotation.work.submissions import Decision
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded
from pages.shell.notices import remember
from pages.shell.uploads import archive_help, megabytes
from pages.shell.widgets import choose, draw_table
from services.exchange.label_import import (
    GUIDE_BYTES,
    Guide,
    LabelsPreview,
    LabelsReport,
    import_labels,
    preview_labels,
    read_guide,
)
from services.uploads import UPLOADED_ARCHIVES, Upload, staged_file

TOOLS = {"label-studio": "Label Studio", "argilla": "Argilla"}
MEANINGS = (*Decision, "no_provision")
ROWS = 60  # users or choices that a form asks about; more are for a mapping file
_SHOWN = 100  # refusals listed


@fragment
def draw_labels(context: Context, notice: str) -> None:
    """Draw the import of labels; what came of it is remembered under `notice`."""
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
            _decide(context, path, tool, guide, notice)


def _guide(context: Context, path: Path, tool: str) -> Guide | None:
    """Draw what the file's words mean, asked here or read from a file; None until it is told."""
    words, options = "exchange.meaning", ["by_form", "by_file"]
    asked = choose(context, words, options, "exchange", "labels-meaning", titled=True)
    if asked == "by_form":
        return _asked(context, path, tool)
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


def _asked(context: Context, path: Path, tool: str) -> Guide | None:
    fields = _fields(context, survey(path, tool))
    if fields is None:
        st.info(context.say("exchange.no_choices"), icon=":material/search_off:")
        return None
    users, choices = users_and_choices(read_labels(path, tool, fields))
    if max(len(users), len(choices)) > ROWS:
        st.info(context.say("exchange.too_many", limit=ROWS), icon=":material/info:")
        return None
    people, decisions = st.columns([2, 3], gap="large")
    with people:
        who = _people(context, users)
    with decisions:
        return Guide(fields, who, _decisions(context, choices))


def _fields(context: Context, found: Survey) -> Fields | None:
    if not (found.items and found.choices):
        return None
    item, choices, comment = st.columns(3)
    told = set(found.choices)  # a tool that tells both apart has the comment suggested
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
    """Ask who each user is; a user of the same name as somebody here is they."""
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
    """Ask which decision each choice is, and on which unit."""
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


def _decide(context: Context, path: Path, tool: str, guide: Guide, notice: str) -> None:
    """Draw what would come in, and bring it in when asked."""
    about = (*context.here, path, tool, guide)
    found = preview_labels(*about, by=context.by)
    _preview(context, found)
    new = _new(found.report)
    asked = st.button(
        context.say("exchange.labels_import"),
        type="primary",
        icon=":material/upload_file:",
        disabled=bool(found.refused) or not new,
        key="labels-import",
    )
    if not asked:
        return
    with guarded(context.language):
        done = import_labels(*about, by=context.by)
        remember(notice, context.say("exchange.labels_done", count=_new(done)))
        st.rerun()


def _new(report: LabelsReport) -> int:
    return report.submitted + report.drafts + report.skipped


def _preview(context: Context, found: LabelsPreview) -> None:
    report = found.report
    told = {
        "submitted": report.submitted,
        "drafts": report.drafts,
        "skipped": report.skipped,
        "already": report.already,
        "refused": len(found.refused),
    }
    for column, (name, count) in zip(st.columns(len(told)), told.items(), strict=True):
        column.metric(context.say(f"exchange.count.{name}"), f"{count:,}", border=True)
    if not found.refused:
        return
    st.warning(context.say("exchange.refused"), icon=":material/block:")
    listed = found.refused[:_SHOWN]
    columns = {
        "where": [e.where.render(context.language) for e in listed],
        "why": [each.what(context.language) for each in listed],
        "remedy": [each.remedy(context.language) for each in listed],
    }
    draw_table(context, "exchange", columns, "labels-refused")
