"""Editor of the typology, with a preview of the cases that a change would move."""

from __future__ import annotations

import streamlit as st

from annotation.work.versioned_texts import TYPOLOGY
from construction.cases.typology import TEXT_LIMIT
from pages.shell.context import Context
from pages.shell.version_editor import VersionEditor
from pages.shell.widgets import draw_table
from services.cases.standard_groups import Moves, moves


def draw_typology(context: Context, notice: str) -> None:
    """Draw the versions, and the editor for those who may edit."""
    _EDITOR.draw(context, notice)


def _preview(context: Context, text: str) -> None:
    draw_moves(context, moves(*context.here, text, context.by))


def draw_moves(context: Context, found: Moves) -> None:
    """Draw the effects of a changed typology: counts, removed and new groups, moved cases."""
    say = context.say
    st.markdown(
        say(
            "case_groups.typology.moves",
            moved=len(found.moved),
            cases=found.before.cases,
            before=found.before.mapped,
            after=found.after.mapped,
        )
    )
    for name, keys in (("gone", found.gone), ("new", found.new)):
        if keys:
            st.caption(say(f"case_groups.typology.{name}", keys=", ".join(keys)))
    if not found.moved:
        return
    columns = {
        "case_groups.case": [each.case.external_id for each in found.moved],
        "before": [list(each.before) for each in found.moved],
        "after": [list(each.after) for each in found.moved],
    }
    draw_table(context, "case_groups.typology", columns, "typology-moves")


_EDITOR = VersionEditor(
    words="case_groups.typology",
    place="typology",
    saved="case_groups.saved",
    no_text="typology_file",
    limit=TEXT_LIMIT,
    source=TYPOLOGY,
    preview=_preview,
)
