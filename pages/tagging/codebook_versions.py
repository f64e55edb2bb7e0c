"""Versions of the factor codebook: save, download, upload, compare."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from annotation.guidelines.codebook_tree import FACTORS_LIMIT
from annotation.guidelines.editing import NOTE_LIMIT
from annotation.guidelines.versions import VersionView, list_versions
from annotation.people.roles import Act
from construction.tagging.codebook import Labels
from errors import UserError, Where
from normalization.hashing import text_hash
from pages.shell.context import Context
from pages.shell.guard import guarded, md_literal, show
from pages.shell.notices import remember
from pages.shell.uploads import megabytes
from pages.shell.version_editor import author_of
from pages.shell.widgets import download, pick_row
from pages.tagging.codebook_tree import change_words, touched_answers_words
from services.tagging.codebook import Held, Outlook, outlook, save_codebook
from services.tagging.codebook import find_codebook as read
from storage.tasks import Task

_DAY = "%Y-%m-%d %H:%M"
_SHOWN = 40  # changes shown before the rest is folded


def draw_changes(context: Context, labels: Labels, outlook: Outlook) -> None:
    """Draw the changes, the answers they invalidate, and scopes that the typology lacks."""
    say = context.say
    if not outlook.changes:
        st.info(say("factor_book.no_changes", number=outlook.against))
        return
    st.markdown(
        f"**{say('factor_book.changes', count=len(outlook.changes), number=outlook.against)}**"
    )
    lines = [
        f"- {md_literal(change_words(context, labels, outlook, change))}"
        for change in outlook.changes
    ]
    st.markdown("\n".join(lines[:_SHOWN]))
    if lines[_SHOWN:]:
        with st.expander(say("factor_book.more_changes", count=len(lines) - _SHOWN)):
            st.markdown("\n".join(lines[_SHOWN:]))
    touched = touched_answers_words(context, outlook)
    if touched:
        st.warning(
            "\n".join(f"- {md_literal(each)}" for each in touched), icon=":material/warning:"
        )
    for factor, part in outlook.unknown:
        st.warning(md_literal(say("factor_book.unknown_scope", factor=factor, part=part)))


def draw_saving(context: Context, text: str, base: int, notice: str, label: str, key: str) -> bool:
    """Draw the note and the button `label`; return whether a version was saved just now.

    `base` is the number of the edited version. Errors are drawn.
    """
    say = context.say
    hint = say("guidelines.note_hint")
    name = f"{key}-note"
    note = st.text_input(say("guidelines.note"), max_chars=NOTE_LIMIT, placeholder=hint, key=name)
    if not st.button(label, type="primary", key=f"{key}-save"):
        return False
    try:
        version = save_codebook(*context.here, text, note, base, context.by)
    except UserError as error:
        show(error, context.language)
        return False
    remember(notice, say("guidelines.saved", number=version.partition("-")[0]))
    return True


def draw_files(context: Context, held: Held, notice: str) -> None:
    """Draw the download and, for editors, the upload."""
    say = context.say
    download(
        say("factor_book.download"),
        held.text.text,
        f"factors-{held.text.version}.yaml",
        "factor-book-download",
    )
    if context.may(Act.EDIT_GUIDELINES):
        _upload(context, held, notice)


def _upload(context: Context, held: Held, notice: str) -> None:
    """Draw the upload of a codebook with its changes."""
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
    with guarded(context.language):
        try:
            text = file.getvalue().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UserError("guideline_file", Where(file=file.name)) from error
        seen = outlook(*context.here, text, by=context.by)
        draw_changes(context, held.labels, seen)
        if seen.changes:
            _save(context, held, text, notice)


def _save(context: Context, held: Held, text: str, notice: str) -> None:
    """Save an uploaded codebook."""
    say = context.say
    mark = text_hash(text)[:12]
    base = st.session_state.setdefault(f"factor-book-base-{mark}", held.current)
    label = say("factor_book.save_file")
    if draw_saving(context, text, base, notice, label, "factor-book-file"):
        del st.session_state[f"factor-book-base-{mark}"]
        st.rerun()


def draw_versions(context: Context, held: Held) -> None:
    """Draw the list of versions, and the chosen one's changes from the previous."""
    every = list_versions(*context.here, "codebook", Task.FACTOR_TAGGING, context.by)
    views = [version for version in every if version.known]
    number = views[_picked_version(context, views)].number
    earlier = [view.number for view in views if view.number < number]
    if not earlier:
        st.caption(context.say("factor_book.first_version"))
        return
    current = number == held.current
    text = held.text if current else read(*context.here, number, context.by).text
    seen = outlook(*context.here, text.text, max(earlier), context.by)
    draw_changes(context, held.labels, seen)


def _picked_version(context: Context, views: Sequence[VersionView]) -> int:
    columns = {
        "number": [view.number for view in views],
        "who": [author_of(context, view) for view in views],
        "when": ["" if view.at is None or view.packaged else f"{view.at:{_DAY}}" for view in views],
        "note": [view.note for view in views],
        "submissions": [view.submissions for view in views],
    }
    row = pick_row(context, "guidelines", columns, "factor-book-versions", wide="note")
    return row or 0
