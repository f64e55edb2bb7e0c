"""Saving the codebook of factors as a new version."""

from __future__ import annotations

import streamlit as st

from annotation.guidelines.editing import NOTE_LIMIT
from errors import UserError
from pages.shell.context import Context
from pages.shell.guard import show
from pages.shell.notices import remember
from services.tagging.codebook import save_codebook


def draw_saving(context: Context, text: str, base: int, notice: str, label: str, key: str) -> bool:
    """Draw the note and the button `label`; return whether the text has just become a version.

    `base` is the number of the version that was edited. What is refused is shown.
    """
    say = context.say
    hint = say("guidelines.note_hint")
    name = f"{key}-note"
    note = st.text_input(say("guidelines.note"), max_chars=NOTE_LIMIT, placeholder=hint, key=name)
    if not st.button(label, type="primary", key=f"{key}-save"):
        return False
    where = context.workspace, context.project
    try:
        version = save_codebook(*where, text, note, base, context.person.id)
    except UserError as error:
        show(error, context.language)
        return False
    remember(notice, say("guidelines.saved", number=version.partition("-")[0]))
    return True
