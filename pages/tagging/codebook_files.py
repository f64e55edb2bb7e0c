"""Bringing a codebook in from YAML, with what it would change, and taking one out."""

from __future__ import annotations

import hashlib

import streamlit as st

from annotation.guidelines.codebook_text import FACTORS_LIMIT
from annotation.people.roles import Act
from errors import UserError, Where
from pages.shell.context import Context
from pages.shell.guard import show
from pages.shell.upload_limits import megabytes
from pages.tagging.codebook_changes import draw_changes
from pages.tagging.codebook_saving import draw_saving
from services.tagging.codebook import Held, outlook


def draw_files(context: Context, held: Held, notice: str) -> None:
    """Draw the download and, for who may edit, the upload."""
    say = context.say
    st.download_button(
        say("factor_book.download"),
        held.text.text,
        f"factors-{held.text.version}.yaml",
        "application/yaml",
        icon=":material/download:",
        key="factor-book-download",
    )
    if context.may(Act.EDIT_GUIDELINES):
        _upload(context, held, notice)


def _upload(context: Context, held: Held, notice: str) -> None:
    say = context.say
    file = st.file_uploader(
        say("factor_book.upload"),
        ["yaml", "yml"],
        max_upload_size=megabytes(FACTORS_LIMIT, characters=True),
        key="factor-book-upload",
    )
    if file is None:
        st.caption(say("factor_book.upload_hint"))
        return
    try:
        text = _decoded(file.name, file.getvalue())
        seen = outlook(context.workspace, context.project, text, by=context.person.id)
    except UserError as error:
        show(error, context.language)
        return
    draw_changes(context, held.labels, seen)
    if seen.changes:
        _save(context, held, text, notice)


def _decoded(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError("guideline_file", Where(file=name)) from error


def _save(context: Context, held: Held, text: str, notice: str) -> None:
    say = context.say
    mark = hashlib.sha256(text.encode()).hexdigest()[:12]
    base = st.session_state.setdefault(f"factor-book-base-{mark}", held.current)
    label = say("factor_book.save_file")
    if draw_saving(context, text, base, notice, label, "factor-book-file"):
        del st.session_state[f"factor-book-base-{mark}"]
        st.rerun()
