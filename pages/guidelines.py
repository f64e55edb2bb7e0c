"""The guidelines screen: what holds now, its versions and what changed, editing, taking over."""

from __future__ import annotations

import streamlit as st

from annotation.codebook_tree import parse
from annotation.documents import Text, read
from annotation.packaged import KINDS, TASK
from annotation.roles import Act
from pages.context import Context
from pages.parts.guideline_edit import draw_editor
from pages.parts.guideline_migrate import draw_migration
from pages.parts.guideline_show import draw_text
from pages.parts.guideline_versions import draw_versions
from pages.parts.notices import show_remembered

NOTICE = "guidelines-notice"


def render(context: Context) -> None:
    """Draw the screen."""
    say = context.say
    st.title(say("guidelines.title"), anchor=False)
    st.markdown(say("guidelines.lead"))
    show_remembered(NOTICE)
    left, right = st.columns([2, 3])
    kind = left.segmented_control(
        say("guidelines.kind"),
        KINDS,
        default=KINDS[0],
        required=True,
        format_func=lambda each: say(f"guidelines.kinds.{each}"),
        key="guidelines-kind",
        label_visibility="collapsed",
    )
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
        draw_versions(context, kind)
    elif view == "edit":
        draw_editor(context, kind, NOTICE)
    elif view == "migrate":
        draw_migration(context, kind, NOTICE)
    else:
        _now(context, kind)


def _now(context: Context, kind: str) -> None:
    found = read(
        context.workspace, context.project, kind, TASK, context.language, by=context.person.id
    )
    st.caption(context.say("guidelines.holds", version=found.version))
    with st.container(border=True):
        _draw(context, found)


def _draw(context: Context, found: Text) -> None:
    book = parse(found.text, TASK) if found.kind == "codebook" else None
    draw_text(context, found.text, "guidelines-text", book)
