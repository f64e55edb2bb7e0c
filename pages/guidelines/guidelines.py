"""Guidelines screen: current text, versions with changes, editing, migration of answers."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from annotation.guidelines.builtin_documents import IN_YAML, KINDS
from annotation.guidelines.codebook_tree import parse
from annotation.guidelines.documents import read
from annotation.people.roles import Act
from pages.guidelines.builtin import draw_builtin
from pages.guidelines.display import draw_text
from pages.guidelines.editor import draw_editor
from pages.guidelines.migration import draw_migration
from pages.guidelines.versions import draw_versions
from pages.shell.context import Context, address
from pages.shell.notices import draw_head, show_remembered
from storage.tasks import Task

NOTICE = "guidelines-notice"


def render(context: Context) -> None:
    """Draw the screen."""
    say = context.say
    draw_head(context, "guidelines")
    show_remembered(NOTICE)
    first, left, right = st.columns([2, 2, 3])
    task: str = first.selectbox(
        say("guidelines.task"),
        [str(each) for each in Task],
        format_func=lambda each: say(f"tasks.{each}"),
        key="guidelines-task",
        label_visibility="collapsed",
    )
    kind = left.segmented_control(
        say("guidelines.kind"),
        KINDS,
        default=KINDS[0],
        required=True,
        format_func=lambda each: say(f"guidelines.kinds.{each}"),
        key="guidelines-kind",
        label_visibility="collapsed",
    )
    if kind == "codebook" and task in IN_YAML:
        place = f"factor_codebook?{urlencode(address())}"
        st.markdown(say("guidelines.factors", address=place))
        if context.may(Act.EDIT_GUIDELINES):
            st.header(say("guidelines.views.migrate"), anchor=False)
            draw_migration(context, kind, task, NOTICE)
        return
    views = ["read", "versions"]
    if context.may(Act.EDIT_GUIDELINES):
        views += ["edit", "migrate"]
    view = right.segmented_control(
        say("guidelines.view"),
        views,
        default=views[0],
        required=True,
        format_func=lambda each: say(f"guidelines.views.{each}"),
        key="guidelines-view",
        label_visibility="collapsed",
    )
    if view == "versions":
        draw_versions(context, kind, task)
    elif view == "edit":
        draw_editor(context, kind, task, NOTICE)
    elif view == "migrate":
        draw_migration(context, kind, task, NOTICE)
    else:
        _draw_current(context, kind, task)


def _draw_current(context: Context, kind: str, task: str) -> None:
    found = read(*context.here, kind, task, context.language, by=context.by)
    st.caption(context.say("guidelines.holds", version=found.version))
    if context.may(Act.EDIT_GUIDELINES):
        draw_builtin(context, kind, task, NOTICE)
    with st.container(border=True):
        book = parse(found.text, task) if found.kind == "codebook" else None
        draw_text(context, found.text, "guidelines-text", book)
