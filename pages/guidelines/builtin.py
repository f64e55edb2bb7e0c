"""Offer of the built-in text to projects with an older one."""

from __future__ import annotations

import streamlit as st

from annotation.guidelines.editing import Offer, builtin_offer, take_builtin
from corpus.compare.diff import diff
from pages.guidelines.versions import span_of
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.notices import remember
from pages.shell.plain_text import plain_text
from pages.task.guideline_text import around


def draw_builtin(context: Context, kind: str, task: str, notice: str) -> None:
    """Draw the offer with its changes, and the button that adopts it."""
    offer = builtin_offer(*context.here, kind, task, context.by)
    if offer is None:
        return
    say = context.say
    with st.container(border=True):
        st.markdown(f"**{say('guidelines.builtin')}**")
        st.caption(say("guidelines.builtin_help", number=offer.number))
        with st.expander(say("guidelines.builtin_changes"), key="guidelines-builtin-diff"):
            _changes(context, offer)
        words = say("guidelines.builtin_take", number=offer.number + 1)
        if st.button(words, key="guidelines-builtin"):
            with guarded(context.language):
                note = say("guidelines.builtin_note")
                where = (*context.here, kind, task)
                version = take_builtin(*where, note, offer.number, context.by)
                remember(notice, say("guidelines.saved", number=version.partition("-")[0]))
                st.rerun()


def _changes(context: Context, offer: Offer) -> None:
    for language in sorted(offer.changed, key=lambda each: each != context.language):
        if len(offer.texts) > 1:
            st.markdown(f"**{context.say(f'guidelines.languages.{language}')}**")
        pieces = around(diff(offer.now.get(language, ""), offer.texts[language]))
        marked = [span_of(piece) for piece in pieces]
        plain_text(marked, f"guidelines-builtin-{language}", language=language)
