"""Augment screen: target cells, generated questions, attempts, axes."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act
from annotation.work.versioned_texts import AXES
from construction.augmentation.axes import TEXT_LIMIT
from pages.augmentation.cells import draw_cells
from pages.augmentation.reading import draw_attempts, draw_questions
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.notices import allowed, draw_head, show_remembered
from pages.shell.version_editor import VersionEditor
from pages.shell.widgets import choose, draw_table
from services.augmentation.axes import changes

NOTICE = "augment-notice"
TABS = ("cells", "questions", "attempts", "axes")


def render(context: Context) -> None:
    """Draw the screen."""
    draw_head(context, "augment")
    show_remembered(NOTICE)
    if not allowed(context, Act.MAKE_ITEMS):
        return
    tab = choose(context, "augment.tab.label", TABS, "augment.tab", "augment-tab")
    if tab == "axes":
        _EDITOR.draw(context, NOTICE)
    elif tab == "attempts":
        draw_attempts(context)
    elif tab == "questions":
        draw_questions(context)
    else:
        draw_cells(context)


def _preview(context: Context, text: str) -> None:
    """Draw the effects of changed axes: new and removed keys, affected questions."""
    say, found = context.say, changes(*context.here, text, context.by)
    for name in ("new", "changed", "gone"):
        if keys := getattr(found, name):
            st.caption(plain(say(f"augment.axes.{name}", keys=", ".join(keys))))
    if found.unknown:
        words = say("augment.axes.unknown", keys=", ".join(found.unknown))
        st.warning(plain(words), icon=":material/link_off:")
    if found.lost:
        st.warning(say("augment.axes.lost"), icon=":material/warning:")
        columns = {
            "question": [each.external_id for each in found.lost],
            "place": [each.place for each in found.lost],
        }
        draw_table(context, "augment.axes", columns, "augment-lost", wide="place")
    if found.relevelled:
        st.warning(say("augment.axes.relevelled"), icon=":material/warning:")
        columns = {
            "question": [each.external_id for each in found.relevelled],
            "before": [each.before for each in found.relevelled],
            "after": [each.after for each in found.relevelled],
        }
        draw_table(context, "augment.axes", columns, "augment-relevelled")
    with st.expander(say("augment.axes.diff"), icon=":material/difference:"):
        st.code(found.diff, language="diff")


_EDITOR = VersionEditor(
    words="augment.text",
    place="axes",
    saved="augment.axes.saved",
    no_text="axes_file",
    limit=TEXT_LIMIT,
    source=AXES,
    preview=_preview,
)
