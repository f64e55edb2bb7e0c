"""Editor of a guideline or codebook, with a live preview."""

from __future__ import annotations

import streamlit as st

from annotation.guidelines.builtin_documents import languages_of
from annotation.guidelines.codebook_text import text_limit
from annotation.guidelines.codebook_tree import parse
from annotation.guidelines.documents import read
from annotation.guidelines.editing import NOTE_LIMIT, new_version
from errors import UserError
from pages.guidelines.display import draw_text
from pages.shell.context import Context
from pages.shell.guard import guarded, show
from pages.shell.notices import remember

_HEIGHT = 460  # pixels of a text before it scrolls


def draw_editor(context: Context, kind: str, task: str, notice: str) -> None:
    """Draw the editor; saving creates a new version."""
    say = context.say
    place = f"guidelines-edit-{context.project}-{task}-{kind}"
    base = _base_version(context, kind, task, place)
    st.caption(say("guidelines.editing", number=base, next=base + 1))
    texts = {}
    languages = sorted(languages_of(kind), key=lambda each: each != context.language)
    for language, tab in zip(
        languages, st.tabs([say(f"guidelines.languages.{each}") for each in languages]), strict=True
    ):
        with tab:
            texts[language] = _side_by_side(context, kind, task, language, place)
    note = st.text_input(
        say("guidelines.note"),
        max_chars=NOTE_LIMIT,
        placeholder=say("guidelines.note_hint"),
        key=f"{place}-note",
    )
    row = st.container(horizontal=True)
    if row.button(say("guidelines.save"), type="primary", key="guidelines-save"):
        _save(context, kind, task, texts, note, base, place, notice)
    if row.button(say("guidelines.start_over"), key="guidelines-start-over"):
        _clear_edit(place)
        st.rerun()


def _base_version(context: Context, kind: str, task: str, place: str) -> int:
    """Return the number of the version that the edit began with; start one if there is none.

    Typed text is kept while the person looks at other views, though its widgets are gone.
    """
    kept = st.session_state.setdefault(place, {})
    if "number" not in kept:
        for language in languages_of(kind):
            found = read(*context.here, kind, task, language, by=context.by)
            kept[language], kept["number"] = found.text, found.number
    return int(kept["number"])


def _side_by_side(context: Context, kind: str, task: str, language: str, place: str) -> str:
    kept = st.session_state[place]
    left, right = st.columns(2, gap="medium")
    name = f"{place}-{language}-{kept['number']}"
    if name not in st.session_state:
        st.session_state[name] = kept.get("typed", {}).get(language, kept[language])
    text = left.text_area(
        context.say("guidelines.text"),
        height=_HEIGHT,
        max_chars=text_limit(kind, task),
        key=name,
    )
    kept["typed"] = kept.get("typed", {}) | {language: text}
    with right:
        st.caption(context.say("guidelines.preview"))
        with st.container(border=True, height=_HEIGHT):
            _preview(context, kind, task, text, language, place)
    return str(text)


def _preview(context: Context, kind: str, task: str, text: str, language: str, place: str) -> None:
    try:
        book = parse(text, task) if kind == "codebook" else None
    except UserError as error:
        show(error, context.language)
        return
    shown = None if kind == "codebook" else language
    draw_text(context, text, f"{place}-preview-{language}", book, shown)


def _save(
    context: Context,
    kind: str,
    task: str,
    texts: dict[str, str],
    note: str,
    base: int,
    place: str,
    notice: str,
) -> None:
    with guarded(context.language):
        version = new_version(*context.here, kind, task, texts, note, base, context.by)
        _clear_edit(place)
        remember(notice, context.say("guidelines.saved", number=version.partition("-")[0]))
        st.rerun()


def _clear_edit(place: str) -> None:
    for name in [each for each in st.session_state if str(each).startswith(place)]:
        del st.session_state[name]
